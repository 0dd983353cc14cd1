"""Figures of an audit: scores and deductions over its responses, reckoned as the report on it does."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from voirdire.instruments.figures import ModelFigure, RunFigures, Scale, Subject
from voirdire.integrity.auditors import cautions
from voirdire.integrity.plan import INSTRUMENT
from voirdire.integrity.results import AuditedResponse, read_audits
from voirdire.integrity.status import status_of
from voirdire.integrity.summary import MIN_CASES, case_groups
from voirdire.reason_codes import declare, reason
from voirdire.runs import RunFolder
from voirdire.stats.clustered import Estimate, mean_count, mean_score, share
from voirdire.text.counting import counted

declare(
    {
        "integrity_unscored": "no response is scored",
        "integrity_few_scored": "fewer than three responses are scored",
        "integrity_alike": "every response has the same",
        "integrity_minimum": "a minimum has none",
    }
)
_UNSCORED = ModelFigure(None, None, reason("integrity_unscored"))
_SEVERITIES = ("minor", "moderate", "severe")


def run_figures(run: Path, jury: str | None = None) -> RunFigures:
    """Mean score and shares of what went wrong, over all responses of a run (which model gave them it does not say)."""
    audits = list(read_audits(run))
    subject = Subject(run, INSTRUMENT, run.resolve().name, _figures(audits))
    with RunFolder.open(run, read_only=True) as folder:
        unfinished, auditors = status_of(folder).unfinished, folder.manifest["auditors"]
    missing = None if unfinished is None else f"The run is not complete: {unfinished}"
    return RunFigures(run, INSTRUMENT, (subject,), tuple(_warnings(auditors, audits)), missing=missing)


def _figures(audits: Sequence[AuditedResponse]) -> dict[str, ModelFigure]:
    scored = [each for each in audits if each.decision.consensus is not None]
    scores = [each.decision.consensus for each in scored if each.decision.consensus is not None]
    cases = case_groups(scored)
    score = np.array([each.score for each in scores])
    counts = {name: np.array([each.counts[name] for each in scores]) for name in _SEVERITIES}
    lowest = ModelFigure(float(score.min()), None, reason("integrity_minimum")) if scores else _UNSCORED
    unscored = [each.decision.consensus is None for each in audits]
    return {
        "mean_score": _figure(mean_score(score, cases)),
        "lowest_score": lowest,
        "poor_pct": _percent(share(score < 50, cases)),  # guide, bands: below Fair
        "severe_pct": _percent(share(counts["severe"] > 0, cases)),
        "pervasive_pct": _percent(share([each.pervasive for each in scores], cases)),
        "violations_per_response": _figure(mean_count(sum(counts.values()), cases)),
        "severe_per_response": _figure(mean_count(counts["severe"], cases)),
        "unscored_pct": _percent(share(unscored, case_groups(audits))),
    }


def _figure(estimate: Estimate) -> ModelFigure:
    if estimate.value is None:
        return _UNSCORED
    if estimate.interval is not None:
        return ModelFigure(estimate.value, estimate.interval)
    why = "integrity_few_scored" if estimate.groups < MIN_CASES else "integrity_alike"
    return ModelFigure(estimate.value, None, reason(why))


def _percent(estimate: Estimate) -> ModelFigure:
    """A share as a percentage."""
    if estimate.value is None or estimate.interval is None:
        return _figure(estimate._replace(value=None if estimate.value is None else 100 * estimate.value))
    low, high = 100 * estimate.interval.low, 100 * estimate.interval.high
    return ModelFigure(100 * estimate.value, estimate.interval._replace(low=low, high=high))


def _warnings(auditors: Sequence[str], audits: Sequence[AuditedResponse]) -> Iterator[str]:
    yield from cautions(auditors)
    unscored = sum(audited.decision.consensus is None for audited in audits)
    if unscored:
        yield f"Left out of the means, having no score: {unscored:,} of {counted(len(audits), 'response')}."
    cases = len({audited.item.source_facts for audited in audits})
    if len(audits) > cases and cases < MIN_CASES:
        yield "Intervals speak of responses to these facts: fewer than three cases were audited."


def scale(metric: str) -> Scale:
    """The values of a metric, and which are good."""
    high = math.inf if metric.endswith("_per_response") else 100.0
    return Scale(0.0, high, "min" if metric.endswith("_score") else "max")
