"""Figures that contradict a fact, and figures that no fact holds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import isclose

from voirdire.integrity.records import Violation
from voirdire.integrity.rules.arithmetic import MOST_FIGURES, makes_product
from voirdire.integrity.rules.lexicon import phrases
from voirdire.integrity.rules.matched_response import (
    Match,
    MatchedResponse,
    names_another,
    states_nothing,
    violation,
)
from voirdire.integrity.rules.passage import MOST_FINDS, ResponseSentence
from voirdire.integrity.rules.polarity import reverses
from voirdire.integrity.rules.prepared_facts import CHANGE, PreparedFact
from voirdire.integrity.rules.quantities import (
    Quantity,
    is_physical,
    is_within_bound,
    lies_within,
    same_sort,
    spans,
    states,
)
from voirdire.text.units import comparable

_EVERYDAY = frozenset({0, 1, 2, 3, 24, 60, 100, 365, 1000})  # "24 hours", "100 per cent": no finding of this case
_SMALL_WORDS = 12  # "two options", "three reasons" count nothing of the case
_NOWHERE = 0.55  # confidence of an invention
_DIFFERS = 0.7  # confidence of a contradiction
_SWAPPED = 0.55
_OTHER_CODE = 0.45
_SAME = 0.75  # share of a fact's words, weighted, that a sentence has when it says the same of another model
_RECKONED = 8  # figures of a sentence that may enter into a sum; a table's rows are no arithmetic


def figure_violations(matched: MatchedResponse) -> Iterator[Violation]:
    """Contradicted figures (fact_denial), and unknown ones (fact_invention); background dates cost nothing."""
    for sentence in matched.sentences:
        for match in matched.matches[sentence.index][:MOST_FINDS]:
            suggestion = _judge(matched, sentence, match)
            if suggestion is not None:
                yield suggestion


def _judge(matched: MatchedResponse, sentence: ResponseSentence, match: Match) -> Violation | None:
    figure = match.figure
    span = (figure.start, figure.end)
    if match.stated:
        other = _swapped_fact(matched, sentence, match)
        if other is None:
            return None
        is_part = any(spans(one, figure) and not spans(figure, one) for one in match.stated[0].figures)
        relation = "is in the range" if is_part else "is the figure"
        reason = (
            f"{figure.whole} {relation} of {match.stated[0].id}, but the words are those of {other.id}, "
            f"which says {_figures_text(other, figure)}."
        )
        return violation(sentence, span, "fact_denial", other, reason, _SWAPPED)
    if match.left_over is not None or _is_product(matched, sentence, figure) or _differs_by(matched, figure):
        return None
    leaf = _contradicted_fact(matched, sentence, figure)
    if leaf is not None and any(lies_within(figure, one) for one in leaf.main):
        return None
    other = _fact_of_another_code(matched, sentence, figure) if leaf is None and match.known else None
    if other is not None:
        reason = f"{figure.whole} is the figure of {other.id}, which is about another: {other.fact.text.rstrip(' .')}."
        return violation(sentence, span, "fact_denial", other, reason, _OTHER_CODE)
    if match.known and not (leaf is not None and _takes_place_of(matched, sentence, figure, leaf)):
        return None
    years = leaf is None and matched.prepared.derived.spans_years(figure)
    if match.derived and (years or _says_it_calculates(sentence, figure, leaf)):
        return None
    leaf = leaf or _limiting_fact(matched, sentence, figure)
    if leaf is not None and _keeps_limit(sentence, figure, leaf):
        return None
    if leaf is not None:
        reason = f"{figure.whole} stands where {leaf.id} says {_figures_text(leaf, figure)}."
        return violation(sentence, span, "fact_denial", leaf, reason, _DIFFERS)
    return None if _is_small_talk(matched, sentence, figure) else _invention(matched, sentence, figure)


def _invention(matched: MatchedResponse, sentence: ResponseSentence, figure: Quantity) -> Violation | None:
    stretch = sentence.clause_at(figure.start)
    if states_nothing(sentence) or phrases("hypothetical").search(sentence.text) or (figure.about and figure.words):
        return None
    if figure.unit == "time" and not _dated_claim(matched, sentence, figure):
        return None
    reason = f"No fact gives {figure.whole}, nor does arithmetic on the facts' figures."
    return violation(sentence, stretch, "fact_invention", None, reason, _NOWHERE)


def _contradicted_fact(matched: MatchedResponse, sentence: ResponseSentence, figure: Quantity) -> PreparedFact | None:
    """The fact that the figure's clause is about, if it has a figure of the same sort that is not stated beside it."""
    stretch = sentence.clause_at(figure.start)
    clause = sentence.keys_in(*stretch)
    keys_around = sentence.keys_near(figure.start, figure.end, 4, 4)
    codes = matched.codes[sentence.index]
    for leaf in matched.about(clause) or matched.about(sentence.keys):
        if names_another(leaf, codes):
            continue
        figures = leaf.main if figure.counts else leaf.figures
        comparable_figures = [one for one in figures if same_sort(figure, one) and _counts_the_same(figure, one)]
        unstated = [
            one
            for one in comparable_figures
            if not any(states(stated, one, sentence.keys) for stated in sentence.figures[:MOST_FINDS])
        ]
        on_matter = leaf.measured & keys_around and 2 * len(leaf.key & keys_around) >= len(keys_around)
        if figure.unit == "percent" and leaf.change != _speaks_of_change(sentence):
            continue  # a share of a whole and a change are no rival figures
        if unstated and on_matter and _is_clearly_about(matched, leaf, sentence):
            return leaf
    return None


