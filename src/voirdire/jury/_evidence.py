"""How far a claim is carried by the evidence: words, numbers, names, and whether it says the opposite."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from voirdire.records import Fact
from voirdire.text.entities import Name, find_names, knows
from voirdire.text.numbers import Number, agree, comparable, find_numbers
from voirdire.text.overlap import Evidence, Support, content_words, stem, support, words
from voirdire.text.sentences import split_sentences

# Set by hand on facts and their false versions, not on any jury's scores.
_UNKNOWN = 0.35  # a claim that shares no word with the evidence is not known to be false
_CURVE = 0.7  # below 1: an answer in its own words loses little
_SAME_MATTER = 0.50  # carried so far by one sentence, a claim is taken to speak of the same thing
_SAME_CLAIM = 0.60  # … and from here on to say the same, so that another name or a negation changes it
_NEAR_COPY = 0.85  # … and here to repeat it: then the order of the words counts
_ORDER = 0.10  # the most that another order costs: "A before B" is not "B before A"
_CONTRADICTION = 0.40  # another number, name or polarity than the evidence has in the same place
_UNVERIFIED = 0.08  # a number or name that the evidence does not have
_MAX_UNVERIFIED = 0.24
_NEGATIONS = frozenset("not no never neither nor none nothing without cannot nobody hardly".split())
_OPPOSITES = (
    "increase decrease|more less|more fewer|higher lower|before after|first last|always never|true false|early late|"
    "earlier later|above below|inside outside|same different|accept reject|affirm deny|support oppose|valid invalid|"
    "necessary sufficient|antecedent consequent|premise conclusion|finite infinite|positive negative|local global|"
    "large small|faster slower|rise fall|gain loss|win lose|success failure|include exclude|internal external|"
    "natural artificial|public private|single multiple|begin end|start stop|born died|north south|east west|"
    "proportional inverse|directly inversely|maximum minimum|physical mental|male female|indoors outdoors|"
    "individual society|teacher student|cause effect|input output|all none|open closed|square cube|sum product"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the evidence says of one claim."""

    claim: str
    score: float
    """In [0, 1]: 1 when the evidence says the same, 0.35 when it knows nothing of it, less when it contradicts."""
    weight: float
    """Content words, at most 30: long claims count more."""
    notes: tuple[str, ...] = ()
    """What lowered the score, for the justification."""


@dataclass(frozen=True, slots=True)
class Known:
    """A reference and facts, read once for all claims."""

    evidence: Evidence
    numbers: tuple[tuple[Number, ...], ...]
    """Of each sentence."""
    names: tuple[tuple[Name, ...], ...]
    all_numbers: tuple[Number, ...]
    all_names: tuple[tuple[str, ...], ...]
    topic: frozenset[str]
    """Content words of the concept's name."""
    vocabulary: frozenset[str]
    """Content words of the name, the reference and the facts."""


@lru_cache(maxsize=64)
def known(concept: str, reference: str | None, facts: tuple[Fact, ...]) -> Known:
    """Read reference and facts; kept for the next answer on the same concept. False versions of facts are not used."""
    texts = [sentence.text for sentence in split_sentences(reference or "", layout=True)]
    evidence = Evidence.of(texts + [fact.text for fact in facts])
    numbers = tuple(tuple(find_numbers(text)) for text in evidence.sentences)
    names = tuple(tuple(find_names(text)) for text in evidence.sentences)
    topic = frozenset(content_words(concept))
    return Known(
        evidence,
        numbers,
        names,
        tuple(number for found in numbers for number in found),
        tuple(dict.fromkeys(name.key for found in names for name in found)),
        topic,
        topic | frozenset(evidence.index),
    )


