"""Ctrl-C, a kill and a lost terminal: once, twice, and from a notebook's thread."""

from __future__ import annotations

import asyncio
import io
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.runs.scripted import IDENTITY, ON_THIS_MACHINE, SPEC, ScriptedModel, request, until
from voirdire.records import CallFailure, ModelIdentity, Reply
from voirdire.runs import (
    Interrupted,
    Journal,
    Runner,
    RunStopped,
    Totals,
    interrupts,
    run_blocking,
    run_workers,
    stop_on_signals,
)

PRESSES = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def press(number: signal.Signals = signal.SIGINT) -> None:
    signal.pthread_kill(threading.main_thread().ident or 0, number)


def totals_in(path: Path) -> Totals:
    with Journal.open(path / "j", read_only=True) as journal:
        return journal.totals()


def calls_in(path: Path) -> int:
    return totals_in(path).calls


@pytest.mark.parametrize("number", PRESSES)
def test_the_first_signal_stops_in_good_order_says_so_and_ends_in_a_keyboard_interrupt(
    tmp_path: Path, number: signal.Signals
) -> None:
    stream = io.StringIO()

    async def play() -> None:
        hold = asyncio.Event()
        model = ScriptedModel(hold=hold)
        with Journal.open(tmp_path / "j") as journal:
            async with Runner(journal, {SPEC: model}) as runner:
                with stop_on_signals(runner, tmp_path, stream=stream):
                    in_flight = asyncio.create_task(runner.ask(SPEC, request()))
                    await until(lambda: model.running == 1)
                    press(number)
                    await until(lambda: runner.stopped is not None)
                    with pytest.raises(RunStopped):
                        await runner.ask(SPEC, request(turn=2))
                    hold.set()
                    assert isinstance(await in_flight, Reply)

    before = signal.getsignal(number)
    with pytest.raises(Interrupted) as caught:
        asyncio.run(play())
    assert isinstance(caught.value, KeyboardInterrupt)
    assert str(caught.value).startswith(f"Interrupted. Every answer so far is kept in {tmp_path}.")
    assert signal.getsignal(number) == before
    assert stream.getvalue().startswith("Stopping: calls in flight are awaited and kept. They may take up to 120 s (")
    assert len(stream.getvalue().splitlines()) == 1
    assert calls_in(tmp_path) == 1


@pytest.mark.parametrize("identity", [ON_THIS_MACHINE, IDENTITY])
def test_the_second_signal_leaves_at_once_keeps_what_was_committed_and_counts_what_may_be_billed(
    tmp_path: Path, identity: ModelIdentity
) -> None:
    stream = io.StringIO()
    complaints: list[dict[str, Any]] = []

    async def play() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        model = ScriptedModel()
        model.identity = identity
        with Journal.open(tmp_path / "j") as journal:
            async with Runner(journal, {SPEC: model}) as runner:
                with stop_on_signals(runner, tmp_path, stream=stream):
                    await runner.ask(SPEC, request())
                    model._hold = asyncio.Event()  # from now on it never answers
                    in_flight = asyncio.create_task(runner.ask(SPEC, request(turn=2)))
                    await until(lambda: model.running == 1)
                    press()
                    await until(lambda: runner.stopped is not None)
                    press()
                    await in_flight

    with pytest.raises(KeyboardInterrupt) as caught:
        asyncio.run(play())
    assert not isinstance(caught.value, Interrupted)
    broken_off = identity is IDENTITY
    totals = totals_in(tmp_path)
    assert (totals.calls, totals.interrupted, totals.failed) == (1 + broken_off, broken_off, 0)
    says = "Broken off: 1 call at a provider, which may bill it all the same."
    assert (says in stream.getvalue().splitlines()) is broken_off
    assert not complaints


def test_a_call_that_was_broken_off_is_made_again(tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        in_a_notebook(lambda: run_blocking(worked(tmp_path, lambda runner, model: press())))

    async def again() -> Reply | CallFailure:
        with Journal.open(tmp_path / "j") as journal:
            async with Runner(journal, {SPEC: ScriptedModel()}) as runner:
                return await runner.ask(SPEC, request(turn=1))

    assert isinstance(asyncio.run(again()), Reply)
    assert totals_in(tmp_path)[:2] == (2, 1)


async def worked(path: Path, then: Callable[[Runner, ScriptedModel], Any], **options: Any) -> str | None:
    """A worker that asks three times, of which the first is under way when `then` is called."""
    model = ScriptedModel(hold=asyncio.Event())

    async def work() -> None:
        for turn in (1, 2, 3):
            await runner.ask(SPEC, request(turn=turn))

    with Journal.open(path / "j") as journal:
        async with Runner(journal, {SPEC: model}) as runner:
            with stop_on_signals(runner, path, stream=io.StringIO(), **options):
                working = asyncio.create_task(run_workers([work()], runner))
                await until(lambda: model.running == 1)
                then(runner, model)
                return await working


@pytest.mark.parametrize(("identity", "awaited"), [(ON_THIS_MACHINE, False), (IDENTITY, True)])
def test_ctrl_c_awaits_a_providers_calls_and_this_machines_only_briefly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, identity: ModelIdentity, awaited: bool
) -> None:
    monkeypatch.setattr(interrupts, "GRACE", 0.01)
    stream = io.StringIO()
    model = ScriptedModel(hold=asyncio.Event())
    model.identity = identity

    async def play() -> None:
        with Journal.open(tmp_path / "j") as journal:
            async with Runner(journal, {SPEC: model}) as runner:
                with stop_on_signals(runner, tmp_path, stream=stream):
                    in_flight = asyncio.create_task(runner.ask(SPEC, request()))
                    await until(lambda: model.running == 1)
                    press()
                    await until(lambda: runner.stopped is not None)
                    await asyncio.sleep(0.05)
                    assert in_flight.done() is not awaited
                    assert model._hold is not None
                    model._hold.set()
                    await in_flight

    with pytest.raises(Interrupted):
        asyncio.run(play())
    assert calls_in(tmp_path) == awaited
    assert ("answers that arrive within 0.01 s are kept" in stream.getvalue()) is not awaited


