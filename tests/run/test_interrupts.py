"""Ctrl-C once, and twice."""

from __future__ import annotations

import asyncio
import io
import os
import signal
from pathlib import Path

import pytest

from tests.run.scripted import SPEC, ScriptedModel, request, until
from voirdire.records import Reply
from voirdire.run import Journal, Runner, RunStopped, stop_on_signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_stops_in_good_order_and_says_so(tmp_path: Path, number: signal.Signals) -> None:
    stream = io.StringIO()

    async def play() -> None:
        hold = asyncio.Event()
        model = ScriptedModel(hold=hold)
        with Journal.open(tmp_path / "j") as journal:
            async with Runner(journal, {SPEC: model}) as runner:
                with stop_on_signals(runner, stream):
                    in_flight = asyncio.create_task(runner.ask(SPEC, request()))
                    await until(lambda: model.running == 1)
                    os.kill(os.getpid(), number)
                    await until(lambda: runner.stopped is not None)
                    with pytest.raises(RunStopped):
                        await runner.ask(SPEC, request(turn=2))
                    hold.set()
                    assert isinstance(await in_flight, Reply)

    before = signal.getsignal(number)
    asyncio.run(play())
    assert signal.getsignal(number) == before
    assert stream.getvalue().startswith("Stopping: calls in flight are awaited")
    assert len(stream.getvalue().splitlines()) == 1


def test_the_second_signal_leaves_at_once_and_what_was_committed_is_kept(tmp_path: Path) -> None:
    async def play() -> None:
        model = ScriptedModel()
        with Journal.open(tmp_path / "j") as journal:
            async with Runner(journal, {SPEC: model}) as runner:
                with stop_on_signals(runner, io.StringIO()):
                    await runner.ask(SPEC, request())
                    model._hold = asyncio.Event()  # from now on it never answers
                    in_flight = asyncio.create_task(runner.ask(SPEC, request(turn=2)))
                    await until(lambda: model.running == 1)
                    os.kill(os.getpid(), signal.SIGINT)
                    await until(lambda: runner.stopped is not None)
                    os.kill(os.getpid(), signal.SIGINT)
                    await in_flight

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(play())
    with Journal.open(tmp_path / "j") as journal:
        assert journal.totals().calls == 1
