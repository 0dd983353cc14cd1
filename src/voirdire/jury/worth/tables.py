"""Verdicts and ratings out of tables: CSV, JSON Lines or Parquet, one row for each item that was judged or rated.

Three decisions are made here for `jury worth`, `rate anchor` and `rate agreement` alike: which rated thing is which
judged thing (`Key`), what belongs together (`CLUSTERS`), and, by `direction`, which way is good.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.data.files import whole_text
from voirdire.data.json_text import JsonError, parse_items, parse_json
from voirdire.data.nested_fields import field_at, has_field
from voirdire.data.rows import is_document, is_parquet, is_table, name_of, parquet_rows, table_rows, text_lines
from voirdire.data.usual_column_names import USUAL, usual_columns
from voirdire.errors import shown
from voirdire.jury.worth.direction import (
    PREFERENCES,
    UNIT,
    Direction,
    is_low,
    known_labels,
    read_labels,
    read_numbers,
    scale_of,
)
from voirdire.jury.worth.records import Unit, WorthError
from voirdire.jury.worth.several_raters import Label, Open, label_of, settle, usual_number
from voirdire.reason_codes import Reason, reason

Floats = NDArray[np.float64]
_LONGEST = 10_000_000
_YES, _NO = ("true", "yes"), ("false", "no")
_ITEMS = (*USUAL["item"], "document")
_OF_ITEMS = "items, such as an id or a question"
CLUSTERS = ("cluster", "group", "document")
"""What the column of what belongs together is usually called."""
GROUP = "group"
"""That of a table of ratings."""
_SCORES = tuple(dict.fromkeys(("score", "verdict", "label", *USUAL["score"])))
_PREFERRED = "preferred"
"""That of verdicts on pairs, as in our own exports."""
_LABELS = ("label", "rating", "human", "score")
TEXTS = (*USUAL["output"], "answer", "text", "summary")
"""What a column of outputs is usually called where nothing is scored by exact match: an "answer" is no reference."""
SHOWN: Mapping[str, tuple[str, ...]] = {
    "question": USUAL["prompt"],
    "context": ("context", "passage", "article", "source"),
    "reference": ("reference", "expected", "ground_truth"),
}
"""What people read beside the output that they rate: usual columns, by our name for them."""
_REASONS = ("reason", "justification", "explanation", "comment")
_WEIGHTS = ("probability", "weight")
_MOST_STRAYS = 0.05
"""Share of words among numbers up to which they are slips."""
_FEWEST_SCORES = 10
"""Scores of a judge from which on one of them can be called an outlier."""
EXPORT_ADVICE = "is an export of a raters' project: give the project itself, --human PROJECT.voirdire."
_CODE = 8
"""Hexadecimal digits of a code."""


class Key(NamedTuple):
    """What was judged: an item, and whose output on it."""

    item: str
    model: str
    """Empty where a table names no models."""
    epoch: int | None = None
    """Which of several outputs of a model; `None` where there is one, or all count as one."""


def opaque(name: str) -> str:
    """A code for a name that raters must not read; the same for the same name."""
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:_CODE]


def is_opaque(name: str) -> bool:
    """Whether a name is such a code."""
    return re.fullmatch(rf"[0-9a-f]{{{_CODE}}}", name) is not None


def finder(keys: Sequence[Key]) -> Callable[[Key], Key]:
    """What finds the key by which an output stands among others.

    These may name no models, or no epochs. The output's own key may have a code in place of its model, or no model
    where the item has one output only; and the item's later outputs may be numbered, as in "q7#2".
    """
    models = {key.model for key in keys} - {""}
    names = {opaque(name): name for name in models}
    has_epochs, known = any(key.epoch is not None for key in keys), set(keys)
    times = Counter(key.item for key in keys)
    only = {key.item: key for key in keys if times[key.item] == 1}

    def find(key: Key) -> Key:
        if not key.model and key.item in only:
            return only[key.item]
        model = names.get(key.model, key.model) if names else ""
        same = Key(key.item, model, key.epoch if has_epochs else None)
        unnumbered = same._replace(item=key.item.rpartition("#")[0])
        return unnumbered if model and same not in known and unnumbered in known else same

    return find


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
    good_verdict: tuple[str, ...] = ()
    """What counts as good of verdicts, by the user; see `direction`."""
    good_rating: tuple[str, ...] = ()
    """Likewise of ratings."""
    judge: str | None = None
    """Of verdicts."""
    epoch: str | None = None
    """Of verdicts; `None`: all outputs of a model on an item count as one."""
    text: str | None = None
    """Of what was judged."""

    @property
    def of_verdicts(self) -> tuple[str, ...]:
        """Those that are named of a table of verdicts."""
        named = (self.item, self.model, self.cluster, self.judge, self.epoch, self.text, *self.scores)
        return tuple(name for name in named if name is not None)


class Flag(NamedTuple):
    """A flagged sentence of an answer: where it stands there, and its text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """What judges said; every series is as long as `keys`."""

    keys: tuple[Key, ...]
    clusters: tuple[str, ...]
    scores: Mapping[str, Floats]
    """By judge; NaN where it gave no verdict. As they were given: `good_high` has those that are high where good."""
    texts: tuple[str, ...]
    """What was judged; empty where the table does not say."""
    reasons: Mapping[str, tuple[str, ...]]
    """By judge."""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By judge, its verdicts as it gave them, of those that are words; "" for numbers."""
    directions: Mapping[str, Direction] = field(default_factory=dict)
    """By judge, how its verdicts are read; without one, high is taken for good."""
    bounds: tuple[float, float] | None = None
    """The lowest and the highest score there can be; `None` where only the scores can tell."""
    shown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What people need to read beside the text: by name ("question", "context" …), a text for each key."""
    ones: Mapping[str, str] = field(default_factory=dict)
    """By judge, what a verdict at the top of the scale says, where more is known of it than the number."""
    clustered_by: str = ""
    """What items of a cluster share, where clusters are more than the items."""
    one_detector: bool = False
    """Whether all judges are readings of one detector: its scores and its flags."""
    unit: Unit = "item"
    """What a verdict is on, where that is known."""
    flags: tuple[tuple[Flag, ...], ...] = ()
    """Of whole answers, the sentences in each that a detector has flagged."""
    columns: tuple[str, ...] = ()
    """Of a table, those that were read."""
    outliers: Mapping[str, Reason] = field(default_factory=dict)
    """By judge, that one of its scores alone lies outside the usual scales."""

    def beside(self, place: int) -> dict[str, str]:
        """What people need to read beside one of the texts."""
        return {name: texts[place] for name, texts in self.shown.items() if texts[place]}

    def direction(self, judge: str) -> Direction:
        """How a judge's verdicts are read."""
        return self.directions.get(judge, _ASSUMED)

    def scale(self, judge: str, ends: tuple[float, float]) -> tuple[float, float]:
        """The ends of a judge's own scale, where people's has these."""
        return self.bounds or scale_of(self.scores[judge], ends)

    def good_high(self, ends: tuple[float, float]) -> Mapping[str, Floats]:
        """The scores by judge, turned around between the ends of its own scale where low ones are good.

        Args:
            ends: of people's scale.
        """
        return {
            judge: sum(self.scale(judge, ends)) - values if self.direction(judge).turned else values
            for judge, values in self.scores.items()
        }

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
    beside: Mapping[str, str] = MappingProxyType({})
    """What they read beside the output, by name, where that is known."""
    label: str = ""
    """What they chose, where they chose among labels."""
    output: str = ""
    """What they rated, where that is known."""


