"""An instrument in one file: it counts the notes of a run."""

import pandas as pd

from voirdire.instruments import Finding, Instrument, KeptFile, Tables
from voirdire.run import Standing, write_frames


def _build(folder):
    notes = list(folder.journal.notes(["count"]))
    return {"counts": pd.DataFrame({"name": [note.dialogue for note in notes], "n": [note.body for note in notes]})}


def _status(folder, jury):
    left = 3 - len(list(folder.journal.notes(["count"])))
    return Standing(f"{left} of 3 things are to be counted." if left else None)


INSTRUMENT = Instrument(
    name="toy",
    tables=Tables(("counts",), _build),
    files=("counts.parquet",),
    make=lambda folder, into, wanted: write_frames(_build(folder), into),
    kept=lambda folder: iter([KeptFile("list", folder.manifest["list"], "b" * 64)]),
    findings=lambda folder: iter([Finding("toy", "note", "it is a toy")]),
    status=_status,
)
