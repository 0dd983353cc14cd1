"""The names of a context and the words around them, to be found again in sentences, in lower case too."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from voirdire.evidence.tokens import ParsedSentence, Token
from voirdire.text.entities import Name, knows

PRONOUNS = frozenset("he she it they his her hers him its their them this these that those".split())
_LINKS = frozenset("of de da di du la le van von der the for".split())
_OPENING = frozenset(".:!?")
CALENDAR_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december".split()
)
_ENDINGS = ("", "s", "'s", "s's")
_KIN = 4  # letters
_HEADING = 6  # words; a shorter line without a full stop is a title, whose capitals say nothing
_REACH = 4  # words to each side of a name that are compared
_SAME = 3  # words around that must be the same, on both sides together; one of them a content word
_JOINS = frozenset({"and", "or"})  # beside one of these a name is one of several


class Mention(NamedTuple):
    """Where a name of the context stands in a sentence."""

    text: str
    words: frozenset[str]
    """As the table knows them."""
    stems: frozenset[str]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NameTable:
    """The words of the context's names that it never writes in lower case."""

    proper: frozenset[str]
    written: frozenset[str]
    """The same, and in the plural and the possessive: other words are none of them."""
    alone: frozenset[str]
    """Those that a name ends with, as a surname does; the others ("Royal", "Unified") name nothing by themselves."""
    of_sentence: tuple[frozenset[str], ...]
    """Which of them each sentence has."""
    kin: tuple[frozenset[str], ...]
    """Their first letters, so that "English" is also found as "England"."""
    pronouns: tuple[bool, ...]
    """Whether each sentence has a pronoun that can stand for a name."""

    @classmethod
    def from_sentences(cls, sentences: Sequence[ParsedSentence]) -> NameTable:
        """Find the names of a context: words that it writes with a capital within a sentence, and never without."""
        lower = {
            _without_possessive(token)
            for sentence in sentences
            for token in sentence.tokens
            if sentence.text[token.start].islower()
        }
        capitals = [_capitals(sentence) for sentence in sentences]
        within = {
            word
            for sentence, places in zip(sentences, capitals, strict=True)
            if not _is_heading(sentence)
            for place, word in places.items()
            if _is_within_sentence(sentence, place)
        }
        common = lower | {_singular(word) for word in lower} | CALENDAR_NAMES
        proper = frozenset(word for word in within if word not in common and _singular(word) not in common)
        of_sentence = tuple(
            frozenset(known for word in places.values() if (known := _proper_form(proper, word))) for places in capitals
        )
        return cls(
            proper,
            frozenset(word + ending for word in proper for ending in _ENDINGS),
            frozenset(word for places in capitals for place, word in places.items() if place + 1 not in places),
            of_sentence,
            tuple(frozenset(word[:_KIN] for word in words if len(word) >= _KIN) for words in of_sentence),
            tuple(not PRONOUNS.isdisjoint(sentence.words) for sentence in sentences),
        )

    def sentences_of(self, mention: Mention) -> frozenset[int]:
        """Which sentences have at least half of a name's words, or a word of its kin."""
        kin = {word[:_KIN] for word in mention.words if len(word) >= _KIN}
        return frozenset(
            place
            for place, words in enumerate(self.of_sentence)
            if words and (2 * len(mention.words & words) >= len(mention.words) or kin & self.kin[place])
        )

    def may_mean(self, place: int, named: frozenset[int]) -> bool:
        """Whether a sentence has a name, follows one that has it, or stands two after it and has a pronoun."""
        return place in named or place - 1 in named or (place - 2 in named and self.pronouns[place])

    def mentions(self, sentence: ParsedSentence) -> list[Mention]:
        """Runs of such words in a sentence; what a comma or an "and" parts are two names, "of" joins."""
        if self.written.isdisjoint(sentence.words):
            return []
        result: list[Mention] = []
        run: list[Token] = []
        link = False
        for token in (*sentence.tokens, None):
            if (
                token is not None
                and token.word in self.written
                and _proper_form(self.proper, _without_possessive(token))
            ):
                run.append(token)
                link = False
            elif run and token is not None and token.word in _LINKS and not link:
                link = True
            elif run:
                result.extend(self._mention(sentence, run))
                run, link = [], False
        return result

    def _mention(self, sentence: ParsedSentence, run: Sequence[Token]) -> Iterator[Mention]:
        text = sentence.text[run[0].start : run[-1].end]
        words = frozenset(_proper_form(self.proper, _without_possessive(each)) for each in run)
        if len(words) > 1 or (words <= self.alone and len(text) > 2):
            yield Mention(text, words, frozenset(each.stem for each in run), run[0].start, run[-1].end)


