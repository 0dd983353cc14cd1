"""What a check is, and what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from voirdire.evaluation.records import Evaluation, Floats, Places
from voirdire.evaluation.texts import Bools, mostly_foreign, shares_by_model, texts_of
from voirdire.reason_codes import Reason, reason
from voirdire.stats import special
from voirdire.text.shortening import beginning

Status = Literal["pass", "warn", "fail", "not_measured"]
STATUSES: tuple[Status, ...] = ("fail", "warn", "not_measured", "pass")
"""The gravest first."""
MOST_QUOTES = 3
SURE = 0.01
"""Chance, over all models that are looked at, that what is found is chance."""
_QUOTED = 300
"""Characters of a quote."""


class Quote(NamedTuple):
    """Something that was seen, with where it stands."""

    item: str
    model: str
    text: str
    """Shortened; of somebody else's file, and perhaps hostile."""


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found in one evaluation."""

    id: str
    status: Status
    evaluation: str
    finding: Reason
    """What was found, or for "not_measured" what is missing; its words stand in `wording`."""
    value: float | None = None
    """The figure that the status follows from; `wording.MEASURED` says what it is."""
    n: int | None = None
    """What the figure rests on: items, rows, pairs of models."""
    models: tuple[str, ...] = ()
    """Those that it concerns, the gravest first; empty where it concerns all or none."""
    quotes: tuple[Quote, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    """More figures, by name, as JSON can hold them."""


CheckFunction = Callable[[Evaluation], Check]
"""A pure function of an evaluation. Whatever the file holds, it gives a `Check`, never an error."""


def not_measured(id: str, evaluation: Evaluation, missing: str, **params: int | str) -> Check:
    """A check that can't be made.

    Args:
        id: of the check.
        evaluation: of which.
        missing: code of the reason in `wording`: what is lacking.
        params: of the reason.
    """
    return Check(id, "not_measured", evaluation.name, reason(missing, **params))


def quote(evaluation: Evaluation, row: int, column: str = "output") -> Quote:
    """What stands in a column of one row."""
    cells = evaluation.rows.iloc[row]
    text = cells[column]
    return Quote(str(cells["item"]), str(cells["model"]), beginning(text if isinstance(text, str) else "", _QUOTED))


def first_quotes(quotes: Iterable[Quote]) -> tuple[Quote, ...]:
    """The first few that differ: rows of several judges hold one output."""
    results: dict[Quote, None] = {}
    for each in quotes:
        results[each] = None
        if len(results) == MOST_QUOTES:
            break
    return tuple(results)


def graded(value: float, warn: float, fail: float) -> Status:
    """The status of a figure that is worse when higher: below `warn` it passes."""
    return "fail" if value >= fail else "warn" if value >= warn else "pass"


def share_of_rows(
    id: str,
    evaluation: Evaluation,
    hits: Bools,
    among: Bools,
    *,
    warn: float,
    fail: float,
    base: float = 0.0,
    column: str = "output",
    in_english: bool = False,
    of_outputs: bool = False,
    details: Mapping[str, Any] | None = None,
) -> Check:
    """A check that counts rows. Value: the share of rows that are hit, in the model with the largest.

    Args:
        id: of the check; its finding is worded as `evaluation_ID`, with `rows`, `of` and `share`, or without a hit as
            `evaluation_no_ID`.
        evaluation: of which.
        hits: shape (rows,).
        among: shape (rows,), those that are looked at; some are.
        warn: share of a model from which it warns.
        fail: share of a model from which it fails.
        base: share of rows that are hit where nothing is wrong: a model counts if more are, beyond chance.
        column: that is quoted.
        in_english: it reads English words, so that without a hit it is said where most outputs are in no English:
            `evaluation_no_ID_in_english`.
        of_outputs: what is hit are outputs: one that several judges scored counts once.
        details: more figures.
    """
    if of_outputs and len(evaluation.judges) > 1:
        among = among & _first_of_output(evaluation, among)
    hits = hits & among
    shares, n = shares_by_model(evaluation, hits, among)
    worst = float(shares.max())
    counted = np.where(_beyond(shares, n, base), shares, 0.0)
    unread = "_in_english" if in_english and mostly_foreign(evaluation) else ""
    code = f"evaluation_{id}" if hits.any() else f"evaluation_no_{id}{unread}"
    order = [int(place) for place in np.argsort(-counted, kind="stable") if counted[place] >= warn]
    gravest = np.argsort(-shares[evaluation.codes("model")], kind="stable")
    matches = (int(row) for row in gravest if hits[row])
    return Check(
        id,
        graded(float(counted.max()), warn, fail),
        evaluation.name,
        reason(code, rows=int(hits.sum()), of=int(among.sum()), share=worst),
        worst,
        int(among.sum()),
        tuple(evaluation.models[place] for place in order),
        first_quotes(quote(evaluation, row, column) for row in matches),
        {
            "shares": {evaluation.models[place]: float(shares[place]) for place in np.flatnonzero(n)},
            **(details or {}),
        },
    )


def _first_of_output(evaluation: Evaluation, among: Bools) -> Bools:
    """Shape (rows,): the first row of each output among some, whoever judged it."""
    output = texts_of(evaluation, "output").codes
    shown = evaluation.rows[["item", "model", "epoch"]].assign(output=output)[among]
    first = np.zeros(len(among), dtype=bool)
    first[np.flatnonzero(among)] = ~shown.duplicated().to_numpy()
    return first


def _beyond(shares: Floats, n: Places, base: float) -> Bools:
    """Whether so many hits are improbable at the base rate (exact binomial, Bonferroni over models)."""
    hits = np.rint(shares * n)
    tail = special.bdtrc(np.maximum(hits - 1, 0), n, base) if base else np.zeros(len(shares))
    return np.asarray((hits > 0) & (np.where(hits >= 1, tail, 1.0) < SURE / len(shares)))
