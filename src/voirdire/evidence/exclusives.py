"""What is so of one thing, day or place only: "the only branch with a café" where two have one, "only on weekdays"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.row_records import DAYS, words_of
from voirdire.evidence.tokens import ParsedSentence, parse

_CERTAINTY = 0.95
_SOLE = re.compile(
    r"^(?P<one>[^,;:]{2,60}?) (?:is|was|are|were) the only (?P<kind>[\w ]{0,40}?)"
    r"(?:with|offering|having|to have|to offer|(?:that|which) (?:has|have|had|offers|offer|includes))"
    r" (?P<what>[^,;:]+?)[.!]?$"
)
_BOTH = re.compile(r"(?i)\bboth\b.+\band\b|\b(?:and so|so|as) (?:do|does|did|have|has|is|are)\b")
_ALSO = frozenset(("also", "too"))
_PRONOUNS = frozenset("it they this these that those he she we you".split())
_ONLY_ON = re.compile(
    r"(?i)\bonly (?:open )?(?:on|at|from) (?P<days>[a-z, ]+?)[.;]?$|\bon (?P<before>[a-z, ]+?) only\b"
)
_ONLY_IN = re.compile(r"\bonly (?P<by>in|at) (?:the )?(?P<place>(?:[A-Z][\w'’-]*)(?: [A-Z][\w'’-]*)*)[.!]?$")
# Of "open to members only on Sundays" it is unclear what there is only one of.
_FOR_SOME = re.compile(r"(?i)\b(?:to|for|by) [\w-]+ only\b")
_WORKING = frozenset("monday tuesday wednesday thursday friday".split())
_DAY_WORDS = {
    **{day: frozenset((day,)) for day in DAYS},
    **dict.fromkeys(("weekday", "weekdays"), _WORKING),
    **dict.fromkeys(("weekend", "weekends"), DAYS - _WORKING),
}
# With these a sentence says that something is to be had.
_GRANTING = frozenset(
    "use used visit visited open opens available enter entered come go borrow served serve offered held".split()
)


def broken_exclusives(match: Match) -> Iterator[Contradiction]:
    """The first that a sentence calls the only one, or does not, against a sentence of the context."""
    claim = match.claim
    if "?" in claim.text or any(negations(claim)) or half_negators(claim):
        return
    for place in match.ranked:
        evidence = match.index.sentences[place]
        if any(negations(evidence)):
            continue
        conflict = _other_owner(claim, evidence) or _other_day(claim, evidence) or _other_place(claim, evidence)
        if conflict:
            yield Contradiction("quantifier", conflict[0], conflict[1], evidence.text, _CERTAINTY, sure=True)
            return


def _other_owner(claim: ParsedSentence, evidence: ParsedSentence) -> tuple[str, str] | None:
    """The only one that has what another one has, too."""
    sole = _SOLE.match(claim.text)
    if sole is None or "only" in evidence.words:
        return None
    one, what = parse(sole["one"]).stems, parse(sole["what"]).stems
    if not one or not what or not what <= evidence.stems:
        return None
    shared = one <= evidence.stems and _BOTH.search(evidence.text) is not None and _has_more(evidence, one | what)
    other = (
        one.isdisjoint(evidence.stems)
        and not _ALSO.isdisjoint(evidence.words)
        and evidence.tokens[0].word not in _PRONOUNS
        and _has_more(evidence, one | what)
    )
    return (f"the only {sole['kind']}".strip(), evidence.text) if shared or other else None


def _has_more(sentence: ParsedSentence, stems: frozenset[str]) -> bool:
    """Whether a sentence names something with a capital, or after an article, besides what has these stems."""
    return any(each.stem and each.stem not in stems for each in sentence.tokens)


def _other_day(claim: ParsedSentence, evidence: ParsedSentence) -> tuple[str, str] | None:
    """Another day than the only ones."""
    only = _ONLY_ON.search(evidence.text)
    if only is None or _FOR_SOME.search(evidence.text):
        return None
    days, mine = _days(only["days"] or only["before"]), _days(claim.text)
    if not days or not mine or days & mine:
        return None
    rest = {each.stem for each in claim.tokens if each.stem and each.word not in (*_DAY_WORDS, *_GRANTING)}
    rest -= {each.stem for each in claim.tokens if each.word[:-1] in DAYS}
    written = next(each for each in claim.tokens if _days(each.word))
    day = claim.text[written.start : written.end]
    return (day, only[0].rstrip(".")) if rest and rest <= evidence.stems else None


def _days(text: str) -> frozenset[str]:
    return frozenset().union(*(_DAY_WORDS.get(each, ()) for each in words_of(text)))


def _other_place(claim: ParsedSentence, evidence: ParsedSentence) -> tuple[str, str] | None:
    """Another place than the only one."""
    only = _ONLY_IN.search(evidence.text)
    if only is None or "only" in claim.words:
        return None
    there = re.search(rf"\b{only['by']} (?:the )?((?:[A-Z][\w'’-]*)(?: [A-Z][\w'’-]*)*)", claim.text)
    if there is None:
        return None
    mine, theirs = parse(there[1]).stems, parse(only["place"]).stems
    rest = {each.stem for each in claim.tokens if each.stem and each.word not in _GRANTING} - mine
    if not rest or mine <= theirs or theirs <= claim.stems or not rest <= evidence.stems:
        return None
    return there[0], only[0].rstrip(".!")
