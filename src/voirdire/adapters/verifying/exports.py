"""Exports and reports verified: hashes in the manifest, the journal that they were made of, a report made again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.adapters.verifying.journals import head_findings
from voirdire.adapters.verifying.records import Verified, VerifyError
from voirdire.data.files import FileError, whole_text
from voirdire.data.manifests import Manifest, hashes, manifest_of, sha256
from voirdire.ddft.judging import juries_in
from voirdire.instruments import Finding
from voirdire.report.builder import text_of
from voirdire.run import RunFolder

_FORMS = (".html", ".md", ".json")
_HEAD = re.compile(r"[\d,]+ links?, sha256 ([0-9a-f]{64})")
"""As `run.head_line` says it."""
_LONGEST = 500_000_000


def verify_export(path: Path, run: Path | None = None) -> Verified:
    """Verify a folder or file that was exported.

    Args:
        path: of the folder or file.
        run: that it was made of, where it is at hand.

    Raises:
        VerifyError: no manifest of ours names it.
    """
    manifest = manifest_of(path)
    if manifest is None:
        raise VerifyError(
            f"{path} is neither the folder of a run nor an export with a whole manifest beside it, nor a report that "
            "says where its numbers come from."
        )
    findings = [*_files(manifest), *head_findings(manifest.said.get("runs"), run)]
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

    Args:
        path: of the file.
        run: that it was made of.

    Raises:
        VerifyError: no run is given to hold it against.
    """
    if run is None:
        raise VerifyError(f"{path} is a report: name the run that it was made of, with --run RUN, to hold it against.")
    findings = [*head_findings(_heads(path), run), *_again(path, run)]
    return Verified(path, "report", tuple(findings))


def _again(path: Path, run: Path) -> Iterator[Finding]:
    """The same report made again, as far as the run has not gone on since."""
    heads = _heads(path)
    if len(heads) > 1:
        yield Finding("text", "unknown", "it is of several runs, or names several heads: it was not made again")
        return
    with RunFolder.open(run, read_only=True) as folder:
        head = folder.journal.head()
        juries: list[str | None] = [None, *juries_in(folder.journal)]
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
    found = _HEAD.findall(text)
    if not found and path.suffix.lower() == ".json":
        found = re.findall(r'"journal": \{\s*"links": \d+,\s*"sha256": "([0-9a-f]{64})"', text)
    return [{"journal": {"sha256": digest}} for digest in dict.fromkeys(found)]
