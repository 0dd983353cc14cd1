"""Words where the fact has a figure, or beside it: imprecise, vague, understating, contrary or colouring ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from voirdire.integrity.records import Violation
from voirdire.integrity.rules.lexicon import phrases
from voirdire.integrity.rules.matched_response import Match, MatchedResponse, states_nothing, violation
from voirdire.integrity.rules.passage import MOST_FINDS, ResponseSentence
from voirdire.integrity.rules.prepared_facts import FEW, HIGH_SHARE, MOST, PreparedFact, share_of, size_of

_EVIDENCE = frozenset(
    "evidence association effect relationship correlation significance link support finding result "
    "findings results effects difference".split()
)


_BARE = 2
_ADVERBS = ("ly", "very", "much")
_NOUNS = ("ity", "ness", "ion", "ment", "ions", "ments")
_PHRASE = 4  # words that an adjective governs at most: "significant intergenerational wealth gap"
_AFTER = 60  # characters to a parenthesis that gives the figure after all: "a high capacity factor (93 %)"
_BESIDE = 14  # characters between "only" and the figure that it belittles: "only about 60 %"


class _Kind(NamedTuple):
    """One list of words: where it looks, at which facts, and what it suggests."""

    lexicon: str
    before: int
    after: int
    fits: Callable[[PreparedFact], bool]
    type: str
    confidence: float


def _has_time(leaf: PreparedFact) -> bool:
    return any(figure.unit == "time" for figure in leaf.main)


def _has_figures(leaf: PreparedFact) -> bool:
    return bool(leaf.main) and not _has_time(leaf) and not leaf.statistic


def _has_comparison(leaf: PreparedFact) -> bool:
    return _has_figures(leaf) and (leaf.change or any(figure.unit == "times" for figure in leaf.main))


def _has_share(leaf: PreparedFact) -> bool:
    return _has_figures(leaf) and any(figure.unit in ("percent", "count") for figure in leaf.main)


# In this order: the first word that is found for a fact in a sentence stands for it.
_KINDS = (
    _Kind("vary", 3, 0, _has_figures, "vagueness", 0.5),
    _Kind("most", 0, 1, _has_share, "vagueness", 0.6),
    _Kind("few", 0, 1, _has_share, "vagueness", 0.55),
    _Kind("degree_low", 3, 2, _has_figures, "imprecision", 0.5),
    _Kind("degree_high", 3, 2, _has_figures, "imprecision", 0.6),
    _Kind("gap", 2, 3, _has_comparison, "vagueness", 0.5),
    _Kind("less", 2, 1, _has_comparison, "vagueness", 0.55),
    _Kind("more", 2, 1, _has_comparison, "vagueness", 0.5),
    _Kind("quantity", 0, 1, _has_share, "vagueness", 0.55),
    _Kind("shows", 0, 1, _has_figures, "imprecision", 0.4),
    _Kind("time", 99, 99, _has_time, "vagueness", 0.5),
)


def wording_violations(matched: MatchedResponse) -> Iterator[Violation]:
    """Qualitative words for facts whose figure stands nowhere in the response."""
    for sentence in matched.sentences:
        if sentence.text.endswith("?"):
            continue
        yield from _evidence_words(matched, sentence)
        charged: set[str] = set()
        for kind in _KINDS:
            for phrase in sentence.find(kind.lexicon):
                yield from _judge(matched, sentence, kind, phrase.span(), charged)


def _judge(
    matched: MatchedResponse, sentence: ResponseSentence, kind: _Kind, span: tuple[int, int], charged: set[str]
) -> Iterator[Violation]:
    start, end = span
    stretch = sentence.clause_at(start)
    if states_nothing(sentence, *stretch) or _has_figure(sentence, start, end):
        return
    word = sentence.text[start:end].lower()
    near = sentence.keys_near(start, end, kind.before, kind.after)
    governed = frozenset(word.key for word in sentence.words_after(end, 1) if word.key)
    for leaf in _candidates(matched, sentence, kind, span, near, governed):
        stated = leaf.id in matched.stated and leaf.key
        if stated or (kind.lexicon.startswith("degree") and any(each.lower == word for each in leaf.words)):
            return  # the words are about a fact whose figure stands elsewhere, or that speaks so itself
        if leaf.id not in charged and leaf.id not in matched.stated:
            charged.add(leaf.id)
            yield _charge(sentence, kind, span, leaf)
            return


def _candidates(
    matched: MatchedResponse,
    sentence: ResponseSentence,
    kind: _Kind,
    span: tuple[int, int],
    near: frozenset[str],
    governed: frozenset[str],
) -> Iterable[PreparedFact]:
    leaves = matched.prepared.leaves
    if _is_bare(sentence) and len(leaves) == 1:  # "soon" can only be about the one fact there is
        return (leaf for leaf in leaves if kind.fits(leaf))
    bare = (leaf for leaf in leaves if not leaf.key and kind.fits(leaf) and kind.lexicon == "vary")
    named = [leaf for leaf in matched.prepared.facts_with(near) if kind.fits(leaf) and leaf.measured & near]
    if kind.lexicon in ("more", "less"):  # "increased salinity" is no word on a fact that doesn't speak of salinity
        named = [leaf for leaf in named if governed <= leaf.key]
    if kind.lexicon.startswith("degree"):
        named = [leaf for leaf in named if _governs(sentence, span, leaf)]
    named = [leaf for leaf in named if matched.measured_by(sentence.keys, leaf)]
    ordered = sorted(named, key=lambda leaf: -matched.prepared.share(leaf, sentence.keys))
    return (*ordered, *bare)


def _charge(sentence: ResponseSentence, kind: _Kind, span: tuple[int, int], leaf: PreparedFact) -> Violation:
    word = sentence.text[span[0] : span[1]]
    figures = ", ".join(figure.text for figure in leaf.main)
    share, size = share_of(leaf), size_of(leaf)
    if share is not None and ((kind.lexicon == "most" and share < MOST) or (kind.lexicon == "few" and share > FEW)):
        return violation(sentence, span, "fact_denial", leaf, f"“{word}” is contrary to {figures} in {leaf.id}.", 0.6)
    if kind.lexicon == "degree_low" and size == "large":
        contrary = phrases("contrary_low").fullmatch(word) is not None
        name, how = ("fact_denial", "is contrary to") if contrary else ("reframing", "understates")
        return violation(sentence, span, name, leaf, f"“{word}” {how} {figures} in {leaf.id}.", 0.55)
    name = "imprecision" if kind.lexicon == "time" and _is_bare(sentence) else kind.type
    reason = f"“{word}” stands where {leaf.id} gives {figures}, and the response never states that."
    return violation(sentence, span, name, leaf, reason, kind.confidence)


def _is_bare(sentence: ResponseSentence) -> bool:
    """Whether there is nothing but a word or two, so that only the facts can say what they are about."""
    return len(sentence.words) <= _BARE


def _has_figure(sentence: ResponseSentence, start: int, end: int) -> bool:
    """Whether a figure follows within the phrase: "more than 85 %", "a high 40 %"."""
    opens = sentence.text.find("(", end, end + _AFTER)
    return any(
        figure.unit != "time" and (start <= figure.start < end + 12 or 0 <= opens < figure.start < opens + 12)
        for figure in sentence.figures
    )


def _governs(sentence: ResponseSentence, span: tuple[int, int], leaf: PreparedFact) -> bool:
    """Whether an adjective's own noun is the fact's: "rapid renewable deployment" says nothing of renewables' share."""
    place, last = span[1], ""
    for word in sentence.words_after(span[1], _PHRASE):
        gap = sentence.text[place : word.start]
        if gap not in (" ", "-") or (not word.key and not phrases("generic").fullmatch(word.lower)):
            break
        if word.key and not phrases("gap").fullmatch(word.lower):
            if sentence.text[span[0] : span[1]].lower().endswith(_ADVERBS):
                return word.key in leaf.key
            last = word.key
        place = word.end
    return not last or last in leaf.key


