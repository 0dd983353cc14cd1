"""Verdicts and ratings out of tables: CSV, JSON Lines or Parquet, one row for each item that was judged or rated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.rows import is_parquet, is_table, name_of, parquet_rows, table_rows, text_lines
from voirdire.errors import shown
from voirdire.jury.worth.records import WorthError

Floats = NDArray[np.float64]
_LONGEST = 10_000_000
_LABELS_SHOWN = 8
_YES, _NO = ("true", "yes"), ("false", "no")
_ITEMS = ("item", "id", "item_id", "document")
_MODELS = ("model",)
_JUDGES = ("judge",)
_CLUSTERS = ("cluster", "group", "document")
_SCORES = ("score", "verdict", "label", "rating")
_LABELS = ("label", "rating", "human", "score")
_TEXTS = ("output", "text", "answer")
_REASONS = ("reason", "justification", "explanation", "comment")
_WEIGHTS = ("probability", "weight")


class Key(NamedTuple):
    """What was judged: an item, and whose output on it."""

    item: str
    model: str
    """Empty where a table names no models."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Names of columns; `None` or nothing: those that are usual."""

    item: str | None = None
    model: str | None = None
    cluster: str | None = None
    scores: tuple[str, ...] = ()
    """Of verdicts: each is a judge of its own."""
    label: str | None = None
    """Of ratings."""
    positive: str | None = None
    """Of a side that has labels: the one that counts as 1, all others as 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """What judges said; every series is as long as `keys`."""

    keys: tuple[Key, ...]
    clusters: tuple[str, ...]
    scores: Mapping[str, Floats]
    """By judge; NaN where it gave no verdict."""
    texts: tuple[str, ...]
    """What was judged; empty where the table does not say."""
    reasons: Mapping[str, tuple[str, ...]]
    """By judge."""
    labelled: frozenset[str] = frozenset()
    """The judges whose verdicts are labels, of which one counts as 1."""
    ones: Mapping[str, str] = field(default_factory=dict)
    """By judge, what a verdict at the top of the scale says, where more is known of it than the number."""
    clustered_by: str = ""
    """What the clusters are, where they are more than the items."""

    @property
    def models(self) -> tuple[str, ...] | None:
        """Of each item; `None` where the table names none."""
        names = tuple(key.model for key in self.keys)
        return names if any(names) else None


class Rated(NamedTuple):
    """What people said of one item."""

    value: float
    """The mean, where several rated it."""
    weight: float
    """How many items it stands for."""
    reason: str
    seconds: tuple[float, ...]
    labelled: bool = False
    """Whether it was given as a label."""


Ratings = Mapping[Key, Rated]


def read_verdicts(path: Path, columns: Columns) -> Verdicts:
    """Read a table of verdicts: item, score or label, and where there are any model, judge, cluster, output, reason.

    Raises:
        WorthError: a column is missing, a verdict is no number, or a judge has two verdicts on one output.
        FileError: the file can't be read.
    """
    keys: dict[Key, int] = {}
    clusters: list[str] = []
    texts: list[str] = []
    cells: dict[str, dict[int, _Cell]] = {}
    reasons: dict[str, dict[int, str]] = {}
    names: dict[str, str | None] | None = None
    chosen: tuple[str, ...] = ()
    for number, row in _rows(path):
        if names is None:
            names = {
                "item": _column(path, row, columns.item, _ITEMS, "items"),
                "model": _column(path, row, columns.model, _MODELS),
                "cluster": _column(path, row, columns.cluster, _CLUSTERS),
                "judge": _column(path, row, None, _JUDGES),
                "text": _column(path, row, None, _TEXTS),
                "reason": _column(path, row, None, _REASONS),
            }
            chosen = tuple(_column(path, row, name, (), "verdicts") or "" for name in columns.scores) or (
                _column(path, row, None, _SCORES, "verdicts", "--score") or "",
            )
        key = _key(path, number, row, names)
        place = keys.setdefault(key, len(keys))
        if place == len(clusters):
            clusters.append(_text(row, names["cluster"]) or key.item)
            texts.append(_text(row, names["text"]))
        for column in chosen:
            judge = _text(row, names["judge"]) or (column if columns.scores else "judge")
            if len(chosen) > 1:
                judge = column
            if place in cells.setdefault(judge, {}):
                raise WorthError(
                    f"{path}, row {number}: {judge} has two verdicts on item {shown(key.item)}"
                    f"{f' of {key.model}' if key.model else ''}; give one, or name the column of the models."
                )
            cells[judge][place] = _Cell(number, row.get(column))
            reasons.setdefault(judge, {})[place] = _text(row, names["reason"])
    if not keys:
        raise WorthError(f"{path} has no rows: a table of verdicts is expected.")
    everything = range(len(keys))
    labelled = frozenset(judge for judge, own in cells.items() if _has_labels(own.values(), columns.positive))
    scores = {
        judge: dict(zip(own, _values(path, own.values(), columns.positive), strict=True))
        for judge, own in cells.items()
    }
    return Verdicts(
        keys=tuple(keys),
        clusters=tuple(clusters),
        scores={judge: np.array([own.get(place, math.nan) for place in everything]) for judge, own in scores.items()},
        texts=tuple(texts),
        reasons={judge: tuple(own.get(place, "") for place in everything) for judge, own in reasons.items()},
        labelled=labelled,
        clustered_by="" if names is None or names["cluster"] is None else f"the column {names['cluster']}",
    )


def read_ratings(path: Path, columns: Columns) -> Ratings:
    """Read a table of ratings: item and label, and where there are any model, rater, probability or weight, reason.

    Several ratings of one output become their mean.

    Raises:
        WorthError: a column is missing, a rating is no number, or a probability lies outside (0, 1].
        FileError: the file can't be read.
    """
    cells: list[_Cell] = []
    keys: list[Key] = []
    weights: dict[Key, float] = {}
    reasons: dict[Key, list[str]] = {}
    seconds: dict[Key, list[float]] = {}
    names: dict[str, str | None] | None = None
    for number, row in _rows(path):
        if names is None:
            names = {
                "item": _column(path, row, columns.item, _ITEMS, "items"),
                "model": _column(path, row, columns.model, _MODELS),
                "label": _column(path, row, columns.label, _LABELS, "ratings", "--label"),
                "reason": _column(path, row, None, _REASONS),
                "weight": _column(path, row, None, _WEIGHTS),
                "seconds": _column(path, row, None, ("seconds",)),
            }
        key = _key(path, number, row, names)
        cell = _Cell(number, row.get(names["label"] or ""))
        if cell.is_empty:
            continue
        cells.append(cell)
        keys.append(key)
        weights[key] = _weight(path, number, row, names["weight"])
        reasons.setdefault(key, []).append(_text(row, names["reason"]))
        spent = _number(row.get(names["seconds"] or ""))
        if spent is not None:
            seconds.setdefault(key, []).append(spent)
    if not cells:
        raise WorthError(f"{path} has no ratings: fill in its column of labels.")
    labelled, values = _has_labels(cells, columns.positive), dict[Key, list[float]]()
    for key, value in zip(keys, _values(path, cells, columns.positive), strict=True):
        values.setdefault(key, []).append(value)
    return {
        key: Rated(
            float(np.mean(own)),
            weights[key],
            " | ".join(filter(None, reasons[key])),
            tuple(seconds.get(key, ())),
            labelled,
        )
        for key, own in values.items()
    }


def match(verdicts: Verdicts, ratings: Ratings) -> tuple[Floats, Floats, tuple[str, ...]]:
    """People's values, weights and reasons for each output that was judged; NaN where nobody has rated.

    Raises:
        WorthError: ratings name no models where items have several, or none of them was judged.
    """
    by_item: dict[str, int] = {}
    for key in verdicts.keys:
        by_item[key.item] = by_item.get(key.item, 0) + 1
    people, weights = np.full(len(verdicts.keys), np.nan), np.ones(len(verdicts.keys))
    reasons = [""] * len(verdicts.keys)
    unnamed = {key.item: rated for key, rated in ratings.items() if not key.model}
    for place, key in enumerate(verdicts.keys):
        rated = ratings.get(key) or ratings.get(Key(key.item, "")) if by_item[key.item] == 1 else ratings.get(key)
        if rated is not None:
            people[place], weights[place], reasons[place] = rated.value, rated.weight, rated.reason
        elif key.model and key.item in unnamed:
            raise WorthError(
                f"Item {shown(key.item)} was judged for several models, and its rating names none: add a column "
                "with the model to the ratings."
            )
    if not np.isfinite(people).any():
        example = next(iter(ratings)).item
        raise WorthError(
            f"None of the {len(ratings):,} rated items was judged; the ratings name {shown(example)}, the verdicts "
            f"{shown(verdicts.keys[0].item)}: use the same names in both."
        )
    return people, weights, tuple(reasons)


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Numbered rows, from 1."""
    if is_parquet(path):
        yield from parquet_rows(path)
    elif is_table(path):
        for number, cells in table_rows(path, _LONGEST):
            if isinstance(cells, str):
                raise WorthError(f"{path}, row {number}: {cells}.")
            yield number, cells
    else:
        for number, line in text_lines(path, _LONGEST):
            try:
                row = parse_json(line, halves="replace", nan="null")
            except JsonError:
                row = None
            if not isinstance(row, dict):
                raise WorthError(f'{path}, line {number}: a JSON object is expected, such as {{"item": "a", …}}.')
            yield number, row


