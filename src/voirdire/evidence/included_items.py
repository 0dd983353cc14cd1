"""What is included, and what is an extra: "Lunch is included" of a list of extras, or the other way.

The lists are items below an introduction, values of a key of JSON, lines like "Not included: lunch, towels", and
sentences like "Lunch and towels are charged extra" or "The fee includes lunch".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex, plain
from voirdire.evidence.introductions import items_of
from voirdire.evidence.lexicon import stem_of
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.record_sentences import name_of_object, objects_of
from voirdire.evidence.records import Contradiction
from voirdire.evidence.tokens import ParsedSentence, parse

_CERTAINTY = 0.95
_INCLUDED = frozenset("included includes include including inclusive inclusions covered covers".split())
_EXTRA = frozenset(
    "extra extras optional excluded excludes exclude exclusions supplement supplements surcharge add-ons".split()
)
_NOT = frozenset("not no without isn't aren't excluding".split())
_UNSURE = frozenset(
    "if unless when only except other than or both before after until also either some instead apart outside"
    " beyond".split()
)
_LINE = re.compile(r"(?m)(?:^\W*|(?<=[.!] ))(?P<heading>[A-Za-z][\w' -]{2,40}):[ \t]+(?P<items>\S.{2,200}?)\.?\s*$")
_ITEMS_FIRST = re.compile(
    r"""(?xi) (?P<items>[^,].{2,80}?)\s(?P<heading> (?:
      (?:is|are)\s(?:(?:not|also|always|already)\s)?(?:included|covered|excluded)\b(?!\swith\b)
    | (?:is|are)\s(?:charged|billed|available|offered)\s(?:(?:as|for|at)\san\s)?(?:optional\s)?extra\b
    | (?:is|are)\s(?:an\s)?(?:optional\s)?extras?(?=$|\s(?:at|and|of|for)\b)
    | costs?\s(?:an\s)?extra\b | can\sbe\s\w+\s(?:for|at)\san\sextra\b
    ) (?P<offer>.*) )"""
)
"""A clause like "lunch is included in the fee", or "lunch costs extra"."""
_ITEMS_LAST = re.compile(
    r"""(?xi) (?P<heading> (?P<offer>[^,]{2,60}?)\s(?:(?:(?:does|do)\snot|doesn't|don't)\s)?
      (?:includes?|covers?|excludes?) )\s (?P<items>[^:]{2,150})"""
)
"""One like "the fee includes lunch"."""
_CLAUSE_END = re.compile(
    r";\s+|,?\s+(?:but|while|whereas)\s+"
    r"|(?:(?<=included)|(?<=covered)|(?<=extra)|(?<=\bprice)|(?<=\brent)|(?<=\bfee))(?:,| and)\s+"
    r"(?:and )?(?=[^,;]+ (?:is|are|costs?|can be) )"
)
_FOR = re.compile(r"\bfor (?!an?\b|£|€|\$|\d)")
"""Before those for whom something is included."""
_ITEMS_END = re.compile(r",\s+|;\s+|\s+and\s+")
_ASIDE = re.compile(r"\s*\([^()]*\)|[:,–-]?\s*[$£€]\s?\d.*$")
"""Behind an item: what it costs."""
_LONGEST = 6
"""Words of an item."""
_OF_PRICES = frozenset(
    map(
        stem_of, "price cost costs fee rate ticket charge package deal offer pay get comes come thing item rent".split()
    )
)
"""Words of a sentence that tell of no other offer."""
_OF_OFFERS = _OF_PRICES.union(map(stem_of, _INCLUDED | _EXTRA))
_ARTICLES = frozenset("the a an our your all any".split())


class _Item(NamedTuple):
    stems: frozenset[str]
    is_included: bool
    heading: str
    about: frozenset[str]
    """The stems of its heading, and of the headings above."""
    text: str
    """To be quoted."""
    needs: frozenset[str] = frozenset()
    """Stems by which its sentence tells the offer from others: of "the superior rate"."""
    is_limited: bool = False
    """Whether it holds for some people only."""
    links: frozenset[str] = frozenset()
    """Its words that have no stem: "within" of "delivery within the city"."""


@lru_cache(maxsize=64)
def inclusion_contradictions(match: Match) -> list[Contradiction] | None:
    """What the list of an item says against a sentence that it is included, or an extra; `None` where it is unclear."""
    claim, items = match.claim, _items(match.index)
    if not items or "?" in claim.text or not _UNSURE.isdisjoint(claim.words) or half_negators(claim):
        return None
    named = [each for each in items if each.stems <= claim.stems]
    named = [each for each in named if not any(each.stems < other.stems for other in named)]
    stems = frozenset().union(*(each.stems for each in named))
    is_included = _says_included(claim, stems)
    if is_included is None or len({each.is_included for each in named}) != 1 or _is_told_elsewhere(match, named):
        return None
    own = [each for each in named if _is_of_same_offer(claim, each, items)]
    if not own and (is_included or not _names_other_offer(claim, named, items)):
        return None
    known = stems.union(*(each.about for each in items), _OF_PRICES, map(stem_of, _INCLUDED | _EXTRA | _NOT))
    if not claim.stems <= known:
        return None
    return [
        Contradiction("negation", claim.text, item.heading, item.text, _CERTAINTY, sure=True)
        for item in own[:1]
        if is_included != item.is_included
    ]


def is_right_inclusion(match: Match) -> bool:
    """Whether a sentence says no more than that an item is included, or an extra, as its context does."""
    return inclusion_contradictions(match) == []


def _is_of_same_offer(claim: ParsedSentence, item: _Item, items: Sequence[_Item]) -> bool:
    """Whether a sentence speaks of the offer of an item; it need not name it where prose has but one."""
    is_sole = len({each.needs for each in items if each.needs}) < 2 and not item.is_limited
    return item.links <= claim.words and (is_sole or item.needs <= claim.stems)


def _names_other_offer(claim: ParsedSentence, named: Sequence[_Item], items: Sequence[_Item]) -> bool:
    """Whether a sentence speaks of an offer that its item is not of: "flood is not covered by the basic policy"."""
    needs = frozenset().union(*(each.needs for each in named))
    return any((each.needs - needs) & claim.stems for each in items)


def _says_included(sentence: ParsedSentence, without: frozenset[str] = frozenset()) -> bool | None:
    """Whether a sentence or heading says "included", or "extra"; `None` for neither, and for both."""
    words = {each.word for each in sentence.tokens if not each.stem or each.stem not in without}
    denies = not _NOT.isdisjoint(words) or any(negations(sentence))
    includes, extra = bool(words & _INCLUDED), bool(words & _EXTRA)
    if includes and denies:
        return False
    return None if includes == extra or denies else includes


def _is_told_elsewhere(match: Match, named: list[_Item]) -> bool:
    """Whether another sentence of the context says of an item that it is included, or an extra."""
    return any(
        named[0].stems <= each.stems
        and not each.words.isdisjoint(_INCLUDED | _EXTRA | {"free"})
        and not any(item.text in each.text or each.text in item.text for item in named)
        and not (each.text.startswith(("{", "[")) and '"' in each.text)
        for each in match.index.sentences
    )


@lru_cache(maxsize=32)
def _items(index: ContextIndex) -> tuple[_Item, ...]:
    if not any(word in index.text.lower() for word in ("includ", "cover", "extra", "option", "exclu")):
        return ()
    text = plain(index.text)
    known = [
        *((each.introduction, each.text, each.subject, each.whole) for each in items_of(index.text)),
        *_lines(text),
        *_values(text),
    ]
    listed = tuple(
        _Item(stems, is_included, heading.rstrip(": "), parse(f"{heading} {subject}").stems, quote)
        for heading, item, subject, quote in known
        if (is_included := _says_included(parse(heading))) is not None
        if len(item.split()) <= _LONGEST and (stems := parse(_ASIDE.sub("", item)).stems)
    )
    return (*listed, *_items_of_prose(index))


def _items_of_prose(index: ContextIndex) -> Iterator[_Item]:
    for place, sentence in enumerate(index.sentences):
        if index.in_cells(place) or "?" in sentence.text or not _UNSURE.isdisjoint(sentence.words):
            continue
        for clause in _CLAUSE_END.split(sentence.text.strip().rstrip(".!")):
            clause_parts = _ITEMS_FIRST.fullmatch(clause) or _ITEMS_LAST.fullmatch(clause)
            heading = parse(clause_parts["heading"] if clause_parts else "")
            is_included = _says_included(heading)
            if clause_parts is None or is_included is None:
                continue
            offer = parse(clause_parts["offer"])
            needs = frozenset(each.stem for each in offer.tokens if each.stem and each.word.isalpha()) - _OF_OFFERS
            is_limited = _FOR.search(offer.text) is not None
            for item in _ITEMS_END.split(clause_parts["items"]):
                own = parse(_ASIDE.sub("", item))
                links = frozenset(each.word for each in own.tokens if not each.stem and each.word.isalpha())
                if own.stems and len(item.split()) <= _LONGEST:
                    offered = (needs, is_limited, links - _ARTICLES)
                    yield _Item(own.stems, is_included, clause, heading.stems, sentence.text, *offered)


_Listed = tuple[str, str, str, str]
"""A heading, an item, what the list is about, and what to quote."""


def _lines(text: str) -> Iterator[_Listed]:
    for line in _LINE.finditer(text):
        for item in _ITEMS_END.split(line["items"]):
            yield line["heading"], item, "", line[0].strip()


def _values(text: str) -> Iterator[_Listed]:
    for record, _ in objects_of(text):
        for key, value in record.items():
            heading = str(key).replace("_", " ")
            parts = _ITEMS_END.split(value) if isinstance(value, str) else value if isinstance(value, list) else ()
            for each in parts:
                item = name_of_object(each) if isinstance(each, Mapping) else each
                if isinstance(item, str) and item:
                    yield heading, item, "", f"{heading}: {item}"
