"""Doubt: of a stated value (denial), beside an accepted fact (caveat), of its source, of its motive."""

from __future__ import annotations

import re
from collections.abc import Iterator

from voirdire.integrity.records import Violation
from voirdire.integrity.rules.lexicon import phrases
from voirdire.integrity.rules.matched_response import MatchedResponse, states_nothing, violation
from voirdire.integrity.rules.passage import ResponseSentence
from voirdire.integrity.rules.prepared_facts import PreparedFact

_AHEAD = re.compile(r"(?i)\b(?:whether|future|next|will|how|what|who|when|why)\b")
_ANAPHOR = re.compile(r"(?i)\b(?:this|these|those|that|such|it|its|they|their|them|he|she|his|her|and|or)\b")
_BECAUSE = re.compile(r"(?i)\b(?:because|since|given|as)\b")
_PHRASE_END = re.compile(r"\sand\s|\sor\s|[,;.:)]")
_FRAGMENT = 4  # words; so short a text has no room to name what it doubts
_NEGATED = 24  # characters from a negation to what it negates
_REACH = 40  # characters from a modal verb to the flaw or comparative that it hedges
_ANY_REASON = 0.25  # share of a fact's words


def doubt_violations(matched: MatchedResponse) -> Iterator[Violation]:
    """All doubts of facts; doubt that a fact itself expresses is none."""
    for sentence in matched.sentences:
        if sentence.text.endswith("?"):
            continue
        yield from _value_in_doubt(matched, sentence)
        yield from _reserve(matched, sentence)
        yield from _flaws(matched, sentence)
        yield from _could_be_worse(matched, sentence)
        yield from _discredit(matched, sentence)
        yield from _dismissal(matched, sentence)
        yield from _invented_state(matched, sentence)


def _value_in_doubt(matched: MatchedResponse, sentence: ResponseSentence) -> Iterator[Violation]:
    for phrase in sentence.find("value_in_doubt"):
        start, end = sentence.clause_at(phrase.start())
        if _AHEAD.search(sentence.text, start, phrase.end()) or states_nothing(sentence, start, end):
            continue
        leaf = _target(matched, sentence, start, end)
        if leaf is not None and not leaf.doubtful and not _echoes(phrase[0], leaf):
            span, reason = (start, phrase.end()), f"“{phrase[0]}” calls into question what {leaf.id} establishes."
            yield violation(sentence, span, "fact_denial", leaf, reason, 0.65)
        elif (
            leaf is None
            and not any(one.doubtful for one in matched.prepared.facts_with(sentence.keys))
            and phrases("source").search(sentence.text, start, end)
            and _on_topic(matched, sentence)
        ):
            reason = f"“{phrase[0]}” doubts a source, and no fact gives a reason."
            yield violation(sentence, phrase.span(), "unsupported_caveat", None, reason, 0.45)


def _echoes(doubt: str, leaf: PreparedFact) -> bool:
    """Whether "no data …" repeats what a fact negates itself."""
    return doubt.lower().startswith("no ") and bool(leaf.negated)


def _reserve(matched: MatchedResponse, sentence: ResponseSentence) -> Iterator[Violation]:
    phrase = phrases("reserve").search(sentence.text)
    if phrase is None or _gives_reason(matched, sentence, phrase.end()):
        return
    start, end = sentence.clause_at(phrase.start())
    if _AHEAD.search(sentence.text, start, phrase.start()):
        return
    leaf = _target(matched, sentence, start, end)
    if leaf is not None and leaf.doubtful:
        return
    if leaf is not None or phrases("source").search(sentence.text, start, end):
        reason = f"“{phrase[0]}” adds doubt for which no fact gives a reason."
        yield violation(sentence, phrase.span(), "unsupported_caveat", leaf, reason, 0.55)


def _flaws(matched: MatchedResponse, sentence: ResponseSentence) -> Iterator[Violation]:
    """Hedged flaws of a source are caveats, asserted ones inventions, unless a fact knows of them."""
    if any(leaf.doubtful for leaf in matched.about(sentence.keys)):
        return
    hedged = _hedged_flaw(matched, sentence)
    if hedged is not None:
        yield hedged
        return
    for phrase in sentence.find("asserted_flaw"):
        start, end = sentence.clause_at(phrase.start())
        if states_nothing(sentence, start, end) or not phrases("source").search(sentence.text, start, end):
            continue
        stop = _PHRASE_END.search(sentence.text, phrase.end(), end)
        span = (phrase.start(), stop.start() if stop else end)
        yield violation(sentence, span, "fact_invention", None, "No fact mentions this flaw.", 0.5)


def _hedged_flaw(matched: MatchedResponse, sentence: ResponseSentence) -> Violation | None:
    for modal in sentence.find("modal"):
        start, end = sentence.clause_at(modal.start())
        flaw = phrases("flaw").search(sentence.text, modal.end(), min(end, modal.end() + _REACH))
        if flaw is None or phrases("condition").search(sentence.text, start, end):
            continue
        if (
            len(sentence.words) <= _FRAGMENT
            or phrases("source").search(sentence.text, start, end)
            or _target(matched, sentence, start, end) is not None
        ):
            span = (modal.start(), flaw.end())
            return violation(sentence, span, "unsupported_caveat", None, "No fact mentions such a flaw.", 0.6)
    return None


