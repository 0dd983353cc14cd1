"""Words of another row or record: "Yoga is on Fridays", where Yoga's day is Tuesday and Aqua's Friday.

A sentence must name one row alone, by its name or by a time that no other row has, and have a value that only other
rows have in a column where its row has another one: a name, a day, or other words if the sentence names the column.
Or it names one row by two cells, and has a figure that only other rows have, in one column.
Where anything else of the context has the two together, it is right or unclear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from voirdire.evidence.derivations import derivations
from voirdire.evidence.figures import Figure, figures_of
from voirdire.evidence.figures_of_clauses import clauses_of
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.evidence.records import Contradiction, ContradictionKind
from voirdire.evidence.row_records import (
    DAYS,
    TIME,
    Record,
    named_by_day,
    named_by_time,
    prose_of,
    records_of,
    row_by_cells,
    words_of,
)
from voirdire.evidence.tokens import parse

_CERTAINTY = 0.95
_LONGEST = 4
"""Words of a value that is a name."""
_OTHER_WORDS = 2
"""Content words of a sentence that stand neither in its row nor in the value: more may speak of another matter."""
_DAY_BEFORE = frozenset("on every each".split())
_YES_OR_NO = frozenset("yes true no false".split())
_UNSURE = frozenset(
    "than unlike instead both or either before until after not like compared but except besides".split()
)
_FEW = 20
"""A whole number up to here may count anything: the sentence must name its column."""
_LEAST = 3
"""Letters of a word that tells values apart."""


def values_of_other_rows(match: Match) -> Iterator[Contradiction]:
    """The first value of a sentence that other rows have, and not the one that it names."""
    records = records_of(match.index)
    claim = match.claim
    if len(records) < 2 or claim.text.endswith("?"):
        return
    if contradiction := _exchanged_figures(match, records) or _figure_of_other_row(match, records):
        yield contradiction
        return
    words = words_of(claim.text)
    named = [each for each in records if each.words <= words]
    named = named or named_by_day(match, records) or named_by_time(match, records)
    if len({each.words for each in named}) != 1 and len({each.text for each in named}) != 1:
        return
    if any(negations(claim)) or not _UNSURE.isdisjoint(claim.words):
        return
    if len({each.text for each in named}) == 1 and (contradiction := _time_of_other_row(match, named[0], records)):
        yield contradiction
        return
    for own in named:
        for key, value, mine in own.values:
            theirs = next(
                (each for each in _others(records, own, key) if _is_exchanged(match, named, words_of(key), mine, each)),
                None,
            )
            if theirs is None or not _is_all(match, named, theirs | words_of(key)):
                continue
            kind: ContradictionKind = "date" if theirs <= DAYS else "name"
            written = _written(match, theirs - mine)
            yield Contradiction(kind, written, f"{key}: {value}", own.text, _CERTAINTY, about=own.name, sure=True)
            return


def _exchanged_figures(match: Match, records: Sequence[Record]) -> Contradiction | None:
    """A figure of a clause that names one row, and of the next that names another, each the other row's in a column."""
    claim = match.claim
    if any(negations(claim)) or not _UNSURE.isdisjoint(claim.words) or derivations(match):
        return None
    clauses = clauses_of(claim, [each for each, _ in match.figures])
    named = [[each for each in records if each.words <= words_of(claim.text[one.start : one.end])] for one in clauses]
    for (one, mine), (other, theirs) in pairwise(zip(clauses, named, strict=True)):
        if len(mine) != 1 or len(theirs) != 1:
            continue
        keys = {key for key, value, _ in theirs[0].values if _has(value, one.figure)}
        known = [value for _, value, _ in mine[0].values]
        if any(_has(value, one.figure) for value in known):
            continue
        for key, value, _ in mine[0].values:
            if key in keys and _has(value, other.figure):
                return Contradiction(
                    "number",
                    one.figure.text,
                    f"{key}: {value}",
                    mine[0].text,
                    _CERTAINTY,
                    about=mine[0].name,
                    sure=True,
                )
    return None


