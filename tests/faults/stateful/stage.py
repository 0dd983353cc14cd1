"""One session on stage: its loop, its disk, its models, and what else happens meanwhile."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.faults.stateful.clock import VirtualLoop
from tests.faults.stateful.disk import Disk
from tests.faults.stateful.ledger import Book
from tests.faults.stateful.models import Faults, FaultyModel
from tests.faults.stateful.sequence import Session, World
from tests.faults.stateful.study import OTHER_JURIES, PROVIDER, plan_of
from tests.faults.stateful.watching import swapped, watched
from voirdire import models
from voirdire.ddft import profile, results, session, validity
from voirdire.ddft.exported_tables import build_tables
from voirdire.ddft.folders import open_examination
from voirdire.jury.reference_panel import judge
from voirdire.runs import (
    RunFolder,
    RunFolderError,
    Runner,
    RunOptions,
    attempt,
    folder,
    group_commit,
    interrupts,
    schema,
)
from voirdire.runs import session as run_session

_NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
_AWAY = 100_000.0
"""Seconds that a machine was asleep."""


class Stage:
    """One session: its loop, its disk, its models."""

    def __init__(self, step: Session, book: Book, world: World, path: Path, survivor: Path) -> None:
        """Set the stage.

        Args:
            step: the session.
            book: what it is to be held by, and what happens in it.
            world: what the models say.
            path: of the run folder.
            survivor: where the folder is copied to if the session is killed.
        """
        self.step = step
        self.book = book
        self.loop = VirtualLoop(step.eager)
        self.disk = Disk(path, survivor, step.at_write, book)
        self._world = world
        self._runner: Runner | None = None
        self._wall = 0.0
        self._task: asyncio.Task[Any] | None = None
        self.loop.before_rest(self._cancelled)

    def run(self) -> tuple[Any, BaseException | None]:
        """Its result, and the error that it ended by."""
        at_calls: dict[int, list[str]] = {}
        for number, kind in self.step.at_calls:
            at_calls.setdefault(number, []).append(kind)
        faults = Faults(self._world, at_calls, self._event, lambda: self.disk.dead)
        models.register(PROVIDER, lambda name, options: FaultyModel(name, faults, self.book))
        self.loop.set_exception_handler(lambda loop, context: None)
        runner = asyncio.Runner(loop_factory=lambda: self.loop)
        with swapped(self._changes()), watched(self.disk):
            try:
                return runner.run(self._main()), None
            except (Exception, KeyboardInterrupt, asyncio.CancelledError) as error:
                return None, error
            finally:
                runner.close()

    async def _main(self) -> Any:
        self._task = asyncio.current_task()
        plan, step, path = plan_of(self._world), self.step, self.disk.root
        options = RunOptions(max_cost=self.book.max_cost, max_calls=self.book.max_calls, connections=step.connections)
        if step.jury is None:
            return await session.run_study(plan, path, options)
        return await session.score_run(path, OTHER_JURIES[step.jury], options)

    def _cancelled(self) -> bool:
        """The session that was killed ends; whatever it still does is done to a folder that nobody looks at."""
        if self._task is None or not self.disk.dead:
            return False
        self._task.cancel()
        self._task = None
        return True

    def _event(self, kind: str) -> None:
        """What happens while a call is under way."""
        if kind == "kill":
            self.disk.die()
        elif kind.startswith("ctrl_c"):
            for _ in range(2 if kind == "ctrl_c_twice" else 1):
                self.loop.call_soon(self._press)
        elif kind == "clock_forth":
            self.loop.jump(_AWAY)
            self._wall += _AWAY
        elif kind == "clock_back":
            self._wall -= 10 * _AWAY
        elif not self.disk.dead:
            self._intrude(kind)

    def _intrude(self, kind: str) -> None:
        try:
            if kind == "look":
                with open_examination(self.disk.root, read_only=True) as opened:
                    build_tables(opened.journal)
                return
            RunFolder.open(self.disk.root).close()
        except RunFolderError:
            return
        except Exception as error:
            self.book.broken.append(f"{kind} while the run goes on: {type(error).__name__}: {error}")
            return
        self.book.broken.append("A second session could open the folder of a run that is going on.")

    def _press(self) -> None:
        runner = self._runner
        if runner is not None:
            if runner.interrupted:
                self._runner = None  # the process leaves now, whatever is still pressed
            interrupts._on_signal(runner, StringIO())

    def _changes(self) -> list[tuple[Any, str, Any]]:
        """What the session sees in place of the machine's clock, and where the harness looks in."""

        @contextmanager
        def listening(runner: Runner, path: Path, *, partial: bool = False) -> Any:
            self._runner = runner
            with interrupts.ends_interrupted(runner, path):
                yield

        def now(zone: Any = None) -> datetime:
            return _NOON + timedelta(seconds=self.loop.time() + self._wall)

        changes: list[tuple[Any, str, Any]] = [
            (group_commit, "SimpleQueue", lambda: self.loop.gate(self.book.hand_over)),
            (run_session, "stop_on_signals", listening),
            (session, "stop_on_signals", listening),
            (attempt, "datetime", SimpleNamespace(now=now)),
            (attempt, "time", SimpleNamespace(perf_counter=lambda: self.loop.time() + self._wall)),
            (folder, "datetime", SimpleNamespace(now=now)),
        ]
        return changes if self.step.tables else [*changes, (session, "finish", _without_tables)]


class _Kept(dict[Any, Any]):
    """What the reference panel said of a task: a pure function, asked the same again and again."""

    def __missing__(self, task: Any) -> Any:
        if len(self) > 5000:
            self.clear()
        self[task] = judged = _REFERENCE_JUDGE(task)
        return judged


_REFERENCE_JUDGE = judge.judge
_KEPT = _Kept()


def _without_tables(opened: RunFolder, jury_id: str, stopped: str | None = None, concepts: Any = None) -> Any:
    """The end of a session, without making tables."""
    return SimpleNamespace(stopped=stopped or results.check_completeness(opened, jury_id).why)


def cheaper() -> list[tuple[Any, str, Any]]:
    """What costs time and has nothing to do with faults: computed once, or left out."""
    return [
        (judge, "judge", _KEPT.__getitem__),
        (run_session, "rare_gc", nullcontext),
        (results, "release_memory", lambda: None),
        (run_session, "provenance", dict),
        (schema, "secrets", SimpleNamespace(token_hex=lambda length: "5e" * length)),
        (validity, "validate", lambda record: ()),
        (profile, "profiles", lambda *given, **options: []),
    ]


_VALIDATE, _PROFILES = validity.validate, profile.profiles


def in_full() -> list[tuple[Any, str, Any]]:
    """What `cheaper` leaves out, put back."""
    return [(validity, "validate", _VALIDATE), (profile, "profiles", _PROFILES)]
