"""Ctrl-C: once to stop in good order, twice to leave at once."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from voirdire.run.runner import Runner

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_AWAITED = "Stopping: calls in flight are awaited and kept. Once more stops at once; the same command goes on later."
_LEFT = "Stopping: batches go on at the provider, and the same command collects them later."


@contextmanager
def stop_on_signals(runner: Runner, stream: TextIO | None = None) -> Iterator[None]:
    """Handle SIGINT and SIGTERM while the block runs, inside a running event loop.

    The first signal stops the runner and says so on `stream` (stderr by default); the second raises
    `KeyboardInterrupt` out of the loop. Signals arrive in the main thread only: in another one (a notebook's helper)
    nothing is handled.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number in _SIGNALS:
        loop.add_signal_handler(number, _on_signal, runner, stream or sys.stderr)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)


def _on_signal(runner: Runner, stream: TextIO) -> None:
    if runner.stopped is not None:
        raise KeyboardInterrupt
    print(_LEFT if runner.leaves_calls else _AWAITED, file=stream, flush=True)
    runner.request_stop("interrupted.")
