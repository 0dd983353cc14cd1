"""What `voirdire verify` has looked at, and what it found."""

from __future__ import annotations

import fcntl
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.data.json_values import as_plain
from voirdire.documents.cells import text
from voirdire.documents.document import Column, Document, Section, Table, Text, Tone, brief, detail, document
from voirdire.errors import InputError
from voirdire.instruments import Finding, Status
from voirdire.runs import ChainReport, Head, Journal, JournalError, RunFolder, head_line, manifest_hash
from voirdire.text.counting import counted

_BAD: tuple[Status, ...] = ("unknown", "differs")


class VerifyError(InputError):
    """What can't be verified: one sentence says what was given and what to give."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found of one path."""

    path: Path
    kind: str
    """"run", "export" …"""
    findings: tuple[Finding, ...]
    head: Head | None = None
    """Where the run's journal ends: what to publish."""
    named_head: str | None = None
    """Of a copy of figures alone without its run: the head that it names, the only thing that could be looked at."""
    complete: bool = True
    """Whether nothing of a run is still to be had; `True` also where that can't be told."""

    @property
    def ok(self) -> bool:
        """Whether nothing differs, and everything could be told."""
        return not any(each.status in _BAD for each in self.findings)

    @property
    def verdict(self) -> str:
        """All of it in one sentence."""
        differing, untold = (
            [each.what for each in self.findings if each.status == status] for status in ("differs", "unknown")
        )
        if differing:
            return f"{self.path} is not what it was: {_listed(differing)}."
        if self.named_head is not None:
            return f"Only the head that {self.path} names could be looked at ({self.named_head}), not the figures."
        if untold:
            return f"{self.path} shows no change, but not all of it can be told: {_listed(untold)}."
        more = "" if self.complete else " The run is not complete."
        return f"{self.path} holds: everything that was looked at is as it was written.{more}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "path": str(self.path),
            "kind": self.kind,
            "ok": self.ok,
            "complete": self.complete,
            "verdict": self.verdict,
            "head": None if self.head is None else {"links": self.head.links, "sha256": self.head.digest},
            "findings": as_plain(self.findings),
        }


_MARKS: dict[Status, tuple[str, Tone]] = {
    "ok": ("ok", "good"),
    "note": ("note", ""),
    "unknown": ("UNKNOWN", "warn"),
    "differs": ("DIFFERS", "bad"),
}


def verified_document(results: Sequence[Verified]) -> Document:
    """Of each path the verdict, then what needs a look; for those who ask for more, a line for every check."""
    return document(*(section for each in results for section in _sections(each)))


def _sections(result: Verified) -> Iterator[Section]:
    tone: Tone = "strong" if result.ok else "bad"
    head = [] if result.head is None else [Text(f"Journal head: {head_line(result.head)}")]
    yield Section(str(result.path), "", (Text(result.verdict, tone), *head))
    unlike = [each for each in result.findings if each.status != "ok"]
    fine = len(result.findings) - len(unlike)
    passed = f"{counted(fine, 'check')} passed; " if fine else ""
    rest = f"{passed}every check by name: --all."
    yield brief(*([_findings(unlike)] if unlike else []), Text(rest, "quiet"))
    yield detail(f"{result.path}-findings", _findings(result.findings), title=f"{result.path} ({result.kind})")


def _findings(findings: Sequence[Finding]) -> Table:
    columns = tuple(Column(key, "") for key in ("status", "what", "result"))
    rows = tuple(
        {"status": text(*_MARKS[each.status]), "what": text(each.what), "result": text(each.message.rstrip("."))}
        for each in findings
    )
    return Table("findings", columns, rows)


def _listed(names: Sequence[str], most: int = 4) -> str:
    unlike = list(dict.fromkeys(names))
    more = f" and {len(unlike) - most} more" if len(unlike) > most else ""
    return f"see {', '.join(unlike[:most])}{more}"


_DIGEST = re.compile(r"[0-9a-f]{64}")
_FILE, _CHAIN, _MANIFEST = "journal file", "hash chain", "run.json"
_PUBLISHED, _HEAD = "published head", "journal head"