def _takes_place_of(matched: MatchedResponse, sentence: ResponseSentence, figure: Quantity, leaf: PreparedFact) -> bool:
    """Whether a figure that another fact has, too, stands here for a fact's own: a measure, or beside all its words."""
    if is_physical(figure):  # 20 °C may stand for another fact's 20 °C
        return True
    units = frozenset(thing for one in leaf.main for thing in one.things)
    return bool(figure.measure) and matched.prepared.share(leaf, sentence.keys | units) >= _SAME


def _fact_of_another_code(
    matched: MatchedResponse, sentence: ResponseSentence, figure: Quantity
) -> PreparedFact | None:
    """The fact that gives the figure in the words of the sentence, but of another model of which the facts speak."""
    if states_nothing(sentence):
        return None
    codes = {code for each in matched.prepared.leaves for code in each.codes & matched.codes[sentence.index]}
    return next(
        (
            leaf
            for leaf in matched.about(sentence.keys)
            if names_another(leaf, codes)
            and matched.prepared.share(leaf, sentence.keys) >= _SAME
            and any(states(figure, one, sentence.keys) for one in leaf.main)
            and not reverses(sentence, leaf)
        ),
        None,
    )


def _limiting_fact(matched: MatchedResponse, sentence: ResponseSentence, figure: Quantity) -> PreparedFact | None:
    """The fact that limits what the figure measures: one that its sentence is about.

    What a sentence permits may be in other words, where only one fact measures such a thing.
    """
    if not is_physical(figure):
        return None
    measuring = [
        leaf for leaf in matched.prepared.leaves if any(one.measure and same_sort(figure, one) for one in leaf.main)
    ]
    codes = matched.codes[sentence.index]
    about = [leaf for leaf in matched.about(sentence.keys) if leaf in measuring and not names_another(leaf, codes)]
    permits = phrases("rule").search(sentence.text) is not None
    limits = about[:1] or (measuring if permits and len(measuring) == 1 else [])
    return next((leaf for leaf in limits if any(one.about in ("least", "most") for one in leaf.main)), None)


def _keeps_limit(sentence: ResponseSentence, figure: Quantity, leaf: PreparedFact) -> bool:
    """Whether a fact is a rule or sets a limit, and the figure is within all its bounds: "Cool it for 12 minutes"."""
    limits = any(phrases(name).search(leaf.fact.text) for name in ("limit", "rule"))
    if not limits or reverses(sentence, leaf, bounds_apart=True):
        return False
    return all(
        is_within_bound(figure, one) for one in leaf.figures if same_sort(figure, one) and _counts_the_same(figure, one)
    )


def _speaks_of_change(sentence: ResponseSentence) -> bool:
    return any(word.lower in CHANGE for word in sentence.words)


def _is_clearly_about(matched: MatchedResponse, leaf: PreparedFact, sentence: ResponseSentence) -> bool:
    """Whether a sentence is about a fact beyond one shared word, or about the only fact with that word."""
    hits = leaf.key & sentence.keys
    return len(hits) > 1 or any(matched.prepared.is_own(leaf, key) for key in hits)


