"""The description of the instrument: results that somebody else made, which need be no run."""

from __future__ import annotations

from voirdire.instruments.instrument import Instrument

INSTRUMENT = Instrument(
    name="evaluation",
    no_report="audit the files themselves: voirdire audit {run} -o report.html",
)
