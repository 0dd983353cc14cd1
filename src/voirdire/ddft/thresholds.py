"""The bounds that DDFT's metrics count by: the paper's, or a preset's own."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from voirdire.data.json_values import as_object
from voirdire.errors import InputError
from voirdire.text.counting import listed
from voirdire.text.suggestion import suggestion


class ThresholdError(InputError):
    """A threshold that can't be used: one sentence says which, and what is expected."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where a metric draws a line. The defaults are the paper's; scores run from 0 to 1."""

    failed_level_far: float = 0.70  # DDFT 5.2.1 (theta)
    """A level fails on a concept where the mean FAR is below this: HOC and what is made of it."""
    fluent_sas: float = 0.7  # DDFT 8.2.3
    """An answer is fluent with an SAS above this: the danger zone."""
    wrong_far: float = 0.7  # DDFT 8.2.3
    """An answer is wrong with a FAR below this: the danger zone, and coupled collapse."""
    incoherent_sas: float = 0.5  # DDFT 5.2.3, 8.2.4
    """An answer is incoherent with an SAS below this: FAR', and coupled collapse."""
    partly_right_far: float = 0.2  # DDFT 5.2.4
    """SAS' is over answers with a FAR above this."""
    robust_index: float = 0.60  # DDFT 7.3
    """The label is Robust with a CI index above this."""
    competent_index: float = 0.30  # DDFT 7.3
    """The label is Competent with a CI index above this, Brittle otherwise."""

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of those that differ from the paper's."""
        return tuple(name for name in NAMES if getattr(self, name) != getattr(PAPER, name))

    @property
    def own(self) -> str:
        """Those that differ from the paper's, in words; empty where none does."""
        parts = [f"{name} {getattr(self, name):g} (paper: {getattr(PAPER, name):g})" for name in self.changed]
        return listed(parts) if parts else ""

    @property
    def note(self) -> str:
        """That these count, in a sentence; empty where they are the paper's."""
        return f"Counted by the preset's own thresholds: {self.own}." if self.own else ""

    @property
    def sha256(self) -> str:
        """A hash of all of them."""
        return hashlib.sha256(json.dumps(as_object(self), sort_keys=True).encode()).hexdigest()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that rest on any of those that differ."""
        resting = {metric for name in self.changed for metric in METRICS_BY_THRESHOLD[name]}
        every = dict.fromkeys(metric for metrics in METRICS_BY_THRESHOLD.values() for metric in metrics)
        return tuple(metric for metric in every if metric in resting)

    @property
    def in_texts(self) -> dict[str, str]:
        """Each as the explanation of a metric shows it."""
        with_two = ("failed_level_far", "robust_index", "competent_index")
        return {name: two_decimals(value) if name in with_two else f"{value:g}" for name, value in self._items()}

    def as_dict(self) -> dict[str, float]:
        """Plain values for JSON."""
        return as_object(self)

    def _items(self) -> list[tuple[str, float]]:
        return [(name, getattr(self, name)) for name in NAMES]


def two_decimals(value: float) -> str:
    """As the paper writes its bounds, 0.70; one that needs more decimals has them."""
    return f"{value:.2f}" if round(value, 2) == value else f"{value:g}"


NAMES = tuple(each.name for each in fields(Thresholds))
PAPER = Thresholds()
"""Those of the paper."""

_DANGER = ("ER", "D", "danger_zone_pct", "selective_verifier_failure")
METRICS_BY_THRESHOLD: Mapping[str, tuple[str, ...]] = {
    "fluent_sas": _DANGER,
    "wrong_far": (*_DANGER, "coupled_collapse"),
    "failed_level_far": ("HOC", "HOC_onset", "first_failing_level", "failed_at_0", "CI_raw", "CI_norm"),
    "incoherent_sas": ("coupled_collapse", "FAR_prime", "CI_raw", "CI_norm"),
    "partly_right_far": ("SAS_prime", "CI_raw", "CI_norm"),
    "robust_index": (),
    "competent_index": (),
}
"""Which metrics rest on a threshold; those of the index decide its label only."""


def parse_thresholds(raw: Any) -> Thresholds:
    """Thresholds from a mapping of name to number; what it leaves out is the paper's.

    Raises:
        ThresholdError: no mapping, an unknown name, no number, or one out of its range.
    """
    if not isinstance(raw, Mapping):
        raise ThresholdError("thresholds: a mapping of names to numbers is expected, such as fluent_sas: 0.8.")
    unknown = sorted(str(name) for name in raw if name not in NAMES)
    if unknown:
        raise ThresholdError(f"thresholds: there is no {unknown[0]!r}; {suggestion(unknown[0], sorted(NAMES))}")
    for name, value in raw.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ThresholdError(f"thresholds.{name}: {value!r} is not a number.")
    return check_thresholds(Thresholds(**{name: float(value) for name, value in raw.items()}))


def check_thresholds(thresholds: Thresholds) -> Thresholds:
    """The thresholds themselves, if each lies in its range, and none contradicts another.

    Raises:
        ThresholdError: one sentence says which, and what is expected.
    """
    for name in NAMES:
        value = getattr(thresholds, name)
        if not 0 <= value <= 1:
            raise ThresholdError(f"thresholds.{name}: {value:g} must lie in [0, 1].")
    if thresholds.incoherent_sas > thresholds.fluent_sas:
        raise ThresholdError(
            f"thresholds: incoherent_sas ({thresholds.incoherent_sas:g}) must not be above fluent_sas "
            f"({thresholds.fluent_sas:g}): no answer is both incoherent and fluent."
        )
    if thresholds.competent_index >= thresholds.robust_index:
        raise ThresholdError(
            f"thresholds: competent_index ({thresholds.competent_index:g}) must be below robust_index "
            f"({thresholds.robust_index:g})."
        )
    return thresholds


def different_thresholds(by_run: Mapping[str, Thresholds]) -> str:
    """That runs do not count by the same thresholds, in a sentence."""
    runs: dict[Thresholds, list[str]] = {}
    for run, thresholds in by_run.items():
        runs.setdefault(thresholds, []).append(run)
    paper = "the paper's"
    each = [f"{thresholds.own or paper} in {listed(named)}" for thresholds, named in runs.items()]
    return f"The runs have different thresholds: {'; '.join(each)}."


def thresholds_of(preset: Mapping[str, Any]) -> Thresholds:
    """Those of a preset as a run recorded it: the paper's where it records none.

    Raises:
        ThresholdError: what it records can't be used.
    """
    recorded = preset.get("thresholds")
    return PAPER if recorded is None else parse_thresholds(recorded)