def _evidence_words(matched: MatchedResponse, sentence: ResponseSentence) -> Iterator[Violation]:
    """For p-values and effect sizes: "strong evidence" is fair, "some" is vague, "weak" is contrary."""
    for leaf in matched.prepared.leaves:
        if not leaf.statistic or leaf.id in matched.stated:
            continue
        for lexicon, name, how in (
            ("contrary_low", "fact_denial", "is contrary to"),
            ("degree_low", "reframing", "understates"),
            ("quantity", "vagueness", "says less than"),
        ):
            phrase = next((each for each in sentence.find(lexicon) if _of_evidence(sentence, each.end())), None)
            if phrase is not None and _fact_rates_evidence(matched, phrase[0], sentence):
                break
            if phrase is not None and (name == "vagueness" or leaf.statistic == "strong"):
                yield violation(
                    sentence, phrase.span(), name, leaf, f"“{phrase[0]}” {how} {leaf.fact.text} ({leaf.id}).", 0.6
                )
                break


def _fact_rates_evidence(matched: MatchedResponse, word: str, sentence: ResponseSentence) -> bool:
    """Whether a fact that shares a word with the sentence rates its evidence so itself."""
    touched = matched.prepared.facts_with(sentence.keys)
    return any(each.lower == word.lower() for leaf in touched for each in leaf.words)


