"""What an instrument is, and which there are. Whoever loads, exports, verifies or redacts a run asks here."""

from voirdire.instruments.instrument import (
    TABULAR,
    Derived,
    Finding,
    Instrument,
    RunProgress,
    SnapshotFile,
    Status,
    Tables,
)
from voirdire.instruments.registry import instrument_of, instrument_of_run, instruments

__all__ = [
    "TABULAR",
    "Derived",
    "Finding",
    "Instrument",
    "RunProgress",
    "SnapshotFile",
    "Status",
    "Tables",
    "instrument_of",
    "instrument_of_run",
    "instruments",
]
