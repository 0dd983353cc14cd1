"""Is a run, an export or a report still what was written? Tables made again, hashes held against what is there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from voirdire.adapters.ray.runs import MANIFEST, join_tables
from voirdire.adapters.redacted_files import RedactPlan
from voirdire.adapters.redaction import redact_run
from voirdire.adapters.verify_journals import (
    Verified,
    VerifyError,
    chain_findings,
    check_digest,
    file_finding,
    head_finding,
    head_findings,
    is_going_on,
    notes_on,
)
from voirdire.adapters.verify_tables import compare_files, table_findings
from voirdire.data.files import FileError, whole_text
from voirdire.data.manifests import Manifest, hashes, manifest_of, sha256
from voirdire.data.paths import AnyPath, as_path, as_paths
from voirdire.data.sqlite import log_of
from voirdire.instruments import Finding, Instrument, instrument_of
from voirdire.instruments.instrument import one_line
from voirdire.reports.builder import text_of
from voirdire.reports.origins import missing_sentence, status_of
from voirdire.runs import ChainReport, Journal, JournalError, RunFolder, lost_log, origin, read_as_immutable
from voirdire.runs.origins import REDACTED
from voirdire.runs.untrusted import read_manifest
from voirdire.text.counting import counted

_MANIFEST, _JOURNAL, _TABLES, _SHARDS = "run.json", "journal.sqlite", "tables", "shards"


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
    if REDACTED in read_manifest(path / _MANIFEST) and not (path / _JOURNAL).exists():
        return _verified_figures(path, digest, source)
    journal = path / _JOURNAL
    going_on = is_going_on(path)
    with nullcontext() if going_on else read_as_immutable(journal):
        before = _stamp(journal)
        verified = _verify_journal(path, digest, going_on)
        verified = replace(verified, findings=(*verified.findings, *_of_copy(path, source)))
    if not going_on and _stamp(journal) != before:
        changed = Finding("run", "unknown", "it has gone on while it was verified; verify it again")
        return replace(verified, findings=(changed, *verified.findings))
    return verified


def _verify_journal(path: Path, digest: str | None, going_on: bool) -> Verified:
    lost = list(_lost_log(path))
    damage = _damage(path)
    if damage is not None:  # without its log, the journal of a young run is an empty page: that is no other damage
        return Verified(path, "run", tuple(lost or [damage]))
    with closing(RunFolder.open(path, read_only=True)) as folder:
        name = str(folder.manifest.get("instrument"))
        findings = [*lost, file_finding(folder.journal)]
        try:
            report = folder.journal.check()
        except JournalError as error:
            return Verified(path, f"run of {one_line(name)}", (*findings, Finding("hash chain", "differs", str(error))))
        findings += chain_findings(folder, report)
        findings += [] if digest is None else [head_finding(report, digest)]
        left: list[str | None] = []
        findings += _of_run(folder, instrument_of(name), report, going_on, left)
        return Verified(path, f"run of {one_line(name)}", tuple(findings), report.head, complete=not any(left))


def _of_copy(path: Path, source: Path | None) -> Iterator[Finding]:
    """Whether the run that a redacted copy names is the one that is at hand."""
    if source is None:
        return
    redacted = read_manifest(path / _MANIFEST).get(REDACTED)
    if not isinstance(redacted, dict):
        raise VerifyError(f"--origin is what an export, a report or a redacted copy is held against; {path} is none.")
    yield from head_findings([{"journal": {"sha256": redacted.get("from")}}], source)


def _verified_figures(path: Path, digest: str | None, source: Path | None) -> Verified:
    """Verify a copy that holds figures alone: all that can be held against it is the run that it was made of."""
    if digest is not None:
        raise VerifyError(
            f"--head is that of a run's journal; {path} holds figures alone, so give --origin RUN instead."
        )
    if source is not None:
        findings = (*_of_copy(path, source), *_catch_damage("figures", lambda: _figures_again(path, source)))
        return Verified(path, "figures of a run", findings)
    named = str(_mark_of(path).get("from"))
    findings = (
        Finding("journal head", "note", f"made of the run whose journal ended at {named}"),
        Finding("figures", "unknown", "not compared: give the run that they were made of, with --origin RUN"),
    )
    return Verified(path, "figures of a run", findings, named_head=named)


def _mark_of(path: Path) -> Mapping[str, Any]:
    mark = read_manifest(path / _MANIFEST).get(REDACTED)
    return mark if isinstance(mark, Mapping) else {}


def _figures_again(path: Path, run: Path) -> Iterator[Finding]:
    """The same figures made again, as far as the run has not gone on since."""
    mark = _mark_of(path)
    with RunFolder.open(run, read_only=True) as folder:
        head = folder.journal.head().digest
    if mark.get("from") != head:
        yield Finding("figures", "unknown", "the run has another head now, so that its figures differ: not compared")
        return
    with TemporaryDirectory(prefix="voirdire-verify-") as into:
        again = Path(into) / "figures"
        redact_run(RedactPlan(run, again, figures_only=True))
        unlike = [each for each in _compare_copy(path, again) if each.status != "ok"]
    if not unlike:
        yield Finding("figures", "ok", "the run makes the same figures again")
    elif mark.get("hidden_by_user"):
        places = ", ".join(each.what for each in unlike)
        yield Finding("figures", "unknown", f"{places}: differs, but --hide may have taken names out of this copy")
    else:
        yield from unlike


def _compare_copy(path: Path, again: Path) -> Iterator[Finding]:
    """The tables and figures of a copy against those that were made again."""
    there, remade = ({each.name for each in place.iterdir()} - {_MANIFEST} for place in (path, again))
    for name in sorted(there & remade):
        yield compare_files(path / name, again / name)
    for name in sorted(remade - there):
        yield Finding(name, "differs", "it is missing")
    for name in sorted(there - remade):
        yield Finding(name, "differs", "the run gives no such file; take it away")


def _stamp(journal: Path) -> list[tuple[int, int]]:
    """What changes when somebody writes to a journal."""
    log = log_of(journal)
    return [(stat.st_mtime_ns, stat.st_size) for each in (journal, log) if each.exists() and (stat := each.stat())]


def _lost_log(path: Path) -> Iterator[Finding]:
    lost_note = lost_log(path)
    if lost_note is not None:
        yield Finding("journal file", "differs", f"{lost_note}; put it back")


def _damage(path: Path) -> Finding | None:
    """Why the journal can't be opened, if it can't."""
    try:
        with closing(Journal.open(path / _JOURNAL, read_only=True)) as journal:
            journal.head()
    except JournalError as error:
        return Finding("journal file", "differs", str(error))
    return None


def _of_run(
    folder: RunFolder, instrument: Instrument, report: ChainReport, going_on: bool, left: list[str | None]
) -> Iterator[Finding]:
    yield from _catch_damage("kept files", lambda: _snapshot_findings(folder, instrument))
    if going_on:
        yield Finding(_TABLES, "note", "the run is going on: its tables are made when it ends, and were not compared")
    else:
        yield from _catch_damage("run", lambda: _status_findings(folder, left))
        complete = left == [None]
        yield from _catch_damage(_TABLES, lambda: table_findings(folder, instrument, complete))
        yield from _catch_damage(_TABLES, lambda: instrument.findings(folder))
    yield from notes_on(folder, report)


def _status_findings(folder: RunFolder, left: list[str | None]) -> Iterator[Finding]:
    status = status_of(folder)
    left.append(status.unfinished)
    if status.unfinished is not None:
        yield Finding("run", "note", f"not complete: {status.unfinished}")
    missing = missing_sentence(origin(folder, status))
    if missing:
        yield Finding("missing", "note", missing)


def _catch_damage(what: str, look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """What a look finds; one that fails on what somebody has changed finds that."""
    try:
        yield from look()
    except Exception as error:  # an altered journal or file can hold anything, and that is what is looked for
        ours = type(error).__module__.startswith("voirdire.")
        why = str(error) if ours else f"{type(error).__name__}: {error}"
        yield Finding(what, "differs", f"it can't be read as it was written: {one_line(why)[:300]}")


def _snapshot_findings(folder: RunFolder, instrument: Instrument) -> Iterator[Finding]:
    """The files that a run keeps, by their hashes in run.json; in a redacted copy, texts differ on purpose."""
    for what, expected, actual in instrument.snapshot(folder):
        if actual is None:
            yield Finding(what, "differs", "it is gone; put back a copy of it")
        elif expected is None:
            yield Finding(what, "unknown", "run.json does not have its hash")
        elif actual == expected:
            yield Finding(what, "ok", "as run.json has it")
        elif folder.manifest.get("redacted"):
            yield Finding(what, "note", "it differs from what was asked, as this is a redacted copy")
        else:
            yield Finding(what, "differs", "it is not what the run was asked on; put back a copy of it")


def is_spread(path: Path) -> bool:
    """Whether a folder is one of shards."""
    return (path / MANIFEST).is_file()


def verify_shards(path: Path) -> Verified:
    """Verify a run that was held in shards.

    Raises:
        VerifyError: its shards are no runs: detections, which have no journal.
    """
    runs = sorted(each.parent for each in (path / _SHARDS).glob(f"*/{_MANIFEST}"))
    if not runs:
        raise VerifyError(
            f"{path} holds shards without journals (of voirdire detect): there is nothing to make them again from."
        )
    findings = [each for run in runs for each in _shard(run)]
    return Verified(path, f"run in {counted(len(runs), 'shard')}", (*findings, *_joined(path, runs)))


def _shard(run: Path) -> Iterator[Finding]:
    shard = verify_run(run)
    for each in shard.findings:
        if each.status != "ok":
            yield Finding(f"shard {run.name}, {each.what}", each.status, each.message)
    if shard.ok:
        head = "" if shard.head is None else f"; its journal ends at {shard.head.digest}"
        yield Finding(f"shard {run.name}", "ok", f"{counted(len(shard.findings), 'thing holds', 'things hold')}{head}")


def _joined(path: Path, runs: list[Path]) -> Iterator[Finding]:
    """The tables of the whole, against those of its shards."""
    there = {each.name for each in path.glob("*.parquet")}
    with TemporaryDirectory(prefix="voirdire-verify-") as into:
        remade = {f"{name}.parquet" for name in join_tables(runs, Path(into))}
        for name in sorted(there & remade):
            yield compare_files(path / name, Path(into) / name)
    for name in sorted(remade - there):
        yield Finding(name, "differs", "it is missing; the same command puts it together again")
    for name in sorted(there - remade):
        yield Finding(name, "differs", "the shards have no such table; take it away")


_FORMS = (".html", ".md", ".json")
_HEAD = re.compile(r"[\d,]+ links?, sha256 ([0-9a-f]{64})")
"""As `run.head_line` says it."""
_LONGEST = 500_000_000


def verify_export(path: Path, run: Path | None = None) -> Verified:
    """Verify a folder or file that was exported.

    Raises:
        VerifyError: no manifest of ours names it.
    """
    manifest = manifest_of(path)
    if manifest is None:
        raise VerifyError(
            f"{path} is neither the folder of a run nor an export with a whole manifest beside it, nor a report that "
            "says where its numbers come from."
        )
    findings = [*_files(manifest), *head_findings(manifest.content.get("runs"), run)]
    return Verified(manifest.folder if manifest.of_folder else path, "export", tuple(findings))


def _files(manifest: Manifest) -> Iterator[Finding]:
    for name, digest in manifest.written.items():
        file = manifest.folder / name
        if not file.is_file():
            yield Finding(name, "differs", "it is missing")
        elif sha256(file) == digest:
            yield Finding(name, "ok", "its SHA-256 is that of the manifest")
        elif name in manifest.forms:
            yield Finding(name, "note", "it has changed since, as a form that is filled in does")
        else:
            yield Finding(name, "differs", "its SHA-256 is not that of the manifest")
    if manifest.of_folder:
        for name in sorted(hashes(manifest.folder).keys() - manifest.written.keys()):
            yield Finding(name, "differs", "the manifest does not name it; take it away")


def is_report(path: Path) -> bool:
    """Whether a file is a report that says where its numbers come from."""
    return path.is_file() and path.suffix.lower() in _FORMS and bool(_heads(path))


def verify_report(path: Path, run: Path | None) -> Verified:
    """Verify a report of one run.

    Raises:
        VerifyError: no run is given to hold it against.
    """
    if run is None:
        beside = (path.parent / _RUN).is_file()
        where = shlex.quote(str(path.parent)) if beside else "RUN"
        whose = "" if beside else ", where RUN is that run's folder (it holds run.json; ask whoever made the report)"
        raise VerifyError(
            f"{path} is a report, which is verified against the run that it was made of: "
            f"voirdire verify {shlex.quote(str(path))} --origin {where}{whose}."
        )
    findings = [*head_findings(_heads(path), run), *_compare_report(path, run)]
    return Verified(path, "report", tuple(findings))


def _compare_report(path: Path, run: Path) -> Iterator[Finding]:
    """The same report made again, as far as the run has not gone on since."""
    heads = _heads(path)
    if len(heads) > 1:
        yield Finding("text", "unknown", "it is of several runs, or names several heads: it was not made again")
        return
    with RunFolder.open(run, read_only=True) as folder:
        head = folder.journal.head()
        juries: list[str | None] = [None, *instrument_of(str(folder.manifest.get("instrument"))).juries(folder)]
    if {"journal": {"sha256": head.digest}} not in heads:
        yield Finding("text", "unknown", "the run has another head now, so that its report differs: not compared")
        return
    mine = whole_text(path, _LONGEST).splitlines()
    unlike = None
    for jury in juries:  # the report may have been asked for another than the first
        first = _first_unlike(mine, text_of([run], path.suffix[1:].lower(), jury).splitlines())
        if first is None:
            yield Finding("text", "ok", "the run makes the same report again, word for word")
            return
        unlike = unlike or first
    yield Finding("text", "differs", f"the run's report, made again, is another one, first in line {unlike:,}")


def _first_unlike(mine: Sequence[str], other: Sequence[str]) -> int | None:
    """The number of the first line that two texts don't share; `None` where they share all."""
    if mine == other:
        return None
    pairs = zip(mine, other, strict=False)
    return next((number for number, (a, b) in enumerate(pairs, start=1) if a != b), min(len(mine), len(other)) + 1)