def weigh(claim: str, source: Known) -> Finding:
    """Weigh one claim against the evidence."""
    bag = content_words(claim)
    carried = support(bag, source.evidence)
    lexical = (carried.best + carried.pooled) / 2
    score = _UNKNOWN + (1 - _UNKNOWN) * lexical**_CURVE
    notes = _contradictions(claim, source, carried)
    loose = _unverified(claim, source)
    score -= _CONTRADICTION * len(notes) + min(_MAX_UNVERIFIED, _UNVERIFIED * len(loose))
    if carried.position is not None and carried.best >= _NEAR_COPY:
        score -= _ORDER * _disorder(claim, source.evidence.sentences[carried.position])
    return Finding(claim, min(1.0, max(0.0, score)), float(min(30, len(bag))), (*notes, *loose))


def _contradictions(claim: str, source: Known, carried: Support) -> tuple[str, ...]:
    """What the claim has otherwise than the sentence of the evidence that speaks of the same thing."""
    if carried.position is None or carried.best < _SAME_MATTER:
        return ()
    numbers = _other_numbers(find_numbers(claim), source.numbers[carried.position])
    notes = [f"the evidence has {theirs} where the answer has {mine}" for mine, theirs in numbers]
    if carried.best >= _SAME_CLAIM:
        fellow = source.evidence.sentences[carried.position]
        own_names = [name for name in find_names(claim) if not set(content_words(name.text)) <= source.topic]
        names = _other_names(own_names, source.names[carried.position])
        notes += [f"the evidence has {theirs} where the answer has {mine}" for mine, theirs in names]
        if _negated(claim) != _negated(fellow):
            notes.append("a negation turns what the evidence says round")
        notes += [f"it says “{mine}” where the evidence says “{theirs}”" for mine, theirs in _opposed(claim, fellow)]
    return tuple(notes[:2])


def _other_numbers(mine: Sequence[Number], theirs: Sequence[Number]) -> Iterator[tuple[str, str]]:
    """(number of the claim, comparable number of the evidence) where no number of that sentence agrees."""
    for number in mine:
        rivals = [other for other in theirs if comparable(number, other)]
        if rivals and not any(agree(number, other) for other in theirs):
            yield number.text, rivals[0].text


def _other_names(mine: Sequence[Name], theirs: Sequence[Name]) -> Iterator[tuple[str, str]]:
    """(name of the claim, name of the evidence) where each lacks the other's; a title rivals only a title."""
    strange = [name for name in mine if not knows((other.key for other in theirs), name.key)]
    absent = [name for name in theirs if not knows((other.key for other in mine), name.key)]
    for quoted in (False, True):
        pairs = zip((n for n in strange if n.quoted == quoted), (n for n in absent if n.quoted == quoted), strict=False)
        yield from ((name.text, other.text) for name, other in pairs)


def _unverified(claim: str, source: Known) -> tuple[str, ...]:
    counted = [number for number in find_numbers(claim) if number.kind != "ordinal"]
    numbers = [n.text for n in counted if not any(agree(n, other) for other in source.all_numbers)]
    names = [n.text for n in find_names(claim) if not knows(source.all_names, n.key)]
    return tuple(f"{text} is not in the evidence" for text in (numbers + names)[:4])


def _negated(sentence: str) -> bool:
    """Whether an odd number of negations stands in the sentence."""
    found = sum(word in _NEGATIONS or word.endswith("n't") for word in words(sentence))
    return found % 2 == 1


def _disorder(claim: str, fellow: str) -> float:
    """Share of the claim's neighbouring words that are no neighbours, in this order, in `fellow`."""
    mine, theirs = words(claim), words(fellow)
    pairs = list(itertools.pairwise(mine))
    return len(set(pairs) - set(itertools.pairwise(theirs))) / len(set(pairs)) if pairs else 0.0


def _opposed(claim: str, fellow: str) -> list[tuple[str, str]]:
    mine = {stem(word) for word in words(claim)}
    theirs = {stem(word) for word in words(fellow)}
    return [
        (one, other)
        for pair in _PAIRS
        for one, other in (pair, pair[::-1])
        if stem(one) in mine - theirs and stem(other) in theirs - mine
    ]


_PAIRS = [(first, second) for first, second in (pair.split() for pair in _OPPOSITES.split("|"))]
