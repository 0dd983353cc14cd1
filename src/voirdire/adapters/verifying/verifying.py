"""What a path is, and who verifies it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from voirdire.adapters.verifying.exports import is_report, verify_export, verify_report
from voirdire.adapters.verifying.journals import check_digest
from voirdire.adapters.verifying.records import Verified, VerifyError
from voirdire.adapters.verifying.runs import is_spread, verify_run, verify_shards
from voirdire.data.manifests import manifest_of
from voirdire.data.paths import AnyPath, as_path, as_paths

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
    return [_verified(path, digest, None if path.resolve() == itself else source) for path in paths]


def _verified(path: Path, digest: str | None, run: Path | None) -> Verified:
    if not path.exists():
        raise VerifyError(f"There is no {path}; give the folder of a run, an export with its manifest, or a report.")
    if (path / _RUN).is_file():
        return verify_run(path, digest, run)
    if path.is_dir() and is_spread(path):
        if run is not None:
            raise VerifyError(f"--run is what an export, a report or a redacted copy is held against; {path} is none.")
        return verify_shards(path)
    if manifest_of(path) is None and is_report(path):
        return verify_report(path, run)
    return verify_export(path, run)
