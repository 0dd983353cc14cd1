"""What all rules share: the response cut up, its figures matched with the facts, and which facts a stretch is about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from voirdire.evidence.context import Code
from voirdire.integrity.records import Violation
from voirdire.integrity.rules.arithmetic import is_complement
from voirdire.integrity.rules.lexicon import phrases
from voirdire.integrity.rules.passage import ResponseSentence
from voirdire.integrity.rules.prepared_facts import PreparedFact, PreparedFacts
from voirdire.integrity.rules.quantities import Quantity, lies_within, spanned_figures, spans, states

REFERS = 0.34  # share of a fact's own words, weighted, that a stretch about it has
REFERS_BY_TWO = 0.25  # the same, if at least two words are shared
_DISTINCT = 31  # a larger number is recognised without any word beside it


@dataclass(frozen=True, slots=True)
class Match:
    """What a figure of the response stands for."""

    figure: Quantity
    stated: tuple[PreparedFact, ...]
    """Facts whose figure it states, those that its sentence is about first."""
    left_over: PreparedFact | None
    """The fact whose complement it is, if it states no fact."""
    known: bool
    """Whether the question or a whole fact has it, though no part that it could be of."""
    derived: bool
    """Whether arithmetic on the facts gives it."""


@dataclass(frozen=True, slots=True)
class MatchedResponse:
    """A response matched with facts."""

    prepared: PreparedFacts
    sentences: tuple[ResponseSentence, ...]
    codes: tuple[frozenset[Code], ...]
    """By sentence."""
    matches: tuple[tuple[Match, ...], ...]
    """By sentence, for each of its figures."""
    stated: dict[str, list[int]]
    """Facts whose figures stand in the response, and in which sentences."""
    stated_in: tuple[frozenset[str], ...]
    """By sentence, the ids of the facts that its figures state best."""

    def figures_stated_in(self, sentence: ResponseSentence, start: int, end: int) -> frozenset[str]:
        """Ids of the facts whose figures stand between two places of a sentence."""
        return _stated_by(match for match in self.matches[sentence.index] if start <= match.figure.start < end)

    def about(self, keys: frozenset[str]) -> list[PreparedFact]:
        """The facts that content words are about, best first."""
        touched = self.prepared.facts_with(keys)
        scored = [(self.prepared.share(leaf, keys), leaf) for leaf in touched if is_about(self.prepared, leaf, keys)]
        return [leaf for _, leaf in sorted(scored, key=lambda pair: -pair[0])]

    def measured_by(self, keys: frozenset[str], leaf: PreparedFact) -> bool:
        """Whether `keys` name what a fact measures: with a word of its own, or with what it is about."""
        hits = leaf.measured & keys
        return bool(hits) and (
            is_about(self.prepared, leaf, keys) or any(self.prepared.is_own(leaf, key) for key in hits)
        )


def match_response(prepared: PreparedFacts, sentences: tuple[ResponseSentence, ...]) -> MatchedResponse:
    """Match the figures of a response with the facts."""
    codes = tuple(prepared.codes_of(each.parsed, each.stated) for each in sentences)
    matches = tuple(tuple(_matches(prepared, *each)) for each in zip(sentences, codes, strict=True))
    stated: dict[str, list[int]] = {}
    for sentence, matches_here in zip(sentences, matches, strict=True):
        for match in matches_here:
            for leaf in match.stated:
                if is_main_figure(leaf, match.figure):
                    stated.setdefault(leaf.id, []).append(sentence.index)
    return MatchedResponse(prepared, sentences, codes, matches, stated, tuple(_stated_by(hit) for hit in matches))


def _stated_by(matches: Iterable[Match]) -> frozenset[str]:
    return frozenset(leaf.id for match in matches for leaf in match.stated[:1] if is_main_figure(leaf, match.figure))


def is_main_figure(leaf: PreparedFact, figure: Quantity) -> bool:
    """Whether a figure is one that the fact is about, and no date or count in passing."""
    return any(spans(figure, one) or states(figure, one, leaf.key) for one in leaf.main)


def is_about(prepared: PreparedFacts, leaf: PreparedFact, keys: frozenset[str]) -> bool:
    """Whether content words are about a fact."""
    share = prepared.share(leaf, keys)
    return share >= REFERS or (share >= REFERS_BY_TWO and len(leaf.key & keys) > 1)


def violation(
    sentence: ResponseSentence,
    span: tuple[int, int],
    kind: str,
    leaf: PreparedFact | None,
    reason: str,
    confidence: float,
) -> Violation:
    """A suggestion about some words of a sentence."""
    words = sentence.text[span[0] : span[1]].strip(" ,;:\n\t") or sentence.text
    return Violation(kind, sentence.index, words, leaf.id if leaf else None, reason, "rules", confidence)


def states_nothing(sentence: ResponseSentence, start: int = 0, end: int | None = None) -> bool:
    """Whether a stretch advises, asks or supposes, so that it states no fact."""
    last = len(sentence.text) if end is None else end
    return sentence.text.endswith("?") or phrases("advice").search(sentence.text, start, last) is not None


def names_another(leaf: PreparedFact, codes: Collection[Code]) -> bool:
    """Whether these codes have another figure after letters of the fact's: "Falcon 3" where it has "Falcon 2"."""
    letters = {each for each, _ in codes}
    lacking = {code[0] for code in leaf.codes if code not in codes}
    return any(each in letters for each in lacking - {code[0] for code in leaf.codes if code in codes})


