"""Readers and writers of grounded dialogues: one type, `Answer`, whatever the file looked like.

from voirdire.cognibench.formats import read_answers
read_answers(Path("log.jsonl"))
"""

from voirdire.cognibench.formats._lines import BadEntriesError, Entry, read_entries
from voirdire.cognibench.formats.jsonl import answers_of, iter_jsonl
from voirdire.cognibench.formats.naming import Names, Seen
from voirdire.cognibench.formats.opening import (
    LAYOUTS,
    iter_answers,
    iter_unread,
    layout_of,
    read_answers,
    read_data,
    read_projects_with,
)
from voirdire.cognibench.formats.problems import (
    DataWarning,
    Problem,
    Problems,
    Reading,
    Tell,
    ignore,
    summarise_problems,
)
from voirdire.cognibench.formats.ragtruth import iter_ragtruth
from voirdire.cognibench.formats.released import read_released
from voirdire.cognibench.formats.writer import as_entry, write_jsonl

__all__ = [
    "LAYOUTS",
    "BadEntriesError",
    "DataWarning",
    "Entry",
    "Names",
    "Problem",
    "Problems",
    "Reading",
    "Seen",
    "Tell",
    "answers_of",
    "as_entry",
    "ignore",
    "iter_answers",
    "iter_jsonl",
    "iter_ragtruth",
    "iter_unread",
    "layout_of",
    "read_answers",
    "read_data",
    "read_entries",
    "read_projects_with",
    "read_released",
    "summarise_problems",
    "write_jsonl",
]
