"""From a run folder to the figures that a gate can ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from voirdire.adapters.gate.records import Checked, GateError
from voirdire.adapters.loading import LoadedRun, load


def read_checked(path: Path, jury: str | None = None) -> Checked:
    """A run with its models' figures, and what must be known of it; nothing is called.

    Raises:
        RunFolderError, LoadError: there is no run, or no such jury has judged it.
        GateError: a gate knows no figures of this instrument, or it is a file.
    """
    if path.is_file():
        raise GateError(
            f"{path} is a file, and a gate reads run folders. For a file of answers: voirdire detect {path} "
            "--max-flagged 5%."
        )
    run = load(path, jury)
    read = _READERS.get(run.instrument)
    if read is None:
        raise GateError(
            f"{path} is a run of {run.instrument}, which has no figures for a gate; runs of {', '.join(_READERS)} do."
        )
    return read(run)


def _ddft(run: LoadedRun) -> Checked:
    from voirdire.adapters.gate._ddft import checked

    return checked(run)


def _cognibench(run: LoadedRun) -> Checked:
    from voirdire.adapters.gate._cognibench import checked

    return checked(run)


def _integrity(run: LoadedRun) -> Checked:
    from voirdire.adapters.gate._integrity import checked

    return checked(run)


_READERS: Mapping[str, Callable[[LoadedRun], Checked]] = {
    "ddft": _ddft,
    "cognibench": _cognibench,
    "integrity": _integrity,
}
