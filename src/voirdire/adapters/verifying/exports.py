"""An export verified: every file against the SHA-256 in its manifest, and its run's head against the run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from voirdire.adapters.verifying.journals import head_finding
from voirdire.adapters.verifying.records import Finding, Verified, VerifyError
from voirdire.data.manifests import Manifest, hashes, manifest_of, sha256
from voirdire.run import RunFolder

_HEAD = "journal head"


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


def head_findings(runs: Any, run: Path | None) -> Iterator[Finding]:
    """Whether what an export or a report says of its runs' journals is true of a run.

    Args:
        runs: what it says of them (`report.origins.origin_of`).
        run: the folder of one; `None`: nothing is looked at.
    """
    if run is None:
        return
    found = (_digest(each) for each in runs or [] if isinstance(each, Mapping))
    digests = list(dict.fromkeys(digest for digest in found if digest is not None))
    if not digests:
        yield Finding(_HEAD, "unknown", "the export does not say where the journal ended that it was made of")
        return
    with closing(RunFolder.open(run, read_only=True)) as folder:
        report = folder.journal.check()
    held = [head_finding(report, digest, _HEAD) for digest in digests]
    yield next((each for each in held if each.status == "ok"), held[0])
    for problem in report.problems:
        yield Finding(f"hash chain of {run.name}", "differs", problem)


def _digest(origin: Mapping[str, Any]) -> str | None:
    journal = origin.get("journal")
    return str(journal["sha256"]) if isinstance(journal, Mapping) and "sha256" in journal else None


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
