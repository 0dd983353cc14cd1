"""What every log of ours has in common: who ran what, when, and at what price."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalPlanStep,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    HeadlineMetric,
)
from inspect_ai.model import ModelConfig
from inspect_ai.scorer import Score

from voirdire.adapters.inspect._view import viewer
from voirdire.adapters.inspect.export.calls import Row, by_model, by_role, span
from voirdire.adapters.inspect.export.names import inspect_name


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One model's share of a run: what its log is made of."""

    instrument: str
    solver: str
    """The task's solver, as it is called where Inspect runs it."""
    model: str
    """Our spec."""
    manifest: Mapping[str, Any]
    """Of the run, without credentials."""
    samples: Sequence[EvalSample]
    calls: Sequence[Row]
    metrics: Mapping[str, float]
    group: str
    """Name of the metric that gives all these numbers."""
    judges: Sequence[str]
    """Specs of the models that judge."""
    args: Mapping[str, Any] = field(default_factory=dict)
    """Of the task that would have made this log."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What else the log says of the whole."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What stands beside the metrics."""
    stopped: str | None = None
    """Why the run is not complete."""
    epochs: int = 1


def log_of(subject: Subject) -> EvalLog:
    """The log of one model."""
    made = made_at(subject.manifest)
    began, ended = span(subject.calls) or (made, made)
    scored = sum(_has_value(sample.scores) for sample in subject.samples)
    headline = next(iter(subject.metrics), None)
    return EvalLog(
        status="success" if subject.stopped is None else "error",
        error=None if subject.stopped is None else _error(subject.stopped),
        eval=_spec(subject, began),
        plan=EvalPlan(steps=[EvalPlanStep(solver=f"voirdire/{subject.solver}")]),
        results=EvalResults(
            total_samples=len(subject.samples),
            completed_samples=sum(sample.error is None for sample in subject.samples),
            scores=[
                EvalScore(
                    name=subject.instrument,
                    scorer=subject.instrument,
                    scored_samples=scored,
                    unscored_samples=len(subject.samples) - scored,
                    metrics={
                        name: EvalMetric(name=name, group=subject.group, value=value)
                        for name, value in subject.metrics.items()
                    },
                )
            ],
            headline=None if headline is None else _headline(subject.instrument, headline),
            metadata=dict(subject.details) or None,
        ),
        stats=EvalStats(
            started_at=began.isoformat(),
            completed_at=ended.isoformat(),
            model_usage=by_model(subject.calls),
            role_usage=by_role(subject.calls),
        ),
        samples=list(subject.samples),
    )


def failed(message: str) -> EvalError:
    """An error of a sample."""
    return _error(message)


def _spec(subject: Subject, began: datetime) -> EvalSpec:
    identity = _digest(subject)
    info = subject.manifest.get("info", {})
    return EvalSpec(
        created=made_at(subject.manifest).isoformat(),
        eval_id=identity[:22],
        run_id=_short(json.dumps(subject.manifest, sort_keys=True)),
        task=f"voirdire/{subject.instrument}",
        task_registry_name=f"voirdire/{subject.instrument}",
        task_id=identity[22:44],
        task_args=dict(subject.args),
        dataset=EvalDataset(
            name=f"voirdire {subject.instrument}",
            samples=len({sample.id for sample in subject.samples}),
            sample_ids=[str(name) for name in dict.fromkeys(sample.id for sample in subject.samples)],
        ),
        model=inspect_name(subject.model),
        model_roles=_roles(subject),
        config=EvalConfig(epochs=subject.epochs),
        packages={name: version for name, version in info.get("versions", {}).items() if name == "voirdire"},
        metadata={"run": dict(subject.manifest), **subject.about},
        viewer=viewer(subject.instrument),
    )


def _roles(subject: Subject) -> dict[str, ModelConfig | list[ModelConfig]] | None:
    judges = [ModelConfig(model=inspect_name(spec)) for spec in subject.judges]
    if not judges:
        return None
    return {"judge": judges if len(judges) > 1 else judges[0]}


def _headline(scorer: str, metric: str) -> HeadlineMetric:
    return HeadlineMetric(scorer=scorer, score=scorer, metric=metric)


def _has_value(scores: Mapping[str, Score] | None) -> bool:
    return any(isinstance(score.value, Mapping) for score in (scores or {}).values())


def made_at(manifest: Mapping[str, Any]) -> datetime:
    """When a run was begun, or imported."""
    time = manifest.get("info", {}).get("time")
    return datetime.fromisoformat(time) if time else datetime.fromtimestamp(0, UTC)


def _digest(subject: Subject) -> str:
    """The same run exported twice is the same evaluation."""
    return hashlib.sha256(json.dumps([subject.manifest, subject.model], sort_keys=True).encode()).hexdigest()


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:22]


def _error(message: str) -> EvalError:
    return EvalError(message=message, traceback=message, traceback_ansi=message)
