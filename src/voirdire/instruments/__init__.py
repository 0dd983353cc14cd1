"""What an instrument is, and which there are. Whoever loads, exports, verifies or redacts a run asks here."""

from voirdire.instruments.data import AnswerCheck, Data, NearlyDataError
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
    answer_checker,
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
    "AnswerCheck",
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
    "answer_checker",
    "data_at",
    "instrument_of",
    "instrument_of_data",
    "instrument_of_run",
    "instruments",
    "is_run",
    "listed_data",
    "run_advice",
]
