"""What the paper's predictions and design choices are put to on other runs, and how one is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

from voirdire.data import packaged_files
from voirdire.data.json_values import as_plain
from voirdire.ddft.analysis.correlates import Correlates
from voirdire.ddft.analysis.measures import Association, ResampledScores
from voirdire.ddft.concept_sums import Floats
from voirdire.ddft.metric_intervals import mean_interval
from voirdire.papers.claims import Claim, ClaimVerdict, Result, read_claims
from voirdire.reason_codes import Param, Reason, reason
from voirdire.stats.intervals import Interval

NAME = "ddft_predictions"

ALPHA = 0.05
WEAK = 0.3
"""A rank correlation nearer to 0 than this is weak (the digest's break condition of Mechanism 1)."""

MIN_MODELS = 5
"""With four models no order of ranks gives a two-sided p below 1/12."""

TRAP_TURN = 4

Decision = tuple[ClaimVerdict, tuple[Reason, ...]]


@dataclass(frozen=True, slots=True)
class TestedRuns:
    """The runs that predictions are put to."""

    study: ResampledScores
    correlates: Correlates | None = None
    """Figures of the models against a metric, for M3."""
    control: ResampledScores | None = None
    """The same models without a trap, where they were so examined."""
    unlike: tuple[Reason, ...] = ()
    """Why these can't be compared with the study."""
    own_names: Mapping[str, str] = field(default_factory=dict)
    """By name in the study or the control the model's own, where that is another."""


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


@cache
def load_predictions() -> tuple[Mapping[str, Claim[TestedRuns]], Mapping[str, Claim[TestedRuns]]]:
    """The paper's predictions and its ablations, by id, not yet bound to what computes them."""
    source = packaged_files.read_yaml("published/ddft_predictions.yaml")
    claims = read_claims(NAME, source)
    ablations = [entry["id"] for entry in source["claims"] if entry.get("ablation")]
    return (
        {name: claim for name, claim in claims.items() if name not in ablations},
        {name: claims[name] for name in ablations},
    )


def because(code: str, **params: Param) -> Reason:
    """A reason of a decision: the id of a prediction, or `shared`, and the name of the sentence."""
    return reason(f"{NAME}.{code}", **params)


def result_of(
    value: float | None, interval: Interval | None, decision: Decision, table: Sequence[Mapping[str, Any]] = ()
) -> Result:
    """The result of a prediction; an interval that does not hold the value is not one of it, and is left out."""
    verdict, reasons = decision
    if interval is not None and value is not None and not interval.low <= value <= interval.high:
        interval, reasons = None, (*reasons, because("shared.outside"))
    return Result(value, interval, verdict=verdict, reasons=reasons, table=tuple(table))


def by_difference(interval: Interval, *reasons: Reason) -> Decision:
    """Held where the whole interval lies above 0, broken where it lies below."""
    if interval.low > 0:
        return ClaimVerdict.HELD, reasons
    return (ClaimVerdict.BROKEN if interval.high < 0 else ClaimVerdict.OPEN), reasons


def by_correlation(correlation: Association, sign: Literal[-1, 1], code: str) -> Decision:
    """Decide whether a rank correlation across models is of this sign and not weak.

    Held: |rho| >= 0.3 with this sign, and exact p < 0.05. Broken: the interval (or, for a perfect order, the
    significant value) leaves no room for a correlation of this sign that is not weak.
    """
    exact = correlation.exact
    if exact.n < MIN_MODELS:
        return too_few_models(exact.n)
    if correlation.value is None:
        return ClaimVerdict.OPEN, (because("shared.alike"),)
    reason = because(code, rho=exact.value, p=exact.p, n=exact.n)
    significant = exact.p < ALPHA
    if significant and sign * exact.value >= WEAK:
        return ClaimVerdict.HELD, (reason,)
    reach = sign * exact.value if correlation.interval is None else max(sign * end for end in correlation.interval[:2])
    if reach < WEAK and (correlation.interval is not None or significant):
        return ClaimVerdict.BROKEN, (reason,)
    return ClaimVerdict.OPEN, (reason, because("shared.weak_and_others"))


def nothing_known(study: ResampledScores) -> Reason | None:
    """Why no model has a FAR: nothing is scored, or nothing scored claims anything; `None` where one has."""
    frames = study.frames.values()
    if any(frame["far"].notna().any() for frame in frames):
        return None
    scored = any(frame["sas"].notna().any() for frame in frames)
    return because("shared.nothing_claimed" if scored else "shared.nothing_scored")


def too_few_models(n: int) -> Decision:
    """Nothing across models can be said."""
    return ClaimVerdict.OPEN, (because("shared.too_few_models", n=n),)


def mean_over_concepts(per_concept: Floats) -> Mean:
    """The mean over concepts, with its jackknife-t interval; `None` where it has none."""
    known = per_concept[~np.isnan(per_concept)]
    return Mean(float(known.mean()), mean_interval(known)) if known.size else Mean(None, None)


def listed(names: Sequence[str], most: int = 4) -> str:
    """Some names, and how many more."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