def _matches(prepared: PreparedFacts, sentence: ResponseSentence, codes: Collection[Code]) -> Iterator[Match]:
    words_of: dict[tuple[int, int], frozenset[str]] = {}
    leaves = [leaf for leaf in prepared.leaves if not names_another(leaf, codes)]
    for figure in sentence.figures:
        clause = sentence.clause_at(figure.start)
        if clause not in words_of:
            words_of[clause] = sentence.keys_in(*clause)
        yield _match(prepared, leaves, sentence, figure, words_of[clause])


def _match(
    prepared: PreparedFacts,
    leaves: Sequence[PreparedFact],
    sentence: ResponseSentence,
    figure: Quantity,
    clause: frozenset[str],
) -> Match:
    """What a figure stands for; it can state the facts of `leaves` only."""
    spanned = spanned_figures(figure, prepared.known_figures)
    stated = [
        leaf for leaf in leaves if any(one in spanned or states(figure, one, sentence.keys) for one in leaf.figures)
    ]
    stated = [leaf for leaf in stated if _belongs(leaf, sentence, figure)]
    ordered = sorted(stated, key=lambda leaf: -_closeness(prepared, leaf, clause, sentence.keys))
    if ordered:
        best = _closeness(prepared, ordered[0], clause, sentence.keys)
        closest = [leaf for leaf in ordered if _closeness(prepared, leaf, clause, sentence.keys) >= 0.5 * best]
        return Match(figure, tuple(closest), None, known=False, derived=False)
    if any(states(figure, one) or lies_within(figure, one) for one in prepared.known_figures):
        return Match(figure, (), None, known=True, derived=False)
    left_over = _complemented_fact(prepared, figure, sentence.keys)
    derived = left_over is None and prepared.derived.gives(figure)
    return Match(figure, (), left_over, known=False, derived=derived)


def _belongs(leaf: PreparedFact, sentence: ResponseSentence, figure: Quantity) -> bool:
    """A small count says nothing by itself: some word of the fact must stand beside it."""
    if not leaf.key or figure.unit == "percent" or (figure.number.high > _DISTINCT and figure.unit != "time"):
        return True
    return bool((leaf.key | leaf.subject) & sentence.keys)


def _closeness(prepared: PreparedFacts, leaf: PreparedFact, clause: frozenset[str], keys: frozenset[str]) -> float:
    subject = 0.1 * len(leaf.subject & keys)
    return 2 * prepared.share(leaf, clause) + prepared.share(leaf, keys) + subject


def _complemented_fact(prepared: PreparedFacts, figure: Quantity, keys: frozenset[str]) -> PreparedFact | None:
    facts: Iterable[PreparedFact] = (
        leaf
        for leaf in prepared.leaves
        if not leaf.change
        and any(is_complement(figure, one) for one in leaf.main)
        and _near_enough(leaf, keys, prepared)
    )
    return max(facts, key=lambda leaf: prepared.share(leaf, keys), default=None)


def _near_enough(leaf: PreparedFact, keys: frozenset[str], prepared: PreparedFacts) -> bool:
    return len(prepared.leaves) == 1 or not leaf.key or bool((leaf.key | leaf.subject) & keys)