Ratings = Mapping[Key, Rated]
_ASSUMED = Direction()
NOTHING_NUMBERED: Mapping[str, Collection[str]] = MappingProxyType({})


_EXPORTED = ("item", "document", "rater", "blind", "phase")
"""Columns of a raters' project that was written as tables."""
_SOURCE_ITEM = "source_item"
"""There, what its source calls an item."""
COUNTS_AS = "counts_as"
"""There, from 0 to 1 how good the label is, where the task knows it."""


class RatingTable(NamedTuple):
    """The ratings of a table."""

    ratings: Ratings
    """High where good."""
    direction: Direction
    """How they were read."""
    exported: bool = False
    """Whether they were written from a raters' project."""
    open: Mapping[Open, tuple[Key, ...]] = MappingProxyType({})
    """Outputs that were rated and have no label, by why."""
    averaged: int = 0
    """Items of which raters gave different numbers: their mean counts."""
    groups: Mapping[Key, str] = MappingProxyType({})
    """What each rated output belongs to, where a column says so."""
    seconds: Mapping[str, tuple[float, ...]] = MappingProxyType({})
    """How long each rater's ratings took, where both are known."""


def read_verdicts(
    path: Path,
    columns: Columns,
    ends: tuple[float, float] = (0.0, 1.0),
    numbered: Mapping[str, Collection[str]] = NOTHING_NUMBERED,
    *,
    pairs: bool = False,
) -> Verdicts:
    """Read a table of verdicts: item, score or label, and where there are any model, judge, cluster, output, reason.

    Args:
        path: of the table. Its named columns may be paths into nested objects.
        columns: as they are named.
        ends: of people's scale.
        numbered: by number of the row, texts that it must hold: so a table is known that names no items, and whose
            rows were numbered when people rated them.
        pairs: whether pairs were judged, so that "first", "second" and "tie" say which is better.

    Raises:
        WorthError: a column is missing, nothing tells which way is good, or a judge has two verdicts on one output.
        FileError: the file can't be read.
    """
    keys: dict[Key, int] = {}
    clusters: list[str] = []
    texts: list[str] = []
    shown_texts: dict[str, list[str]] = {name: [] for name in SHOWN}
    cells: dict[str, dict[int, _Cell]] = {}
    reasons: dict[str, dict[int, str]] = {}
    names: dict[str, str | None] | None = None
    chosen: tuple[str, ...] = ()
    column_of: dict[str, str] = {}
    named, by_number = columns.of_verdicts, False
    for place_of_row, (number, own_row) in enumerate(_rows(path), start=1):
        row = {**own_row, **{name: field_at(own_row, name) for name in named if has_field(own_row, name)}}
        if names is None:
            by_number = columns.item is None and bool(numbered) and not usual_columns(list(row), {"": USUAL["item"]})
            names = {
                "item": None if by_number else _column(path, row, columns.item, _ITEMS, _OF_ITEMS),
                "model": _column(path, row, columns.model, USUAL["model"]),
                "cluster": _column(path, row, columns.cluster, CLUSTERS),
                "judge": _column(path, row, columns.judge, USUAL["judge"]),
                "epoch": _column(path, row, columns.epoch, ()),
                "text": _column(path, row, columns.text, TEXTS),
                "reason": _column(path, row, None, _REASONS),
                **{name: _column(path, row, None, usual) for name, usual in SHOWN.items()},
            }
            chosen = tuple(_column(path, row, name, (), "verdicts") or "" for name in columns.scores) or (
                _column(path, row, None, (*_SCORES, _PREFERRED) if pairs else _SCORES, "verdicts", "--score-column")
                or "",
            )
            names |= {what: None for what, column in names.items() if column in chosen and what != "item"}
        if by_number:
            _check_row(path, row, numbered.get(str(place_of_row), ()))
            key = Key(str(place_of_row), _text(row, names["model"]))
        else:
            key = _key(path, number, row, names)
        if names["epoch"] is not None:
            key = key._replace(epoch=_epoch(path, number, row.get(names["epoch"])))
        place = keys.setdefault(key, len(keys))
        if place == len(clusters):
            clusters.append(_text(row, names["cluster"]) or key.item)
            texts.append(_text(row, names["text"]))
            for name, so_far in shown_texts.items():
                so_far.append(_text(row, names[name]))
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
            column_of.setdefault(judge, column)
            reasons.setdefault(judge, {})[place] = _text(row, names["reason"])
    if not keys:
        raise WorthError(f"{path} has no rows: a table of verdicts is expected.")
    everything = range(len(keys))
    scores: dict[str, dict[int, float]] = {}
    directions: dict[str, Direction] = {}
    ones: dict[str, str] = {}
    outliers: dict[str, Reason] = {}
    labels_of = {judge: _labels(own.values()) for judge, own in cells.items()}
    for judge, own in cells.items():
        labels, given, column = labels_of[judge], columns.good_verdict, column_of[judge]
        own_ends = UNIT if labels else scale_of([each.counted(None) for each in own.values()], ends)
        counts_as: Mapping[str, float] | None = None
        if not all(labels_of.values()) and any(labels_of.values()):  # what is said of labels is not said of numbers
            given = tuple(each for each in given if (is_low(each, own_ends) is None) == bool(labels))
        if pairs and labels and not given and PREFERENCES.keys() >= {*labels}:
            counts_as, directions[judge] = PREFERENCES, known_labels(PREFERENCES)
            ones[judge] = "the first of the pair is preferred"
        elif labels:
            _check_stray(path, own.values(), given, f"verdicts of {judge}")
            counts_as, directions[judge] = read_labels(labels, given, "--good-verdict", str(path), column=column)
        else:
            outliers |= _outlier(judge, own.values(), ends)
            directions[judge] = read_numbers(given, "--good-verdict", str(path), column=column, ends=own_ends)
        scores[judge] = {place: each.counted(counts_as) for place, each in own.items()}
    return Verdicts(
        keys=tuple(keys),
        clusters=tuple(clusters),
        scores={judge: np.array([own.get(place, math.nan) for place in everything]) for judge, own in scores.items()},
        texts=tuple(texts),
        reasons={judge: tuple(own.get(place, "") for place in everything) for judge, own in reasons.items()},
        words={
            judge: tuple(own[place].word if place in own else "" for place in everything)
            for judge, own in cells.items()
        },
        directions=directions,
        shown={name: tuple(own) for name, own in shown_texts.items() if any(own)},
        ones=ones,
        clustered_by="" if names is None or names["cluster"] is None else column_of_clusters(names["cluster"]),
        columns=tuple(dict.fromkeys(filter(None, [*(names or {}).values(), *chosen]))),
        outliers=outliers,
    )


