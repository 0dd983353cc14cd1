"""The tables of a run, whatever instrument it is of: made from the journal and what the run keeps, never asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire.data.json_text import without_halves
from voirdire.models.secrets import forms_of, hide, is_secret, known_secrets
from voirdire.run import RunFolder

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.detectors.records import Answer
    from voirdire.integrity.results import Audited

Frames = Mapping[str, "pd.DataFrame"]
Build = Callable[[Path], Frames]

RESPONSE_COLUMNS = (
    *("id", "context", "response", "score", "band", "provisional", "unscored", "pervasive", "minor", "moderate"),
    *("severe", "deduplicated_score", "per_100_words", "median_score", "holistic"),
)
VIOLATION_COLUMNS = (
    *("id", "type", "severity", "penalty", "sentence", "span", "fact", "reason", "source", "confidence", "dropped"),
)
AUDIT_COLUMNS = ("id", "auditor", "score", "violations", "voided", "missing", "repairs")
ANSWER_COLUMNS = (
    *("id", "dialogue", "group", "turn", "topic", "model", "context", "history", "question", "answer"),
    *("sentences", "labelled"),
)


class Group(NamedTuple):
    """Tables that are made together."""

    names: tuple[str, ...]
    build: Build


def tables_of(instrument: str) -> tuple[str, ...]:
    """Names of the tables that runs of an instrument have; a run of any kind has its calls."""
    return tuple(name for group in groups_of(instrument) for name in group.names)


def groups_of(instrument: str) -> tuple[Group, ...]:
    """The same, with what makes them."""
    return (*_OWN.get(instrument, ()), Group(("calls",), _calls))


def typed(frame: pd.DataFrame) -> pd.DataFrame:
    """Numbers as numbers and texts as texts, also in columns that hold nothing but missing values."""
    import pandas as pd

    frame = frame.astype({name: kind for name, kind in _NUMBERS.items() if name in frame})
    texts = [
        name
        for name in frame.columns
        if pd.api.types.is_object_dtype(frame[name]) and all(isinstance(each, str) for each in frame[name].dropna())
    ]
    return frame.astype(dict.fromkeys(texts, "string"))


def _examination(path: Path) -> Frames:
    from voirdire.ddft.tables import build_tables

    with RunFolder.open(path, read_only=True) as folder:
        return {name: typed(frame) for name, frame in build_tables(folder.journal)._asdict().items()}


def _labels(path: Path) -> Frames:
    from voirdire.cognibench.labelling import manifest_of, read_labelled
    from voirdire.cognibench.labelling.tables import statement_rows

    labelled = read_labelled(path)
    require = manifest_of(path)["plan"]["require"]
    return {
        "statements": statement_rows(labelled, require),
        "answers": _answers([each.answer for each in labelled]),
    }


def _dialogues(path: Path) -> Frames:
    from voirdire.cognibench.generation import read_generated

    return {"answers": _answers(read_generated(path))}


def _answers(answers: Sequence[Answer]) -> pd.DataFrame:
    rows = [
        {name: getattr(each, name) for name in ANSWER_COLUMNS[:7]}
        | {"history": [exchange._asdict() for exchange in each.history], "question": each.question}
        | {"answer": each.text, "sentences": len(each.statements)}
        | {"labelled": sum(statement.label is not None for statement in each.statements)}
        for each in answers
    ]
    return _frame(rows, ANSWER_COLUMNS)


def _audits(path: Path) -> Frames:
    from voirdire.integrity.results import read_audits

    responses: list[dict[str, Any]] = []
    violations: list[dict[str, Any]] = []
    audits: list[dict[str, Any]] = []
    for audited in read_audits(path):
        own = {"id": audited.item.id}
        responses.append(own | _response(audited))
        violations += [own | charge for charge in _charges(audited)]
        audits += [own | each | {"voided": len(each["voided"])} for each in audited.decision.as_dict()["auditors"]]
    return {
        "responses": _frame(responses, RESPONSE_COLUMNS),
        "violations": _frame(violations, VIOLATION_COLUMNS),
        "audits": _frame(audits, AUDIT_COLUMNS),
    }


def _response(audited: Audited) -> dict[str, Any]:
    item, decision, found = audited.item, audited.decision, audited.decision.consensus
    row = {
        "context": item.context,
        "response": item.response,
        "provisional": audited.provisional,
        "unscored": decision.unscored,
        "median_score": decision.median,
        "holistic": item.holistic,
    }
    if found is None:
        return row
    scored = {name: getattr(found, name) for name in ("score", "pervasive", "deduplicated_score", "per_100_words")}
    return row | scored | found.counts | {"band": found.band.name}


def _charges(audited: Audited) -> list[dict[str, Any]]:
    return [charge.as_dict() for charge in audited.decision.findings]


def _calls(path: Path) -> Frames:
    with RunFolder.open(path, read_only=True) as folder:
        return {"calls": typed(folder.journal.calls_frame())}


def _frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    secrets = forms_of(filter(is_secret, known_secrets()))
    plain = [{name: _shown(value, secrets) for name, value in row.items()} for row in rows]
    return typed(pd.DataFrame(plain, columns=list(columns)))


def _shown(value: Any, secrets: Sequence[str]) -> Any:
    """Without known secrets, and without half a surrogate pair, which a user's JSON may hold and no file can."""
    return without_halves(hide(value, secrets) if isinstance(value, str) else value)


_NUMBERS = {
    **dict.fromkeys(("far", "sas", "confidence", "per_100_words", "median_score", "holistic"), "float64"),
    **dict.fromkeys(("seconds", "retry_after", "price_usd"), "float64"),
    **dict.fromkeys(("score", "deduplicated_score", "minor", "moderate", "severe", "sentence", "penalty"), "Int64"),
    **dict.fromkeys(("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens"), "Int64"),
    **dict.fromkeys(("attempt", "repair", "seed"), "Int64"),
    "pervasive": "boolean",
}
"""Columns that stay numbers when nothing is in them, whatever table they stand in."""

_OWN: Mapping[str, tuple[Group, ...]] = {
    "ddft": (Group(("turns", "verdicts", "scores"), _examination),),
    "cognibench": (Group(("statements", "answers"), _labels),),
    "cognibench-dialogues": (Group(("answers",), _dialogues),),
    "integrity": (Group(("responses", "violations", "audits"), _audits),),
}
