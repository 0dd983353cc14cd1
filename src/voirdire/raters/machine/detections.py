"""The statements of a file that `voirdire detect --out` wrote, as the detector flagged them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Any

from voirdire.cognibench.formats import iter_answers
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.manifests import check_unchanged
from voirdire.data.rows import RowError, is_parquet, parquet_rows, text_lines
from voirdire.detectors.records import Answer
from voirdire.raters.machine._matching import matched
from voirdire.raters.machine.records import Machine, Unit
from voirdire.raters.machine.statements import items_at
from voirdire.raters.records import Project, RatersError
from voirdire.text.counting import counted
from voirdire.text.scripts import count_words

UNGROUPED = (
    "The data that the project was made of is not where it was: answers not in the project count as a group each."
)
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
        notes=(*(() if answers else (UNGROUPED,)), *_unscored(units, small_talk)),
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
