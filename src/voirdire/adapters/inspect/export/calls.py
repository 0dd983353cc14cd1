"""A run's calls as events and token counts of Inspect's samples."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from inspect_ai.event import InfoEvent, ModelEvent
from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, GenerateConfig, ModelOutput, ModelUsage

from voirdire.adapters.inspect._plain import rows_of
from voirdire.adapters.inspect._translate import of_finish, of_usage, to_message
from voirdire.adapters.inspect.export.names import inspect_name
from voirdire.records import Usage
from voirdire.run import Journal

Row = dict[str, Any]

_OURS = {"subject": None, "interviewer": "interviewer", "imported": None}
"""Inspect's roles; everybody else who is asked judges in some way."""


def calls_of(journal: Journal) -> dict[str, list[Row]]:
    """Every attempt of a run by dialogue, in the order of commit; what was only imported is no call."""
    found: dict[str, list[Row]] = {}
    for row in rows_of(journal.calls_frame(bodies=True)):
        if row["role"] != "imported":
            found.setdefault(row["dialogue"], []).append(row)
    return found


def role_of(row: Row) -> str | None:
    """In which of Inspect's roles a call was made; `None` is the model under test."""
    return _OURS.get(row["role"], "judge")


def event_of(row: Row, began: datetime) -> ModelEvent:
    """One attempt as an event.

    Args:
        row: of the journal.
        began: when the sample began.
    """
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
    return _added(rows, lambda row: inspect_name(row["spec"]))


def by_role(rows: Iterable[Row]) -> dict[str, ModelUsage]:
    """Token counts by role; the model under test has none."""
    return _added(rows, role_of)


def span(rows: Sequence[Row]) -> tuple[datetime, datetime] | None:
    """When the first call began and the last one ended; `None` without calls."""
    if not rows:
        return None
    started = [datetime.fromisoformat(row["started_at"]) for row in rows]
    ended = [at + timedelta(seconds=row["seconds"]) for at, row in zip(started, rows, strict=True)]
    return min(started), max(ended)


def _added(rows: Iterable[Row], key: Callable[[Row], str | None]) -> dict[str, ModelUsage]:
    found: dict[str, ModelUsage] = {}
    for row in rows:
        name = key(row)
        if name is not None and row["status"] == "ok":
            found[name] = found.get(name, ModelUsage()) + usage_of(row)
    return found


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
