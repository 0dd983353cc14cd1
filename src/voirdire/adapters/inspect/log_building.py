"""Inspect's logs, built of the calls of a run: events, usage, and what Inspect calls a model of ours."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from inspect_ai.event import InfoEvent, ModelEvent
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
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    GenerateConfig,
    ModelConfig,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Score

from voirdire.adapters.inspect import PROVIDER
from voirdire.adapters.inspect.models import of_finish, of_usage, to_message
from voirdire.adapters.inspect.view import rows_of, viewer
from voirdire.records import Usage
from voirdire.runs import Journal

_THEIRS = {
    "openai-responses": "openai",
    "azure": "openai/azure",
    "azure-responses": "openai/azure",
    "google-cloud": "google/vertex",
    "huggingface": "hf-inference-providers",
    "xai": "grok",
}
"""Providers that go by another name there."""

UNKNOWN = "unknown"
"""Who answered, where the data do not say."""


def inspect_name(spec: str) -> str:
    """A spec as Inspect writes it; what it does not know (`local/…`, `simulated/…`) stays as it is."""
    provider, slash, name = spec.partition("/")
    if provider == PROVIDER:
        return name
    return f"{_THEIRS.get(provider, provider)}{slash}{name}"


Row = dict[str, Any]

_OURS = {"subject": None, "interviewer": "interviewer", "imported": None}
"""Inspect's roles; everybody else who is asked judges in some way."""


def calls_of(journal: Journal) -> dict[str, list[Row]]:
    """Every attempt of a run by dialogue, in the order of commit; what was only imported is no call."""
    calls: dict[str, list[Row]] = {}
    for row in rows_of(journal.calls_frame(bodies=True)):
        if row["role"] != "imported":
            calls.setdefault(row["dialogue"], []).append(row)
    return calls


def role_of(row: Row) -> str | None:
    """In which of Inspect's roles a call was made; `None` is the model under test."""
    return _OURS.get(row["role"], "judge")


def event_of(row: Row, began: datetime) -> ModelEvent:
    """One attempt as an event."""
    started = datetime.fromisoformat(row["started_at"])
    return ModelEvent(
        timestamp=started,
        completed=started + timedelta(seconds=row["seconds"]),
        working_start=(started - began).total_seconds(),
        working_time=row["seconds"],
        model=inspect_name(row["spec"]),
        role=role_of(row),
        input=[to_message(message["role"], message["content"]) for message in row["messages"]],
        tools=[],
        tool_choice="none",
        config=_config(row),
        output=output_of(row),
        error=row["error_text"],
        metadata={name: row[name] for name in ("turn", "agent", "repair", "attempt")},
    )


def info_of(source: str, data: Any, at: datetime, began: datetime) -> InfoEvent:
    """Something that was decided, as an event."""
    return InfoEvent(source=source, data=data, timestamp=at, working_start=(at - began).total_seconds())


def output_of(row: Row) -> ModelOutput:
    """What came back of a call; empty where it failed."""
    name = inspect_name(row["spec"])
    if row["reply"] is None:
        return ModelOutput(model=name)
    message = ChatMessageAssistant(content=row["reply"], model=row["reported_model"] or name, source="generate")
    return ModelOutput(
        model=row["reported_model"] or name,
        choices=[ChatCompletionChoice(message=message, stop_reason=of_finish(row["finish_reason"]))],
        usage=usage_of(row),
        time=row["seconds"],
    )


def usage_of(row: Row) -> ModelUsage:
    """Tokens and price of a call."""
    counts = (row[f"{name}_tokens"] or 0 for name in ("input", "output", "reasoning", "cached"))
    return of_usage(Usage(*map(int, counts))).model_copy(update={"total_cost": row["price_usd"]})


def by_model(rows: Iterable[Row]) -> dict[str, ModelUsage]:
    """Token counts by model."""
    return _sum_usage(rows, lambda row: inspect_name(row["spec"]))


def by_role(rows: Iterable[Row]) -> dict[str, ModelUsage]:
    """Token counts by role; the model under test has none."""
    return _sum_usage(rows, role_of)


def span(rows: Sequence[Row]) -> tuple[datetime, datetime] | None:
    """When the first call began and the last one ended; `None` without calls."""
    if not rows:
        return None
    started = [datetime.fromisoformat(row["started_at"]) for row in rows]
    ends = [at + timedelta(seconds=row["seconds"]) for at, row in zip(started, rows, strict=True)]
    return min(started), max(ends)


def _sum_usage(rows: Iterable[Row], key: Callable[[Row], str | None]) -> dict[str, ModelUsage]:
    totals: dict[str, ModelUsage] = {}
    for row in rows:
        name = key(row)
        if name is not None and row["status"] == "ok":
            totals[name] = totals.get(name, ModelUsage()) + usage_of(row)
    return totals


def _config(row: Row) -> GenerateConfig:
    settings = json.loads(row["settings"])
    return GenerateConfig(
        max_tokens=settings.get("max_tokens"),
        temperature=settings.get("temperature"),
        top_p=settings.get("top_p"),
        seed=row["seed"],
        reasoning_effort=settings.get("reasoning"),
        top_logprobs=settings.get("logprobs") or None,
    )


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One model's share of a run: what its log is made of."""

    instrument: str
    scales: Mapping[str, Any]
    """How the viewer colours its scores."""
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
    run_time = made_at(subject.manifest)
    start, end = span(subject.calls) or (run_time, run_time)
    scored = sum(_has_value(sample.scores) for sample in subject.samples)
    headline = next(iter(subject.metrics), None)
    return EvalLog(
        status="success" if subject.stopped is None else "error",
        error=None if subject.stopped is None else _error(subject.stopped),
        eval=_spec(subject, start),
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
            started_at=start.isoformat(),
            completed_at=end.isoformat(),
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
        viewer=viewer(subject.instrument, subject.scales),
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
