"""Tables where every judge has a column of scores: `--map score=score_*` makes of each row one for each judge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from voirdire.data.usual_column_names import USUAL
from voirdire.evaluation.formats.columns import EACH, EMPTY, columns_named


def by_judge(rows: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Rows as they are; or, where the column of scores is named by a pattern, one for each column that it fits.

    Each has the score under the pattern, and under `*` what stands in its place: the judge. Where others have scored a
    row, a judge with nothing in it has not rated it, and gets none.
    """
    pattern = columns_named().columns.get("score", "")
    for number, row in rows:
        judges = _judges(pattern, tuple(map(str, row))) if EACH in pattern else {}
        if not judges:
            yield number, row
            continue
        rest = {name: value for name, value in row.items() if name not in judges}
        there = {column: judge for column, judge in judges.items() if _is_rated(row[column])}
        for column, judge in (there or judges).items():
            yield number, {**rest, pattern: row[column], EACH: judge}


def _is_rated(cell: Any) -> bool:
    return cell is not None and str(cell).strip().lower() not in EMPTY


def pattern_of(names: Sequence[str]) -> str | None:
    """What columns have in common that may hold the scores of several judges: `score_*` of `score_ann`, `score_bo`."""
    patterns = [pattern for usual in USUAL["score"] for pattern in (f"{usual}_{EACH}", f"{EACH}_{usual}")]
    return next((pattern for pattern in patterns if len(_fitting(pattern, tuple(names))) > 1), None)


def _judges(pattern: str, names: tuple[str, ...]) -> Mapping[str, str]:
    """By column of scores the judge; nothing where a column has the pattern itself as its name."""
    others = columns_named().columns.values()
    fitting = {} if pattern in names else _fitting(pattern, names)
    return {name: judge for name, judge in fitting.items() if name not in others}


@lru_cache(maxsize=64)
def _fitting(pattern: str, names: tuple[str, ...]) -> Mapping[str, str]:
    """By name that fits a pattern, what stands for its `*`."""
    before, _, after = pattern.partition(EACH)
    fits = re.compile(f"{re.escape(before)}(.+){re.escape(after)}")
    return {name: match[1] for name in names if (match := fits.fullmatch(name))}