def _column(
    path: Path,
    row: Mapping[str, Any],
    given: str | None,
    usual: Sequence[str],
    what: str | None = None,
    option: str = "--item",
) -> str | None:
    """The name of a column: the one given, or the first usual one that there is."""
    if given is not None:
        if given not in row:
            raise WorthError(f"{path} has no column {shown(given)}; its columns: {', '.join(map(str, row))}.")
        return given
    found = next((name for name in usual if name in row), None)
    if found is None and what is not None:
        raise WorthError(
            f"{path} has no column of {what} ({', '.join(usual)}); name it with {option}. "
            f"Its columns: {', '.join(map(str, row))}."
        )
    return found


def _key(path: Path, number: int, row: Mapping[str, Any], names: Mapping[str, str | None]) -> Key:
    item = _text(row, names["item"])
    if not item:
        raise WorthError(f"{path}, row {number}: the column {names['item']} is empty.")
    return Key(item, _text(row, names["model"]))


def _text(row: Mapping[str, Any], column: str | None) -> str:
    value = None if column is None else row.get(column)
    if value is None or isinstance(value, str):
        return value or ""
    try:
        return name_of(value, column or "") or ""
    except TypeError:
        return str(value)


class _Cell(NamedTuple):
    """A verdict or rating as a table has it."""

    row: int
    content: Any

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        cell = self.content
        return cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell))

    @property
    def text(self) -> str:
        """As a label."""
        return str(self.content).strip()

    @property
    def number(self) -> float | None:
        """As a number; `None` of a label."""
        if isinstance(self.content, bool):
            return float(self.content)
        known = _number(self.content)
        if known is not None:
            return known
        word = self.text.lower()
        return float(word in _YES) if word in _YES or word in _NO else None


