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
_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<text>\S.*)|\s*\*\*(?P<bold>[^*\s][^*]*)\*\*:?\s*")
_BOLD_LEVEL = 7
"""Of a line in bold letters: below all marked headings."""
_ASIDE = re.compile(r"\s*\([^()]*\)")
"""In an item: "wine (kept in the cellar)"."""
_BESIDE = re.compile(r"\s+(?:and|or)\s+|\s*/\s*")
_CLAUSE_END = re.compile(r"[.!?,;:](?=\s|$)|\s(?:and|or|but)\s")
_LONGEST = 16
"""Words of an introduction, and of an item."""
_OTHER_WORDS = 1
"""Content words of a sentence that neither its item nor an introduction has: more may speak of another matter."""
_UNSURE = frozenset("if unless when without until before after only except other otherwise than instead".split())
"""With these an introduction, or a sentence about an item, sets a condition or speaks of others."""
_PERMITS = frozenset("may can could might allowed permitted suitable optional welcome possible".split())
_PUT = frozenset(
    map(
        stem_of,
        "put use used place keep kept store stored move moved carry carried send sent post posted take taken bring"
        " brought allow permit permitted accept accepted suit suitable fine safe".split(),
    )
)
"""What is done with a thing that is allowed."""
_IF = frozenset(("if",))
_GIVE = frozenset(map(stem_of, "give given get have".split()))
"""What is done with a condition: "if you give five days' notice" of "With five days' notice:"."""
_OF_LISTS = frozenset(map(stem_of, "never among item things list one".split()))
_NEVER = frozenset((stem_of("never"),))
_NO_DENIAL = frozenset(map(stem_of, "forget miss hesitate".split()))
"""What is not to be done with things that are to be done: "Do not forget:"."""


class IntroducedItem(NamedTuple):
    """An item of a list, without its mark."""

    text: str
    introduction: str
    """Those of the lists around its own before it."""
    line: int
    """Of the text."""
    subject: str
    """What the list is about: the headings above it, and the first clause before it."""

    @property
    def whole(self) -> str:
        """It, and what it is."""
        return f"{self.introduction.rstrip(':')}: {self.text}"


class _Statement(NamedTuple):
    """What an introduction, or a sentence, says of an item."""

    stems: frozenset[str]
    denies: bool
    denied: frozenset[str]
    """The stems of what it denies; empty where it denies nothing, or the item itself."""
    plain: frozenset[str]
    """The stems of words that deny nothing by themselves, as "prohibited" does."""
    frees: bool
    """Whether it denies a duty only."""
    permits: bool
    never: bool

    @property
    def only_frees(self) -> bool:
        """Whether it says nothing but that there is no duty: "Not required:", after a list of what is."""
        return self.frees and self.stems <= self.denied


class _ComparedItem(NamedTuple):
    """An item as it is compared."""

    item: IntroducedItem
    stems: frozenset[str]
    """Of all it names, or of one of the things that it names."""
    statement: _Statement
    """By its introduction."""
    subject: frozenset[str]
    """The stems of what its list is about."""


def items_of(text: str) -> Iterator[IntroducedItem]:
    """The items of all lists of a text that have an introduction: a line with a colon or in bold, or a heading."""
    introductions: list[tuple[int, str]] = []
    headings: list[tuple[int, str]] = []
    prose = ""
    for number, line in enumerate(text.split("\n")):
        if not line.strip():
            continue
        heading, item = _HEADING.fullmatch(line), _ITEM.fullmatch(line)
        if heading or item is None:
            own = unmarked(heading["text"] or heading["bold"] if heading else line.strip())
            if heading:
                level = len(heading["marks"] or " " * _BOLD_LEVEL)
                headings = [*(each for each in headings if each[0] < level), (level, own)]
                prose = "" if heading["marks"] else prose
            if heading or own.endswith(":"):
                introductions = [(-1, own)] if len(own.split()) <= _LONGEST else []
            elif not line.startswith((" ", "\t")):
                introductions = []
                prose = prose or _CLAUSE_END.split(own, maxsplit=1)[0]
            continue
        indent, own = len(item["indent"]), unmarked(item["text"]).strip()
        introductions = [each for each in introductions if each[0] < indent]
        if own.endswith(":"):
            introductions.append((indent, own))
        elif introductions and len(own.split()) <= _LONGEST:
            introduction = " ".join(each for _, each in introductions)
            above = [each for _, each in headings if each not in introduction]
            yield IntroducedItem(own, introduction, number, " ".join((*above, prose)))


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
    unsure = _UNSURE & claim.words
    if not introduced or "?" in claim.text or unsure - _IF:
        return None
    named = [each for each in introduced if each.stems <= claim.stems]
    named = [each for each in named if not any(each.stems < other.stems for other in named)]
    statement = _statement(claim, frozenset().union(*(each.stems for each in named)))
    if len({each.statement for each in named}) != 1 or statement is None:
        return None
    (own, *_) = named
    keeps_condition = _has_all(statement, own.statement) and statement.permits
    if unsure and not keeps_condition:
        return None
    having = (each.text for each in match.index.sentences if own.stems <= each.stems)
    if any(own.item.text not in map(unmarked, map(str.strip, text.split("\n"))) for text in having):
        return None  # prose may say more of it
    opposed = _opposed(statement.plain, own.statement.plain)
    agrees = (statement.denies == own.statement.denies) != bool(opposed)
    others = [each.statement for each in introduced if each.statement.denies != own.statement.denies]
    rest = statement.stems - _with_synonyms(own.statement.stems) - opposed - own.subject
    if not agrees:
        rest = rest.difference(*(_with_synonyms(each.stems) for each in others))
    if not (
        opposed
        or _is_about(statement, own.statement)
        or _is_about_other_list(statement, own.statement, others, agrees)
        or (_permits_denied(statement, own) and not rest - _PUT)
        or (_is_of_never_list(statement, own, others) and not rest - _PUT - _OF_LISTS)
        or (agrees and statement.denies and len(rest - _OF_LISTS) <= _OTHER_WORDS)
    ):
        return None
    denying, other = (statement, own.statement) if statement.denies else (own.statement, statement)
    if not agrees and denying.frees and other.permits:
        return None
    if not agrees and (len(rest - _OF_LISTS) > _OTHER_WORDS or (own.statement.never and rest - _PUT)):
        return None
    aside = parse(" ".join(_ASIDE.findall(own.item.text))).stems - own.subject - own.statement.stems - _PUT
    if not agrees and aside & statement.stems:  # "The grill (staff only)" may be used by staff
        return None
    return _Known(own.item, agrees, not (rest - _PUT - _GIVE if keeps_condition else rest))


