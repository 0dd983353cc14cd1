"""Ctrl-C, a kill or a lost terminal: once to stop in good order, twice to leave at once."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from pathlib import Path
from typing import Any, TextIO, TypeVar

from voirdire.runs.errors import Interrupted, RunStopped
from voirdire.runs.runner import Runner
from voirdire.text.counting import counted

T = TypeVar("T")

GRACE = 2.0
"""Seconds that calls in flight have to arrive after a notebook's Stop button, as nobody watches a terminal there, and
after any stop where they are this machine's own, which nobody has paid for."""
_LOOK = 0.5
"""Seconds after which a thread that waits looks for Ctrl-C: one that comes just before it waits does not wake it."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AWAITED = "calls in flight are awaited and kept. They may take up to {seconds:g} s (the time-out)."
_MIXED = (
    "calls in flight at a provider are awaited and kept. They may take up to {seconds:g} s (the time-out). Answers of "
    "models on this machine are kept if they arrive within {grace:g} s, and asked again otherwise."
)
_BRIEFLY = "answers that arrive within {grace:g} s are kept, and the others asked again."
_LEFT = "batches go on at the provider, and the same command collects them later."
_AGAIN = "Once more stops at once; the same {what} goes on later."


@contextmanager
def stop_on_signals(
    runner: Runner, path: Path, *, partial: bool = False, stream: TextIO | None = None
) -> Iterator[None]:
    """Handle SIGINT, SIGTERM and SIGHUP while the block runs, inside a running event loop.

    The first signal stops the runner and says so in its display, or on `stream` (stderr by default); the second raises
    `KeyboardInterrupt` out of the loop. Signals arrive in the main thread only: in the thread of `run_in_thread` the
    block hears of those that its caller gets, and in any other one of none. What the process was told to ignore
    (`nohup`) is ignored.

    Args:
        runner: makes the calls.
        path: of the run's folder, for the message.
        partial: whether an interrupted block ends as one that was stopped by a budget does, with what there is.
        stream: where to say it.

    Raises:
        Interrupted: after the block, if a signal came, unless `partial`.
    """

    def press(*, in_notebook: bool = False) -> None:
        _on_signal(runner, stream or sys.stderr, partial=partial, in_notebook=in_notebook)

    with ends_interrupted(runner, path), _pressed_by_signals(press) as unheard:
        yield
        if unheard():  # it came while the block had the loop to itself, to make its tables
            runner.interrupt(partial=partial)


@contextmanager
def ends_interrupted(runner: Runner, path: Path) -> Iterator[None]:
    """End the block in `Interrupted` where its runner says so."""
    try:
        yield
    except RunStopped:
        if not runner.ends_interrupted:
            raise
    if runner.ends_interrupted:
        raise Interrupted(path)


def run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end in a thread of its own, and have Ctrl-C here stop it there: for a notebook's main thread.

    Raises:
        Interrupted: one Ctrl-C came, and what arrived within `GRACE` seconds is on record.
        KeyboardInterrupt: a second one came.
    """
    relay, done = _Relay(), Future[T]()
    context = copy_context()
    context.run(_RELAY.set, relay)

    def hold() -> None:
        try:
            done.set_result(context.run(asyncio.run, relay.listening(work)))
        except BaseException as error:
            done.set_exception(error)

    thread = threading.Thread(target=hold, name="voirdire-run")
    while True:
        try:
            if thread.ident is None:
                thread.start()
            while not done.done():
                wait([done], _LOOK)
            return done.result()
        except KeyboardInterrupt:  # this thread's own, until the work is done: then it is what the work ended in
            if done.done():
                raise
            relay.press()


class _Relay:
    """Brings Ctrl-C from the thread that hears it to the one whose event loop is at work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._presses = 0
        self.on_press: Callable[[], None] | None = None
        """What the work does when it is interrupted; it leaves at once where it has not said."""

    async def listening(self, work: Coroutine[Any, Any, T]) -> T:
        with self._lock:
            self._loop = asyncio.get_running_loop()
            early = self._presses
        for _ in range(early):
            self._loop.call_soon(self._pressed)
        return await work

    def press(self) -> None:
        with self._lock:
            self._presses += 1
            if self._loop is not None:
                with suppress(RuntimeError):  # its loop is closed: the work has just ended
                    self._loop.call_soon_threadsafe(self._pressed)

    def _pressed(self) -> None:
        if self.on_press is None:
            raise KeyboardInterrupt
        self.on_press()


_RELAY: ContextVar[_Relay | None] = ContextVar("Ctrl-C of another thread", default=None)


@contextmanager
def _pressed_by_signals(press: Callable[..., None]) -> Iterator[Callable[[], bool]]:
    """Call `press` in the loop for every signal; yields whether one came that the loop has not got round to."""
    if threading.current_thread() is not threading.main_thread():
        relay = _RELAY.get()
        if relay is not None:
            relay.on_press = lambda: press(in_notebook=True)
        try:
            yield lambda: False
        finally:
            if relay is not None:
                relay.on_press = None
        return
    loop = asyncio.get_running_loop()
    came: list[int] = []
    pressed: list[int] = []
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    before = {number: handler for number, handler in handlers.items() if handler not in (signal.SIG_IGN, None)}

    def heard(number: int) -> None:
        pressed.append(number)
        press()

    for number in before:
        loop.add_signal_handler(number, heard, number)  # wakes the loop
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield lambda: len(came) > len(pressed)
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)


def _on_signal(runner: Runner, stream: TextIO, *, partial: bool, in_notebook: bool) -> None:
    def say(message: str) -> None:
        if message and not runner.show_stopping(message):
            with suppress(OSError, ValueError):  # a terminal that is gone takes no message, and that is why we stop
                print(message, file=stream, flush=True)

    def abandon() -> None:
        if in_notebook:
            say(_left_message(runner))
        runner.abandon_calls(paid=in_notebook)

    if runner.interrupted:
        say(_left_message(runner))
        runner.leave()
        raise KeyboardInterrupt
    runner.interrupt(partial=partial)
    asyncio.get_running_loop().call_later(GRACE, abandon)
    say(_stop_message(runner, in_notebook=in_notebook))


def _left_message(runner: Runner) -> str:
    """What becomes of the calls at providers that are awaited no longer; "" where there are none."""
    calls = runner.paid_in_flight
    if not calls:
        return ""
    them = "it" if calls == 1 else "them"
    return f"Broken off: {counted(calls, 'call')} at a provider, which may bill {them} all the same."


def _stop_message(runner: Runner, *, in_notebook: bool) -> str:
    """What becomes of the calls in flight: of those at providers, on this machine, and in batches."""
    seconds = 0.0 if in_notebook else runner.longest_wait
    if seconds:
        parts = [_MIXED if runner.waits_for_this_machine else _AWAITED, _AGAIN]
    else:
        parts = [] if runner.leaves_calls else [_BRIEFLY, _AGAIN]
    if runner.leaves_calls:
        parts.append(_LEFT.capitalize() if parts else _LEFT)
    what = "call" if in_notebook else "command"
    return f"Stopping: {' '.join(parts).format(seconds=seconds, grace=GRACE, what=what)}"