def _figure_of_other_row(match: Match, records: Sequence[Record]) -> Contradiction | None:
    """The one figure of a sentence that the row it names by two cells lacks, and others have in one column alone."""
    own = row_by_cells(match)
    if own is None or any(negations(match.claim)) or not _UNSURE.isdisjoint(match.claim.words) or derivations(match):
        return None
    figures = [each for each, _ in match.figures if each.number.kind == "number"]
    lacking = [each for each in figures if not any(_has(value, each) for _, value, _ in own.values)]
    if len(lacking) != 1:
        return None
    (figure,) = lacking
    columns = {key for each in records for key, value, _ in each.values if _has(value, figure)}
    mine = [(key, value) for key, value, _ in own.values if key in columns and value[0].isdigit()]
    if len(columns) != 1 or len(mine) != 1:
        return None
    is_count = abs(figure.number.value) <= _FEW and figure.number.value % 1 == 0
    if is_count and words_of(mine[0][0]).isdisjoint(words_of(match.claim.text)):
        return None
    return Contradiction("number", figure.text, ": ".join(mine[0]), own.text, _CERTAINTY, about=own.name, sure=True)


def _has(value: str, figure: Figure) -> bool:
    return any(
        each.number.kind == "number" and each.number.value == figure.number.value for each in figures_of(parse(value))
    )


def _time_of_other_row(match: Match, own: Record, records: Sequence[Record]) -> Contradiction | None:
    """The one time of a sentence, which other rows have in a column that it names, and its row has another there."""
    text = match.claim.text
    times = TIME.findall(text)
    if len(times) != 1 or times[0] in own.times or any(words_of(times[0]) <= each for each in prose_of(match.index)):
        return None
    keys = {key for each in records for key, value, _ in each.values if value == times[0]}
    for key, value, _ in own.values:
        if keys == {key} and TIME.fullmatch(value) and parse(key).stems & match.claim.stems:
            return Contradiction("number", times[0], f"{key}: {value}", own.text, _CERTAINTY, about=own.name, sure=True)
    return None


def _others(records: Sequence[Record], own: Record, key: str) -> Iterator[frozenset[str]]:
    """The words of what other rows have for a key, where these are words."""
    return (
        theirs
        for each in records
        if each.words != own.words
        for name, value, theirs in each.values
        if name == key and _is_words(value) and not theirs <= _YES_OR_NO
    )


def _is_exchanged(
    match: Match, named: Sequence[Record], column: frozenset[str], mine: frozenset[str], theirs: frozenset[str]
) -> bool:
    """Whether a sentence has the value of another row, in a place of its own, and nothing of that of its row."""
    words, new = words_of(match.claim.text), theirs - mine
    own_words = frozenset().union(*(each.all_words for each in named))
    if not new or not new <= words or new & own_words or (mine - theirs) & words or (theirs <= DAYS) != (mine <= DAYS):
        return False
    near = prose_of(match.index)
    if any(named[0].words <= each and new & each for each in near):
        return False
    return _is_written(match, new) or column <= words


def _is_all(match: Match, named: Sequence[Record], others: frozenset[str]) -> bool:
    """Whether a sentence says little besides words of its row and these others."""
    known = others.union(*(each.all_words for each in named))
    rest = [token for token in match.claim.tokens if token.stem and not words_of(token.word) <= known]
    return len(rest) <= _OTHER_WORDS


def _is_written(match: Match, words: frozenset[str]) -> bool:
    """Whether a sentence has these words with capitals, other than that of its first word, or "on" this day."""
    tokens = match.claim.tokens
    places = [place for place, token in enumerate(tokens) if words_of(token.word) & words]
    if words <= DAYS:
        return all(place > 0 and tokens[place - 1].word in _DAY_BEFORE for place in places)
    return places != [0] and all(match.claim.text[tokens[place].start].isupper() for place in places)


def _written(match: Match, words: frozenset[str]) -> str:
    tokens = [token for token in match.claim.tokens if words_of(token.word) & words]
    return match.claim.text[tokens[0].start : tokens[-1].end]


def _is_words(value: str) -> bool:
    """Whether it is a name, a day, or few other words."""
    parts: Sequence[str] = value.split()
    return 0 < len(parts) <= _LONGEST and all(len(part) >= _LEAST and part.isalpha() for part in parts)
