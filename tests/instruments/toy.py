"""An instrument in one file: it counts the notes of a run."""

import math

import pandas as pd

from voirdire.adapters.export_files import RunExport
from voirdire.documents.document import Cell, Column, Document, Section, Table, Text
from voirdire.instruments import Finding, Instrument, SnapshotFile, Tables
from voirdire.instruments.figures import ModelFigure, RunFigures, Scale, Subject
from voirdire.instruments.instrument import PLAIN_TABLES, Writer
from voirdire.reason_codes import declare, reason
from voirdire.runs import RunFolder, RunStatus, write_frames

declare({"toy_sum": "a sum has none"})


def _build(folder):
    notes = list(folder.journal.notes(["count"]))
    return {"counts": pd.DataFrame({"name": [note.dialogue for note in notes], "n": [note.body for note in notes]})}


def _status(folder, jury):
    left = 3 - len(list(folder.journal.notes(["count"])))
    return RunStatus(f"{left} of 3 things are to be counted." if left else None)


def _counted(path):
    with RunFolder.open(path, read_only=True) as folder:
        return _build(folder)["counts"]


def _document(runs, jury):
    found = _counted(runs[0])
    pairs = zip(found["name"], found["n"].tolist(), strict=True)
    rows = tuple({"name": Cell(name, name), "n": Cell(n, str(n))} for name, n in pairs)
    table = Table("counts", (Column("name", "what"), Column("n", "how many", numeric=True)), rows)
    section = Section("counts", "Counts", (Text("Two things were counted."), table))
    return Document("What was counted", "", (section,), (), {"instrument": "toy", "provenance": {}})


def _figures(path, jury):
    total = int(_counted(path)["n"].sum())
    return RunFigures(
        path, "toy", (Subject(path, "toy", "all", {"total": ModelFigure(total, None, reason("toy_sum"))}),)
    )


def write_lines(plan):
    plan.out.write_text("".join(f"{name}\n" for run in plan.runs for name in _counted(run)["name"]))
    return RunExport(plan.out, (plan.out,), {"target": plan.target}, ("Names in lines.",))


INSTRUMENT = Instrument(
    name="toy",
    tables=Tables(("counts",), _build),
    files=("counts.parquet",),
    make=lambda folder, into, wanted: write_frames(_build(folder), into),
    snapshot=lambda folder: iter([SnapshotFile("list", folder.manifest["list"], "b" * 64)]),
    findings=lambda folder: iter([Finding("toy", "note", "it is a toy")]),
    status=_status,
    document=_document,
    figures=_figures,
    scale=lambda metric: Scale(0.0, math.inf, "min"),
    forms=(*PLAIN_TABLES, "huggingface", "lines"),
    writers={"lines": Writer("tests.instruments.toy:write_lines", ("seed",), several=True)},
    rating_task="tiny",
    rows={"counts": "a thing and how often it was counted"},
    about="# Things, counted",
)
