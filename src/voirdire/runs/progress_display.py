"""Displays of a run on stderr: live rows in a terminal, a table in a notebook, a line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from contextvars import copy_context
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from voirdire.runs.model_counts import ModelCounts
from voirdire.runs.progress import Workload
from voirdire.runs.progress_tally import Clock, Tally
from voirdire.runs.progress_text import html_table, log_line, summary, table_lines
from voirdire.text.terminal import inert

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

Publish = Callable[[Mapping[str, str], bool], None]
"""Shows a notebook's output by its MIME types: a new one, or (`True`) in place of the last."""

_STOPPING_LINES = 5
"""Room for what becomes of the calls of a run that is stopping."""
_LONGEST_PAUSE = 60.0
"""Seconds between two lines of a long run."""


class _Display:
    """Keeps the tally; what is drawn, and when, is for each display to say."""

    def __init__(self, tally: Tally, stream: TextIO | None) -> None:
        self._tally = tally
        self._stream = stream or sys.stderr

    def begin(self, models: Sequence[ModelCounts]) -> None:
        """A session begins."""
        self._tally.begin(models)

    def call_done(self) -> None:
        """An attempt is on record."""
        self._tally.call_done()
        self._changed()

    def replies_unusable(self, number: int) -> None:
        """Count replies that could not be used."""
        self._tally.unusable += number

    def expect(
        self, work: Sequence[Workload], *, names: Mapping[str, str] | None = None, estimated: Collection[str] = ()
    ) -> None:
        """Reckon calls and the time left queue by queue."""
        self._tally.expect(work, names=names, estimated=estimated)

    def dialogue_done(self, queue: str = "", *, failed: bool = False) -> None:
        """Count a dialogue; `failed`: an answer is missing."""
        self._tally.dialogue_done(queue, failed=failed)
        self._changed()

    def dialogues_spared(self, number: int, queue: str = "") -> None:
        """Wait for so many dialogues less."""
        self._tally.dialogues_spared(number, queue)
        self._changed()

    def say(self, text: str) -> None:
        """Print the text."""
        with suppress(OSError):  # a terminal or a pipe that is gone must not end the run
            print(inert(text), file=self._stream, flush=True)

    def stopping(self, text: str) -> bool:
        """Leave it to whoever stops the run to print the text."""
        return False

    def __enter__(self) -> Self:
        return self

    def _changed(self) -> None:
        """Something was counted."""


class PlainProgress(_Display):
    """Lines for a log: at most one every few seconds, and one a minute once the run takes long.

    While nothing else happens they go on, so that a wait for a provider can be seen to be one.
    """

    def __init__(
        self,
        dialogues: int,
        stream: TextIO | None = None,
        every: float = 5.0,
        clock: Clock = time.monotonic,
        unit: str = "dialogues",
    ) -> None:
        super().__init__(Tally(dialogues, clock, unit), stream)
        self._every = every
        self._begun = clock()
        self._next_line = self._begun + every
        self._last = ""
        self._lock = threading.RLock()
        self._ended = threading.Event()

    def say(self, text: str) -> None:
        """Print the text."""
        with self._lock:
            super().say(text)

    def __enter__(self) -> Self:
        # A notebook knows by its context which cell an output belongs to.
        ticking = threading.Thread(target=copy_context().run, args=(self._tick,), name="voirdire-progress", daemon=True)
        ticking.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        with self._lock:
            if (self._tally.totals.calls or self._tally.done) and log_line(self._tally) != self._last:
                self._show()

    def _tick(self) -> None:
        while not self._ended.wait(self._every):
            if self._tally.models:
                self._changed()

    def _changed(self) -> None:
        with self._lock:
            now = self._tally.clock()
            if now >= self._next_line:
                self._next_line = now + self._pause(now)
                self._show()

    def _pause(self, now: float) -> float:
        return max(self._every, min(_LONGEST_PAUSE, (now - self._begun) / 20))

    def _show(self) -> None:
        self._last = log_line(self._tally)
        self.say(self._last)


class NotebookProgress(PlainProgress):
    """A table under a notebook's cell, replaced once a second."""

    def __init__(
        self, dialogues: int, stream: TextIO | None = None, unit: str = "dialogues", publish: Publish | None = None
    ) -> None:
        super().__init__(dialogues, stream, every=1.0, unit=unit)
        self._publish = publish or _publisher()
        self._shown = False

    def _pause(self, now: float) -> float:
        return self._every

    def _show(self) -> None:
        output = {"text/plain": log_line(self._tally), "text/html": html_table(self._tally)}
        self._publish(output, self._shown)
        self._shown = True


class RichProgress(_Display):
    """Live rows for a terminal. Use it as a context manager."""

    def __init__(self, dialogues: int, stream: TextIO | None = None, unit: str = "dialogues") -> None:
        from rich.console import Console
        from rich.live import Live

        super().__init__(Tally(dialogues, unit=unit), stream)
        self._live = Live(self, console=Console(file=self._stream), refresh_per_second=4)
        self._stopping = ""

    def say(self, text: str) -> None:
        """Print the text above the rows."""
        with suppress(OSError):
            self._live.console.print(inert(text), markup=False, highlight=False)

    def stopping(self, text: str) -> bool:
        """Show the text below the rows; both are gone when the run has stopped."""
        self._stopping = inert(text)
        self._live.transient = True
        return True

    def __enter__(self) -> Self:
        self._live.start(refresh=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._live.stop()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        tally = self._tally
        head = Table.grid(padding=(0, 1, 0, 0))
        bar = ProgressBar(1, tally.share_done, width=20)
        head.add_row(bar, Text(summary(tally)))
        yield head
        if tally.models:
            most = max(1, options.size.height - 6 - _STOPPING_LINES * bool(self._stopping))
            yield Text("\n".join(table_lines(tally, options.max_width, most)), no_wrap=True)
        if self._stopping:
            yield Text(self._stopping)


def open_progress(
    dialogues: int, stream: TextIO | None = None, *, unit: str = "dialogues"
) -> PlainProgress | RichProgress:
    """Live rows if the stream (stderr by default) is a terminal, a table in a notebook, plain lines elsewhere.

    `unit` is what is counted.
    """
    stream = stream or sys.stderr
    if stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown"):  # there nothing can be drawn over
        return RichProgress(dialogues, stream, unit)
    return NotebookProgress(dialogues, stream, unit) if in_notebook() else PlainProgress(dialogues, stream, unit=unit)


def in_notebook() -> bool:
    """Whether this is a notebook's kernel."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def _publisher() -> Publish:
    """Shows outputs under the cell that is run now."""
    display: Any = sys.modules["IPython"].display
    name = f"voirdire-{os.urandom(8).hex()}"

    def publish(output: Mapping[str, str], again: bool) -> None:
        display.display(dict(output), raw=True, display_id=name, update=again)

    return publish
