"""The manifest beside an export: made from what, by what, and the hash of every file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from voirdire.adapters.export.records import ExportError
from voirdire.adapters.loading import LoadedRun

MANIFEST = "manifest.json"
_PRIVATE = frozenset({"info", "base_url", "api_key_env"})
"""Parts of run.json that say where somebody's machines and files are."""


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to write to; it takes its place only when all of it is written, and never another's.

    Raises:
        ExportError: something stands at `out`, or it can't be written.
    """
    check_free(out)
    out = out.resolve()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as beside:
            made = Path(beside) / out.name
            made.mkdir()
            yield made
            made.rename(out)
    except OSError as error:
        raise ExportError(f"{out} can't be written: {error.strerror or error}.") from error


def check_free(out: Path) -> None:
    """Make sure that nothing is there but an empty folder.

    Raises:
        ExportError: something is.
    """
    if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
        raise ExportError(f"{out} is there already: choose another place to export to.")


def described(run: LoadedRun) -> dict[str, Any]:
    """What a run was asked and by what version, without paths and addresses of the machine it was held on."""
    info = run.manifest.get("info", {})
    return {
        "run": run.path.resolve().name,
        **_public(run.manifest),
        **_jury(run),
        "versions": info.get("versions", {}),
        "begun": info.get("time"),
        "missing": missing(run),
    }


def missing(run: LoadedRun) -> dict[str, int]:
    """How much of a run is missing: verdicts, scores, answers, votes, audits, whatever its instrument has."""
    if run.instrument == "ddft":
        return {
            "answers": int(run.turns["answer"].isna().sum()),
            "verdicts": int(run.verdicts["missing"].notna().sum()),
            "unscored": int(run.scores["unscored"].notna().sum()),
            "not_judged": len(run.turns) - len(run.scores),
        }
    if run.instrument == "cognibench":
        statements = run.statements
        return {"labels": int(statements["label"].isna().sum()), "votes": int(statements["missing_votes"].sum())}
    if run.instrument == "integrity":
        return {"audits": int(run.audits["missing"].notna().sum()), "scores": int(run.responses["score"].isna().sum())}
    return {"replies": int((run.calls["status"] != "ok").sum())}


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Write the manifest, with the SHA-256 of every file that is there; what was written."""
    whole = {**manifest, "written": hashes(folder)}
    text = json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
    return whole


def hashes(place: Path) -> dict[str, str]:
    """SHA-256 of a file, or of every file in a folder but the manifest, by the path within it."""
    if place.is_file():
        return {place.name: _sha256(place)}
    files = sorted(path for path in place.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {path.relative_to(place).as_posix(): _sha256(path) for path in files}


def made_by() -> str:
    """This program and its version."""
    from voirdire import __version__

    return f"voirdire {__version__}"


def _jury(run: LoadedRun) -> dict[str, Any]:
    """Whose scores these are; run.json names the jury that the run was held with."""
    if run.jury is None:
        return {}
    others = [jury for jury in run.juries if jury != run.jury]
    return {"jury": list(run.judges), "jury_id": run.jury, "other_juries": others, "banner": run.banner}


def _public(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _public(each) for name, each in value.items() if name not in _PRIVATE}
    return [_public(each) for each in value] if isinstance(value, list) else value


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
