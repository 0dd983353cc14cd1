"""Detectors that ask a model, described for the rest of the package."""

from __future__ import annotations

from voirdire.instruments import Instrument

INSTRUMENT = Instrument(
    name="detector",
    contents="calls of a detector",
    no_report="it holds a detector's calls: voirdire cognibench bench says how good the detector is",
)
