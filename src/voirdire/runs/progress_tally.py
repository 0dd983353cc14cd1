"""How far a run is, as plain data: dialogues, each model's calls, money, and the time that is left."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from voirdire.runs.model_counts import ModelCounts, summed
from voirdire.runs.progress import Workload
from voirdire.runs.rows import Totals

Clock = Callable[[], float]

_ENOUGH = 5
"""Calls of a model in this session, beside those that began it, before its pace says anything."""


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """What one row shows: of a model, or of all of them."""

    name: str
    answered: int
    expected: int | None
    """Calls in all; `None` where nobody has said how many."""
    estimated: bool
    """Whether the number that is expected can still change."""
    in_flight: int
    waiting: int
    """Calls that wait for a rate limit, or to be tried again."""
    wait_seconds: float
    """Until the last of them may go on; above 0 also where the provider asks to wait and no call is asked for."""
    at_once: int | None
    """Calls that may run at once, where rate limits have lowered their number; of several models together `None`."""
    rate_limits: int
    retries: int
    failed: int
    """Calls of this session that were given up."""
    cost_usd: float
    unknown_price: int
    """Answered calls whose price is unknown."""
    seconds_left: float | None

    @property
    def calls_left(self) -> int:
        """Calls that are expected and not answered yet."""
        return 0 if self.expected is None else self.expected - self.answered


class _Answered(NamedTuple):
    """How many calls of a model were answered, and since when."""

    at: float
    answered: int


@dataclass(slots=True)
class _Queue:
    """Dialogues that are worked off one after another, whatever the pace of others is."""

    size: int
    calls: Mapping[str, float] = field(default_factory=dict)
    done: int = 0
    done_before: int = 0
    """Found complete before the first call: they say nothing of the pace."""

    def seconds_left(self, elapsed: float) -> float | None:
        return _seconds_left(elapsed, self.done - self.done_before, self.size - self.done, idle=not self.size)


@dataclass(slots=True)
class Tally:
    """What there is to show."""

    dialogues: int
    """How many the run has in all."""
    clock: Clock = time.monotonic
    unit: str = "dialogues"
    models: Sequence[ModelCounts] = ()
    """The runner's own: they change while it works."""
    done: int = 0
    failed: int = 0
    """Of those that are done, how many ended in this session without all answers."""
    unusable: int = 0
    """Replies that came back in this session and could not be used."""
    _queues: dict[str, _Queue] = field(default_factory=dict)
    _names: Mapping[str, str] = field(default_factory=dict)
    _estimated: Collection[str] = ()
    _asked_since: float = 0.0
    """When the first call of this session was asked for: its own time counts in the pace."""
    _any_call: bool = False
    _done_before: int = 0
    _answered_before: dict[str, int] = field(default_factory=dict)
    _begun: dict[str, _Answered] = field(default_factory=dict)
    """When the calls that began a model's session were through: loading a model took its time, and is over."""
    _last: dict[str, _Answered] = field(default_factory=dict)
    """Each model's last answer."""

    def __post_init__(self) -> None:
        self._asked_since = self.clock()

    def begin(self, models: Sequence[ModelCounts]) -> None:
        """Start from what earlier sessions used; what is done is told again."""
        self.models, self.done, self.failed, self.unusable, self._any_call = models, 0, 0, 0, False
        self._queues, self._names, self._estimated, self._begun, self._last = {}, {}, (), {}, {}
        self._answered_before = {each.spec: each.answered for each in models}
        self._asked_since = self.clock()

    def expect(
        self, work: Sequence[Workload], *, names: Mapping[str, str] | None = None, estimated: Collection[str] = ()
    ) -> None:
        """Reckon calls and the time left queue by queue; see `Progress.expect`."""
        self._queues = {each.queue: _Queue(each.dialogues, each.calls) for each in work}
        self._names, self._estimated = names or {}, estimated

    def dialogue_done(self, queue: str = "", *, failed: bool = False) -> None:
        """Count a dialogue; `failed`: an answer is missing."""
        self.done += 1
        self.failed += failed
        if queue in self._queues:
            self._queues[queue].done += 1
        if not self._any_call:  # found complete in the journal: it says nothing of the pace
            self._asked_since = self.clock()

    def dialogues_spared(self, number: int, queue: str = "") -> None:
        """Wait for so many dialogues less."""
        self.dialogues -= number
        if queue in self._queues:
            self._queues[queue].size -= number

    def call_done(self) -> None:
        """An attempt has been counted: from the first on there is a pace."""
        if not self._any_call:
            self._any_call, self._done_before = True, self.done
            for queue in self._queues.values():
                queue.done_before = queue.done
        for model in self.models:
            self._last_answer(model)
            if model.spec not in self._begun and self._answered_now(model) >= max(1, model.in_flight):
                self._begun[model.spec] = _Answered(self.clock(), model.answered)

    @property
    def totals(self) -> Totals:
        """Sums over all models."""
        return summed(each.totals for each in self.models)

    def rows(self) -> list[ProgressRow]:
        """The figures of each model, in the order in which the runner has them.

        A model that is asked nothing now waits for what others answer: its own pace says nothing of its time left. Nor
        does that of one that is overdue.
        """
        rows = [(model, self._figures(model)) for model in self.models]
        return [
            row if model.under_way and not self._is_overdue(model, row) else replace(row, seconds_left=None)
            for model, row in rows
        ]

    def total(self) -> ProgressRow:
        """The figures of all models together.

        The time left is that of the slowest model by its calls, or of the slowest queue by its dialogues, where those
        under way do not count yet: whichever is shorter. While calls are expected and too few were seen, it is unknown,
        and so it is once all models that have calls left are overdue.
        """
        rows, totals = [self._figures(each) for each in self.models], self.totals
        by_calls = _slowest(rows)
        too_early = by_calls is None and any(self._expected(each.spec) is not None for each in self.models)
        overdue = [self._is_overdue(*each) for each in zip(self.models, rows, strict=True) if each[1].calls_left]
        times = [] if too_early or (overdue and all(overdue)) else [self.seconds_left(), by_calls]
        expected = [each.expected for each in rows if each.expected is not None]
        return ProgressRow(
            name="total",
            answered=sum(each.answered for each in rows),
            expected=sum(expected) if rows and len(expected) == len(rows) else None,
            estimated=any(each.estimated for each in rows),
            in_flight=sum(each.in_flight for each in rows),
            waiting=sum(each.waiting for each in rows),
            wait_seconds=max((each.wait_seconds for each in rows), default=0.0),
            at_once=rows[0].at_once if len(rows) == 1 else None,
            rate_limits=sum(each.rate_limits for each in rows),
            retries=sum(each.retries for each in rows),
            failed=sum(each.failed for each in rows),
            cost_usd=totals.cost_usd,
            unknown_price=totals.unknown_price,
            seconds_left=min((each for each in times if each is not None), default=None),
        )

    @property
    def share_done(self) -> float:
        """Of the calls, from 0 to 1; of the dialogues where nobody has said how many calls there are.

        Dialogues that are under way side by side may all end at once, long after the first call.
        """
        total = self.total()
        done, of = (self.done, self.dialogues) if total.expected is None else (total.answered, total.expected)
        return done / of if of else 1.0

    def seconds_left(self) -> float | None:
        """Until the slowest queue is through, at this session's pace; `None` before every one of them has a pace."""
        if not self._any_call or any(each.stopped for each in self.models):
            return None
        whole = _Queue(self.dialogues, {}, self.done, self._done_before)
        elapsed = self.clock() - self._asked_since
        left = [queue.seconds_left(elapsed) for queue in self._queues.values() or [whole]]
        return None if None in left else max(seconds for seconds in left if seconds is not None)

    def _figures(self, model: ModelCounts) -> ProgressRow:
        waiting, seconds = model.waiting(self.clock())
        planned = self._expected(model.spec)
        if planned is not None and model.spec in self._estimated and self.done >= self.dialogues:
            planned = model.answered  # nothing is left to ask
        expected = None if planned is None else max(planned, model.answered)  # repairs of replies come on top
        return ProgressRow(
            name=self._names.get(model.spec, model.spec),
            answered=model.answered,
            expected=expected,
            estimated=expected != planned or (model.spec in self._estimated and self.done < self.dialogues),
            in_flight=model.in_flight,
            waiting=waiting,
            wait_seconds=seconds,
            at_once=model.at_once,
            rate_limits=model.rate_limits,
            retries=model.retries,
            failed=model.failed,
            cost_usd=model.totals.cost_usd,
            unknown_price=model.totals.unknown_price,
            seconds_left=None if expected is None else self._model_seconds_left(model, expected),
        )

    def _expected(self, spec: str) -> int | None:
        each = [queue.size * queue.calls[spec] for queue in self._queues.values() if spec in queue.calls]
        return math.ceil(round(sum(each), 6)) if each else None

    def _model_seconds_left(self, model: ModelCounts, expected: int) -> float | None:
        if not self._any_call or self.done >= self.dialogues or model.stopped:
            return None
        remaining = expected - model.answered
        if remaining <= 0:
            return 0.0
        pace = self._pace(model)
        # The pace is that of the answers: until the next one arrives, the time left never grows.
        return None if pace is None else remaining * pace - min(self.clock() - self._last_answer(model), pace)

    def _is_overdue(self, model: ModelCounts, row: ProgressRow) -> bool:
        """Whether a model has answered nothing for longer than all of its calls that are left were to take."""
        pace = self._pace(model)
        return pace is not None and 0 < row.calls_left * pace < self.clock() - self._last_answer(model)

    def _pace(self, model: ModelCounts) -> float | None:
        """Seconds from one answer to the next; `None` while too few were seen."""
        at, answered = self._begun.get(model.spec, _Answered(0.0, model.answered))
        seen = model.answered - answered
        return None if seen < max(_ENOUGH, model.in_flight) else (self._last_answer(model) - at) / seen

    def _last_answer(self, model: ModelCounts) -> float:
        """When a model was last seen to have answered."""
        if self._last.get(model.spec, _Answered(0.0, -1)).answered != model.answered:
            self._last[model.spec] = _Answered(self.clock(), model.answered)
        return self._last[model.spec].at

    def _answered_now(self, model: ModelCounts) -> int:
        return model.answered - self._answered_before.get(model.spec, 0)


def _slowest(rows: Sequence[ProgressRow]) -> float | None:
    left = [each.seconds_left for each in rows]
    return None if None in left else max((seconds for seconds in left if seconds is not None), default=None)


def _seconds_left(elapsed: float, done: int, remaining: int, *, idle: bool = False) -> float | None:
    """What remains, at the pace so far; `None` while there is none."""
    if remaining <= 0 and not idle:
        return 0.0
    return elapsed / done * remaining if done > 0 else None