def column_of_clusters(name: str) -> str:
    """How a column of clusters is called where it is said what intervals allow for."""
    return f"a value of the column {name}"


def read_ratings(path: Path, columns: Columns, ends: tuple[float, float] = (0.0, 1.0)) -> RatingTable:
    """Read a table of ratings: item and label, and where there are any model, rater, probability or weight, reason.

    Several labels of one output are settled as in a raters' project (`several_raters`); several numbers become their
    mean. Of a project that was written as tables, the live ones count, by what its source calls the items.

    Args:
        path: of the table.
        columns: and what of them is good.
        ends: of people's scale.

    Raises:
        WorthError: a column is missing, nothing tells which way is good, or a probability lies outside (0, 1]; or a
            project was written whose ratings are no numbers.
        FileError: the file can't be read.
    """
    cells: list[_Cell] = []
    keys: list[Key] = []
    weights: dict[Key, float] = {}
    groups: dict[Key, str] = {}
    outputs: dict[Key, set[str]] = {}
    reasons: dict[Key, list[str]] = {}
    seconds: dict[Key, list[float]] = {}
    texts: dict[Key, list[Label]] = {}
    by_rater: dict[str, list[float]] = {}
    known: dict[str, float] = {}
    names: dict[str, str | None] | None = None
    exported = False
    for number, row in _rows(path):
        if names is None:
            exported = _SOURCE_ITEM in row or row.keys() >= set(_EXPORTED)
            if exported and columns.label is None and _column(path, row, None, _LABELS) is None:
                raise WorthError(f"{path} {EXPORT_ADVICE}")
            names = {
                "item": _shared_column(path, row, columns.item, (_SOURCE_ITEM, *_ITEMS), _OF_ITEMS),
                "model": _shared_column(path, row, columns.model, USUAL["model"]),
                "label": _column(path, row, columns.label, _LABELS, "ratings", "--label-column"),
                "output": _column(path, row, None, USUAL["output"]),
                "reason": _column(path, row, None, _REASONS),
                "weight": _column(path, row, None, _WEIGHTS),
                "seconds": _column(path, row, None, ("seconds",)),
                "group": _column(path, row, None, (GROUP,)),
            }
        key = _key(path, number, row, names)
        cell = _Cell(number, row.get(names["label"] or ""))
        if (cell.is_empty and not (exported and row.get("status"))) or (exported and row.get("phase") == "practice"):
            continue
        if group := _text(row, names["group"]):
            groups[key] = group
        given = label_of(row, "" if cell.is_empty else cell.text)
        texts.setdefault(key, []).append(given)
        spent = _number(row.get(names["seconds"] or ""))
        if spent is not None and (rater := _text(row, "rater")):
            by_rater.setdefault(rater, []).append(spent)
        if cell.is_empty:
            continue
        if (counted := _number(row.get(COUNTS_AS))) is not None:
            known[cell.text] = counted
        cells.append(cell)
        keys.append(key)
        weights[key] = _weight(path, number, row, names["weight"])
        if names["output"] != names["label"]:
            outputs.setdefault(key, set()).add(_text(row, names["output"]))
        reasons.setdefault(key, []).append(_text(row, names["reason"]))
        if spent is not None:
            seconds.setdefault(key, []).append(spent)
    if not cells:
        raise WorthError(f"{path} has no ratings: fill in its column of labels.")
    labels, column = _labels(cells), "" if names is None else names["label"] or ""
    open_items: dict[Open, list[Key]] = {}
    values: dict[Key, list[float]] = {}
    label_by_key: dict[Key, str] = {}
    if labels:
        counts_as: Mapping[str, float]
        if exported and not columns.good_rating and known.keys() >= set(labels):
            counts_as, direction = known, known_labels(known)
        else:
            _check_stray(path, cells, columns.good_rating, "ratings")
            counts_as, direction = read_labels(labels, columns.good_rating, "--good-rating", str(path), column=column)
        needed = usual_number(texts.values()) if exported else 1
        for key, each in texts.items():
            label, why = settle(each, needed)
            if why is None:
                label_by_key[key] = label
                values[key] = [ends[0] + (ends[1] - ends[0]) * _Cell(0, label).counted(counts_as)]
            else:
                open_items.setdefault(why, []).append(key)
    else:
        direction = read_numbers(columns.good_rating, "--good-rating", str(path), column=column, ends=ends)
        for key, cell in zip(keys, cells, strict=True):
            value = cell.counted(None)
            values.setdefault(key, []).append(sum(ends) - value if direction.turned else value)
    ratings = {
        key: Rated(
            float(np.mean(own)),
            weights[key],
            " | ".join(filter(None, reasons[key])),
            tuple(seconds.get(key, ())),
            label=label_by_key.get(key, ""),
            output=next(iter(outputs[key])) if len(outputs.get(key, ())) == 1 else "",
        )
        for key, own in values.items()
    }
    return RatingTable(
        ratings,
        direction,
        exported,
        open={why: tuple(items) for why, items in open_items.items()},
        averaged=sum(len(set(own)) > 1 for own in values.values()),
        groups=groups,
        seconds={rater: tuple(spent) for rater, spent in by_rater.items()},
    )


