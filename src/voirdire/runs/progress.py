"""How a run is doing, on stderr: a live line in a terminal, now and then a plain one elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TextIO

from voirdire.records import Usage
from voirdire.runs.rows import Totals
from voirdire.text.counting import counted
from voirdire.text.money import dollars
from voirdire.text.terminal import inert

if TYPE_CHECKING:
    from rich.progress import Progress as RichBar

Clock = Callable[[], float]


class Progress(Protocol):
    """What the runner and the study tell whoever watches."""

    def begin(self, totals: Totals) -> None:
        """A session begins; `totals` is what earlier ones used."""
        ...

    def call_done(self, usage: Usage | None, price_usd: float | None) -> None:
        """An attempt is on record; `usage` is `None` when it failed."""
        ...

    def replies_unusable(self, number: int) -> None:
        """So many replies came back and could not be used."""
        ...

    def expect(self, queues: Mapping[str, int]) -> None:
        """How many dialogues each queue holds, where several are worked off side by side: those of each model."""
        ...

    def dialogue_done(self, queue: str = "") -> None:
        """A dialogue is complete."""
        ...

    def dialogues_spared(self, number: int, queue: str = "") -> None:
        """So many dialogues of the run need not be held."""
        ...

    def say(self, text: str) -> None:
        """Tell the user something at once."""
        ...


class NullProgress:
    """Shows nothing."""

    def begin(self, totals: Totals) -> None:
        """Ignore it."""

    def call_done(self, usage: Usage | None, price_usd: float | None) -> None:
        """Ignore it."""

    def replies_unusable(self, number: int) -> None:
        """Ignore it."""

    def expect(self, queues: Mapping[str, int]) -> None:
        """Ignore it."""

    def dialogue_done(self, queue: str = "") -> None:
        """Ignore it."""

    def dialogues_spared(self, number: int, queue: str = "") -> None:
        """Ignore it."""

    def say(self, text: str) -> None:
        """Ignore it."""


@dataclass(slots=True)
class _Queue:
    """Dialogues that are worked off one after another, whatever the pace of others is."""

    size: int
    done: int = 0
    done_before: int = 0
    """Found complete before the first call: they say nothing of the pace."""

    def seconds_left(self, elapsed: float) -> float | None:
        done, remaining = self.done - self.done_before, self.size - self.done
        if remaining <= 0 < self.size:
            return 0.0
        return elapsed / done * remaining if done > 0 else None


@dataclass(slots=True)
class Tally:
    """What there is to show."""

    dialogues: int
    """How many the run has in all."""
    clock: Clock = time.monotonic
    unit: str = "dialogues"
    totals: Totals = field(default_factory=Totals)
    done: int = 0
    unusable: int = 0
    """Replies that came back in this session and could not be used."""
    _queues: dict[str, _Queue] = field(default_factory=dict)
    _first_call: float | None = None
    _done_before: int = 0

    def begin(self, totals: Totals) -> None:
        """Start from what earlier sessions used; what is done is told again."""
        self.totals, self.done, self.unusable, self._first_call = totals, 0, 0, None
        self._queues = {}

    def expect(self, queues: Mapping[str, int]) -> None:
        """Reckon the time left queue by queue; these are their sizes."""
        self._queues = {name: _Queue(size) for name, size in queues.items()}

    def dialogue_done(self, queue: str = "") -> None:
        """Count a dialogue."""
        self.done += 1
        if queue in self._queues:
            self._queues[queue].done += 1

    def dialogues_spared(self, number: int, queue: str = "") -> None:
        """Wait for so many dialogues less."""
        self.dialogues -= number
        if queue in self._queues:
            self._queues[queue].size -= number

    def call_done(self, usage: Usage | None, price_usd: float | None) -> None:
        """Count an attempt."""
        if self._first_call is None:
            # Dialogues found complete in the journal go by before the first call: they say nothing of the pace.
            self._first_call, self._done_before = self.clock(), self.done
            for queue in self._queues.values():
                queue.done_before = queue.done
        calls, errors, tokens_in, tokens_out, cost, unknown, cached = self.totals
        answered = usage is not None
        counted = usage or Usage()
        self.totals = Totals(
            calls + 1,
            errors + (not answered),
            tokens_in + counted.input_tokens,
            tokens_out + counted.output_tokens,
            cost + (price_usd or 0.0),
            unknown + (answered and price_usd is None),
            cached,
        )

    def seconds_left(self) -> float | None:
        """Until the slowest queue is through, at this session's pace; `None` before every one of them has a pace."""
        if self._first_call is None:
            return None
        whole = _Queue(self.dialogues, self.done, self._done_before)
        elapsed = self.clock() - self._first_call
        left = [queue.seconds_left(elapsed) for queue in self._queues.values() or [whole]]
        return None if None in left else max(seconds for seconds in left if seconds is not None)

    def line(self) -> str:
        """All of it on one line."""
        totals = self.totals
        parts = [
            f"{self.done}/{self.dialogues} {self.unit}",
            counted(totals.calls, "call") + (f" ({totals.errors:,} failed)" if totals.errors else ""),
            *([f"{counted(self.unusable, 'reply', 'replies')} unusable"] if self.unusable else []),
            f"{counted(totals.input_tokens, 'token')} in, {totals.output_tokens:,} out",
            _money(totals),
        ]
        left = self.seconds_left()
        if left:
            parts.append(f"{_duration(left)} left")
        return " · ".join(parts)


