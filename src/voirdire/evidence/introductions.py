"""Lists under an introduction, which says what each item is: "Not required:", "You need for registration:".

A sentence that names an item must say of it what its introduction says. It may do so in the words of another list: what
stands under "Not required:" need not be brought, where other things stand under "Bring:".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.lexicon import lexicon, stem_of
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import denies_duty, half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.tokens import ParsedSentence, parse
from voirdire.text.markdown import unmarked

_CERTAINTY = 0.95
_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*+•–]|\d{1,3}[.)])\s+(?P<text>\S.*)")
_HEADING = re.compile(r"#{1,6}\s+(?P<text>\S.*)")
_LONGEST = 16
"""Words of an introduction, and of an item."""
_OTHER_WORDS = 1
"""Content words of a sentence that neither its item nor an introduction has: more may speak of another matter."""
_UNSURE = frozenset("if unless when without until before after only except other otherwise than instead".split())
"""With these an introduction, or a sentence about an item, sets a condition or speaks of others."""
_PERMITS = frozenset("may can could might allowed permitted optional welcome possible".split())
_NO_DENIAL = frozenset(map(stem_of, "forget miss hesitate".split()))
"""What is not to be done with things that are to be done: "Do not forget:"."""


class IntroducedItem(NamedTuple):
    """An item of a list, without its mark."""

    text: str
    introduction: str
    """Those of the lists around its own before it."""
    line: int
    """Of the text."""

    @property
    def whole(self) -> str:
        """It, and what it is."""
        return f"{self.introduction.rstrip(':')}: {self.text}"


class _Statement(NamedTuple):
    """What an introduction, or a sentence, says of an item."""

    stems: frozenset[str]
    denied: frozenset[str]
    """The stems of what it denies; empty where it denies nothing."""
    plain: frozenset[str]
    """The stems of words that deny nothing by themselves, as "prohibited" does."""
    frees: bool
    """Whether it denies a duty only."""
    permits: bool

    @property
    def only_frees(self) -> bool:
        """Whether it says nothing but that there is no duty: "Not required:", after a list of what is."""
        return self.frees and self.stems <= self.denied


class _ComparedItem(NamedTuple):
    """An item as it is compared."""

    item: IntroducedItem
    stems: frozenset[str]
    statement: _Statement
    """By its introduction."""


def items_of(text: str) -> Iterator[IntroducedItem]:
    """The items of all lists of a text that have an introduction: a line with a colon, or a Markdown heading."""
    introductions: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n")):
        if not line.strip():
            continue
        heading, item = _HEADING.fullmatch(line), _ITEM.fullmatch(line)
        if item is None:
            text_of_line = unmarked(heading["text"] if heading else line.strip())
            if heading or text_of_line.endswith(":"):
                introductions = [(-1, text_of_line)] if len(text_of_line.split()) <= _LONGEST else []
            elif not line.startswith((" ", "\t")):
                introductions = []
            continue
        indent, own = len(item["indent"]), unmarked(item["text"]).strip()
        introductions = [each for each in introductions if each[0] < indent]
        if own.endswith(":"):
            introductions.append((indent, own))
        elif introductions and len(own.split()) <= _LONGEST:
            yield IntroducedItem(own, " ".join(each for _, each in introductions), number)


@lru_cache(maxsize=32)
def with_introductions(text: str) -> str:
    """A text whose items say what they are: "Not required: a letter"."""
    lines = text.split("\n")
    for item in items_of(text):
        lines[item.line] = item.whole
    return "\n".join(lines)


def introduction_contradictions(match: Match) -> list[Contradiction] | None:
    """What the introduction of an item says against a sentence that says or denies the same of it; `None` of others."""
    known = _known_of(match)
    if known is None:
        return None
    item, claim = known.item, match.claim.text
    if known.agrees:
        return []
    return [Contradiction("negation", claim, item.introduction, item.whole, _CERTAINTY, sure=True)]


def is_introduced(match: Match) -> bool:
    """Whether a sentence says what the introduction of an item says, and no more."""
    known = _known_of(match)
    return known is not None and known.agrees and known.is_all


class _Known(NamedTuple):
    """What a context says of an item that a sentence names."""

    item: IntroducedItem
    agrees: bool
    is_all: bool
    """Whether the sentence has no words of another matter."""


@lru_cache(maxsize=64)
def _known_of(match: Match) -> _Known | None:
    introduced, claim = _introduced(match.index), match.claim
    if not introduced or "?" in claim.text or not _UNSURE.isdisjoint(claim.words):
        return None
    named = [each for each in introduced if each.stems <= claim.stems]
    named = [each for each in named if not any(each.stems < other.stems for other in named)]
    statement = _statement(claim, frozenset().union(*(each.stems for each in named)))
    if len({each.statement for each in named}) != 1 or statement is None:
        return None
    (own, *_) = named
    having = (each.text for each in match.index.sentences if own.stems <= each.stems)
    if any(own.item.text not in map(unmarked, map(str.strip, text.split("\n"))) for text in having):
        return None  # prose may say more of it
    opposed = _opposed(statement.plain, own.statement.plain)
    agrees = (bool(statement.denied) == bool(own.statement.denied)) != bool(opposed)
    others = [each.statement for each in introduced if bool(each.statement.denied) != bool(own.statement.denied)]
    if not (
        opposed or _is_about(statement, own.statement) or _is_about_other_list(statement, own.statement, others, agrees)
    ):
        return None
    denying, other = (statement, own.statement) if statement.denied else (own.statement, statement)
    if not agrees and denying.frees and other.permits:
        return None
    rest = statement.stems - _with_synonyms(own.statement.stems) - opposed
    if not agrees and len(rest.difference(*(_with_synonyms(each.stems) for each in others))) > _OTHER_WORDS:
        return None
    return _Known(own.item, agrees, not rest)


def _is_about(statement: _Statement, own: _Statement) -> bool:
    """Whether a sentence says or denies what the introduction of an item does; of a denial that which is denied."""
    shared = statement.stems & _with_synonyms(own.stems)
    if bool(statement.denied) == bool(own.denied):
        return bool(shared)
    denied = statement.denied | own.denied
    return bool(
        shared & _with_synonyms(denied)
        or _opposed(statement.plain, own.denied)
        or _opposed(statement.denied, own.plain)
    )


def _is_about_other_list(statement: _Statement, own: _Statement, others: Iterable[_Statement], agrees: bool) -> bool:
    """Whether a sentence has words of an introduction that says the opposite; against it, of one on the same matter."""
    return any(
        (agrees or each.stems & own.stems or each.only_frees or own.only_frees)
        and statement.stems & _with_synonyms(each.stems - own.stems)
        for each in others
    )


def _opposed(stems: Iterable[str], others: Collection[str]) -> frozenset[str]:
    """Those of some stems that are opposites of others."""
    return frozenset(stem for stem in stems if any(lexicon().are_opposites(stem, each) for each in others))


def _with_synonyms(stems: frozenset[str]) -> frozenset[str]:
    return stems.union(*(lexicon().synonyms.get(stem, ()) for stem in stems))


@lru_cache(maxsize=32)
def _introduced(index: ContextIndex) -> tuple[_ComparedItem, ...]:
    return tuple(
        _ComparedItem(item, stems, statement)
        for item in items_of(index.text)
        if (stems := parse(item.text).stems)
        and (statement := _statement(parse(item.introduction), frozenset())) is not None
        and _UNSURE.isdisjoint(parse(item.introduction).words)
    )


def _statement(sentence: ParsedSentence, of_item: frozenset[str]) -> _Statement | None:
    """What a sentence says of an item with these stems; `None` where it denies twice."""
    denials = negations(sentence)
    halves = [sentence.tokens[place] for place in half_negators(sentence)]
    if len(denials) + len(halves) > 1:
        return None
    verbs = {each.stem for each in halves} | {stem_of(each.word) for each in denials if each.verb}
    denied = frozenset(verbs).union(*(each.scope or each.before for each in denials))
    is_denial = denied.isdisjoint(_NO_DENIAL)
    stems = sentence.stems - of_item
    return _Statement(
        stems,
        denied - of_item if is_denial else frozenset(),
        stems - verbs - _NO_DENIAL,
        any(map(denies_duty, denials)),
        not _PERMITS.isdisjoint(sentence.words),
    )
