"""From a run folder to the figures that a gate can ask for."""

from __future__ import annotations

from pathlib import Path

from voirdire.adapters.gate.records import GateError
from voirdire.adapters.loading import load
from voirdire.instruments import instrument_of, instruments
from voirdire.instruments.figures import Checked


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
    figures = instrument_of(run.instrument).figures
    if figures is None:
        having = ", ".join(each.name for each in instruments() if each.figures is not None)
        raise GateError(f"{path} is a run of {run.instrument}, which has no figures for a gate; runs of {having} do.")
    return figures(path, run.jury)
