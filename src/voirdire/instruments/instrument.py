"""The description of an instrument. A new one is a folder with an `instrument.py`, and one line in the registry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from voirdire.data.table_values import typed
from voirdire.documents.document import Document
from voirdire.instruments.figures import RunFigures, Scale
from voirdire.instruments.questions import CompareQuestion, QuestionResult
from voirdire.runs import RunFolder, RunStatus
from voirdire.text.counting import listed

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.instruments.data import Data

Frames = Mapping[str, "pd.DataFrame"]
PLAIN_TABLES = ("parquet", "csv", "jsonl")
"""Forms that any table can be written in."""
TABULAR = (*PLAIN_TABLES, "huggingface")
"""The same, and a data set for the hub, whose card says what the rows are."""

Status = Literal["ok", "note", "unknown", "differs"]
"""Whether a thing is as it should be: yes; yes, but know this; it can't be told; no."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. Its texts are lines: what they quote must not look like another finding."""

    what: str
    """"hash chain", "turns.parquet", "concept recursion" …"""
    status: Status
    message: str

    def __post_init__(self) -> None:
        for name in ("what", "message"):
            object.__setattr__(self, name, one_line(getattr(self, name)))

    def as_dict(self) -> dict[str, str]:
        """For JSON."""
        return {"what": self.what, "status": self.status, "message": self.message}


def one_line(text: str) -> str:
    """The text without line breaks."""
    return " ".join(text.split())


class Tables(NamedTuple):
    """Tables that are made together, of the journal and what the run keeps."""

    names: tuple[str, ...]
    build: Callable[[RunFolder], Frames]


def _calls(folder: RunFolder) -> Frames:
    return {"calls": typed(folder.journal.calls_frame())}


CALLS = Tables(("calls",), _calls)
"""What every run has."""


class Derived(NamedTuple):
    """Tables that are computed of a run's results, under one jury."""

    names: tuple[str, ...]
    build: Callable[[Path, str | None], Frames]


class Writer(NamedTuple):
    """What writes runs in a form of their own. It is named and not imported: it lies above the instruments."""

    function: str
    """"module:function", which takes an `adapters.export_files.ExportPlan` and writes it."""
    options: tuple[str, ...]
    """Fields of the plan that change what is written."""
    several: bool = False
    """Whether it writes several runs as one."""


class RunSummary(NamedTuple):
    """What a run found, as `voirdire show` prints it."""

    data: Mapping[str, Any]
    """As JSON."""
    document: Callable[[], Document]
    """For people."""
    texts: Callable[[], Document] | None = None
    """Every text with its scores; `None` where the report alone has them."""


class RunProgress(NamedTuple):
    """How much of a run is done: what can be counted in the journal, without reading its tables."""

    done: int
    """Units that no further call would change."""
    of: int
    unit: str
    """In the plural: "dialogues", "answers", "audits"."""


class Overview(NamedTuple):
    """A run at a glance."""

    headline: str
    """What was found, in one line."""
    document: Callable[[], Document]
    """The verdict, and the models ranked."""
    report: Callable[[], Document] | None = None
    """The whole report, of what was read for this already; `None` where it is to be read anew."""


class SnapshotFile(NamedTuple):
    """A file that a run keeps beside its journal, and what it should hold."""

    what: str
    """What it is, for people: "concept recursion", "responses.jsonl"."""
    expected: str | None
    """Its SHA-256 in run.json; `None` where that says none."""
    actual: str | None
    """The SHA-256 of what is there; `None` where nothing is."""


def _no_check(_: Path, __: Mapping[str, Any]) -> None:
    return None


def _no_files(_: RunFolder) -> Iterator[SnapshotFile]:
    return iter(())


def _no_findings(_: RunFolder) -> Iterator[Finding]:
    return iter(())


def _no_juries(_: RunFolder) -> Mapping[str, Mapping[str, Any]]:
    return {}


def _no_scale(_: str) -> Scale:
    return Scale()


def _no_categories() -> Mapping[str, Collection[str]]:
    return {}


def _no_progress(_: RunFolder) -> None:
    return None


