"""Answers laid out in tables, and shares, means, differences and slopes of them with intervals.

Statements about one context resemble one another, so the group that shares a context is the cluster. Every estimate is
a function of sums over groups; leaving out one group at a time gives its jackknife-t interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from voirdire.cognibench.formats import Reading, read_answers, read_data
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import LABELS, Answer, Label, Require, hallucinated, type_of
from voirdire.stats.intervals import Interval, Scale, clustered_share, jackknife_t
from voirdire.text.counting import counted, named_twice


def read_data_sets(paths: Sequence[Path]) -> dict[str, Reading]:
    """Read data sets, each under the shortest end of its path that tells it from the others.

    Raises:
        CognibenchError: a path is given twice, or holds nothing that can be read.
    """
    if (twice := named_twice(paths, Path.resolve)) is not None:
        raise CognibenchError(f"The data set {twice} is named more than once; name each once.")
    resolved = [path.resolve() for path in paths]
    depth = 1
    while len({path.parts[-depth:] for path in resolved}) < len(resolved):
        depth += 1
    return {"/".join(full.parts[-depth:]): read_data(path) for full, path in zip(resolved, paths, strict=True)}


def read_one(paths: Sequence[Path]) -> list[Answer]:
    """Read the one data set that is meant.

    Raises:
        CognibenchError: there are several, or nothing that can be read.
    """
    if len(paths) != 1:
        raise CognibenchError(f"This takes one data set; {len(paths)} were given.")
    return read_answers(paths[0])


UNKNOWN_MODEL = "unknown"
TYPES = ("irrelevant", "factual", "cognitive")
CLAIMS = ("factual", "cognitive")
"""The types that can be hallucinated."""


class Rows(NamedTuple):
    """A data set as two tables."""

    statements: pd.DataFrame
    """One row per labelled statement: answer (row of `answers`), group, turn, topic, model, place (from 0), of (number
    of its answer's sentences), position ((place + 1/2) / of, in (0, 1)), label, type, hallucinated, words."""
    typed: pd.DataFrame
    """One row per statement whose type is known, with a label or without one; columns up to position, and type."""
    answers: pd.DataFrame
    """One row per answer with such a statement: answer, dialogue, group, turn, topic, model, reference."""
    undefined: frozenset[Label] = frozenset()
    """Labels of which nothing is known: `cognibench.labelling.records.undefined_labels`."""

    def part(self, column: str, value: object) -> Rows:
        """The answers whose `column` has this value, with their statements."""
        return self._replace(
            statements=self.statements[self.statements[column] == value],
            typed=self.typed[self.typed[column] == value],
            answers=self.answers[self.answers[column] == value],
        )

    def knows(self, kind: str) -> bool:
        """Whether any label of a type can occur."""
        return any(type_of(label) == kind and label not in self.undefined for label in LABELS)


def rows_of(
    answers: Sequence[Answer], require: Require = "grounded", undefined: frozenset[Label] = frozenset()
) -> Rows:
    """Lay out what is labelled.

    Args:
        answers: those without a label are left out.
        require: what a cognitive statement must be.
        undefined: labels of which nothing is known.

    Raises:
        CognibenchError: nothing is labelled.
    """
    if not any(answer.labelled for answer in answers):
        raise CognibenchError(
            f"None of {counted(len(answers), 'answer')} has a labelled sentence; "
            "label them first (voirdire label DATA -o RUN)."
        )
    looked_at = [answer for answer in answers if any(each.type is not None for each in answer.statements)]
    return Rows(
        pd.DataFrame(
            [
                _statement_columns(row, answer, place)
                | {
                    "label": each.label,
                    "type": each.type,
                    "hallucinated": hallucinated(each.label, require),
                    "words": each.words,
                }
                for row, answer in enumerate(looked_at)
                for place, each in enumerate(answer.statements)
                if each.label is not None
            ]
        ),
        pd.DataFrame(
            [
                _statement_columns(row, answer, place) | {"type": each.type}
                for row, answer in enumerate(looked_at)
                for place, each in enumerate(answer.statements)
                if each.type is not None
            ]
        ),
        pd.DataFrame(
            [{"answer": row, "dialogue": a.dialogue, **_answer_columns(a)} for row, a in enumerate(looked_at)]
        ),
        undefined,
    )


def pool_answers(sets: Mapping[str, Sequence[Answer]]) -> list[Answer]:
    """The answers of several data sets as those of one.

    Ids and dialogues get the set's name in front. Whatever has the same context is one group, whichever set it stands
    in, so that several models' answers on the same references can be compared in pairs.
    """
    if len(sets) == 1:
        return [answer for answers in sets.values() for answer in answers]
    group: dict[str, str] = {}
    return [
        replace(
            answer,
            id=f"{name}/{answer.id}",
            dialogue=f"{name}/{answer.dialogue}",
            group=group.setdefault(answer.context, f"{name}/{answer.group}"),
        )
        for name, answers in sets.items()
        for answer in answers
    ]


def _answer_columns(answer: Answer) -> dict[str, object]:
    return {
        "group": answer.group,
        "turn": answer.turn,
        "topic": answer.topic or "",
        "model": answer.model or UNKNOWN_MODEL,
        "reference": answer.context,
    }


def _statement_columns(row: int, answer: Answer, place: int) -> dict[str, object]:
    count = len(answer.statements)
    return {
        "answer": row,
        **{name: value for name, value in _answer_columns(answer).items() if name != "reference"},
        "place": place,
        "of": count,
        "position": (place + 0.5) / count,
    }


Floats = NDArray[np.float64]


class DynamicsEstimate(NamedTuple):
    """A figure of a data set; `value` is `None` where it is undefined."""

    value: float | None
    n: int
    """What it is a share or mean of: statements or answers."""
    groups: int
    """How many groups these come from."""
    interval: Interval | None = None
    """95 %; `None` with fewer than three groups, or where they show no variation to build on."""
    hits: float | None = None
    """The numerator, where there is one."""

    def as_dict(self) -> dict[str, Any]:
        """The estimate as plain values: `None` for what is undefined."""
        low, high, method = (None, None, None) if self.interval is None else self.interval[:2] + self.interval[3:]
        return {
            "value": self.value,
            "count": self.hits,
            "n": self.n,
            "groups": self.groups,
            "low": low,
            "high": high,
            "method": method,
        }


UNDEFINED = DynamicsEstimate(None, 0, 0)
"""Of what is not known."""


def share(hits: ArrayLike, groups: ArrayLike) -> DynamicsEstimate:
    """Share of trials that are hits; the interval is t over groups on the logit scale.

    Where all trials hit, or none, groups show no variation: the interval is then the exact binomial one of the trials,
    which takes them as independent and is too short for statements of few answers.

    Args:
        hits: shape (n,), true or false.
        groups: shape (n,), which group each trial belongs to.
    """
    hit = np.asarray(hits, dtype=np.float64)
    n_groups, sums = _sums(groups, hit, np.ones_like(hit))
    total = int(hit.size)
    interval = clustered_share(sums[:, 0], sums[:, 1]) if n_groups >= 3 else None
    return DynamicsEstimate(float(hit.mean()) if total else None, total, n_groups, interval, float(hit.sum()))


def mean(values: ArrayLike, groups: ArrayLike) -> DynamicsEstimate:
    """Mean of values that are not negative; jackknife-t over groups on the log scale.

    Args:
        values: shape (n,).
        groups: shape (n,).
    """
    each = np.asarray(values, dtype=np.float64)
    estimate = quotient(each, np.ones_like(each), groups)
    return estimate._replace(hits=float(each.sum()) if each.size else 0.0)


def quotient(parts: ArrayLike, wholes: ArrayLike, groups: ArrayLike) -> DynamicsEstimate:
    """Sum of parts over sum of wholes, both not negative; jackknife-t over groups on the log scale.

    Args:
        parts: shape (n,).
        wholes: shape (n,).
        groups: shape (n,).
    """
    each, whole = np.asarray(parts, dtype=np.float64), np.asarray(wholes, dtype=np.float64)
    _, sums = _sums(groups, each, whole)
    return estimate_from_sums(sums, lambda total: total[..., 0] / total[..., 1], n=int(each.size), scale="log")


def slope(x: ArrayLike, y: ArrayLike, groups: ArrayLike) -> DynamicsEstimate:
    """Least-squares slope of y on x; jackknife-t over groups.

    Args:
        x: shape (n,).
        y: shape (n,); zeros and ones give the change of a share.
        groups: shape (n,).
    """
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    _, sums = _sums(groups, np.ones_like(a), a, a * a, b, a * b)
    return estimate_from_sums(sums, _slope, n=int(a.size))


def estimate_from_sums(
    sums: Floats, statistic: Callable[[Floats], Floats], *, n: int, scale: Scale = "identity"
) -> DynamicsEstimate:
    """A statistic of totals with its jackknife-t interval over groups.

    Args:
        sums: shape (groups, columns).
        statistic: takes totals of shape (…, columns), gives values of shape (…); not finite where undefined.
        n: what the figure is a mean or share of.
        scale: where the interval is symmetric.
    """
    groups = sums.shape[0]
    if not groups:
        return DynamicsEstimate(None, n, 0)
    total = sums.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(statistic(total))
        left_out = np.asarray(statistic(total - sums), dtype=np.float64)
    if not np.isfinite(value):
        return DynamicsEstimate(None, n, groups)
    return DynamicsEstimate(value, n, groups, _jackknife_interval(value, left_out, scale))


def sums_by_group(groups: ArrayLike, *columns: ArrayLike) -> Floats:
    """Sums of columns over each group, groups in sorted order; shape (groups, columns)."""
    return _sums(groups, *(np.asarray(column, dtype=np.float64) for column in columns))[1]


def _jackknife_interval(value: float, left_out: Floats, scale: Scale) -> Interval | None:
    try:
        return jackknife_t(value, left_out, scale=scale)
    except ValueError:  # too few groups, no variation, or undefined without one of them
        return None


def _slope(total: Floats) -> Floats:
    n, x, xx, y, xy = np.moveaxis(total, -1, 0)
    # Rounding must not make a slope of turns that are all the same.
    spread = np.where(n * xx - x * x > 1e-9, n * xx - x * x, np.nan)
    return np.asarray((n * xy - x * y) / spread, dtype=np.float64)


def _sums(groups: ArrayLike, *columns: Floats) -> tuple[int, Floats]:
    names, group_numbers = np.unique(np.asarray(groups), return_inverse=True)
    return names.size, np.stack(
        [np.bincount(group_numbers, column, minlength=names.size) for column in columns], axis=1
    )
