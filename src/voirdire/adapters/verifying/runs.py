"""A run's folder verified: its journal, what it keeps, its tables, and what to know of it. Nothing is written there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

from voirdire.adapters.verifying.exports import head_findings
from voirdire.adapters.verifying.instruments import Instrument, instrument_of
from voirdire.adapters.verifying.journals import (
    chain_findings,
    file_finding,
    head_finding,
    is_going_on,
    notes_on,
)
from voirdire.adapters.verifying.records import Finding, Verified, VerifyError, one_line
from voirdire.adapters.verifying.tables import table_findings
from voirdire.report.origins import missing_sentence, standing_of
from voirdire.run import ChainReport, Journal, JournalError, RunFolder, held_still, lost_log, origin
from voirdire.run.foreign import read_manifest
from voirdire.run.origins import REDACTED

_MANIFEST, _JOURNAL, _TABLES = "run.json", "journal.sqlite", "tables"
_FIGURES = "a copy of figures alone has none: nothing in it can be made again; verify the run itself"


def verify_run(path: Path, digest: str | None = None, source: Path | None = None) -> Verified:
    """Verify a run of any instrument, also while it goes on.

    Args:
        path: of its folder.
        digest: a head of its journal that was published.
        source: the run that it is a redacted copy of.

    Raises:
        RunFolderError: there is no run.
        VerifyError: `source` is given, and it is no copy.
    """
    journal = path / _JOURNAL
    going_on = is_going_on(path)
    with nullcontext() if going_on else held_still(journal):
        before = _stamp(journal)
        found = _verified(path, digest, going_on)
        found = replace(found, findings=(*found.findings, *_of_copy(path, source)))
    if not going_on and _stamp(journal) != before:
        changed = Finding("run", "unknown", "it has gone on while it was verified; verify it again")
        return replace(found, findings=(changed, *found.findings))
    return found


def _verified(path: Path, digest: str | None, going_on: bool) -> Verified:
    if REDACTED in read_manifest(path / _MANIFEST) and not (path / _JOURNAL).exists():
        return Verified(path, "figures of a run", (Finding("journal", "unknown", _FIGURES),))
    damage = _damage(path)
    if damage is not None:
        return Verified(path, "run", (damage,))
    with closing(RunFolder.open(path, read_only=True)) as folder:
        name = str(folder.manifest.get("instrument"))
        lost = lost_log(path)
        findings = [] if lost is None else [Finding("journal file", "differs", f"{lost}; put it back")]
        findings += [file_finding(folder.journal)]
        try:
            report = folder.journal.check()
        except JournalError as error:
            return Verified(path, f"run of {one_line(name)}", (*findings, Finding("hash chain", "differs", str(error))))
        findings += chain_findings(folder, report)
        findings += [] if digest is None else [head_finding(report, digest)]
        findings += _of_run(folder, instrument_of(name), report, going_on)
        return Verified(path, f"run of {one_line(name)}", tuple(findings), report.head)


def _of_copy(path: Path, source: Path | None) -> Iterator[Finding]:
    """Whether the run that a redacted copy names is the one that is at hand."""
    if source is None:
        return
    redacted = read_manifest(path / _MANIFEST).get(REDACTED)
    if not isinstance(redacted, dict):
        raise VerifyError(f"--run is what an export, a report or a redacted copy is held against; {path} is none.")
    yield from head_findings([{"journal": {"sha256": redacted.get("from")}}], source)


def _stamp(journal: Path) -> list[tuple[int, int]]:
    """What changes when somebody writes to a journal."""
    log = journal.with_name(f"{journal.name}-wal")
    return [(found.st_mtime_ns, found.st_size) for each in (journal, log) if each.exists() and (found := each.stat())]


def _damage(path: Path) -> Finding | None:
    """Why the journal can't be opened, if it can't."""
    try:
        with closing(Journal.open(path / _JOURNAL, read_only=True)) as journal:
            journal.head()
    except JournalError as error:
        return Finding("journal file", "differs", str(error))
    return None


def _of_run(folder: RunFolder, instrument: Instrument, report: ChainReport, going_on: bool) -> Iterator[Finding]:
    yield from _guarded("kept files", lambda: instrument.kept(folder))
    if going_on:
        yield Finding(_TABLES, "note", "the run is going on: its tables are made when it ends, and were not compared")
    else:
        left: list[str | None] = []
        yield from _guarded("run", lambda: _standing(folder, left))
        complete = left == [None]
        yield from _guarded(_TABLES, lambda: table_findings(folder, instrument, complete))
        yield from _guarded(_TABLES, lambda: instrument.beside(folder))
    yield from notes_on(folder, report)


def _standing(folder: RunFolder, left: list[str | None]) -> Iterator[Finding]:
    standing = standing_of(folder)
    left.append(standing.unfinished)
    if standing.unfinished is not None:
        yield Finding("run", "note", f"not complete: {standing.unfinished}")
    missing = missing_sentence(origin(folder, standing))
    if missing:
        yield Finding("missing", "note", missing)


def _guarded(what: str, look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """What a look finds; one that fails on what somebody has changed finds that."""
    try:
        yield from look()
    except Exception as error:  # an altered journal or file can hold anything, and that is what is looked for
        ours = type(error).__module__.startswith("voirdire.")
        why = str(error) if ours else f"{type(error).__name__}: {error}"
        yield Finding(what, "differs", f"it can't be read as it was written: {one_line(why)[:300]}")
