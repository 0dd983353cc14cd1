"""Figures of models from a user's CSV, matched to the models of a study."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd

from voirdire.data.files import FileError
from voirdire.data.sheets import read_sheet
from voirdire.ddft.concept_sums import Floats
from voirdire.errors import InputError

MAX_BYTES = 5_000_000
_LARGEST = 1e300
_LONG = re.compile(r"[+-]?[0-9]{19,}")
_NO_NAMES: Mapping[str, str] = MappingProxyType({})


class FiguresError(InputError):
    """A file of figures that can't be used: one sentence says what is wrong and what is expected."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a study's models: one row per model, NaN where unknown."""

    table: pd.DataFrame
    """Index: the study's models in their order; the file's columns without `model`."""
    unmatched: tuple[str, ...]
    """Models of the file that the study does not hold."""
    without: tuple[str, ...]
    """Models of the study that the file does not hold."""
    repeated: tuple[str, ...]
    """Models of the file that stand in the study more than once: not independent of one another."""


def read_figures(path: Path, models: Sequence[str], own_names: Mapping[str, str] = _NO_NAMES) -> Figures:
    """Read a CSV with a column `model` and further columns of numbers or text.

    A name is matched exactly, or else by what follows its last "/".

    Args:
        path: of the file.
        models: of the study.
        own_names: by name in the study the model's own, where a model that stands in several runs is named with one.

    Raises:
        FiguresError: no such file, no CSV, no column `model`, a model twice, no other column, or no model of the study.
    """
    table = _table(path)
    names = [str(name).strip() for name in table["model"]]
    rows = {model: _row_of(model, own_names.get(model, model), names, path) for model in models}
    if all(row is None for row in rows.values()):
        raise FiguresError(
            f"{path} names none of the models of the study: it has {_some(names)}; the study has {_some(models)}."
        )
    used = Counter(row for row in rows.values() if row is not None)
    columns = table.drop(columns="model")
    picked = columns.reindex([-1 if row is None else row for row in rows.values()])
    return Figures(
        picked.set_axis(list(models), axis=0),
        tuple(name for place, name in enumerate(names) if place not in used),
        tuple(model for model, row in rows.items() if row is None),
        tuple(names[row] for row, times in used.items() if times > 1),
    )


def as_numbers(column: pd.Series) -> Floats | None:
    """A column as numbers, NaN where it is empty; `None` if it holds text or truth values, or nothing."""
    filled = column.dropna()
    numbers = pd.to_numeric(filled, errors="coerce")
    if filled.empty or filled.map(lambda value: isinstance(value, bool)).any() or not np.isfinite(numbers).all():
        return None
    return pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64)


def not_a_number(column: pd.Series) -> str | None:
    """The first value that is no number in a column where others are; `None` where all are alike."""
    filled = column.dropna()
    numbers = pd.to_numeric(filled, errors="coerce").notna()
    return str(filled[~numbers].iloc[0]) if numbers.any() and not numbers.all() else None


def _table(path: Path) -> pd.DataFrame:
    try:
        columns, rows = read_sheet(path, MAX_BYTES, padded=True)
    except FileError as error:
        raise FiguresError(f"{error} A CSV file with a column model and columns of figures is expected.") from None
    for number, cells in rows:
        for name, cell in zip(columns, cells, strict=True):
            if _beyond(cell):
                raise FiguresError(f"{path}, row {number}: {name} is {cell.strip()[:40]!a}, which is no finite number.")
    plain = StringIO()
    csv.writer(plain).writerows([columns, *([_as_float(cell.strip()) for cell in cells] for _, cells in rows)])
    plain.seek(0)
    table = pd.read_csv(plain)
    if "model" not in table.columns:
        raise FiguresError(f"{path} has no column model; it has {_some(list(table.columns))}.")
    if len(table.columns) < 2:
        raise FiguresError(f"{path} has no column of figures beside model.")
    table = table[table["model"].notna()].reset_index(drop=True)
    twice = table["model"][table["model"].duplicated()]
    if len(twice):
        raise FiguresError(f"{path} names {twice.iloc[0]} twice; give each model one row.")
    return table


def _row_of(model: str, own_name: str, names: Sequence[str], path: Path) -> int | None:
    for name in (model, own_name):
        if name in names:
            return names.index(name)
    last = _last_part(own_name)
    rows = [place for place, name in enumerate(names) if _last_part(name) == last]
    if len(rows) > 1:
        both = " and ".join(names[row] for row in rows[:2])
        raise FiguresError(f"{both} of {path} both fit the model {model}; name it in full.")
    return rows[0] if rows else None


def _last_part(name: str) -> str:
    return name.rpartition("/")[2]


def _some(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more if names else "no rows"


def _beyond(cell: str) -> bool:
    """Whether it is written like a number, and is none that can be worked with: 1e999, inf."""
    try:
        return abs(float(cell)) > _LARGEST
    except ValueError:
        return False


def _as_float(cell: str) -> str:
    """A whole number that no column of whole numbers can hold, as one of floats; anything else as it is."""
    return repr(float(cell)) if _LONG.fullmatch(cell) else cell
