"""Names that no fact holds: where something is reported of or by them, and where a fact has another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from voirdire.evidence.code_clauses import swapped_codes
from voirdire.evidence.context import code_spots
from voirdire.evidence.matching import match_of
from voirdire.evidence.negation import excludes_others
from voirdire.evidence.opposites import find_opposites
from voirdire.evidence.tokens import ParsedSentence, Token, stems_of
from voirdire.integrity.records import Violation
from voirdire.integrity.rules.lexicon import phrases
from voirdire.integrity.rules.matched_response import MatchedResponse, states_nothing, violation
from voirdire.integrity.rules.passage import MOST_FINDS, ResponseSentence
from voirdire.integrity.rules.polarity import reverses
from voirdire.integrity.rules.prepared_facts import PreparedFact
from voirdire.text.entities import Name, find_names

_CONFIDENCE = 0.4
_SAME = 0.75  # share of a fact's words, weighted, that a sentence has when it says the same of another code
_OTHER_CODE = 0.5  # confidence
_SWAPPED = 0.6


def name_violations(matched: MatchedResponse) -> Iterator[Violation]:
    """Unknown names in a clause that reports a finding (fact_invention); names in passing are background."""
    for sentence in matched.sentences:
        if not matched.prepared.leaves or states_nothing(sentence) or not phrases("finding").search(sentence.text):
            continue
        for name in find_names(sentence.text)[:MOST_FINDS]:
            start, end = sentence.clause_at(name.start)
            if phrases("finding").search(sentence.text, start, end) and not _known(matched, name):
                reason = f"No fact knows {name.text}, of which or by whom something is reported here."
                yield violation(sentence, (start, end), "fact_invention", None, reason, _CONFIDENCE)
                break


def code_violations(matched: MatchedResponse) -> Iterator[Violation]:
    """A code that no fact knows in the words of a fact that has another figure after its letters: F4 for F2."""
    for sentence in matched.sentences:
        for leaf in matched.prepared.facts_with(sentence.keys):
            if matched.prepared.share(leaf, sentence.keys) < _SAME or reverses(sentence, leaf):
                continue
            if excludes_others(sentence.parsed, leaf.parsed):
                continue
            result = next(_other_codes(matched, leaf, sentence), None)
            if result is not None:
                (start, end), other = result
                reason = f"{sentence.text[start:end]} stands where {leaf.id} names {other}."
                yield violation(sentence, (start, end), "fact_denial", leaf, reason, _OTHER_CODE)


def swapped_code_violations(matched: MatchedResponse) -> Iterator[Violation]:
    """What the facts say of one code, said of another of which they say something else."""
    index = matched.prepared.code_index
    for sentence in matched.sentences if index is not None else ():
        for swap in swapped_codes(match_of(sentence.text, index)):
            leaf = next(each for each in matched.prepared.leaves if each.fact.text == swap.context_sentence)
            start = sentence.text.find(swap.claim)
            reason = f"“{swap.claim}” is what the facts say of another; of this one {leaf.id} says “{swap.evidence}”."
            yield violation(sentence, (start, start + len(swap.claim)), "fact_denial", leaf, reason, _SWAPPED)


def _other_codes(
    matched: MatchedResponse, leaf: PreparedFact, sentence: ResponseSentence
) -> Iterator[tuple[tuple[int, int], str]]:
    """(place of an unknown code of a sentence, code of the fact with these letters that the sentence lacks)."""
    codes = matched.codes[sentence.index]
    unknown = list(islice(sorted(codes - matched.prepared.known_codes), MOST_FINDS))
    lacking = list(islice(sorted(leaf.codes - codes), MOST_FINDS)) if unknown else []
    named = {
        letters: leaf.fact.text[slice(*span)] for span, (letters, _) in code_spots(leaf.fact.text, lacking).items()
    }
    for span, (letters, _) in code_spots(sentence.text, unknown).items() if named else ():
        if letters in named:
            yield span, named[letters]


def named_otherwise(matched: MatchedResponse, leaf: PreparedFact, sentence: ResponseSentence) -> bool:
    """Whether a sentence has a name that no fact knows, and lacks one that the fact has."""
    words = frozenset(word.lower for word in sentence.words)
    lacking = any(words.isdisjoint(key) for key in leaf.names)
    return lacking and any(not _known(matched, name) for name in find_names(sentence.text)[:MOST_FINDS])


def _known(matched: MatchedResponse, name: Name) -> bool:
    """Whether the facts have one of the name's words, or it is the acronym of a name that they have."""
    known = matched.prepared.known_names
    if any(part in known or part.rstrip("s") in known for part in name.key):
        return True
    letters = name.text.replace(".", "")
    if letters.isupper():
        return any(_initials(key) == letters.lower() for leaf in matched.prepared.leaves for key in leaf.names)
    return name.quoted or _initials(name.key) in known


def _initials(key: tuple[str, ...]) -> str:
    return "".join(part[0] for part in key)


def swapped_name_violations(matched: MatchedResponse) -> Iterator[Violation]:
    """Two names of a fact in each other's place: "Okafor paid Ferris" for "Ferris paid Okafor"."""
    for sentence in matched.sentences:
        for leaf in matched.prepared.facts_with(sentence.keys):
            if matched.prepared.share(leaf, sentence.keys) < _SAME or reverses(sentence, leaf):
                continue
            if states_nothing(sentence) or phrases("mutual").search(leaf.fact.text):
                continue
            if any(
                find_opposites(sentence.parsed, leaf.parsed)
            ):  # "Berlin is east of Paris", "Paris is west of Berlin"
                continue
            swapped = next(_exchanged(sentence.parsed, leaf.parsed), None)
            if swapped is not None:
                reason = f"{swapped} have changed places: {leaf.id} says “{leaf.fact.text.rstrip(' .')}”."
                yield violation(sentence, (0, len(sentence.text)), "fact_denial", leaf, reason, _SWAPPED)


def _exchanged(sentence: ParsedSentence, fact: ParsedSentence) -> Iterator[str]:
    """Neighbouring names of a fact that a sentence has the other way round, with the same word after the first.

    The passive turns names round without a change of meaning: "by" stands between them in both or in neither.
    """
    keys = [name.key for text in (sentence.text, fact.text) for name in find_names(text)[:MOST_FINDS]]
    mine, theirs = _named(sentence, keys), _named(fact, keys)
    for one, other in pairwise(sorted(theirs, key=lambda key: theirs[key].start)):
        if one not in mine or other not in mine or mine[other].start >= mine[one].start:
            continue
        own_words = sentence.tokens[mine[other].stop : mine[one].start]
        their_words = fact.tokens[theirs[one].stop : theirs[other].start]
        if stems_of(own_words)[:1] == stems_of(their_words)[:1] != () and _has_by(own_words) == _has_by(their_words):
            yield f"{_text(sentence, mine[other])} and {_text(sentence, mine[one])}"


def _named(sentence: ParsedSentence, keys: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], slice]:
    """Where names stand first among the tokens; one that begins a sentence is known from the other text."""
    words = tuple(token.word for token in sentence.tokens)
    places = {
        key: next((place for place in range(len(words)) if words[place : place + len(key)] == key), None)
        for key in keys
    }
    return {key: slice(place, place + len(key)) for key, place in places.items() if place is not None}


def _has_by(tokens: Sequence[Token]) -> bool:
    return any(each.word == "by" for each in tokens)


def _text(sentence: ParsedSentence, place: slice) -> str:
    tokens = sentence.tokens[place]
    return sentence.text[tokens[0].start : tokens[-1].end]