def match(verdicts: Verdicts, ratings: Ratings) -> tuple[Floats, Floats, tuple[str, ...]]:
    """People's values, weights and reasons for each output that was judged; NaN where nobody has rated.

    Raises:
        WorthError: one side names no models where the other has several for an item, both have another text under a
            name, or nothing rated was judged.
    """
    find = finder(verdicts.keys)
    rated_by: dict[Key, Rated] = {}
    for key, rated in ratings.items():
        if rated_by.setdefault(find(key), rated) is not rated:
            raise WorthError(
                f"Item {shown(key.item)} was rated for several models, and the verdicts don't tell these apart: add a "
                "column with the model to the verdicts."
            )
    people, weights = np.full(len(verdicts.keys), np.nan), np.ones(len(verdicts.keys))
    reasons = [""] * len(verdicts.keys)
    unnamed = {key.item for key in rated_by if not key.model}
    for place, key in enumerate(verdicts.keys):
        if key in rated_by:
            people[place], weights[place], reasons[place] = rated_by[key][:3]
            check_same(key, verdicts.texts[place], rated_by[key].output)
        elif key.model and key.item in unnamed:
            raise WorthError(
                f"Item {shown(key.item)} was judged for several models, and its rating names none: add a column "
                "with the model to the ratings."
            )
    if not np.isfinite(people).any():
        models = {key.item: key.model for key in verdicts.keys}
        if (same := next((key for key in rated_by if key.item in models), None)) is not None:
            raise WorthError(
                f"None of the {len(ratings):,} ratings is of a model that was judged: item {shown(same.item)} was "
                f"rated for {shown(same.model)} and judged for {shown(models[same.item])}. Use the same names in both."
            )
        example = next(iter(ratings)).item
        raise WorthError(
            f"None of the {len(ratings):,} rated items was judged; the ratings name {shown(example)}, the verdicts "
            f"{shown(verdicts.keys[0].item)}: use the same names in both"
            f"{', or name their column with --item-column' if verdicts.columns else ''}."
        )
    return people, weights, tuple(reasons)


