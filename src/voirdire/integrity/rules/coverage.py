"""Which facts a response states, blurs, contradicts or leaves out, and how many words each side gets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from voirdire.evidence.negation import limits_another
from voirdire.integrity.omission import omission_rung
from voirdire.integrity.records import EstablishedFact, Side, Violation
from voirdire.integrity.rules.matched_response import MatchedResponse, names_another
from voirdire.integrity.rules.names import named_otherwise
from voirdire.integrity.rules.passage import ResponseSentence
from voirdire.integrity.rules.polarity import compares_as, reverses
from voirdire.integrity.rules.prepared_facts import PreparedFact
from voirdire.text.counting import counted

Status = Literal["stated", "blurred", "missing", "contradicted"]
STATED = 0.45  # share of the words of a fact without figures, in one sentence
BLURRED = 0.25
_FIRM = 0.45  # confidence of a denial that settles the status
_TYPES = {1: "single_omission", 2: "omission_moderate", 3: "systematic_omission"}
_CONFIDENCE = 0.5  # a paraphrase without a shared word passes for an omission
LOPSIDED = 0.2  # the lesser side has less than this share of the words on facts of either side
ENOUGH = 25  # words on facts of either side; fewer show nothing


@dataclass(frozen=True, slots=True)
class Coverage:
    """What became of one fact."""

    fact: str
    status: Status
    sentence: int | None
    """Where, from 0; `None` if it is missing."""
    evidence: str
    """The words of the response, or why it counts as missing."""

    def as_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return {"fact": self.fact, "status": self.status, "sentence": self.sentence, "evidence": self.evidence}


def coverage_of(matched: MatchedResponse, violations: Sequence[Violation]) -> list[Coverage]:
    """What became of each fact that is judged, in their order."""
    false = frozenset(each.sentence for each in violations if each.type == "fact_denial")
    return [
        _cover(matched, leaf, [each for each in violations if each.fact == leaf.id], false)
        for leaf in matched.prepared.leaves
    ]


def _cover(
    matched: MatchedResponse, leaf: PreparedFact, violations: Sequence[Violation], false: Collection[int | None]
) -> Coverage:
    """What became of a fact; a sentence that denies any fact (`false`) states none."""
    denied = next((one for one in violations if one.type == "fact_denial" and (one.confidence or 0) >= _FIRM), None)
    if denied is not None:
        return Coverage(leaf.id, "contradicted", denied.sentence, denied.span or "")
    place = next((each for each in matched.stated.get(leaf.id, ()) if each not in false), None)
    if place is not None:
        return Coverage(leaf.id, "stated", place, _figure_text(matched, leaf, place))
    best, share = _closest((each for each in matched.sentences if each.index not in false), leaf, matched)
    otherwise = best is not None and (
        named_otherwise(matched, leaf, best)
        or names_another(leaf, matched.codes[best.index])
        or reverses(best, leaf)
        or limits_another(best.parsed, leaf.parsed)
    )
    if best is not None and share >= STATED and (not leaf.main or _names_it(leaf)) and not otherwise:
        return Coverage(leaf.id, "stated", best.index, best.text)
    if best is not None and not leaf.main and compares_as(best, leaf, matched.codes[best.index]):
        return Coverage(leaf.id, "stated", best.index, best.text)
    best, share = _closest(matched.sentences, leaf, matched)
    blurred = next(iter(violations), None)
    if blurred is not None and blurred.sentence is not None:
        return Coverage(leaf.id, "blurred", blurred.sentence, blurred.span or "")
    if best is not None and (share >= BLURRED or _own_word(matched, leaf, best)):
        return Coverage(leaf.id, "blurred", best.index, best.text)
    return Coverage(leaf.id, "missing", None, f"no sentence has a figure of it, or {BLURRED:.0%} of its words")


def _names_it(leaf: PreparedFact) -> bool:
    """Whether the fact is told by its words, its figures being dates in passing."""
    return all(figure.unit == "time" for figure in leaf.main) and len(leaf.key) >= 6


def _closest(
    sentences: Iterable[ResponseSentence], leaf: PreparedFact, matched: MatchedResponse
) -> tuple[ResponseSentence | None, float]:
    """The sentence that has most of a fact's words, and how much of them."""
    best, most = None, 0.0
    for sentence in sentences:
        if leaf.key.isdisjoint(sentence.keys):
            continue
        share = matched.prepared.share(leaf, sentence.keys)
        if share > most:
            best, most = sentence, share
    return best, most


def _own_word(matched: MatchedResponse, leaf: PreparedFact, sentence: ResponseSentence) -> bool:
    """Whether a sentence names two words of a fact, or its subject with a word that no other fact has."""
    hits = leaf.key & sentence.keys
    own = any(matched.prepared.is_own(leaf, key) for key in hits)
    return own and (len(hits) > 1 or bool(leaf.subject & sentence.keys) or len(leaf.key) <= 3)


def _figure_text(matched: MatchedResponse, leaf: PreparedFact, place: int) -> str:
    texts = [match.figure.text for match in matched.matches[place] if leaf in match.stated]
    return ", ".join(texts)


def omission_violations(facts: Sequence[EstablishedFact], coverage: Sequence[Coverage]) -> list[Violation]:
    """One violation for each relevant fact that is missing, all of the rung that they make together."""
    irrelevant = {fact.id for fact in facts if not fact.relevant}
    missing = [each for each in coverage if each.status == "missing" and each.fact not in irrelevant]
    rung = omission_rung(facts, [each.fact for each in missing])
    if rung == 0:
        return []
    judged = sum(each.fact not in irrelevant for each in coverage)
    verb = "is" if len(missing) == 1 else "are"
    reason = f"{len(missing)} of {counted(judged, 'relevant fact')} {verb} nowhere in the response"
    return [
        Violation(_TYPES[rung], None, None, each.fact, f"{reason}; this one: {each.evidence}.", "rules", _CONFIDENCE)
        for each in missing
    ]


def words_by_side(matched: MatchedResponse) -> dict[Side, int]:
    """Words of the clauses that are about facts of each side; a clause counts for the fact it is most about."""
    counts: dict[Side, int] = {"for": 0, "against": 0}
    if not any(leaf.fact.side for leaf in matched.prepared.leaves):
        return counts
    for sentence in matched.sentences:
        side: Side | None = None
        for start, end in sentence.clauses:
            stated = matched.figures_stated_in(sentence, start, end)
            about = matched.about(sentence.keys_in(start, end))
            leaf = matched.prepared.by_id[sorted(stated)[0]] if stated else next(iter(about), None)
            side = leaf.fact.side if leaf is not None else side  # what follows a fact in its sentence goes with it
            if side is not None:
                counts[side] += len(sentence.words_in(start, end))
    return counts


def balance_violations(matched: MatchedResponse, counts: dict[Side, int]) -> Iterator[Violation]:
    """Selective emphasis, where both sides have facts and one gets nearly all the words."""
    sides = {leaf.fact.side for leaf in matched.prepared.leaves if leaf.fact.relevant}
    total = sum(counts.values())
    if not {"for", "against"} <= sides or total < ENOUGH or min(counts.values()) >= LOPSIDED * total:
        return
    reason = f"{counted(counts['for'], 'word')} on facts for the conclusion, {counts['against']} on facts against it."
    yield Violation("selective_emphasis", None, None, None, reason, "rules", 0.5)
