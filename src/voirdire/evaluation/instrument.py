"""The description of the instrument: results that somebody else made, which need be no run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from voirdire.documents.document import Document
from voirdire.evaluation.formats import check_results, files_of
from voirdire.instruments import CompareQuestion, Data, Instrument, PowerQuestion, QuestionResult
from voirdire.instruments.figures import RunFigures
from voirdire.instruments.instrument import RunSummary, Writer


def _summary(paths: Sequence[Path]) -> RunSummary:
    from voirdire.evaluation.audit import audit
    from voirdire.evaluation.report import brief_document

    result = audit(paths)
    return RunSummary(result.as_dict(), lambda: brief_document(result))


def _document(paths: Sequence[Path]) -> Document:
    from voirdire.evaluation.audit import audit
    from voirdire.evaluation.report import audit_document

    return audit_document(audit(paths))


def _figures(path: Path) -> RunFigures:
    from voirdire.evaluation.questions import figures

    return figures(path)


def _validate(paths: Sequence[Path]) -> QuestionResult:
    from voirdire.evaluation.questions import validate

    return validate(paths)


def _compare(paths: Sequence[Path], question: CompareQuestion) -> QuestionResult:
    from voirdire.evaluation.questions import compare

    return compare(paths, question)


def _power(paths: Sequence[Path], question: PowerQuestion) -> QuestionResult:
    from voirdire.evaluation.questions import power

    return power(paths, question)


def _reliability(paths: Sequence[Path]) -> QuestionResult:
    from voirdire.evaluation.questions import reliability

    return reliability(paths)


_FUNCTION = "voirdire.adapters.writers.evaluations:export_results"

INSTRUMENT = Instrument(
    name="evaluation",
    no_report="name the files of results themselves, and no run",
    writers={form: Writer(_FUNCTION, (), several=True) for form in ("parquet", "csv", "jsonl", "every-eval-ever")},
    data=Data(
        what="results of an evaluation",
        check=check_results,
        files=files_of,
        document=_document,
        summary=_summary,
        figures=_figures,
        validate=_validate,
        compare=_compare,
        power=_power,
        reliability=_reliability,
    ),
)