def _of_evidence(sentence: ResponseSentence, end: int) -> bool:
    return any(word.lower in _EVIDENCE for word in sentence.words_after(end, 3))


def contrary_words(matched: MatchedResponse) -> Iterator[Violation]:
    """Words like "ineffective" for a high share of effectiveness: the measured word with a negative prefix."""
    for sentence in matched.sentences:
        negative = [word for word in sentence.words if word.key[:2] in ("in", "un") and not word.lower.endswith(_NOUNS)]
        negative = negative[:MOST_FINDS]
        for word in negative:
            for leaf in matched.prepared.facts_with(frozenset({word.key[2:]})):
                share = share_of(leaf)
                if share is not None and share >= HIGH_SHARE and word.key[2:] in leaf.measured - leaf.subject:
                    reason = f"“{word.lower}” is contrary to {leaf.main[0].text} in {leaf.id}."
                    yield violation(sentence, (word.start, word.end), "fact_denial", leaf, reason, 0.55)


def framing_violations(matched: MatchedResponse) -> Iterator[Violation]:
    """Figures that are right, and put so that they weigh differently."""
    for sentence in matched.sentences:
        for match in matched.matches[sentence.index][:MOST_FINDS]:
            if match.stated:
                yield from _loaded_words(sentence, match)
            elif match.left_over is not None:
                yield from _complement(matched, sentence, match, match.left_over)


def _loaded_words(sentence: ResponseSentence, match: Match) -> Iterator[Violation]:
    leaf, figure = match.stated[0], match.figure
    for lexicon, fair, how in (("only", "small", "belittles"), ("even", "large", "magnifies")):
        before = max(0, figure.start - 30)
        phrases_before = [one for one in phrases(lexicon).finditer(sentence.text, before, figure.start)]
        if (
            not phrases_before
            or figure.start - phrases_before[-1].end() > _BESIDE
            or phrases(lexicon).search(leaf.fact.text)
        ):
            continue
        if figure.about == "least":  # "only people aged 14 and over"
            continue
        if size_of(leaf) != fair:
            reason = f"“{phrases_before[-1][0]}” {how} the figure of {leaf.id}, which gives no reason for it."
            span = (phrases_before[-1].start(), figure.end)
            yield violation(sentence, span, "reframing", leaf, reason, 0.5)


def _complement(
    matched: MatchedResponse, sentence: ResponseSentence, match: Match, leaf: PreparedFact
) -> Iterator[Violation]:
    """What is left of 100 per cent is true; it reframes where the figure itself is not stated by then."""
    where = next(iter(matched.stated.get(leaf.id, ())), None)
    if where is not None and (where <= sentence.index):
        return
    stretch = sentence.clause_at(match.figure.start)
    negative = phrases("negative").search(sentence.text) is not None
    figures = ", ".join(figure.text for figure in leaf.main)
    if where is None:
        reason = f"{match.figure.text} is what {figures} in {leaf.id} leaves, and {figures} itself is not stated."
        yield violation(sentence, stretch, "reframing", leaf, reason, 0.65 if negative else 0.5)
    else:
        reason = f"{match.figure.text} comes first and {figures} ({leaf.id}), which it is the rest of, only later."
        yield violation(sentence, stretch, "selective_emphasis", leaf, reason, 0.4)
