"""Statements as a labelling run or a detector labelled them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

from voirdire.cognibench.formats import iter_answers
from voirdire.cognibench.labelling import LabelledAnswer, manifest_of, read_labelled
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.manifests import check_unchanged
from voirdire.data.rows import RowError, is_parquet, parquet_rows, text_lines
from voirdire.detectors.labelling.records import Judged
from voirdire.detectors.records import Answer, Require, hallucinated
from voirdire.raters.machine import Machine, Unit, live_items, matched
from voirdire.raters.records import Project, RatersError
from voirdire.text.counting import counted
from voirdire.text.scripts import count_words

Span = tuple[str, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementMachine(Machine):
    """What a labelling run says, laid beside a project."""

    require: Require
    """What a cognitive statement must be not to be a hallucination."""


def read_statements(project: Project, run: Path, jury: str | None = None) -> StatementMachine:
    """Every statement of the answers that a run has labelled; such a run has no juries.

    Answers whose group stands in the prompt's examples are left out, as in every scoring of the labeller.

    Raises:
        RatersError: nothing is labelled yet.
        RunFolderError, CognibenchError: there is no run, or it is no labelling run.
    """
    asked, labelled = manifest_of(run), read_labelled(run)
    if not labelled:
        raise RatersError(f"No answer of {run} has been labelled yet; go on with the run first.")
    require, model = asked["plan"]["require"], asked["model"]
    scored = [each for each in labelled if not each.used_in_prompt]
    units, spans = [], {}
    for unit, span in (pair for each in scored for pair in _units(each, model, require)):
        units.append(unit)
        spans[span] = unit.id
    found, unmatched = matched(project, units, items_at(project, spans))
    left_out = len(labelled) - len(scored)
    return StatementMachine(
        task="cognibench",
        run=run,
        by=model,
        judges=tuple(f"{model}#{sample + 1}" for sample in range(asked["plan"]["samples"])),
        units=found,
        unmatched=unmatched,
        require=require,
        notes=(f"Left out: {counted(left_out, 'answer')} of groups in the prompt's examples.",) if left_out else (),
    )


def items_at(project: Project, units: dict[Span, str]) -> dict[str, str]:
    """Ids of the project's items by the ids of the units that are the same stretch of the same answer.

    Args:
        project: its documents' bodies say where each statement begins and ends.
        units: ids by (answer, start, end).
    """
    found = {}
    for name, item in live_items(project).items():
        document = project.documents[item.document]
        statement = document.body["statements"][item.place]
        answer = str(document.source.get("answer", document.id))
        unit = units.get((answer, statement["start"], statement["end"]))
        if unit is not None:
            found[unit] = name
    return found


def _units(labelled: LabelledAnswer, model: str, require: Any) -> Iterator[tuple[Unit, Span]]:
    answer = labelled.answer
    for place, (statement, judged) in enumerate(zip(answer.statements, labelled.judged, strict=True)):
        label = judged.label
        unit = Unit(
            id=f"{answer.id}#{place}",
            document=answer.id,
            group=answer.group,
            dialogue=answer.dialogue,
            model=answer.model,
            words=statement.words,
            consensus=None if label is None else {"label": label, "hallucinated": hallucinated(label, require)},
            judges=_votes(judged, model),
        )
        yield unit, (answer.id, statement.start, statement.end)


def _votes(judged: Judged, model: str) -> dict[str, dict[str, Any]]:
    return {
        f"{model}#{sample + 1}": {"vote": vote, "hallucinated": vote == "hallu"}
        for sample, vote in enumerate(judged.votes)
        if vote is not None
    }


_NEEDED: Mapping[str, tuple[type, ...]] = {
    "id": (str, int),
    "sentence": (str,),
    "start": (int,),
    "end": (int,),
    "score": (int, float, NoneType),
    "flagged": (bool,),
}
_EXPECTED = f"a finding with {', '.join(_NEEDED)} is expected, as voirdire detect --out writes"
_MAX_LINE = 20_000_000


def read_detections(project: Project, path: Path) -> Machine:
    """Every statement that a detector has scored.

    The file does not say which context an answer has; the data that the project was made of does.

    Raises:
        RatersError: the file can't be read, or a line is no finding of a detector.
    """
    answers = _answers(project)
    known = {str(each.source.get("answer", each.id)): each.group for each in project.documents.values()}
    units, spans, places = [], {}, dict[str, int]()
    small_talk = 0
    for line in _lines(path):
        name = str(line["id"])
        small_talk += line["score"] is None and line.get("small_talk") is True
        place = places[name] = places.get(name, -1) + 1
        answer = answers.get(name)
        unit = Unit(
            id=f"{name}#{place}",
            document=name,
            group=known.get(name, name) if answer is None else answer.group,
            dialogue=name if answer is None else answer.dialogue,
            model=None if answer is None else answer.model,
            words=count_words(line["sentence"]),
            consensus=_value(line),
            judges={},
        )
        units.append(unit)
        spans[name, line["start"], line["end"]] = unit.id
    if not units:
        raise RatersError(f"{path} holds no findings; voirdire detect --out writes such a file.")
    found, unmatched = matched(project, units, items_at(project, spans))
    return Machine(
        task="cognibench",
        run=path,
        by=path.name,
        judges=(),
        units=found,
        unmatched=unmatched,
        notes=_unscored(units, small_talk),
        ungrouped=not answers,
    )


def _unscored(units: Sequence[Unit], small_talk: int) -> tuple[str, ...]:
    """What the detector did not score, small talk by itself."""
    others = sum(each.consensus is None for each in units) - small_talk
    found = []
    if small_talk:
        found.append(f"{counted(small_talk, 'statement')} of small talk (greetings, refusals, offers of help)")
    if others:
        found.append(f"{counted(others, 'other statement' if small_talk else 'statement')}")
    if not found:
        return ()
    return (f"Not scored by the detector, and left out of its shares and of people's: {' and '.join(found)}.",)


def _value(line: Mapping[str, Any]) -> dict[str, Any] | None:
    if line["score"] is None:
        return None
    return {"label": None, "hallucinated": line["flagged"], "score": float(line["score"])}


def _answers(project: Project) -> dict[str, Answer]:
    """The answers of the project's data, where it still stands where it was."""
    source = Path(project.settings.source) if project.settings.source else None
    return {} if source is None or not source.exists() else {answer.id: answer for answer in iter_answers(source)}


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    check_unchanged(path)
    try:
        if is_parquet(path):
            for number, row in parquet_rows(path):
                yield _checked({"score": None} | row, f"{path}, row {number}")  # a cell without a value is left out
            return
        for number, text in text_lines(path, _MAX_LINE):
            yield _checked(_parsed(text, f"{path}, line {number}"), f"{path}, line {number}")
    except RowError as error:
        raise RatersError(str(error)) from error


def _parsed(text: str, where: str) -> Any:
    try:
        return parse_json(text)
    except JsonError as error:
        raise RatersError(f"{where}: it is no JSON ({error}); {_EXPECTED}.") from None


def _checked(line: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(line, dict) or not all(
        name in line and _is(line[name], kinds) for name, kinds in _NEEDED.items()
    ):
        raise RatersError(f"{where}: {_EXPECTED}.")
    return line


def _is(value: Any, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