def _counts_the_same(figure: Quantity, fact_figure: Quantity) -> bool:
    if {figure.unit, fact_figure.unit} <= {"percent", "money", "times", "time"}:
        return True
    if figure.measure and fact_figure.measure:
        return comparable(figure.measure, fact_figure.measure)
    return bool(figure.things & fact_figure.things) or not (figure.things or fact_figure.things)


def _swapped_fact(matched: MatchedResponse, sentence: ResponseSentence, match: Match) -> PreparedFact | None:
    """Another fact that the clause is about, if nothing there speaks of the fact whose figure stands in it."""
    figure = match.figure
    clause = sentence.keys_in(*sentence.clause_at(figure.start))
    unit = sentence.keys_in(figure.end, figure.measured_to)
    own = [_own_words(matched, leaf) for leaf in match.stated]
    if any(not words or words & (sentence.keys - unit) for words in own):
        return None
    stated = matched.stated_in[sentence.index]
    for leaf in matched.about(clause):
        figures = [one for one in leaf.main if same_sort(figure, one) and _counts_the_same(figure, one)]
        others = leaf.id not in stated and leaf.id not in {one.id for one in match.stated}
        if figures and others and _own_words(matched, leaf) & clause:
            return leaf
    return None


def _own_words(matched: MatchedResponse, leaf: PreparedFact) -> frozenset[str]:
    return frozenset(key for key in leaf.key if matched.prepared.is_own(leaf, key))


def _says_it_calculates(sentence: ResponseSentence, figure: Quantity, leaf: PreparedFact | None) -> bool:
    """Whether a sentence says that it reckons, beyond the figure itself ("for 3 years") and what the fact says, too."""
    calculations = (
        phrase
        for phrase in phrases("reckoning").finditer(sentence.text)
        if not phrase.start() <= figure.start < phrase.end()
    )
    fact_phrases = {phrase[0].lower() for phrase in phrases("reckoning").finditer(leaf.fact.text)} if leaf else set()
    return any(phrase[0].lower() not in fact_phrases for phrase in calculations)


def _is_product(matched: MatchedResponse, sentence: ResponseSentence, figure: Quantity) -> bool:
    """Whether the sentence reckons with the figure: another of its own and one of a fact on it make a product."""
    if not figure.counts:
        return False
    mine = [one for one in sentence.figures[:_RECKONED] if one is not figure and one.counts]
    leaves = matched.prepared.facts_with(sentence.keys)
    fact_figures = [one for leaf in leaves for one in leaf.main if one.counts][:MOST_FIGURES]
    return any(
        makes_product(figure, other, one) or makes_product(other, figure, one) for other in mine for one in fact_figures
    )


def _differs_by(matched: MatchedResponse, figure: Quantity) -> bool:
    """Whether a figure is by how much two of the facts' figures differ, and says so: "20 Nm more than"."""
    same_sort_figures = [one for one in matched.prepared.known_figures if figure.differs and same_sort(figure, one)][
        :MOST_FIGURES
    ]
    return any(
        isclose(one.number.value - other.number.value, figure.number.value)
        for one, other in permutations(same_sort_figures, 2)
    )


def _dated_claim(matched: MatchedResponse, sentence: ResponseSentence, figure: Quantity) -> bool:
    """Whether a date is stated of this case: with a day, in a sentence about a fact; other years are background."""
    return figure.number.day is not None and bool(matched.about(sentence.keys))


def _is_small_talk(matched: MatchedResponse, sentence: ResponseSentence, figure: Quantity) -> bool:
    if matched.prepared.may_be_code(figure):
        return True
    if figure.measure and not figure.words:
        leaves = matched.prepared.facts_with(sentence.keys)
        if any(one.measure and same_sort(figure, one) for leaf in leaves for one in leaf.main):
            return False
    value = figure.number.value
    if figure.unit in ("percent", "money") and value != 100:
        return False
    return value in _EVERYDAY or (figure.words and figure.unit != "percent" and value <= _SMALL_WORDS)


def _figures_text(leaf: PreparedFact, figure: Quantity) -> str:
    """The fact's figures of the same sort, for the reason."""
    texts = [one.whole for one in leaf.figures if same_sort(one, figure) and _counts_the_same(one, figure)]
    return ", ".join(dict.fromkeys(texts))
