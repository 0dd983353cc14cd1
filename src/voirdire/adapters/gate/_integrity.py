"""Figures of an audit: scores and deductions over its responses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voirdire.adapters.gate.records import Checked, Figure, Subject
from voirdire.adapters.loading import LoadedRun
from voirdire.integrity.auditors import cautions
from voirdire.integrity.session import Audited, read_audits
from voirdire.stats.intervals import Interval, clustered_share, jackknife_t

Floats = NDArray[np.float64]

_NOT_SCORED = "no response is scored"
_FEW = "fewer than three responses are scored"
_ALIKE = "every response scores the same"
_MIN_CASES = 3


def checked(run: LoadedRun) -> Checked:
    """Mean score and shares of what went wrong, over all responses of a run (which model gave them it does not say)."""
    audits = list(read_audits(run.path))
    cases = _cases(audits)
    subject = Subject(run.path, run.instrument, run.path.resolve().name, _figures(audits, cases))
    return Checked(run.path, run.instrument, (subject,), tuple(_warnings(run, audits, cases)))


def _cases(audits: Sequence[Audited]) -> NDArray[np.int64]:
    """The cluster of each response: its case (facts and context), where there are three or more; else itself."""
    of = [(audited.item.given, audited.item.context) for audited in audits]
    numbers = {case: number for number, case in enumerate(dict.fromkeys(of))}
    if len(numbers) < _MIN_CASES:
        return np.arange(len(audits))
    return np.array([numbers[case] for case in of])


def _figures(audits: Sequence[Audited], cases: NDArray[np.int64]) -> dict[str, Figure]:
    scored = [audited.decision.consensus for audited in audits]
    there = np.array([found is not None for found in scored], dtype=bool)
    found = [each for each in scored if each is not None]
    own = cases[there]
    counts = {name: np.array([each.counts[name] for each in found], dtype=np.float64) for name in _SEVERITIES}
    score = np.array([each.score for each in found], dtype=np.float64)
    return {
        "mean_score": _mean(score, own),
        "lowest_score": Figure(float(score.min()), None, "a minimum has none") if found else _nothing(),
        "poor_pct": _share(score < 50, own),  # guide, bands: below Fair
        "severe_pct": _share(counts["severe"] > 0, own),
        "pervasive_pct": _share(np.array([each.pervasive for each in found], dtype=bool), own),
        "violations_per_response": _mean(sum(counts.values(), np.zeros(len(found))), own),
        "severe_per_response": _mean(counts["severe"], own),
        "unscored_pct": _share(~there, cases),
    }


_SEVERITIES = ("minor", "moderate", "severe")


def _nothing() -> Figure:
    return Figure(None, None, _NOT_SCORED)


def _share(hits: Any, cases: NDArray[np.int64]) -> Figure:
    if not len(hits):
        return _nothing()
    value = 100 * float(np.mean(hits))
    x, n = _sums(np.asarray(hits, dtype=np.float64), cases)
    if len(n) < _MIN_CASES:
        return Figure(value, None, _FEW)
    interval = clustered_share(x, n)
    return Figure(value, interval._replace(low=100 * interval.low, high=100 * interval.high))


def _mean(values: Floats, cases: NDArray[np.int64]) -> Figure:
    if not len(values):
        return _nothing()
    value = float(values.mean())
    sums, n = _sums(values, cases)
    if len(n) < _MIN_CASES:
        return Figure(value, None, _FEW)
    left_out = (sums.sum() - sums) / (n.sum() - n)
    try:
        return Figure(value, _within(jackknife_t(value, left_out), values))
    except ValueError:
        return Figure(value, None, _ALIKE)


def _within(interval: Interval, values: Floats) -> Interval:
    """A score lies between 0 and 100, and no count below 0."""
    high = 100.0 if values.max() <= 100 and interval.high > 100 else interval.high
    return interval._replace(low=max(0.0, interval.low), high=high)


def _sums(values: Floats, cases: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Sum and number by case."""
    _, of = np.unique(cases, return_inverse=True)
    return np.bincount(of, values).astype(np.float64), np.bincount(of).astype(np.float64)


def _warnings(run: LoadedRun, audits: Sequence[Audited], cases: NDArray[np.int64]) -> Iterator[str]:
    yield from cautions(run.manifest["auditors"])
    asked = run.manifest["items"]
    if len(audits) < asked:
        yield f"The run is not complete: {len(audits):,} of {asked:,} responses are audited."
    unscored = sum(audited.decision.consensus is None for audited in audits)
    if unscored:
        yield f"{unscored:,} of {len(audits):,} responses are unscored and left out of the means."
    if len(set(cases.tolist())) == len(audits) > len({audited.item.given for audited in audits}):
        yield "Intervals speak of responses to these facts: fewer than three cases were audited."