def is_going_on(run: Path) -> bool:
    """Whether another process has the run open to write."""
    try:
        with (run / ".lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False  # nobody has ever held it, or it can't be asked
    return False


def check_digest(head: str | None) -> str | None:
    """A head as it was published, in small letters.

    Raises:
        VerifyError: it is no SHA-256.
    """
    if head is None:
        return None
    digest = head.strip().lower()
    if not _DIGEST.fullmatch(digest):
        raise VerifyError(f"--head is the SHA-256 of a journal's head, 64 digits from 0 to f; {head!r} was given.")
    return digest


def file_finding(journal: Journal) -> Finding:
    """Whether the file itself is whole."""
    try:
        damage = journal.damage()
    except JournalError as error:
        return Finding(_FILE, "differs", str(error))
    if damage:
        return Finding(_FILE, "differs", f"SQLite finds it damaged: {damage[0]}; put back a copy of it")
    return Finding(_FILE, "ok", "SQLite's own check finds nothing wrong")


def chain_findings(folder: RunFolder, report: ChainReport) -> Iterator[Finding]:
    """Whether every row is as it was written, and run.json the one that the journal was begun with."""
    for problem in report.problems:
        yield Finding(_CHAIN, "differs", problem)
    if not report.problems:
        calls, links = folder.journal.totals().calls, report.head.links
        seal = counted(links, "link seals", "links seal")
        yield Finding(_CHAIN, "ok", f"{seal} {counted(calls, 'call')}, and every text and note")
    first_link: Mapping[str, Any] = report.about[0] if report.about else {}
    yield _manifest(folder.path, first_link)


def _manifest(run: Path, first_link: Mapping[str, Any]) -> Finding:
    sealed = first_link.get("manifest")
    if sealed is None:
        return Finding(_MANIFEST, "unknown", "the chain does not say what it was when the journal was begun")
    if sealed != manifest_hash(run):
        return Finding(_MANIFEST, "differs", "it is not the one that the journal was begun with; take it from a copy")
    return Finding(_MANIFEST, "ok", "it is the one that the journal was begun with")


def head_finding(report: ChainReport, digest: str, what: str = _PUBLISHED) -> Finding:
    """Whether a head that was published is on a journal's chain."""
    if digest == report.head.digest:
        return Finding(what, "ok", "it is where this journal ends")
    if digest in report.earlier:
        return Finding(what, "ok", "this journal has passed it: the run has gone on since")
    return Finding(what, "differs", f"{digest[:12]}… is no link of this journal: it is another one, or was rebuilt")


def notes_on(folder: RunFolder, report: ChainReport) -> Iterator[Finding]:
    """What a reader should know of whoever wrote it."""
    versions = [str(about["voirdire"]) for about in report.about if "voirdire" in about]
    if len(set(versions)) > 1:
        yield Finding("sessions", "note", f"by different versions: {', '.join(dict.fromkeys(versions))}")
    errors, totals = folder.journal.errors(), folder.journal.totals()
    attempts = counted(totals.calls, "attempt")
    if errors:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in errors.items())
        yield Finding("calls", "note", f"{sum(errors.values()):,} of {attempts} failed ({kinds})")
    if totals.interrupted:
        yield Finding("calls", "note", f"{totals.interrupted:,} of {attempts} were broken off, and may be billed")
    redacted = folder.manifest.get("redacted")
    if redacted:
        yield Finding("redacted copy", "note", f"texts are hidden in it, and the chain is its own{_origin(redacted)}")


def _origin(redacted: Any) -> str:
    head = redacted.get("from") if isinstance(redacted, dict) else None
    return f"; made of the run whose journal ended at {head}" if isinstance(head, str) else ""


def head_findings(runs: Any, run: Path | None) -> Iterator[Finding]:
    """Whether what an export or a report says of its runs' journals is true of a run.

    Args:
        runs: what it says of them (`report.origins.origin_of`).
        run: the folder of one; `None`: nothing is looked at.
    """
    if run is None:
        return
    all_digests = (_digest(each) for each in runs or [] if isinstance(each, Mapping))
    digests = list(dict.fromkeys(digest for digest in all_digests if digest is not None))
    if not digests:
        yield Finding(_HEAD, "unknown", "the export does not say where the journal ended that it was made of")
        return
    with closing(RunFolder.open(run, read_only=True)) as folder:
        report = folder.journal.check()
    findings = [head_finding(report, digest, _HEAD) for digest in digests]
    yield next((each for each in findings if each.status == "ok"), findings[0])
    for problem in report.problems:
        yield Finding(f"hash chain of {run.name}", "differs", problem)


def _digest(origin: Mapping[str, Any]) -> str | None:
    journal = origin.get("journal")
    return str(journal["sha256"]) if isinstance(journal, Mapping) and "sha256" in journal else None