def _permits_denied(statement: _Statement, own: _ComparedItem) -> bool:
    """Whether a sentence allows what the introduction of an item denies: "can be used in the lift".

    What is never left in the van may be brought: it must speak of what the list is about, if that denies more than use.
    """
    if not own.statement.denies or statement.denies or not statement.permits:
        return False
    denies_use = own.statement.stems <= _PUT and bool(statement.stems & _PUT)
    return denies_use or bool(statement.stems & (own.subject | own.statement.stems))


def _is_of_never_list(statement: _Statement, own: _ComparedItem, others: Iterable[_Statement]) -> bool:
    """Whether a sentence says "never" of an item that stands beside a list of what is never done."""
    return (
        statement.denies
        and not own.statement.denies
        and statement.never
        and any(each.denies and each.never for each in others)
    )


def _is_about(statement: _Statement, own: _Statement) -> bool:
    """Whether a sentence says or denies what the introduction of an item does; of a denial that which is denied."""
    shared = statement.stems & _with_synonyms(own.stems)
    if statement.denies == own.denies:
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
        (agrees or each.stems & own.stems or each.only_frees or own.only_frees or _has_all(statement, each))
        and statement.stems & _with_synonyms(each.stems - own.stems)
        for each in others
    )


def _has_all(statement: _Statement, other: _Statement) -> bool:
    """Whether a sentence has all that another introduction says: "with five days' notice"."""
    return len(other.stems) > 1 and other.stems <= statement.stems and not (statement.denies or other.denies)


def _opposed(stems: Iterable[str], others: Collection[str]) -> frozenset[str]:
    """Those of some stems that are opposites of others."""
    return frozenset(stem for stem in stems if any(lexicon().are_opposites(stem, each) for each in others))


def _with_synonyms(stems: frozenset[str]) -> frozenset[str]:
    return stems.union(*(lexicon().synonyms.get(stem, ()) for stem in stems))


@lru_cache(maxsize=32)
def _introduced(index: ContextIndex) -> tuple[_ComparedItem, ...]:
    return tuple(
        _ComparedItem(item, stems, statement, parse(item.subject).stems)
        for item in items_of(index.text)
        if (statement := _statement(parse(item.introduction), frozenset())) is not None
        and _UNSURE.isdisjoint(parse(item.introduction).words)
        for stems in _names_of(item.text)
        if stems
    )


def _names_of(item: str) -> dict[frozenset[str], str]:
    """The stems of an item, and of each thing that it joins by "and", where that is clear: "petrol and paint tins"."""
    text = _ASIDE.sub("", item) or item
    *first, last = _BESIDE.split(text)
    things = [each for each in first if each.endswith("s")]
    things += [last] if first and (len(last.split()) > 1 or last.endswith("s")) else []
    return {parse(each).stems: each for each in (text, *things)}


def _statement(sentence: ParsedSentence, of_item: frozenset[str]) -> _Statement | None:
    """What a sentence says of an item with these stems; `None` where it denies twice."""
    denials = negations(sentence)
    halves = [sentence.tokens[place] for place in half_negators(sentence)]
    if len(denials) + len(halves) > 1:
        return None
    verbs = {each.stem for each in halves} | {stem_of(each.word) for each in denials if each.verb}
    denied = frozenset(verbs).union(*(each.scope or each.before for each in denials))
    never = "never" in sentence.words
    is_denial = denied.isdisjoint(_NO_DENIAL) and (bool(denied) or never)
    stems = sentence.stems - of_item - _NEVER
    return _Statement(
        stems,
        is_denial,
        denied - of_item if is_denial else frozenset(),
        stems - verbs - _NO_DENIAL,
        any(map(denies_duty, denials)),
        not _PERMITS.isdisjoint(sentence.words),
        never,
    )
