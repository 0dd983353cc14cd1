"""Names that stand where the context has others."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.detectors.contradiction.matching import Match
from voirdire.detectors.contradiction.nametable import Mention
from voirdire.detectors.contradiction.records import Contradiction, confidence
from voirdire.detectors.contradiction.slots import Slot, rivals, slots_of
from voirdire.detectors.contradiction.words import Reading

_ABOUT = 0.35  # share of the sentence's other words that one context sentence must carry
_MARGIN = 0.35  # how much more it must carry than any sentence that can speak of the name
_ADDS = 0.15  # what a sentence that has the name may carry of the words that the best one lacks
_TOPIC = 0.2  # a name in so many of the sentences is what the text is about: it may be meant anywhere
_SHORT = range(2, 7)  # letters of an abbreviation


def name_contradictions(match: Match) -> Iterator[Contradiction]:
    """Names of the context that none of its sentences brings together with what is said of them here.

    Told first by the words right beside a name, which the context has around another one. Told else by the rest of the
    sentence: one context sentence carries much of it, has another name and can't speak of this one, while every
    sentence that can carries less. A sentence with several such names is rather one that puts together what stands in
    several places.
    """
    mentions = match.index.names.mentions(match.mine)
    mine = frozenset(word for mention in mentions for word in mention.words)
    for told in (
        [each for slot in slots_of(match.mine, match.index.names) if (each := _replaced(match, slot)) is not None],
        [each for mention in mentions if (each := _misplaced(match, mention, mine)) is not None],
    ):
        if len({each.mine for each in told}) == 1:
            yield told[0]
            return


def _misplaced(match: Match, mention: Mention, mine: frozenset[str]) -> Contradiction | None:
    shares = match.shares(mention.stems)
    best = max(shares, key=lambda place: (shares[place], -place), default=None)
    if best is None or shares[best] < _ABOUT:
        return None
    names = match.index.names
    named = names.sentences_of(mention)
    if len(named) > _TOPIC * len(names.of_sentence):
        return None
    linked = max((share for place, share in shares.items() if names.may_mean(place, named)), default=0.0)
    if shares[best] - linked < _MARGIN or match.adds(best, named, mention.stems) > _ADDS:
        return None
    rival = _rival(match, best, mine)
    reading = match.index.readings[best]
    if rival is None or any(_abbreviates(mention, each) for each in (reading, match.mine, match.index.readings[0])):
        return None
    return Contradiction("name", mention.text, rival, reading.text, confidence(shares[best]))


def _replaced(match: Match, slot: Slot) -> Contradiction | None:
    """A name between words that the context has around another one, in a passage that does not have this one."""
    names = match.index.names
    named = names.sentences_of(slot.mention)
    for rival in rivals(slot, match.index.slots):
        if named.isdisjoint(range(rival.sentence - 1, rival.sentence + 2)):
            text = match.index.readings[rival.sentence].text
            sure = confidence(match.carried.get(rival.sentence, 0.0) / match.total)
            return Contradiction("name", slot.mention.text, rival.mention.text, text, sure)
    return None


def _rival(match: Match, best: int, mine: frozenset[str]) -> str | None:
    """A name that the context sentence has and the sentence lacks; of one with a pronoun, its forerunners' too."""
    names = match.index.names
    reach = (best, best - 1, best - 2) if names.pronouns[best] else (best,)
    for place in reach:
        if place >= 0 and names.of_sentence[place] - mine:
            mentions = names.mentions(match.index.readings[place])
            return next((each.text for each in mentions if not each.words & mine), min(names.of_sentence[place] - mine))
    return None


def _abbreviates(mention: Mention, reading: Reading) -> bool:
    """Whether a name is made of the first letters of words of a sentence: "RFRA", "CTGs"."""
    word = next(iter(mention.words)).removesuffix("s")
    if len(mention.words) > 1 or len(word) not in _SHORT:
        return False
    return word in "".join(token.word[0] for token in reading.tokens if token.word[0].isalpha())
