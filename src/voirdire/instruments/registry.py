"""Which instruments there are."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from voirdire.instruments.instrument import Instrument
from voirdire.runs import RunFolder

_MODULES = {
    "ddft": "voirdire.ddft.instrument",
    "cognibench": "voirdire.cognibench.labelling.instrument",
    "cognibench-dialogues": "voirdire.cognibench.generation.instrument",
    "integrity": "voirdire.integrity.instrument",
    "evaluation": "voirdire.evaluation.instrument",
    "cognibench-reasons": "voirdire.cognibench.diagnosis.examples",
    "integrity-facts": "voirdire.integrity.fact_candidates",
    "detector": "voirdire.detectors.instrument",
    "jury-bench": "voirdire.jury.judge_accuracy.instrument",
    "jury-injection": "voirdire.jury.injection.instrument",
}
"""Where each one is described, by the name in run.json. They are imported when one is asked for."""


def instruments() -> list[Instrument]:
    """All of ours."""
    return [instrument_of(name) for name in _MODULES]


@cache
def instrument_of(name: str) -> Instrument:
    """What is known of an instrument; of one that is not ours, its name."""
    module = _MODULES.get(name)
    if module is None:
        return Instrument(name=name)
    instrument: Instrument = import_module(module).INSTRUMENT
    return instrument


def instrument_of_run(path: Path) -> Instrument:
    """The instrument that a run is of; one without a name where run.json names none.

    Raises:
        RunFolderError: there is no run, or its manifest is damaged.
    """
    with RunFolder.open(path, read_only=True) as folder:
        return instrument_of(str(folder.manifest.get("instrument", "")))
