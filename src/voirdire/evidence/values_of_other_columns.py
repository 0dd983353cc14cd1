"""Names of one row exchanged between its columns: its inspector for its handler, its destination for its origin.

A sentence must speak of one row, say nothing besides, and name one column beside a name that this row has in another
one, or that is nowhere. What else of the context has that name makes it unclear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.record_sentences import NAMES
from voirdire.evidence.records import Contradiction
from voirdire.evidence.row_records import Record, all_rows_of, named_rows, objects_in, prose_of, words_of
from voirdire.evidence.tokens import ParsedSentence, Token

_CERTAINTY = 0.95
_CLAUSE_END = re.compile(r"[,;](?!\d)|\s(?:and|while|whereas)\s")
_CODE = re.compile(r"(?=\S*[A-Za-z])(?=\S*\d)[\w-]+")
_ENDING = re.compile(r"(?:er|or|ed|es|ing|ion|al|y|s|e)$")
"""In which "handler", "handled" and "handles" differ, and "delivery" and "delivered"."""
_SHORTEST_ROOT = 4
_IS_BEFORE = re.compile(r"\b(?:is|was|by) $")
"""Before who it is: not "comes from South Wales"."""
_ENDS = frozenset(("from", "to"))
"""Columns that are written right before their values, and together."""
_OTHERS_OF_WAY = 2
"""Content words besides of a sentence about where something goes: "the move goes from Durham to Ilkley"."""
_LONGEST = 4
"""Words of a name."""
_FEWEST_NAMES = 2
_UNSURE = frozenset(
    "than unlike instead both or either before until after not like but except besides also with if return returns"
    " returned returning back reply replies replied answer answers opposite reverse".split()
)
_CALENDAR = re.compile(r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)day")


class _Field(NamedTuple):
    key: str
    value: str

    def is_named_by(self, roots: frozenset[str]) -> bool:
        return all(roots_of(word) & roots for word in words_of(self.key))


def values_of_other_columns(match: Match) -> Iterator[Contradiction]:
    """The first name that a sentence has beside a column of the row that it speaks of, which has it in another one."""
    claim = match.claim
    if "?" in claim.text or any(negations(claim)) or half_negators(claim) or not _UNSURE.isdisjoint(claim.words):
        return
    row = _row(match)
    if row is None:
        return
    fields = [_Field(key, value) for key, value, _ in row.values if _is_name(value) and value != row.name]
    for own, value in [*_stated(claim, fields), *_unknown(match, row, fields)]:
        theirs = words_of(value)
        is_own = any(theirs & words_of(each.value) for each in fields if each.key == own.key)
        if is_own or any(theirs <= paragraph for paragraph in prose_of(match.index)):
            continue
        others = [each for each in _others(claim, row) if each.word not in theirs]
        if len(others) > (_OTHERS_OF_WAY if own.key in _ENDS else 0):
            continue
        yield Contradiction("name", value, f"{own.key}: {own.value}", row.text, _CERTAINTY, about=row.name, sure=True)
        return


def _row(match: Match) -> Record | None:
    """The one row that a sentence names by a code of it, or as `named_rows` has it."""
    codes = set(_CODE.findall(match.claim.text))
    coded = [each for each in all_rows_of(match.index) if not codes.isdisjoint((each.name, *_values(each)))]
    rows = coded or named_rows(match) or _objects_with_roles(match)
    return rows[0] if len(rows) == 1 else None


def _objects_with_roles(match: Match) -> list[Record]:
    """The objects that have names in several keys: an order beside its lines."""
    return [each for each in objects_in(match.index) if sum(map(_is_name, _values(each))) >= _FEWEST_NAMES]


def _values(row: Record) -> Iterator[str]:
    return (value for _, value, _ in row.values)


def _stated(claim: ParsedSentence, fields: list[_Field]) -> Iterator[tuple[_Field, str]]:
    """The columns of names that clauses of a sentence name, each with the only name that stands beside it."""
    ends = {each.key: each for each in fields if each.key in _ENDS}
    if len(ends) == len(_ENDS):
        one, other = (re.escape(ends[key].value) for key in ("to", "from"))
        if re.search(rf"\bfrom {one} to {other}\b", claim.text):
            yield ends["from"], ends["to"].value
    stated = []
    for clause in _CLAUSE_END.split(claim.text):
        roots = frozenset().union(*map(roots_of, words_of(clause)))
        named = [each for each in fields if each.key not in _ENDS and each.is_named_by(roots)]
        named = [each for each in named if not any(words_of(each.key) < words_of(other.key) for other in named)]
        stated.append((named, {each.value for each in fields if _is_in(each, clause)}))
    if all(bool(named) == bool(values) for named, values in stated):
        yield from ((named[0], min(values)) for named, values in stated if len(named) == len(values) == 1)


def _is_in(field: _Field, clause: str) -> bool:
    """Whether a clause has the value of a field, and not to say whose another one is: "of Biscuit", "Biscuit's"."""
    name = re.escape(field.value)
    if field.key in NAMES:
        return False
    return re.search(rf"(?<!\bof )(?<!\bof the )\b{name}\b(?!['’]s)", clause) is not None


def _is_name(value: str) -> bool:
    parts = value.split()
    is_written = all(part[0].isupper() and part.replace("-", "").replace("'", "").isalpha() for part in parts)
    return 0 < len(parts) <= _LONGEST and is_written and not _CALENDAR.match(value)


def _unknown(match: Match, row: Record, fields: list[_Field]) -> Iterator[tuple[_Field, str]]:
    """The only column of names that a sentence names, with a name of as many words that the context has nowhere."""
    claim = match.claim
    roots = frozenset().union(*map(roots_of, words_of(claim.text)))
    named = [each for each in fields if each.key not in NAMES and each.is_named_by(roots)]
    others = _others(claim, row)
    if len(named) != 1 or not others or words_of(named[0].value) & words_of(claim.text):
        return
    name = claim.text[others[0].start : others[-1].end]
    is_new = all(each.stem not in match.index.postings for each in others)
    is_like_own = len(name.split()) == len(others) == len(named[0].value.split()) > 1
    if is_new and is_like_own and _is_name(name) and _IS_BEFORE.search(claim.text, 0, others[0].start):
        yield named[0], name


def _others(claim: ParsedSentence, row: Record) -> list[Token]:
    """The content words of a sentence that its row does not have."""
    known = frozenset().union(*map(roots_of, row.all_words.union(*(words_of(key) for key, _, _ in row.values))))
    return [
        each for each in claim.tokens if each.stem and not all(roots_of(word) & known for word in words_of(each.word))
    ]


def roots_of(word: str) -> frozenset[str]:
    """A word, and what it may be formed of: "sponsored" and "sponsor", "handler" and "handl"."""
    root = _ENDING.sub("", word)
    return frozenset((word, root)) if len(root) >= _SHORTEST_ROOT else frozenset((word,))
