"""What examining a prediction or a design choice comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from voirdire.data.plain import as_plain
from voirdire.ddft._cells import Floats
from voirdire.ddft._uncertainty import MIN_CONCEPTS
from voirdire.ddft.analysis.predicting.ranks import Association
from voirdire.stats.intervals import Interval, jackknife_t
from voirdire.text.counting import counted

Verdict = Literal["held", "broken", "cannot be decided at this n", "cannot be decided"]
HELD: Final = "held"
BROKEN: Final = "broken"
OPEN: Final = "cannot be decided at this n"
UNDECIDABLE: Final = "cannot be decided"
"""Whatever the number of models and concepts."""

ALPHA = 0.05
WEAK = 0.3
"""A rank correlation nearer to 0 than this is weak (the digest's break condition of Mechanism 1)."""

MIN_MODELS = 5
"""With four models no order of ranks gives a two-sided p below 1/12."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """A prediction or an ablation: what was claimed, what these runs show, and what that decides."""

    id: str
    statement: str
    paper: str
    """What the paper measured."""
    value: float | None
    interval: Interval | None
    condition: str
    """When the statement counts as held, and when as broken."""
    verdict: Verdict
    why: str
    table: tuple[Row, ...] = ()
    """The same per model, turn, level …"""


class Mean(NamedTuple):
    """A mean over concepts, or a share of one model."""

    value: float | None
    interval: Interval | None

    def __str__(self) -> str:
        """With its interval, where it has one."""
        ends = f" ({self.interval.low:z.3f} to {self.interval.high:z.3f})" if self.interval else ""
        return f"{self.value:z.3f}{ends}" if self.value is not None else "unknown"

    def as_dict(self, name: str = "value") -> dict[str, Any]:
        """Plain values for JSON, under this name."""
        return {name: self.value, "interval" if name == "value" else f"{name}_interval": as_plain(self.interval)}


def mean_over_concepts(per_concept: Floats) -> Mean:
    """The mean over concepts, with its jackknife-t interval; `None` where it has none."""
    known = per_concept[~np.isnan(per_concept)]
    if not known.size:
        return Mean(None, None)
    mean = float(known.mean())
    if known.size < MIN_CONCEPTS:
        return Mean(mean, None)
    try:
        return Mean(mean, jackknife_t(mean, (known.sum() - known) / (known.size - 1)))
    except ValueError:  # all concepts agree to the last digit: no variance to build on
        return Mean(mean, None)


def by_correlation(found: Association, sign: Literal[-1, 1], what: str) -> tuple[Verdict, str]:
    """Decide whether a rank correlation across models is of this sign and not weak.

    Held: |rho| >= 0.3 with this sign, and exact p < 0.05. Broken: the interval (or, for a perfect order, the
    significant value) leaves no room for a correlation of this sign that is not weak.
    """
    exact = found.exact
    if exact.n < MIN_MODELS:
        return OPEN, too_few_models(exact.n)
    if found.value is None:
        return OPEN, "One of the two figures is the same for all models."
    said = f"{what}: rho = {exact.value:z.2f}, exact p = {exact.p:z.3f}, n = {exact.n}."
    significant = exact.p < ALPHA
    if significant and sign * exact.value >= WEAK:
        return HELD, said
    reach = sign * exact.value if found.interval is None else max(sign * end for end in found.interval[:2])
    if reach < WEAK and (found.interval is not None or significant):
        return BROKEN, said
    return OPEN, f"{said} The interval holds both weak correlations and others."


def too_few_models(n: int) -> str:
    """Why nothing across models can be said."""
    return f"{counted(n, 'model')} with both values; no order of fewer than {MIN_MODELS} can give p below 0.05."


def listed(names: Sequence[str], most: int = 4) -> str:
    """Some names, and how many more."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
