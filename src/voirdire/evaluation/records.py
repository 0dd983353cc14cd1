"""What an evaluation is, whoever made it: one long table of rows, what was printed of it, and where it comes from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.reason_codes import Reason

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

RowStatus = Literal["scored", "error", "limit", "missing", "unparsed"]
"""What became of a row: it was scored; the sample ended in an error; it hit a limit of time, tokens or messages; it has
no verdict; its verdict or answer could not be read. A row may have a score whatever its status: an error that counts as
0 is one."""
ROW_STATUSES: tuple[RowStatus, ...] = ("scored", "error", "limit", "missing", "unparsed")


class Printed(NamedTuple):
    """A headline as a file has it."""

    model: str
    value: float
    """In the unit of the scores: a win rate of 63.3 % is 0.633."""
    se: float | None
    n: int | None
    """How many items it says it rests on."""
    decimals: int
    """Decimals of the value that are known, in the unit of the scores; rounding hides what follows."""
    source: str
    """The file's name, or the field."""


class SourceFile(NamedTuple):
    """A file that was read."""

    path: Path
    sha256: str
    size: int
    """Bytes, as they lie on the disk."""


class ItemScores(NamedTuple):
    """Scores by model and item: means over epochs and judges."""

    models: tuple[str, ...]
    items: tuple[str, ...]
    values: Floats
    """Shape (models, items); NaN where a model has no score."""
    clusters: Places
    """Shape (items,): the number of each item's cluster, from 0."""
    cluster_names: tuple[str, ...]
    """Empty where the data name no clusters: then each item is one."""

    @property
    def clustered(self) -> bool:
        """Whether the data say that items belong together."""
        return bool(self.cluster_names)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One task with one headline metric: all models that the files hold of it.

    A reader makes one for each file; `formats.combine` joins those of the same name, format and metric whose models
    differ.
    """

    name: str
    """What it measures, and under which judge: the task's name, "alpacaeval (JUDGE, against BASELINE)"."""
    format: str
    metric: str
    """The headline metric: what `score` holds. The reader says by a note by which rule it was chosen."""
    rows: pd.DataFrame
    """The long table; `table.COLUMNS` says what each column holds."""
    printed: tuple[Printed, ...] = ()
    other_scores: Mapping[str, Floats] = field(default_factory=dict)
    """Other metrics of the same rows, each of shape (rows,), NaN where missing."""
    bounds: tuple[float, float] | None = (0.0, 1.0)
    """The lowest and highest score there can be; `None` where that is not known."""
    higher_is_better: bool = True
    by_reference: bool = True
    """Whether a score says if an output agrees with its reference; other metrics ask how relevant or harmful it is."""
    mirrored: bool = False
    """Whether models were judged against one another, an item holding two: what one scores, the other does not."""
    threshold_of: str = ""
    """Which of the other scores the judge gave, where `score` is made of it: whether it reached a threshold."""
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By model: what it was run with, as the file has it: prompt version, shots, temperature, limits, data set. Two
    names are ours: "items", how many items the file says were asked, and "reducer", what its headline makes of several
    epochs of an item ("mean", "max", "pass_at_3" …)."""
    files: tuple[SourceFile, ...] = ()
    notes: tuple[Reason, ...] = ()
    """What a reader must know: columns that were guessed, the rule that chose the metric, a date."""
    beside: tuple[Evaluation, ...] = ()
    """Others of the same audit that scored outputs of the same models to the same items: other judges, other metrics.
    The audit fills it in; theirs is empty."""

    @property
    def models(self) -> tuple[str, ...]:
        """In alphabetical order."""
        return tuple(self.rows["model"].cat.categories)

    @property
    def judges(self) -> tuple[str, ...]:
        """In alphabetical order; empty where no judge is named."""
        return tuple(self.rows["judge"].cat.categories)

    @property
    def items(self) -> tuple[str, ...]:
        """In the order of the files."""
        return tuple(self.rows["item"].cat.categories)

    def has(self, column: str) -> bool:
        """Whether any row has a value in this column."""
        return bool(self.rows[column].notna().any())

    def codes(self, column: str) -> Places:
        """Shape (rows,): the number of each row's name in a column of names, -1 where there is none."""
        return np.asarray(self.rows[column].cat.codes, dtype=np.intp)

    def of_models(self, models: Collection[str]) -> Evaluation:
        """What it holds of these models alone, and the items that they were asked."""
        return replace(
            self._of_rows(self.rows["model"].isin(models).to_numpy()),
            printed=tuple(each for each in self.printed if each.model in models),
            settings={model: own for model, own in self.settings.items() if model in models},
        )

    def of_judge(self, judge: str) -> Evaluation:
        """What this judge said."""
        return self._of_rows((self.rows["judge"] == judge).to_numpy())

    def without_judge(self, judge: str) -> Evaluation:
        """What the other judges said."""
        return self._of_rows((self.rows["judge"] != judge).to_numpy())

    @cached_property
    def one_side(self) -> NDArray[np.bool_]:
        """Shape (rows,): of models that were judged against one another the rows of one of each two; else all rows."""
        if not self.mirrored:
            return np.ones(len(self.rows), dtype=bool)
        return np.asarray(self.codes("model") == (self.given_to // len(self.models))[self.codes("item")])

    @cached_property
    def given_to(self) -> Places:
        """Shape (items,): a number for the two models of each item, where they were judged against one another.

        The first one's place among the models times how many there are, and the second one's; 0 where all models are
        given each item.
        """
        size = len(self.models)
        if not self.mirrored:
            return np.zeros(len(self.items), dtype=np.intp)
        item, model = self.codes("item"), self.codes("model")
        first, second = np.full(len(self.items), size), np.full(len(self.items), -1)
        np.minimum.at(first, item, model)
        np.maximum.at(second, item, model)
        return np.asarray(first * size + second, dtype=np.intp)

    def of_one_side(self) -> Evaluation:
        """The same without the rows that say again what another model's do."""
        return self._of_rows(self.one_side) if self.mirrored else self

    def _of_rows(self, selected: NDArray[np.bool_]) -> Evaluation:
        rows = self.rows[selected].reset_index(drop=True)
        names = {name: rows[name].cat.remove_unused_categories() for name in ("model", "item", "judge", "cluster")}
        others = {name: scores[selected] for name, scores in self.other_scores.items()}
        return replace(self, rows=rows.assign(**names), other_scores=others)

    @cached_property
    def item_scores(self) -> ItemScores:
        """What nearly every figure is made of."""
        item, model = self.codes("item"), self.codes("model")
        shape = (len(self.models), len(self.items))
        clusters, names = _clusters(self.rows, item, shape[1])
        return ItemScores(
            self.models,
            self.items,
            mean_by(self.rows["score"].to_numpy(np.float64), model, item, shape),
            clusters,
            names,
        )


def flat_settings(settings: Mapping[str, Any], *, inside_lists: bool = False) -> Iterator[tuple[str, Any]]:
    """Settings without nesting: names joined by dots, and what is no mapping.

    Args:
        settings: of one model.
        inside_lists: give each element of a list by itself.
    """

    def flat(value: Any, key: str) -> Iterator[tuple[str, Any]]:
        if isinstance(value, Mapping):
            for name, inner in value.items():
                yield from flat(inner, f"{key}.{name}" if key else str(name))
        elif inside_lists and isinstance(value, list | tuple):
            for inner in value:
                yield from flat(inner, key)
        else:
            yield key, value

    return flat(settings, "")


def mean_by(values: Floats, first: Places, second: Places, shape: tuple[int, int]) -> Floats:
    """Means of values in the cells of a table; NaN in a cell without any.

    Args:
        values: shape (rows,); NaN is left out.
        first: shape (rows,), from 0.
        second: shape (rows,), from 0.
        shape: of the result.
    """
    known = ~np.isnan(values)
    place = first[known] * shape[1] + second[known]
    counts = np.bincount(place, minlength=shape[0] * shape[1])
    sums = np.bincount(place, values[known], minlength=shape[0] * shape[1])
    means = np.full(counts.size, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means.reshape(shape)


def _clusters(rows: pd.DataFrame, item: Places, items: int) -> tuple[Places, tuple[str, ...]]:
    """Of each item the cluster that its first row names; an item that names none is a cluster of its own."""
    column = rows["cluster"].cat
    codes = np.asarray(column.codes, dtype=np.intp)
    if not (codes >= 0).any():
        return np.arange(items), ()
    result = np.full(items, -1)
    known = np.flatnonzero(codes >= 0)[::-1]
    result[item[known]] = codes[known]  # the first row is written last
    names = list(column.categories)
    alone = np.flatnonzero(result < 0)
    result[alone] = len(names) + np.arange(alone.size)
    names += [f"(item {place})" for place in alone]
    used, clusters = np.unique(result, return_inverse=True)
    return clusters, tuple(names[place] for place in used)