def _capitals(sentence: ParsedSentence) -> dict[int, str]:
    """The capitalised content words of a sentence, by the place of their tokens."""
    text = sentence.text
    return {
        place: _without_possessive(token)
        for place, token in enumerate(sentence.tokens)
        if token.stem and len(token.word) > 1 and text[token.start].isupper()
    }


def _is_within_sentence(sentence: ParsedSentence, place: int) -> bool:
    """Whether a word stands within a sentence, where only names have capitals; so does what follows such a word."""
    return place > 0 and sentence.tokens[place - 1].word not in _OPENING


def _is_heading(sentence: ParsedSentence) -> bool:
    return len(sentence.tokens) <= _HEADING and sentence.text[-1] not in ".!?,;:"


def _proper_form(proper: frozenset[str], word: str) -> str:
    """The word of a name that a word stands for, also in the plural; empty for none."""
    return word if word in proper else word[:-1] if word.endswith("s") and word[:-1] in proper else ""


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") else word


def _without_possessive(token: Token) -> str:
    """Without a possessive."""
    return token.word.removesuffix("'s")


class Slot(NamedTuple):
    """A name and the words around it, nearest first."""

    mention: Mention
    place: int
    """Which sentence of the context; 0 for a slot of the sentence that is compared with it."""
    before: tuple[Token, ...]
    after: tuple[Token, ...]


SlotTable = Mapping[tuple[str, str], Sequence[Slot]]
"""Slots by their side ("before" or "after") and the nearest word there."""


def slots_of(sentence: ParsedSentence, names: NameTable, place: int = 0) -> Iterator[Slot]:
    """The names of a sentence with what stands around them; marks are passed over."""
    mentions = names.mentions(sentence)
    tokens = [token for token in sentence.tokens if token.word[0].isalnum()] if mentions else []
    starts = [token.start for token in tokens]
    for mention in mentions:
        first, after = bisect_left(starts, mention.start), bisect_left(starts, mention.end)
        before = tokens[max(0, first - _REACH) : first]
        yield Slot(mention, place, tuple(reversed(before)), tuple(tokens[after : after + _REACH]))


def slot_table(sentences: Sequence[ParsedSentence], names: NameTable) -> SlotTable:
    """All slots of a context."""
    table: dict[tuple[str, str], list[Slot]] = {}
    for place, sentence in enumerate(sentences):
        for slot in slots_of(sentence, names, place):
            for side, around in (("before", slot.before), ("after", slot.after)):
                if around and around[0].word not in _JOINS:
                    table.setdefault((side, _key(around[0])), []).append(slot)
    return table


def rivals(slot: Slot, table: SlotTable) -> list[Slot]:
    """Slots of the context with another name between the same words; none where its own name has such a slot, too."""
    near = {
        id(each): each
        for side, around in (("before", slot.before), ("after", slot.after))
        if around
        for each in table.get((side, _key(around[0])), ())
    }
    alike = [(_shared_words(slot, each), each) for each in near.values()]
    own = max((same for same, each in alike if each.mention.words & slot.mention.words), default=0)
    return [each for same, each in alike if same >= max(_SAME, own + 2) and not each.mention.words & slot.mention.words]


def _shared_words(one: Slot, other: Slot) -> int:
    """How many words in a row are the same on both sides; 0 without a content word among them."""
    before, after = _common_start(one.before, other.before), _common_start(one.after, other.after)
    return len(before) + len(after) if any(token.stem for token in (*before, *after)) else 0


def _common_start(tokens: Sequence[Token], others: Sequence[Token]) -> Sequence[Token]:
    if tokens and tokens[0].word in _JOINS:
        return ()
    length = 0
    for one, other in zip(tokens, others, strict=False):
        if _key(one) != _key(other):
            break
        length += 1
    return tokens[:length]


def _key(token: Token) -> str:
    return token.stem or token.word


def other_names(claim: Sequence[Name], evidence: Sequence[Name]) -> Iterator[tuple[Name, Name]]:
    """Of sentences that say the same, (name, name) where each lacks the other's; a title rivals only a title."""
    only_claim = [name for name in claim if not knows((other.key for other in evidence), name.key)]
    only_evidence = [name for name in evidence if not knows((other.key for other in claim), name.key)]
    for quoted in (False, True):
        yield from zip(
            (name for name in only_claim if name.quoted == quoted),
            (name for name in only_evidence if name.quoted == quoted),
            strict=False,
        )
