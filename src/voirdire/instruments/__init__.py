"""What an instrument is, and which there are. Whoever loads, exports, verifies or redacts a run asks here."""

from voirdire.instruments.data import Data, NearlyDataError
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
from voirdire.instruments.questions import CompareQuestion, PowerQuestion, QuestionResult
from voirdire.instruments.registry import (
    ListedData,
    NoDataError,
    data_at,
    instrument_of,
    instrument_of_data,
    instrument_of_run,
    instruments,
    is_run,
    listed_data,
    run_advice,
)

__all__ = [
    "TABULAR",
    "CompareQuestion",
    "Data",
    "Derived",
    "Finding",
    "Instrument",
    "ListedData",
    "NearlyDataError",
    "NoDataError",
    "PowerQuestion",
    "QuestionResult",
    "RunProgress",
    "SnapshotFile",
    "Status",
    "Tables",
    "data_at",
    "instrument_of",
    "instrument_of_data",
    "instrument_of_run",
    "instruments",
    "is_run",
    "listed_data",
    "run_advice",
]
