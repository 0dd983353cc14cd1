"""Words of another row or record: "Yoga is on Fridays", where Yoga's day is Tuesday and Aqua's Friday; yes for no.

A sentence must name one row alone, by its name or by a time that no other row has, and have a value that only other
rows have in a column where its row has another one: a name, a day, or other words if the sentence names the column. Of
all rows it must grant what one of them lacks. Where anything else of the context has the two together, it is right or
unclear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex, plain
from voirdire.evidence.lexicon import lexicon
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.evidence.record_sentences import Row, rows_and_prose
from voirdire.evidence.records import Contradiction, ContradictionKind
from voirdire.evidence.tokens import parse

_CERTAINTY = 0.95
_LONGEST = 4
"""Words of a value that is a name."""
_OTHER_WORDS = 2
"""Content words of a sentence that stand neither in its row nor in the value: more may speak of another matter."""
_REMEMBERED = 32
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_DAY_BEFORE = frozenset("on every each".split())
_YES = frozenset("yes true".split())
_NO = frozenset("no false".split())
# With these and the name of a row and a column, a sentence says yes or no and nothing else.
_HAVING = frozenset(
    "include includes included available come comes offer offers offered have has provide provided possible allowed"
    " get gets permitted free charge there service services run runs operate operates go goes sail sails".split()
)
_PARTS_OF_DAY = frozenset("morning afternoon evening night".split())
_NEARLY = frozenset("almost nearly practically most".split())
_LIMITING = frozenset("with where which that whose if of".split())
_UNSURE = frozenset(
    "than unlike instead both or either before until after not like compared but except besides".split()
)
_TIME = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?![\d:])")
_LEAST = 3
"""Letters of a word that tells values apart."""


class _Record(NamedTuple):
    name: str
    words: frozenset[str]
    values: tuple[tuple[str, str, frozenset[str]], ...]
    """Each key with its value, and the words of that."""
    all_words: frozenset[str]
    text: str
    key: frozenset[str]
    """The stems of the column or key of its name."""
    times: frozenset[str]
    """Of day, as it writes them."""


def values_of_other_rows(match: Match) -> Iterator[Contradiction]:
    """The first value of a sentence that other rows have, and not the one that it names."""
    records = _records(match.index)
    claim = match.claim
    if len(records) < 2 or claim.text.endswith("?"):
        return
    words = _words(claim.text)
    named = [each for each in records if each.words <= words] or _named_by_time(match, records)
    if not named:
        yield from _yes_of_all(match, records)
    if len({each.words for each in named}) != 1 and len({each.text for each in named}) != 1:
        return
    if len({each.text for each in named}) == 1:
        yield from _yes_for_no(match, named[0])
    if any(negations(claim)) or not _UNSURE.isdisjoint(claim.words):
        return
    if len({each.text for each in named}) == 1 and (found := _time_of_other_row(match, named[0], records)):
        yield found
        return
    for own in named:
        for key, value, mine in own.values:
            theirs = next(
                (each for each in _others(records, own, key) if _is_exchanged(match, named, _words(key), mine, each)),
                None,
            )
            if theirs is None or not _is_all(match, named, theirs | _words(key)):
                continue
            kind: ContradictionKind = "date" if theirs <= _DAYS else "name"
            written = _written(match, theirs - mine)
            yield Contradiction(kind, written, f"{key}: {value}", own.text, _CERTAINTY, about=own.name, sure=True)
            return


def _yes_for_no(match: Match, own: _Record) -> Iterator[Contradiction]:
    """A column that a sentence grants to its row and the row denies, or the other way round."""
    for key, value, mine in own.values:
        if not (mine <= _YES or mine <= _NO) or len(mine) != 1 or not _is_only(match, key, own):
            continue
        if (mine <= _YES) == any(negations(match.claim)):
            text = match.claim.text
            yield Contradiction("negation", text, f"{key}: {value}", own.text, _CERTAINTY, about=own.name, sure=True)
            return


def _yes_of_all(match: Match, records: Sequence[_Record]) -> Iterator[Contradiction]:
    """A column that a sentence grants to every row and one of them denies."""
    claim = match.claim
    levels = lexicon().quantity
    universal = next((token for token in claim.tokens if levels.get(token.word) == "all"), None)
    if universal is None or any(negations(claim)) or not (_NEARLY | _LIMITING).isdisjoint(claim.words):
        return
    for own in records:
        for key, value, mine in own.values:
            if len(mine) == 1 and mine <= _NO and _is_only(match, key, own):
                yield Contradiction(
                    "quantifier", universal.word, f"{key}: {value}", own.text, _CERTAINTY, about=own.name, sure=True
                )
                return


def _is_only(match: Match, key: str, own: _Record) -> bool:
    """Whether a sentence says of rows no more than whether they have what a column tells of."""
    words, column = _words(match.claim.text), _words(key)
    unsure = match.claim.words & (_UNSURE | _NEARLY)
    if not column - _HAVING or not column - _HAVING <= words or not unsure <= column:
        return False
    known = own.key.union(*(parse(each).stems for each, _, _ in own.values))
    said = [token for token in match.claim.tokens if token.stem and lexicon().quantity.get(token.word) != "all"]
    others = column | own.all_words | _HAVING | _PARTS_OF_DAY
    return all(token.stem in known or _words(token.word) <= others for token in said)


def _named_by_time(match: Match, records: Sequence[_Record]) -> list[_Record]:
    """The rows that a sentence names by a time of day which no other has."""
    times = frozenset(_TIME.findall(match.claim.text))
    found = [each for each in records if times & each.times]
    return found if len({each.text for each in found}) == 1 else []


def _time_of_other_row(match: Match, own: _Record, records: Sequence[_Record]) -> Contradiction | None:
    """The one time of a sentence, which other rows have in a column that it names, and its row has another there."""
    text, words = match.claim.text, _words(match.claim.text)
    times = _TIME.findall(text)
    if len(times) != 1 or times[0] in own.times or any(_words(times[0]) <= each for each in _prose(match.index)):
        return None
    keys = {key for each in records for key, value, _ in each.values if value == times[0]}
    for key, value, _ in own.values:
        if keys == {key} and _TIME.fullmatch(value) and _words(key) & words:
            return Contradiction("number", times[0], f"{key}: {value}", own.text, _CERTAINTY, about=own.name, sure=True)
    return None


def _others(records: Sequence[_Record], own: _Record, key: str) -> Iterator[frozenset[str]]:
    """The words of what other rows have for a key, where these are words."""
    return (
        theirs
        for each in records
        if each.words != own.words
        for name, value, theirs in each.values
        if name == key and _is_words(value) and not theirs <= _YES | _NO
    )


def _is_exchanged(
    match: Match, named: Sequence[_Record], column: frozenset[str], mine: frozenset[str], theirs: frozenset[str]
) -> bool:
    """Whether a sentence has the value of another row, in a place of its own, and nothing of that of its row."""
    words, new = _words(match.claim.text), theirs - mine
    own_words = frozenset().union(*(each.all_words for each in named))
    if (
        not new
        or not new <= words
        or new & own_words
        or (mine - theirs) & words
        or (theirs <= _DAYS) != (mine <= _DAYS)
    ):
        return False
    near = _prose(match.index)
    if any(named[0].words <= each and new & each for each in near):
        return False
    return _is_written(match, new) or column <= words


def _is_all(match: Match, named: Sequence[_Record], others: frozenset[str]) -> bool:
    """Whether a sentence says little besides words of its row and these others."""
    known = others.union(*(each.all_words for each in named))
    rest = [token for token in match.claim.tokens if token.stem and not _words(token.word) <= known]
    return len(rest) <= _OTHER_WORDS


def _is_written(match: Match, words: frozenset[str]) -> bool:
    """Whether a sentence has these words with capitals, other than that of its first word, or "on" this day."""
    tokens = match.claim.tokens
    places = [place for place, token in enumerate(tokens) if _words(token.word) & words]
    if words <= _DAYS:
        return all(place > 0 and tokens[place - 1].word in _DAY_BEFORE for place in places)
    return places != [0] and all(match.claim.text[tokens[place].start].isupper() for place in places)


def _written(match: Match, words: frozenset[str]) -> str:
    tokens = [token for token in match.claim.tokens if _words(token.word) & words]
    return match.claim.text[tokens[0].start : tokens[-1].end]


@lru_cache(maxsize=_REMEMBERED)
def _prose(index: ContextIndex) -> tuple[frozenset[str], ...]:
    """The words of each paragraph that is no row."""
    return tuple(map(_words, rows_and_prose(plain(index.text))[1]))


@lru_cache(maxsize=_REMEMBERED)
def _records(index: ContextIndex) -> tuple[_Record, ...]:
    return tuple(record for row in rows_and_prose(plain(index.text))[0] if (record := _record(row)).words)


def _record(row: Row) -> _Record:
    values = tuple((key, value, _words(value)) for key, value in row.fields if value)
    times = frozenset(time for _, value, _ in values for time in _TIME.findall(value))
    return _Record(row.name, _words(row.name), values, _words(row.text), row.text, parse(row.key).stems, times)


def _is_words(value: str) -> bool:
    """Whether it is a name, a day, or few other words."""
    parts: Sequence[str] = value.split()
    return 0 < len(parts) <= _LONGEST and all(len(part) >= _LEAST and part.isalpha() for part in parts)


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    """The words of a text in lower case, without the endings of "Fridays" and "Whitlock's"."""
    return frozenset(
        word[:-1] if word[:-1] in _DAYS else word
        for token in parse(text).tokens
        if (word := token.word.removesuffix("'s").removesuffix("’s"))[0].isalnum()
    )
