"""Labels in the layout of CogniBench's release, written, and read as one rater's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from voirdire.cognibench.formats import Problem, read_data, summarise_problems
from voirdire.cognibench.formats.released import LABELS, write_released
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import Answer, Exchange, Label, Statement
from voirdire.errors import shown
from voirdire.raters.exchange.field_checks import check_value
from voirdire.raters.exchange.records import (
    PRACTICE,
    STRANGE,
    Entry,
    ExchangeError,
    ExportPlan,
    FileRatings,
    PoolChoice,
    chosen_items,
    rater_of,
    skipped_lines,
)
from voirdire.raters.records import Document, Item, Project


def write_labels(project: Project, plan: ExportPlan, folder: Path) -> list[str]:
    """Write `dialogues.json` and `labels.json`; what they can't hold, in sentences.

    Args:
        project: of the CogniBench task.
        plan: whose labels: gold ones, or a rater's.
        folder: that is there.

    Raises:
        ExchangeError: no such rater, or no label to write.
    """
    problems: list[Problem] = []
    write_released(labelled_answers(project, plan.pool, plan.rater), folder, problems.append)
    return summarise_problems(problems)


def labelled_answers(project: Project, pool: PoolChoice = "live", rater: str | None = None) -> list[Answer]:
    """The answers of a project of the CogniBench task with their labels.

    Args:
        project: as it stands.
        pool: whose items.
        rater: whose labels, by name or id; `None` for the gold ones.

    Raises:
        ExchangeError: no such rater, or no label.
    """
    answers = list(_answers(project, pool, _labels(project, rater)))
    if not any(answer.labelled for answer in answers):
        whose = "no item is settled yet" if rater is None else f"{rater} has rated none"
        raise ExchangeError(f"There are no labels in the project: {whose}.")
    return answers


def _labels(project: Project, name: str | None) -> Mapping[str, Label]:
    """By item."""
    if name is None:
        return {item: cast(Label, gold.value["label"]) for item, gold in project.gold.items()}
    rater = rater_of(project, name)
    return {each.item: cast(Label, each.value["label"]) for each in project.ratings if each.rater == rater}


def _answers(project: Project, pool: PoolChoice, labels: Mapping[str, Label]) -> Iterator[Answer]:
    """The answers of the pool, with the labels that there are."""
    items: dict[str, dict[int, str]] = {}
    for item in chosen_items(project, pool):
        items.setdefault(item.document, {})[item.place] = item.id
    for document, places in items.items():
        yield _answer(project.documents[document], {place: labels.get(item) for place, item in places.items()})


def _answer(document: Document, labels: Mapping[int, Label | None]) -> Answer:
    body = document.body
    history = tuple(Exchange(*exchange) for exchange in body["history"])
    return Answer(
        id=document.id,
        dialogue=document.source.get("dialogue") or document.id.rpartition("_")[0] or document.id,
        group=document.group,
        context=body["context"],
        question=body["question"],
        text=body["answer"],
        statements=tuple(
            Statement(each["text"], each["start"], each["end"], labels.get(place))
            for place, each in enumerate(body["statements"])
        ),
        history=history,
        turn=len(history),
        topic=document.source.get("topic") or document.stratum or None,  # samples are drawn by topic
        model=document.source.get("model"),
    )


_Items = dict[str, list[tuple[Item, str, int]]]
"""By answer: items with what their statement says, and where it begins."""


def read_labels(path: Path, project: Project) -> FileRatings:
    """The labels of a folder with `dialogues.json` and `labels.json`; it names no rater, and tells no steps or reasons.

    Answers are found by their id, statements by their text; of equal ones by where they begin.

    Args:
        path: of `labels.json` in the folder.
        project: whose items they are of.

    Raises:
        ExchangeError: a file can't be read, or a labelled statement is none of the project's answer.
    """
    if not path.is_file():
        raise ExchangeError(f"{path.parent} has no {LABELS}; a folder with dialogues.json and {LABELS} is expected.")
    try:
        answers, problems = read_data(path.parent, layout="released")
    except CognibenchError as error:
        raise ExchangeError(str(error)) from error
    items = _items(project)
    entries: list[Entry] = []
    passed: Counter[str] = Counter()
    for answer in answers:
        for statement in answer.statements:
            if statement.label is None:
                continue
            entry = _entry(f"{path}, answer {answer.id}", answer, statement, items, project)
            if isinstance(entry, Entry):
                entries.append(entry)
            else:
                passed[entry] += 1
    return FileRatings(entries, (*skipped_lines(passed), *summarise_problems(problems)))


def _items(project: Project) -> _Items:
    result: _Items = {}
    for item in project.items.values():
        document = project.documents[item.document]
        statement = document.body["statements"][item.place]
        name = str(document.source.get("answer", document.id))
        result.setdefault(name, []).append((item, statement["text"], statement["start"]))
    return result


def _entry(where: str, answer: Answer, statement: Statement, items: _Items, project: Project) -> Entry | str:
    """A rating; or why it is passed over."""
    if answer.id not in items:
        return STRANGE
    equal = [(item, start) for item, text, start in items[answer.id] if text == statement.text]
    fitting = [item for item, start in equal if len(equal) == 1 or start == statement.start]
    if not fitting:
        raise ExchangeError(
            f"{where}: {shown(statement.text)} is no statement of it in the project, which was made of another "
            "text, or cut it otherwise; take the answer out of the files."
        )
    if fitting[0].pool == "practice":
        return PRACTICE
    value = check_value({"label": statement.label}, project, fitting[0])
    return Entry(where=where, item=fitting[0].id, rater=None, value=value)
