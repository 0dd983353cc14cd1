"""Whether what people read is what the machine judged: the very words, not only the same id."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from voirdire.cognibench.labelling import read_labelled
from voirdire.integrity.results import read_audits
from voirdire.raters.machine import Machine
from voirdire.raters.machine.responses import texts_of_trials
from voirdire.raters.records import Project, RatersError


def check_texts(project: Project, machine: Machine, rated: Sequence[str]) -> None:
    """Compare the words of rated items with those of the run.

    Args:
        project: with what was shown.
        machine: a run beside it.
        rated: ids of the project's items.

    Raises:
        RatersError: something was rated that stands in the run in other words, or cut into other sentences.
    """
    {"cognibench": _statements, "integrity": _responses, "ddft": _turns}[project.settings.task](project, machine, rated)


def _statements(project: Project, machine: Machine, rated: Sequence[str]) -> None:
    texts = _sentences(machine.run)
    answers = {unit.document for unit in machine.units.values()}
    units = machine.by_item
    for name in rated:
        item = project.items[name]
        document = project.documents[item.document]
        answer = str(document.source.get("answer", document.id))
        unit = units.get(name)
        shown = str(document.body["statements"][item.place]["text"])
        if unit is None and answer in answers:
            raise RatersError(
                f"Statement {item.place + 1} of the answer {answer!r} stands nowhere in {machine.run} as it was rated: "
                "the text has changed, or was cut into other sentences; compare with a run on the project's own data."
            )
        if unit is not None and texts.get(unit.id) != shown:
            raise RatersError(_other_words(f"Statement {item.place + 1} of the answer {answer!r}", machine.run))


def _responses(project: Project, machine: Machine, rated: Sequence[str]) -> None:
    if machine.run.is_file():
        texts: Mapping[str, str | None] = texts_of_trials(machine.run)
    else:
        texts = {audited.item.id: audited.item.response for audited in read_audits(machine.run)}
    units = machine.by_item
    for name in rated:
        unit = units.get(name)
        shown = project.documents[project.items[name].document].body["response"]
        if unit is not None and texts.get(unit.id) != shown:
            raise RatersError(_other_words(f"The response {unit.id!r}", machine.run))


def _turns(project: Project, machine: Machine, rated: Sequence[str]) -> None:
    """A turn's id is made of its answer: one that is missing though its dialogue is there was answered anew."""
    there = {(unit.dialogue, unit.turn) for unit in machine.units.values()}
    units = machine.by_item
    for name in rated:
        source = project.documents[project.items[name].document].source
        if name not in units and (source.get("dialogue"), source.get("turn")) in there:
            raise RatersError(_other_words(f"Turn {source['turn']} of {source['dialogue']}", machine.run))


def _other_words(what: str, run: Path) -> str:
    return f"{what} has another text in {run} than the one that was rated; compare with the run that people saw."


def _sentences(run: Path) -> Mapping[str, str]:
    """Texts by `answer#place`, of a labelling run or of a detector's findings."""
    if run.is_dir():
        answers = [each.answer for each in read_labelled(run)]
        return {
            f"{answer.id}#{place}": statement.text
            for answer in answers
            for place, statement in enumerate(answer.statements)
        }
    found: dict[str, str] = {}
    places: dict[str, int] = {}
    with run.open(encoding="utf-8") as file:
        for line in map(json.loads, filter(str.strip, file)):
            answer = str(line["id"])
            places[answer] = places.get(answer, -1) + 1
            found[f"{answer}#{places[answer]}"] = line["sentence"]
    return found
