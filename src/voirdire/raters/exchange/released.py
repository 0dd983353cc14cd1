"""People's labels in the layout of CogniBench's release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from voirdire.cognibench.formats import Problem, summarise_problems
from voirdire.cognibench.formats.released_writer import write_released
from voirdire.detectors.records import Answer, Exchange, Label, Statement
from voirdire.raters.exchange.records import ExchangeError, ExportPlan, Which, chosen_items
from voirdire.raters.records import Document, Project


def write_labels(project: Project, plan: ExportPlan, folder: Path) -> list[str]:
    """Write `dialogues.json` and `labels.json`; what they can't hold, in sentences.

    Args:
        project: of the CogniBench task.
        plan: whose labels: gold ones, or a rater's.
        folder: that is there.

    Raises:
        ExchangeError: another task, no such rater, or no label to write.
    """
    problems: list[Problem] = []
    write_released(labelled_answers(project, plan.pool, plan.rater), folder, problems.append)
    return summarise_problems(problems)


def labelled_answers(project: Project, pool: Which = "live", rater: str | None = None) -> list[Answer]:
    """The answers of a project of the CogniBench task with their labels.

    Args:
        project: as it stands.
        pool: whose items.
        rater: whose labels, by name or id; `None` for the gold ones.

    Raises:
        ExchangeError: another task, no such rater, or no label.
    """
    if project.settings.task != "cognibench":
        raise ExchangeError(
            f"Labels of statements are wanted; this is a project of the {project.settings.task} task, which has none."
        )
    answers = list(_answers(project, pool, _labels(project, rater)))
    if not any(answer.labelled for answer in answers):
        whose = "no item is settled yet" if rater is None else f"{rater} has rated none"
        raise ExchangeError(f"There are no labels in the project: {whose}.")
    return answers


def rater_of(project: Project, name: str) -> str:
    """The id of the rater of this name or id.

    Raises:
        ExchangeError: there is none.
    """
    for rater in project.raters.values():
        if name in (rater.name, rater.id):
            return rater.id
    known = ", ".join(rater.name for rater in project.raters.values()) or "none"
    raise ExchangeError(f"There is no rater {name!r} in this project; there are: {known}.")


def _labels(project: Project, name: str | None) -> Mapping[str, Label]:
    """By item."""
    if name is None:
        return {item: cast(Label, gold.value["label"]) for item, gold in project.gold.items()}
    rater = rater_of(project, name)
    return {each.item: cast(Label, each.value["label"]) for each in project.ratings if each.rater == rater}


def _answers(project: Project, pool: Which, labels: Mapping[str, Label]) -> Iterator[Answer]:
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
        topic=document.source.get("topic"),
        model=document.source.get("model"),
    )