def check_same(key: Key, judged: str, rated: str) -> None:
    """See that people and judge speak of one text: of a part of it, or without signs, it is the same.

    Args:
        key: of both.
        judged: what the judge was given, "" where that is not known. Sentences of it may be missing.
        rated: what people were.

    Raises:
        WorthError: they are two texts.
    """
    words = sorted((re.findall(r"\w+", each.casefold()) for each in (judged, rated)), key=len)
    shorter, longer = words[0], iter(words[1])
    if not all(word in longer for word in shorter):  # in this order
        raise WorthError(
            f"Item {shown(key.item)} is {shown(rated)} in the ratings and {shown(judged)} in the verdicts: give the "
            "verdicts that the rated items were drawn from."
        )


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Numbered rows, from 1."""
    if is_parquet(path):
        yield from parquet_rows(path)
    elif is_document(path):
        yield from enumerate(_records(path), start=1)
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


def _records(path: Path) -> Iterator[dict[str, Any]]:
    """Those of a JSON list."""
    try:
        for number, record in enumerate(parse_items(whole_text(path), halves="replace"), start=1):
            if not isinstance(record, dict):
                raise WorthError(f"{path}, entry {number}: a JSON object is expected.")
            yield record
    except JsonError as error:
        raise WorthError(f"{path} is no JSON list of objects: {error}.") from None


def _check_row(path: Path, row: Mapping[str, Any], texts: Collection[str]) -> None:
    """See that a row of a table without a column of items is the one that people have rated."""
    there = {_plain(each) for each in row.values() if isinstance(each, str)}
    if not there.issuperset(map(_plain, texts)):
        raise WorthError(
            f"{path} has no column of items ({', '.join(_ITEMS)}), and its rows are not those that people rated: name "
            f"it with --item-column. Its columns: {', '.join(map(str, row))}."
        )


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _epoch(path: Path, number: int, cell: Any) -> int | None:
    value = _number(cell)
    if value is None and cell not in (None, ""):
        raise WorthError(f"{path}, row {number}: {shown(str(cell))} is no number of a repetition.")
    return None if value is None else int(value)


def _column(
    path: Path,
    row: Mapping[str, Any],
    given: str | None,
    usual: Sequence[str],
    what: str | None = None,
    option: str = "--item-column",
) -> str | None:
    """The name of a column: the one given, or the first usual one that there is.

    Args:
        path: of the table.
        row: one of its rows.
        given: its name, where it is named.
        usual: what it is usually called.
        what: it holds; `None` where it may be missing.
        option: names it.
    """
    if given is not None:
        if given not in row:
            raise WorthError(f"{path} has no column {shown(given)}; its columns: {', '.join(map(str, row))}.")
        return given
    result = usual_columns(list(row), {"": usual}).get("")
    if result is None and what is not None:
        raise WorthError(
            f"{path} has no column of {what} ({', '.join(usual)}); name it with {option}. Its columns: "
            f"{', '.join(map(str, row))}."
        )
    return result


def _shared_column(
    path: Path, row: Mapping[str, Any], given: str | None, usual: Sequence[str], what: str | None = None
) -> str | None:
    """A column of ratings, as in `_column`: the name that was given may be that of the verdicts alone."""
    is_of_verdicts = given not in row and (what is None or usual_columns(list(row), {"": usual}))
    return _column(path, row, None if is_of_verdicts else given, usual, what)


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
    def word(self) -> str:
        """The same, where it is no number: "" of one."""
        return "" if self.is_empty or _number(self.content) is not None else self.text

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

    def counted(self, values: Mapping[str, float] | None) -> float:
        """What it counts as: by its label, or as a number without `values`; NaN where nothing was said."""
        number = None if self.is_empty else self.number if values is None else values[self.text]
        return math.nan if number is None else number


def _labels(cells: Iterable[_Cell]) -> tuple[str, ...]:
    """The labels of a side, where it speaks in labels: some cell is no number."""
    known = [each for each in cells if not each.is_empty]
    return tuple(each.text for each in known) if any(each.number is None for each in known) else ()


def _check_stray(path: Path, cells: Collection[_Cell], given: Sequence[str], what: str) -> None:
    """See that what is no number is no slip: one of very few words among numbers, where nobody says which is good."""
    known = [each for each in cells if not each.is_empty]
    strays = [each for each in known if each.number is None]
    numbers = {each.number for each in known} - {None}
    if given or len(numbers) < 2 or len(strays) > _MOST_STRAYS * len(known):
        return
    first, number = strays[0], len(known) - len(strays)
    raise WorthError(
        f"{path}, row {first.row}: {shown(first.text)} is no number, as {number:,} of the {len(known):,} {what} are: "
        "correct it, or leave its cell empty."
    )


def _outlier(judge: str, cells: Iterable[_Cell], ends: tuple[float, float]) -> dict[str, Reason]:
    """That one score alone keeps a judge's scores from lying on people's scale, or from 0 to 1; by judge."""
    known = sorted((value, each.row) for each in cells if math.isfinite(value := each.counted(None)))
    values = [value for value, _ in known]
    if len(known) < _FEWEST_SCORES or scale_of(values, ends) in (ends, UNIT):
        return {}
    for (value, row), others in ((known[-1], values[:-1]), (known[0], values[1:])):
        if scale_of(others, ends) in (ends, UNIT):
            return {judge: reason("worth_outlier", row=row, value=value, judge=judge, low=others[0], high=others[-1])}
    return {}


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
