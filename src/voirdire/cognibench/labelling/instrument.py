"""Labelling, described for the rest of the package."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn, cast, get_args

from voirdire.cognibench.formats import iter_answers, iter_jsonl, layout_of
from voirdire.cognibench.labelling.records import ANSWERS, manifest_of, progress_of, read_labelled, status_of
from voirdire.cognibench.labelling.records import INSTRUMENT as NAME
from voirdire.cognibench.labelling.session import answers_sha256, statement_rows
from voirdire.cognibench.labelling.summary import run_figures, scale, summarise
from voirdire.cognibench.records import CognibenchError, answer_frame
from voirdire.cognibench.report import document
from voirdire.detectors.records import History
from voirdire.documents.document import Document
from voirdire.instruments import AnswerCheck, CompareQuestion, Data, Instrument, SnapshotFile, Tables, run_advice
from voirdire.instruments.instrument import Frames, RunSummary, Writer
from voirdire.runs import RunFolder, write_frames


def _build(folder: RunFolder) -> Frames:
    labelled = read_labelled(folder.path)
    require = manifest_of(folder.path)["plan"]["require"]
    return {
        "statements": statement_rows(labelled, require),
        "answers": answer_frame([each.answer for each in labelled]),
    }


def _make(folder: RunFolder, into: Path, tables: Collection[str]) -> None:
    write_frames(_build(folder), into)


def _snapshot_files(folder: RunFolder) -> Iterator[SnapshotFile]:
    path = folder.path / ANSWERS
    digest = answers_sha256(list(iter_jsonl(path))) if path.is_file() else None
    yield SnapshotFile(ANSWERS, folder.manifest.get("answers_sha256"), digest)


def _categories() -> Mapping[str, Collection[str]]:
    from voirdire.detectors.labelling.records import FORMS, TYPE_SOURCES, Vote
    from voirdire.detectors.records import HISTORIES, LABELS, REQUIREMENTS, StatementType

    return {
        "label": LABELS,
        "type": get_args(StatementType),
        "votes": get_args(Vote),
        "form": FORMS,
        "history": HISTORIES,
        "require": REQUIREMENTS,
        "types": TYPE_SOURCES,
    }


def _summary(path: Path, _: str | None) -> RunSummary:
    from voirdire.cognibench.labelling.report import labels_document

    result = summarise(path)
    return RunSummary(result.as_dict(), lambda: labels_document(result))


_FUNCTION = "voirdire.adapters.writers.labelled_answers:export_labelled"
WRITERS = {name: Writer(_FUNCTION, ("split",)) for name in ("released", "huggingface", "jsonl")}


def _check_data(path: Path) -> None:
    """Make sure that labelled data are there, as far as their beginning tells."""
    if layout_of(path) == "jsonl" and next(iter_answers(path), None) is None:
        raise CognibenchError("it holds no answers.")


def _data_document(paths: Sequence[Path]) -> Document:
    from voirdire.cognibench.detection_page import data_document

    if len(paths) > 1:
        raise CognibenchError(f"{paths[0]} is a file of answers, and no run: make a report of it alone.")
    return data_document(paths[0])


def _refuse_to_compare(paths: Sequence[Path], question: CompareQuestion) -> NoReturn:
    """Say how two versions' answers are compared: only with people's labels of some."""
    raise CognibenchError(
        f"{paths[0]} holds answers, and compare takes runs or results of an evaluation. To compare two versions, put "
        "their answers into one file, with the version as model, and label some: voirdire jury worth (see "
        f"docs/judge-worth.md, “Before and after a change”).{run_advice(paths[0])}"
    )


def _checked_document(path: Path, how: AnswerCheck) -> Document:
    from voirdire.cognibench.detection_page import data_document
    from voirdire.cognibench.detection_workers import DetectTask
    from voirdire.cognibench.formats.other_tools import named_columns
    from voirdire.detectors import DetectorOptions

    task = DetectTask(
        how.detector,
        DetectorOptions(threshold=how.threshold),
        cast(History, how.history),
        skip_bad=how.skip_bad,
        columns=() if how.columns is None else named_columns(how.columns),
    )
    return data_document(path, task=task)


INSTRUMENT = Instrument(
    name=NAME,
    contents="labels of answers",
    rating_task="cognibench",
    tables=Tables(("statements", "answers"), _build),
    files=("statements.parquet",),
    optional=("answers.parquet",),  # of runs that were held in shards
    make=_make,
    snapshot=_snapshot_files,
    texts=(ANSWERS,),
    categories=_categories,
    status=lambda folder, _: status_of(folder),
    progress=progress_of,
    summary=_summary,
    document=document,
    figures=run_figures,
    headline=(
        "hallucinated_pct",
        "hallucinated_pct is the share of hallucinated statements among all n, in percent.",
    ),
    scale=scale,
    forms=("sft", "released", "huggingface", "jsonl", "parquet", "csv", "inspect"),
    writers={"sft": Writer(_FUNCTION, ("split", "require", "history")), **WRITERS},
    data=Data(
        what="labelled data or a file of answers",
        check=_check_data,
        document=_data_document,
        checked=_checked_document,
        compare=_refuse_to_compare,
    ),
    inspect_log="voirdire.adapters.inspect.export_cognibench",
)