def _heads(path: Path) -> list[Mapping[str, Any]]:
    """What a report says of its runs' journals."""
    try:
        text = whole_text(path, _LONGEST)
    except FileError:
        return []
    digests = _HEAD.findall(text)
    if not digests and path.suffix.lower() == ".json":
        digests = re.findall(r'"journal": \{\s*"links": \d+,\s*"sha256": "([0-9a-f]{64})"', text)
    return [{"journal": {"sha256": digest}} for digest in dict.fromkeys(digests)]


_RUN = "run.json"


def verify(
    paths: AnyPath | Sequence[AnyPath], *, head: str | None = None, run: AnyPath | None = None
) -> list[Verified]:
    """Say of runs, exports and reports whether they are what was written. Nothing is written, and no model is asked.

    Args:
        paths: folders of runs, folders or files of exports with their manifest, reports.
        head: SHA-256 of a run's journal's head, as it was published with results.
        run: that an export, a report or a redacted copy was made of; among several paths it may stand itself.

    Raises:
        VerifyError: a path is none of these, or an option does not fit.
        RunFolderError: there is no run.
    """
    paths, source = as_paths(paths), None if run is None else as_path(run)
    digest = check_digest(head)
    runs = [path for path in paths if (path / _RUN).is_file()]
    if digest is not None and len(runs) != 1:
        raise VerifyError(f"--head is that of one run's journal; {len(runs)} runs were given.")
    itself = None if source is None or len(paths) == 1 else source.resolve()
    return [_verified_verifying(path, digest, None if path.resolve() == itself else source) for path in paths]


def _verified_verifying(path: Path, digest: str | None, run: Path | None) -> Verified:
    if not path.exists():
        raise VerifyError(f"There is no {path}; give the folder of a run, an export with its manifest, or a report.")
    if (path / _RUN).is_file() or (path / _JOURNAL).is_file():
        return verify_run(path, digest, run)
    if path.is_dir() and is_spread(path):
        if run is not None:
            raise VerifyError(
                f"--origin is what an export, a report or a redacted copy is held against; {path} is none."
            )
        return verify_shards(path)
    if manifest_of(path) is None and is_report(path):
        return verify_report(path, run)
    return verify_export(path, run)
