"""What is drawn: a world, and steps in it. Plain data, so that a sequence can be written down and played again."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

CALL_FAULTS = (
    *("rate_limit", "rate_limit_soon", "rate_limit_hour", "rate_limit_odd"),
    *("server", "connection", "half", "timeout", "hang", "slow"),
    *("auth", "not_found", "vanish", "bad_request", "unexpected"),
    *("usage_negative", "usage_nan", "usage_none", "usage_huge", "usage_text"),
)
"""What a provider does at a call. None of them is an answer, or changes one: they leave no trace in the tables."""

CALL_EVENTS = ("ctrl_c", "ctrl_c_twice", "kill", "second_session", "look", "clock_forth", "clock_back")
"""What happens while a call is under way."""

WRITE_FAULTS = ("kill", "torn", "torn_at_end", "full", "io", "locked", "locked_briefly")
"""What happens at a statement of the journal's or a write to another file.

`torn`: killed in the middle of it, or of the next one that can be torn; `torn_at_end`: while the journal is closed.
"""

JUDGE_KEEPS = (
    *("empty", "prose", "not_json", "no_field", "text_score", "out_of_range", "nan", "field_twice"),
    *("refusal", "length"),
)
"""Replies of a judge that are kept as they are, and are no verdict."""

JUDGE_HALF = "half_emoji"
"""A reply of a judge that is a verdict, though its reason ends in half of a surrogate pair."""

SUBJECT_KEEPS = ("empty", "refusal", "length", "long", "surrogate", "zero_byte", "verdict")
"""Replies of a subject that are kept as they are, and judged."""

DAMAGE = ("flip", "zero_page", "cut", "garbage", "empty", "text")
"""What becomes of a file."""


@dataclass(frozen=True)
class Kept:
    """A reply that is given whenever this call is made: with or without faults, it is what the run has to live with."""

    role: str
    """subject or judge."""
    who: int
    """Which of the judges (0, 1); without meaning for a subject."""
    dialogue: int
    turn: int
    kind: str
    repairs: int = 1
    """How many requests in a row a judge answers so (1 to 3)."""


@dataclass(frozen=True)
class World:
    """The study, and the answers that are given in it."""

    levels: int = 1
    granularity: str = "turn"
    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True)
class Session:
    """The study is held, or gone on with; or judged again by another jury."""

    jury: int | None = None
    """`None`: hold the study. Else the number of the jury that judges it again."""
    connections: int = 3
    eager: bool = False
    max_calls: int | None = None
    """Beyond what the run has made already."""
    max_cost: float | None = None
    """USD beyond what the run has cost already."""
    at_calls: tuple[tuple[int, str], ...] = ()
    at_write: tuple[int, str, float] | None = None
    """(number, what, how far into it for `torn`)."""
    tables: bool = False
    """Make the tables at its end, as the real command does, and not only notes."""


@dataclass(frozen=True)
class Look:
    """The run is read, nothing is asked."""

    whole: bool = False
    """With profiles and validity checks."""


@dataclass(frozen=True)
class Remove:
    """Somebody deletes what can be made again."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Damage:
    """A file is damaged, the run is looked at or gone on with, and the copy of before is put back."""

    file: str
    kind: str
    where: float
    then: str
    """look or hold."""


Step = Session | Look | Remove | Damage


@dataclass(frozen=True)
class Sequence:
    """All that happens to one run folder."""

    world: World
    steps: tuple[Step, ...]


_STEPS: dict[str, type] = {kind.__name__: kind for kind in (Session, Look, Remove, Damage)}


def dumps(sequence: Sequence) -> str:
    """A sequence as JSON."""
    steps = [{"step": type(step).__name__, **dataclasses.asdict(step)} for step in sequence.steps]
    return json.dumps({"world": dataclasses.asdict(sequence.world), "steps": steps}, indent=1)


def loads(text: str) -> Sequence:
    """The sequence that was written down."""
    body = json.loads(text)
    kept = tuple(Kept(**each) for each in body["world"].pop("kept"))
    steps = [
        _STEPS[fields.pop("step")](**{name: _tuples(value) for name, value in fields.items()})
        for fields in body["steps"]
    ]
    return Sequence(World(**body["world"], kept=kept), tuple(steps))


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