class PlainProgress:
    """Lines for a log file, at most one every few seconds."""

    def __init__(
        self,
        dialogues: int,
        stream: TextIO | None = None,
        every: float = 5.0,
        clock: Clock = time.monotonic,
        unit: str = "dialogues",
    ) -> None:
        self._tally = Tally(dialogues, clock, unit)
        self._stream = stream or sys.stderr
        self._every = every
        self._next_line = clock() + every

    def begin(self, totals: Totals) -> None:
        """Start from what earlier sessions used."""
        self._tally.begin(totals)

    def call_done(self, usage: Usage | None, price_usd: float | None) -> None:
        """Count an attempt."""
        self._tally.call_done(usage, price_usd)
        self._perhaps_print()

    def replies_unusable(self, number: int) -> None:
        """Count replies that could not be used."""
        self._tally.unusable += number

    def expect(self, queues: Mapping[str, int]) -> None:
        """Reckon the time left queue by queue."""
        self._tally.expect(queues)

    def dialogue_done(self, queue: str = "") -> None:
        """Count a dialogue."""
        self._tally.dialogue_done(queue)
        self._perhaps_print()

    def dialogues_spared(self, number: int, queue: str = "") -> None:
        """Wait for so many dialogues less."""
        self._tally.dialogues_spared(number, queue)
        self._perhaps_print()

    def say(self, text: str) -> None:
        """Print the text."""
        with suppress(OSError):  # a terminal or a pipe that is gone must not end the run
            print(inert(text), file=self._stream, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._tally.totals.calls or self._tally.done:
            self._show()

    def _perhaps_print(self) -> None:
        now = self._tally.clock()
        if now >= self._next_line:
            self._next_line = now + self._every
            self._show()

    def _show(self) -> None:
        self.say(self._tally.line())


class NotebookProgress(PlainProgress):
    """One line under a notebook's cell, written over again and again."""

    def __init__(self, dialogues: int, stream: TextIO | None = None, unit: str = "dialogues") -> None:
        super().__init__(dialogues, stream, every=1.0, unit=unit)
        self._width = 0
        """Of the line that stands there now."""

    def say(self, text: str) -> None:
        """Print the text on a line of its own."""
        end = "\n" if self._width else ""
        self._width = 0
        super().say(end + text)

    def _show(self) -> None:
        line = inert(self._tally.line())
        with suppress(OSError):
            print(f"\r{line:<{self._width}}", end="", file=self._stream, flush=True)
        self._width = len(line)


class RichProgress:
    """A live bar for a terminal. Use it as a context manager."""

    def __init__(self, dialogues: int, stream: TextIO | None = None, unit: str = "dialogues") -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        self._tally = Tally(dialogues, unit=unit)
        self._bar: RichBar = Bar(
            BarColumn(bar_width=20),
            TextColumn("{task.description}"),
            console=Console(file=stream or sys.stderr),
            refresh_per_second=4,
        )
        self._task = self._bar.add_task(self._tally.line(), total=dialogues)
        self._next_update = 0.0

    def begin(self, totals: Totals) -> None:
        """Start from what earlier sessions used."""
        self._tally.begin(totals)
        self._update()

    def call_done(self, usage: Usage | None, price_usd: float | None) -> None:
        """Count an attempt."""
        self._tally.call_done(usage, price_usd)
        self._perhaps_update()

    def replies_unusable(self, number: int) -> None:
        """Count replies that could not be used."""
        self._tally.unusable += number

    def expect(self, queues: Mapping[str, int]) -> None:
        """Reckon the time left queue by queue."""
        self._tally.expect(queues)

    def dialogue_done(self, queue: str = "") -> None:
        """Count a dialogue."""
        self._tally.dialogue_done(queue)
        self._perhaps_update()

    def dialogues_spared(self, number: int, queue: str = "") -> None:
        """Wait for so many dialogues less."""
        self._tally.dialogues_spared(number, queue)
        self._perhaps_update()

    def say(self, text: str) -> None:
        """Print the text above the bar."""
        with suppress(OSError):
            self._bar.console.print(inert(text), markup=False, highlight=False)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._update()
            self._bar.stop()

    def _perhaps_update(self) -> None:
        now = time.monotonic()
        if now >= self._next_update:  # a bar drawn at every call would cost more than the call
            self._next_update = now + 0.25
            self._update()

    def _update(self) -> None:
        tally = self._tally
        self._bar.update(self._task, total=tally.dialogues, completed=tally.done, description=tally.line())


def open_progress(
    dialogues: int, stream: TextIO | None = None, *, unit: str = "dialogues"
) -> PlainProgress | RichProgress:
    """A live bar if the stream (stderr by default) is a terminal, one line in a notebook, plain lines elsewhere.

    `unit` is what is counted.
    """
    stream = stream or sys.stderr
    if stream.isatty():
        return RichProgress(dialogues, stream, unit)
    return NotebookProgress(dialogues, stream, unit) if in_notebook() else PlainProgress(dialogues, stream, unit=unit)


def in_notebook() -> bool:
    """Whether this is a notebook's kernel."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def _money(totals: Totals) -> str:
    if totals.unknown_price and not totals.cost_usd:
        return "cost unknown"
    known = dollars(totals.cost_usd)
    return f"{known} and {counted(totals.unknown_price, 'call')} of unknown price" if totals.unknown_price else known


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