def _could_be_worse(matched: MatchedResponse, sentence: ResponseSentence) -> Iterator[Violation]:
    """Find "could be lower" beside a fact that gives the figure."""
    for modal in sentence.find("modal"):
        start, end = sentence.clause_at(modal.start())
        worse = phrases("worse").search(sentence.text, modal.end(), min(end, modal.end() + _REACH // 2))
        if worse is None or phrases("condition").search(sentence.text):
            continue
        before = sentence.keys_in(start, modal.start())
        leaf = next(
            (one for one in matched.about(before) if one.main and one.measured & before and not one.doubtful), None
        )
        if leaf is not None:
            figures = ", ".join(figure.text for figure in leaf.main)
            reason = f"{leaf.id} gives {figures}; nothing among the facts says that it may be {worse[0]}."
            yield violation(sentence, (modal.start(), worse.end()), "unsupported_caveat", leaf, reason, 0.55)


def _discredit(matched: MatchedResponse, sentence: ResponseSentence) -> Iterator[Violation]:
    """Find "unsubstantiated", "lack sincerity" of what a fact has established; "may be pretexts" for it."""
    for lexicon, kind, how in (
        ("discredit", "fact_denial", "denies standing to"),
        ("motive", "reframing", "imputes a motive to"),
        ("alleged", "unsupported_caveat", "puts in doubt"),
    ):
        for phrase in sentence.find(lexicon):
            start, end = sentence.clause_at(phrase.start())
            near = sentence.keys_near(phrase.start(), phrase.end(), 5, 4)
            leaf = _touching(matched, near) or _target(matched, sentence, start, end)
            if leaf is None and _ANAPHOR.search(sentence.text, start, phrase.start()):
                leaf = _touching(matched, sentence.keys_in(0, start) or _keys_before(matched, sentence))
            if leaf is None or leaf.doubtful or states_nothing(sentence, start, end):
                continue
            if not _negated(sentence, phrase.start()) and not phrases(lexicon).search(leaf.fact.text):
                reason = f"“{phrase[0]}” {how} what {leaf.id} establishes."
                yield violation(sentence, phrase.span(), kind, leaf, reason, 0.5)


def _dismissal(matched: MatchedResponse, sentence: ResponseSentence) -> Iterator[Violation]:
    phrase = phrases("dismissal").search(sentence.text)
    if phrase is None or _negated(sentence, phrase.start()):
        return
    start, end = sentence.clause_at(phrase.start())
    leaf = _target(matched, sentence, start, end)
    if leaf is not None or not matched.prepared.leaves:
        reason = f"“{phrase[0]}” sets aside {leaf.id if leaf else 'a finding'} without a reason."
        yield violation(sentence, (start, end), "unsupported_caveat", leaf, reason, 0.5)


def _invented_state(matched: MatchedResponse, sentence: ResponseSentence) -> Iterator[Violation]:
    """A state of affairs asserted of this very case that no fact is about."""
    phrase = phrases("states_degree").search(sentence.text)
    if phrase is None or states_nothing(sentence) or sentence.figures:
        return
    start, end = sentence.clause_at(phrase.start())
    here = phrases("this_case").search(sentence.text, start, end)
    if here is None or phrases("modal").search(sentence.text, start, end):
        return
    keys = sentence.keys_in(start, end)
    if keys and not matched.prepared.facts_with(keys - sentence.keys_in(*here.span())):
        reason = "This is stated of this very case, and no fact is about it."
        yield violation(sentence, (start, end), "fact_invention", None, reason, 0.45)


def _target(matched: MatchedResponse, sentence: ResponseSentence, start: int, end: int) -> PreparedFact | None:
    """The fact that a clause doubts: whose figure it states, or that it is about; else that of a pronoun's sentence."""
    stated = matched.figures_stated_in(sentence, start, end)
    if stated:
        return matched.prepared.by_id[sorted(stated)[0]]
    keys = sentence.keys_in(start, end)
    return next(iter(matched.about(keys)), None)


def _touching(matched: MatchedResponse, keys: frozenset[str]) -> PreparedFact | None:
    touched = matched.prepared.facts_with(keys)
    return max(touched, key=lambda leaf: matched.prepared.share(leaf, keys), default=None)


def _keys_before(matched: MatchedResponse, sentence: ResponseSentence) -> frozenset[str]:
    """The content words of the sentence before, which a pronoun may stand for."""
    return matched.sentences[sentence.index - 1].keys if sentence.index else frozenset()


def _on_topic(matched: MatchedResponse, sentence: ResponseSentence) -> bool:
    return not matched.prepared.leaves or bool(matched.prepared.facts_with(sentence.keys))


def _gives_reason(matched: MatchedResponse, sentence: ResponseSentence, after: int) -> bool:
    """Whether "because …" follows with the words or figures of a fact."""
    because = _BECAUSE.search(sentence.text, after)
    if because is None:
        return False
    keys = sentence.keys_in(because.end(), len(sentence.text))
    return bool(matched.figures_stated_in(sentence, because.end(), len(sentence.text))) or any(
        matched.prepared.share(leaf, keys) >= _ANY_REASON for leaf in matched.prepared.facts_with(keys)
    )


def _negated(sentence: ResponseSentence, place: int) -> bool:
    start = sentence.clause_at(place)[0]
    before = range(max(start, place - _NEGATED), place)
    return any(each.start in before and not each.verb for each in sentence.negations)