def _has_labels(cells: Iterable[_Cell], positive: str | None) -> bool:
    """Whether a side speaks in labels: some cell is no number, or is the word that is to count as 1."""
    known = [each for each in cells if not each.is_empty]
    return any(each.number is None or (each.text == positive and _number(each.content) is None) for each in known)


def _values(path: Path, cells: Iterable[_Cell], positive: str | None) -> list[float]:
    """The numbers of one side, NaN for empty cells; of labels 1 for the one that counts, 0 for the others.

    Raises:
        WorthError: there are labels, and it is not known which one counts, or that one is not among them.
    """
    known = list(cells)
    if not _has_labels(known, positive):
        return [math.nan if each.is_empty or each.number is None else each.number for each in known]
    first = next((each for each in known if not each.is_empty and each.number is None), known[0])
    labels = sorted({each.text for each in known if not each.is_empty})
    listed = f"{', '.join(map(shown, labels[:_LABELS_SHOWN]))}{' …' if len(labels) > _LABELS_SHOWN else ''}"
    if positive is None:
        raise WorthError(
            f"{path}, row {first.row}: {shown(first.text)} is no number. If the values are labels ({listed}), say "
            "which one counts as 1, with --positive LABEL."
        )
    if positive not in labels:
        raise WorthError(
            f"{path} has no label {shown(positive)}; its labels: {listed}. Give the one that counts as 1 to --positive."
        )
    return [math.nan if each.is_empty else float(each.text == positive) for each in known]


def _number(cell: Any) -> float | None:
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _weight(path: Path, number: int, row: Mapping[str, Any], column: str | None) -> float:
    """One over the chance of being rated, or the weight itself."""
    if column is None:
        return 1.0
    value = _number(row.get(column))
    if value is None or not value > 0 or (column == "probability" and value > 1):
        bounds = "above 0, at most 1" if column == "probability" else "above 0"
        raise WorthError(f"{path}, row {number}: {column} must be {bounds}; {shown(str(row.get(column)))} was given.")
    return 1 / value if column == "probability" else value
