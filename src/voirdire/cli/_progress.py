"""Progress of long work, on stderr."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from voirdire.documents.messages import progress, under_way
from voirdire.text.terminal import inert


@contextmanager
def download() -> Iterator[Callable[[str, int, int], None]]:
    """Progress of a download: a bar in a terminal, a line per step elsewhere."""
    if not sys.stderr.isatty():
        yield _StepLines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)


@contextmanager
def counting(what: str, least: int = 0) -> Iterator[Callable[[int, int], None]]:
    """Progress of a long count, one line every so often on stderr; nothing of one that is shorter than `least`."""
    last = -1

    def tell(done: int, total: int) -> None:
        nonlocal last
        tenth = 20 * done // max(total, 1)
        if tenth != last and total >= least:
            last = tenth
            sys.stderr.write(f"{progress(what, done, total)}\n")

    yield tell


@contextmanager
def computing(what: str, after: float = 3.0) -> Iterator[None]:
    """Say on stderr, in a terminal, that something is being computed, once that has taken so many seconds."""
    if not sys.stderr.isatty():
        yield
        return
    line = threading.Timer(after, sys.stderr.write, (f"{under_way(what)}\n",))
    line.daemon = True
    line.start()
    try:
        yield
    finally:
        line.cancel()


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """What is being done, in one line of a terminal's stderr that the next step replaces; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return

    def tell(step: str) -> None:
        line = inert(" ".join(step.split()))[: shutil.get_terminal_size().columns - 3]
        sys.stderr.write(f"\r\x1b[K{under_way(line)}")
        sys.stderr.flush()

    try:
        yield tell
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class _StepLines:
    def __init__(self) -> None:
        self._last = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        if what != self._last:
            self._last = what
            sys.stderr.write(f"{under_way(what)}\n")