def _calls_alone(folder: RunFolder, _: str | None) -> RunStatus:
    return RunStatus(missing={"replies": folder.journal.errors()}, known=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """All that the rest of the package knows of an instrument. Every part but the name may be left out."""

    name: str
    """As run.json has it."""
    contents: str = ""
    """What its runs hold, to name one by: "an audit of responses"."""
    tables: Tables | None = None
    """Its own tables; every run has its calls beside."""
    files: tuple[str, ...] = ()
    """Files that a run has once it has ended: made of the journal, and made again to verify it."""
    optional: tuple[str, ...] = ()
    """Files of that kind that only some runs have."""
    make: Callable[[RunFolder, Path, Collection[str]], None] | None = None
    """Makes the files again, into another folder: (run, folder, the names that are wanted)."""
    snapshot: Callable[[RunFolder], Iterator[SnapshotFile]] = _no_files
    """The files that a run keeps of what it was asked on."""
    texts: tuple[str, ...] = ()
    """Names of files with texts that a run keeps, where run.json does not name them: to be cleaned in a copy."""
    text_fields: tuple[str, ...] = ()
    """Fields of run.json that name a file with texts."""
    hash_fields: tuple[str, ...] = ()
    """Fields of run.json with the SHA-256 of texts by name: files HASH.yaml in a folder of the field's name."""
    categories: Callable[[], Mapping[str, Collection[str]]] = _no_categories
    """Words that its runs hold to be read back, by field of run.json and of the journal: they stay in every copy."""
    check: Callable[[Path, Mapping[str, Any]], None] = _no_check
    """Makes sure that run.json is whole: (run, what it holds). Raises an `InputError` that names what is wrong."""
    findings: Callable[[RunFolder], Iterator[Finding]] = _no_findings
    """What else there is to verify."""
    status: Callable[[RunFolder, str | None], RunStatus] = _calls_alone
    """How far a run has come, and what is missing: (run, id of a jury)."""
    progress: Callable[[RunFolder], RunProgress | None] = _no_progress
    """The same in numbers, quickly: for whoever looks every few seconds. `None` where it can't be counted."""
    juries: Callable[[RunFolder], Mapping[str, Mapping[str, Any]]] = _no_juries
    """By id, the juries that have judged a run, the first that it was held with: "judges", "banner"."""
    by_jury: tuple[str, ...] = ()
    """Tables that hold what several juries said, with a column "jury"."""
    derived: Derived | None = None
    """Tables that are computed of its results."""
    results: Callable[[Path, str | None], Mapping[str, Any]] | None = None
    """All results as JSON: (run, id of a jury)."""
    load: Callable[[Path, str | None], object] | None = None
    """All results as Python objects, with a profile for each model: (run, id of a jury)."""
    summary: Callable[[Path, str | None], RunSummary] | None = None
    """What a run found: (run, id of a jury)."""
    overview: Callable[[Path, str | None], Overview] | None = None
    """A run at a glance, as a notebook shows it: (run, id of a jury)."""
    curves: Callable[[Path, str | None], pd.DataFrame] | None = None
    """What a chart of a run is drawn of, as `reports.chart_files.curves_by_model` takes it: (run, id of a jury)."""
    document: Callable[[Sequence[Path], str | None], Document] | None = None
    """The report on several runs: (runs, id of a jury)."""
    no_report: str = ""
    """Of an instrument without a report: why, and what to do; "{run}" stands for the run."""
    figures: Callable[[Path, str | None], RunFigures] | None = None
    """What limits can be set on: (run, id of a jury)."""
    headline: tuple[str, str] | None = None
    """The figure that a list of runs shows: its metric, and what that is, in a sentence."""
    validate: Callable[[Path, str | None], QuestionResult] | None = None
    """Whether the test itself was sound: (run, id of a jury)."""
    compare: Callable[[Sequence[Path], str | None, CompareQuestion], QuestionResult] | None = None
    """Which models of several runs differ: (runs, id of a jury, question)."""
    reliability: Callable[[Path, str | None], QuestionResult] | None = None
    """How far its judges agree: (run, id of a jury)."""
    scale: Callable[[str], Scale] = _no_scale
    """The values of a metric, which are good, and what it is in words."""
    first_figures: tuple[str, ...] = ()
    """The metrics that people should read first, where there are many; empty for all of them."""
    forms: tuple[str, ...] = PLAIN_TABLES
    """What its runs can be exported to."""
    writers: Mapping[str, Writer] = field(default_factory=dict)
    """By form, what writes it where its tables alone would not do."""
    data: Data | None = None
    """Of an instrument that also reads what is no run: how such data are known, and what it makes of them."""
    rating_task: str = ""
    """The name of the task by which people rate its runs, in `raters.tasks`; "" where none does."""
    inspect_log: str = ""
    """The module that makes Inspect's logs of its runs, with `subjects(run, manifest, jury)`; "" where none does."""
    rows: Mapping[str, str] = field(default_factory=dict)
    """What a row of each table is, for a data card."""
    about: str = ""
    """What its runs are, for a data card: a heading and a paragraph, in Markdown."""

    @property
    def readers(self) -> str:
        """The commands that read its runs: "voirdire show, export and verify"."""
        parts = (
            ("show", self.summary or self.document),
            ("report", self.document),
            ("validate", self.validate),
            ("compare", self.compare),
            ("gate", self.figures),
        )
        return f"voirdire {listed([*(name for name, part in parts if part is not None), 'export', 'verify'])}"

    @property
    def all_tables(self) -> tuple[Tables, ...]:
        """Its own tables, and the calls."""
        return (CALLS,) if self.tables is None else (self.tables, CALLS)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of all tables: its own, those computed of them, and the calls."""
        own = () if self.tables is None else self.tables.names
        return (*own, *(() if self.derived is None else self.derived.names), *CALLS.names)
