"""Plays a sequence: a run folder, sessions in it, faults; and the checks after each step."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.faults.stateful import checks, damaging
from tests.faults.stateful.clock import Hung
from tests.faults.stateful.disk import copy_run
from tests.faults.stateful.ledger import Book, Broken
from tests.faults.stateful.sequence import Damage, Look, Remove, Sequence, Session, World
from tests.faults.stateful.stage import Stage, cheaper, in_full
from tests.faults.stateful.watching import swapped
from voirdire.ddft import results
from voirdire.ddft.exported_tables import Tables, build_tables
from voirdire.ddft.folders import open_examination
from voirdire.runs import Interrupted

_RAM = Path("/dev/shm")
_CLEAN = Session()
_MEMORY = _RAM if _RAM.is_dir() else None


@dataclass
class Count:
    """What was done in many sequences."""

    sequences: int = 0
    steps: int = 0
    sessions: int = 0
    calls: int = 0
    checks: int = 0
    faults: Counter[str] = field(default_factory=Counter)


def play(sequence: Sequence, count: Count | None = None) -> None:
    """Play a sequence to its end, and hold the run's tables against those of a run without faults.

    Raises:
        Broken: an invariant does not hold.
    """
    count = count if count is not None else Count()
    plain = plain_run(
        sequence.world,
        tuple(sorted({step.jury for step in sequence.steps if isinstance(step, Session) and step.jury is not None})),
    )
    with tempfile.TemporaryDirectory(dir=_MEMORY, prefix="voirdire-") as place, swapped(cheaper()):
        machine = Machine(Path(place), sequence.world, count)
        for number, step in enumerate(sequence.steps, start=1):
            try:
                machine.play(step)
            except Broken as broken:
                raise Broken(f"step {number} ({step}): {broken}") from broken
        try:
            machine.hold_against(plain)
        except Broken as broken:
            raise Broken(f"at the end: {broken}") from broken
    count.sequences += 1


@dataclass(frozen=True)
class Outcome:
    """What a run has come to."""

    stopped: dict[int | None, str | None]
    """Why it is not complete, by jury."""
    tables: Mapping[str, bytes]
    calls: int


@lru_cache(maxsize=256)
def plain_run(world: World, juries: tuple[int, ...]) -> Outcome:
    """The same study, held without faults."""
    with tempfile.TemporaryDirectory(dir=_MEMORY, prefix="voirdire-") as place, swapped(cheaper()):
        machine = Machine(Path(place), world, Count())
        return machine.finish(juries)


class Machine:
    """One run folder, and what is known of it."""

    def __init__(self, place: Path, world: World, count: Count) -> None:
        self.world = world
        self.count = count
        self.path = place / "run-0"
        self.record = checks.EMPTY
        self.asked_in_last = 0
        self._place = place
        self._folders = 0
        self._juries: set[int] = set()

    def play(self, step: Any) -> None:
        """Do one step, and check."""
        self.count.steps += 1
        if isinstance(step, Session):
            self.hold(step)
        elif isinstance(step, Look):
            self.look(whole=step.whole)
        elif isinstance(step, Remove):
            for name in step.names:
                (self.path / name).unlink(missing_ok=True)
        else:
            self.damage(step)

    # --- sessions ---------------------------------------------------------------------------------------------

    def hold(self, step: Session) -> Any:
        """One session. What it gives; `None` where it ended by an error that the user is told in a sentence."""
        if step.jury is not None:
            self._juries.add(step.jury)
        book = Book(len(self.record.rows), self.record.cost)
        book.max_calls = None if step.max_calls is None else book.calls_before + step.max_calls
        book.max_cost = None if step.max_cost is None else book.cost_before + step.max_cost
        stage = self._stage(step, book)
        result, error = stage.run()
        self.count.sessions += 1
        self.count.calls += len(book.asked)
        self.count.faults += book.fired
        self.asked_in_last = len(book.asked)
        if stage.disk.dead:
            shutil.rmtree(self.path, ignore_errors=True)
            self._folders += 1
            self.path = stage.disk.survivor
        elif error is not None:
            self._check_error(error, step, book)
        left = isinstance(error, KeyboardInterrupt) and not isinstance(error, Interrupted)
        orderly = not stage.disk.dead and not left and not _writes_failed(book)
        before, self.record = self.record, checks.read(self.path)
        checks.check_calls(before, self.record, book, orderly=orderly)
        self._check_record()
        return None if stage.disk.dead or error is not None else result

    def _stage(self, step: Session, book: Book) -> Stage:
        return Stage(step, book, self.world, self.path, self._place / f"run-{self._folders + 1}")

    def _check_record(self) -> None:
        checks.check_totals(self.path, self.record)
        checks.check_chain(self.path, self.record)
        self.count.checks += 6 + checks.check_verdicts(self.record)

    def _check_error(self, error: BaseException, step: Session, book: Book) -> None:
        """An error is one of our sentences, and there is a reason for it."""
        if isinstance(error, KeyboardInterrupt):
            _require(book.fired["ctrl_c_twice"] or book.fired["ctrl_c"], "nobody pressed Ctrl-C, yet it was reported")
            return
        if isinstance(error, Hung):
            raise Broken(str(error)) from error
        _require_sentence(error)
        unknown = step.max_cost is not None and self.record.unknown_prices
        unbegun = step.jury is not None and not self._can_be_judged()
        _require(unknown or unbegun or _writes_failed(book), f"the session failed without a cause: {error}")

    def _can_be_judged(self) -> bool:
        begun = all((self.path / name).exists() for name in ("run.json", "concepts"))
        return begun and self.record is not checks.EMPTY and any((self.path / "concepts").glob("*.yaml"))

    # --- other steps ------------------------------------------------------------------------------------------

    def look(self, *, whole: bool = False) -> Tables | None:
        """Read the run, as a report does. `None` where there is none yet, which is said in a sentence."""
        try:
            if whole:
                with swapped(in_full()):
                    return results.load_run(self.path).tables
            with open_examination(self.path, read_only=True) as opened:
                return build_tables(opened.journal)
        except Exception as error:
            _require_sentence(error)
            _require(self.record is checks.EMPTY or not self.record.notes or whole, f"the run can't be read: {error}")
            return None

    def damage(self, step: Damage) -> None:
        """Damage a file; whoever then uses the run is told so, or gets what is right. Then put the copy back."""
        file = damaging.chosen(self.path, step.file)
        if file is None:
            return
        copy = self._place / "copy"
        copy_run(self.path, copy)
        before = self.look()
        damaging.damage(file, step.kind, step.where)
        self.count.faults[f"damage_{step.kind}"] += 1
        try:
            if step.then == "look":
                self._look_at_damaged(before)
            else:
                self._hold_damaged()
        finally:
            shutil.rmtree(self.path)
            copy.rename(self.path)
        self.count.checks += 1

    def _look_at_damaged(self, before: Tables | None) -> None:
        try:
            with open_examination(self.path, read_only=True) as opened:
                after = build_tables(opened.journal)
                seen = opened.journal.check().problems
        except Exception as error:
            _require_sentence(error)
            return
        same = before is not None and all(one.equals(other) for one, other in zip(before, after, strict=True))
        told = same or seen or self._is_earlier(checks.read(self.path))
        _require(told, "a damaged run gives another result, and neither is said nor does its chain tell")

    def _is_earlier(self, record: checks.Record) -> bool:
        """Whether the journal is what it once was: SQLite takes the log up to the first frame that is damaged."""
        whole = self.record
        fewer = len(record.rows) < len(whole.rows) or record.notes != whole.notes
        return fewer and record.rows == whole.rows[: len(record.rows)]

    def _hold_damaged(self) -> None:
        _, error = self._stage(_CLEAN, Book()).run()
        if error is not None:
            _require_sentence(error)
        elif not checks.chain_problems(self.path):
            checks.check_verdicts(checks.read(self.path))

    # --- the end ----------------------------------------------------------------------------------------------

    def finish(self, juries: tuple[int, ...]) -> Outcome:
        """Go on without faults until nothing is left to do."""
        stopped: dict[int | None, str | None] = {}
        calls = 0
        for number, jury in enumerate((None, *juries)):
            result = self.hold(replace(_CLEAN, jury=jury, tables=number == len(juries)))
            _require(result is not None, "a session without faults failed")
            stopped[jury] = result.stopped
            calls += self.asked_in_last
        return Outcome(stopped, {name: (self.path / f"{name}.parquet").read_bytes() for name in Tables._fields}, calls)

    def hold_against(self, plain: Outcome) -> None:
        """The run, gone on with without faults, ends as one that never had any; and then asks nothing any more."""
        ended = self.finish(tuple(sorted(self._juries)))
        _require(ended.stopped == plain.stopped, f"it ends with {ended.stopped}, not {plain.stopped}")
        for name, table in plain.tables.items():
            _require(ended.tables[name] == table, f"the table {name} differs from that of a run without faults")
        self.hold(Session())
        _require(not self.asked_in_last, f"a finished run asked {self.asked_in_last} calls")
        self.count.checks += 2 + len(plain.tables)


def _writes_failed(book: Book) -> bool:
    """Whether something could not be written in this session."""
    return any(book.fired[f"write_{kind}"] for kind in ("full", "io", "locked"))


def _require(holds: object, said: str) -> None:
    if not holds:
        raise Broken(said)


def _require_sentence(error: BaseException) -> None:
    """An error is one that the command line prints as a sentence: its class is one of voirdire's own."""
    if isinstance(error, Broken):
        raise error
    if not type(error).__module__.startswith("voirdire."):
        raise Broken(f"a traceback: {type(error).__name__}: {error}") from error