@pytest.mark.parametrize(
    ("models", "says"),
    [
        (
            (IDENTITY, ON_THIS_MACHINE),
            "Stopping: calls in flight at a provider are awaited and kept. They may take up to 120 s (the time-out). "
            "Answers of models on this machine are kept if they arrive within 2 s, and asked again otherwise. "
            "Once more stops at once; the same command goes on later.",
        ),
        (
            (ON_THIS_MACHINE,),
            "Stopping: answers that arrive within 2 s are kept, and the others asked again. Once more stops "
            "at once; the same command goes on later.",
        ),
        (
            (),
            "Stopping: answers that arrive within 2 s are kept, and the others asked again. Once more stops "
            "at once; the same command goes on later.",
        ),
    ],
)
def test_ctrl_c_says_of_each_kind_of_model_what_becomes_of_its_calls(
    tmp_path: Path, models: tuple[ModelIdentity, ...], says: str
) -> None:
    stream = io.StringIO()
    held = {f"{SPEC}{place}": ScriptedModel(hold=asyncio.Event()) for place in range(len(models))}
    for model, identity in zip(held.values(), models, strict=True):
        model.identity = identity

    async def play() -> None:
        with Journal.open(tmp_path / "j") as journal:
            async with Runner(journal, held) as runner:
                with stop_on_signals(runner, tmp_path, stream=stream):
                    in_flight = [asyncio.create_task(runner.ask(spec, request())) for spec in held]
                    await until(lambda: all(model.running == 1 for model in held.values()))
                    press()
                    await until(lambda: runner.stopped is not None)
                    for model in held.values():
                        assert model._hold is not None
                        model._hold.set()
                    await asyncio.gather(*in_flight)

    with pytest.raises(Interrupted):
        asyncio.run(play())
    assert stream.getvalue() == f"{says}\n"


def interrupt_and_answer(runner: Runner, model: ScriptedModel) -> None:
    press()
    asyncio.get_running_loop().call_later(0.01, lambda: model._hold and model._hold.set())


def test_an_interrupted_run_gives_what_there_is_only_where_that_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert asyncio.run(worked(tmp_path, interrupt_and_answer, partial=True)) == "interrupted."
    with pytest.raises(Interrupted):
        asyncio.run(worked(tmp_path / "other", interrupt_and_answer))
    assert calls_in(tmp_path) == calls_in(tmp_path / "other") == 1


def test_a_signal_that_comes_while_tables_are_made_is_not_lost(tmp_path: Path) -> None:
    async def play() -> str:
        with Journal.open(tmp_path / "j") as journal:
            async with Runner(journal, {SPEC: ScriptedModel()}) as runner:
                with stop_on_signals(runner, tmp_path, stream=io.StringIO()):
                    press()  # and the loop is not asked before the block ends
                    return "made"

    with pytest.raises(Interrupted):
        asyncio.run(play())


def test_a_signal_that_the_process_was_told_to_ignore_stays_ignored(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        asyncio.run(worked(tmp_path, lambda runner, model: (press(signal.SIGHUP), model._hold.set())))  # type: ignore[union-attr, func-returns-value]
    finally:
        signal.signal(signal.SIGHUP, before)
    assert calls_in(tmp_path) == 3


def test_a_terminal_that_is_gone_takes_no_message_and_the_run_stops_all_the_same(tmp_path: Path) -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(5, "Input/output error")

    async def play() -> None:
        with Journal.open(tmp_path / "j") as journal:
            async with Runner(journal, {SPEC: ScriptedModel()}) as runner:
                with stop_on_signals(runner, tmp_path, stream=Gone()):
                    press(signal.SIGHUP)
                    await until(lambda: runner.stopped is not None)

    with pytest.raises(Interrupted):
        asyncio.run(play())


def in_a_notebook(work: Callable[[], Any]) -> Any:
    """As a cell does: from a thread whose event loop runs already."""

    async def cell() -> Any:
        return work()

    # Not `asyncio.run`, which would make of Ctrl-C the cancelling of a task; a kernel raises KeyboardInterrupt.
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(cell())
    finally:
        loop.close()


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "GRACE", 0.05)


@pytest.mark.usefixtures("brief")
def test_one_ctrl_c_in_a_notebook_ends_a_run_whose_calls_do_not_arrive(tmp_path: Path) -> None:
    work = worked(tmp_path, lambda runner, model: press())
    with pytest.raises(Interrupted):
        in_a_notebook(lambda: run_blocking(work))
    totals = totals_in(tmp_path)
    assert (totals.calls, totals.interrupted) == (1, 1)


def test_one_ctrl_c_in_a_notebook_keeps_what_arrives_in_time(tmp_path: Path) -> None:
    def then(runner: Runner, model: ScriptedModel) -> None:
        press()

        async def answer() -> None:
            await until(lambda: runner.stopped is not None)
            assert model._hold is not None
            model._hold.set()

        asyncio.get_running_loop().create_task(answer())

    with pytest.raises(Interrupted):
        in_a_notebook(lambda: run_blocking(worked(tmp_path, then)))
    assert calls_in(tmp_path) == 1


def test_ctrl_c_in_a_notebook_before_any_run_is_open_leaves_at_once() -> None:
    cancelled = threading.Event()

    async def work() -> None:
        press()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with pytest.raises(KeyboardInterrupt):
        in_a_notebook(lambda: run_blocking(work()))
    assert cancelled.is_set()
