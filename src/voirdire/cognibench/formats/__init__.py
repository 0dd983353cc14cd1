"""Readers and writers of grounded dialogues: one type, `Answer`, whatever the file looked like.

from voirdire.cognibench.formats import read_answers
read_answers(Path("log.jsonl"))
"""

from voirdire.cognibench.formats.jsonl import answers_of, as_entry, iter_jsonl, write_jsonl
from voirdire.cognibench.formats.lines import BadEntriesError, Entry, Seen, TakenIds, read_entries
from voirdire.cognibench.formats.opening import (
    LAYOUTS,
    iter_answers,
    iter_entries,
    layout_of,
    read_answers,
    read_data,
)
from voirdire.cognibench.formats.problems import (
    DataWarning,
    Problem,
    Problems,
    Reading,
    Tell,
    ignore,
    model_names,
    summarise_problems,
)
from voirdire.cognibench.formats.ragtruth import iter_ragtruth
from voirdire.cognibench.formats.released import read_released

__all__ = [
    "LAYOUTS",
    "BadEntriesError",
    "DataWarning",
    "Entry",
    "Problem",
    "Problems",
    "Reading",
    "Seen",
    "TakenIds",
    "Tell",
    "answers_of",
    "as_entry",
    "ignore",
    "iter_answers",
    "iter_entries",
    "iter_jsonl",
    "iter_ragtruth",
    "layout_of",
    "model_names",
    "read_answers",
    "read_data",
    "read_entries",
    "read_released",
    "summarise_problems",
    "write_jsonl",
]
