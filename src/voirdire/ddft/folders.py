"""Opening the folder of a cross-examination: what its run.json lacks, or whose it is, is said in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from voirdire.instruments import instrument_of
from voirdire.runs import RunFolder, RunFolderError

INSTRUMENT = "ddft"
_MANIFEST = "run.json"
_MANIFEST_FIELDS: Mapping[str, type] = {
    "models": list,
    "interviewer": str,
    "jury": list,
    "seed": int,
    "preset": dict,
    "concepts": dict,
}
_PRESET: Mapping[str, type] = {"name": str, "levels": list, "samples": int, "trap": str}
_CALLED: Mapping[type, str] = {list: "a list", dict: "an object", str: "a text", int: "a whole number"}


def open_examination(path: Path, *, read_only: bool = False) -> RunFolder:
    """Open the folder of a cross-examination; the caller closes it.

    Raises:
        RunFolderError: there is no run, it is another instrument's, or its manifest lacks something.
    """
    # Before anything is written: a journal must not be begun in a folder that is somebody else's.
    folder = RunFolder.open(path, read_only=True)
    try:
        check_manifest(path, folder.manifest)
    except RunFolderError:
        folder.close()
        raise
    if read_only:
        return folder
    folder.close()
    return RunFolder.open(path)


def check_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Make sure that a manifest is that of a cross-examination, and whole.

    Raises:
        RunFolderError: the sentence names the file, and what is wrong with it.
    """
    place = path / _MANIFEST
    instrument = manifest.get("instrument")
    if instrument is None:
        raise RunFolderError(
            f"The file {place} names no instrument: it is damaged, or no run of voirdire run; take it from a copy."
        )
    if instrument != INSTRUMENT:
        other = instrument_of(str(instrument))
        contents = other.contents or f"a run of {instrument!r}"
        raise RunFolderError(f"{path} holds {contents} and no cross-examination: {other.readers} read it.")
    faults = [*_faults(manifest, _MANIFEST_FIELDS, ""), *_faults(manifest.get("preset"), _PRESET, "preset.")]
    if faults:
        raise RunFolderError(f"The file {place} is damaged: {', '.join(faults)}; take it from a copy of the run.")


def _faults(there: Any, expected: Mapping[str, type], front: str) -> list[str]:
    if not isinstance(there, dict):
        return []  # said of the whole already
    missing = [f"{front}{name}" for name in expected if name not in there]
    wrong = [
        f"{front}{name} is not {_CALLED[kind]}"
        for name, kind in expected.items()
        if name in there and not isinstance(there[name], kind)
    ]
    return ([f"it lacks {', '.join(missing)}"] if missing else []) + wrong
