"""What people say of each item of a guided project, for those who use it: other tools, judges that are examined."""

from __future__ import annotations

import math
from collections.abc import Mapping
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from voirdire.cognibench.detection_reader import is_detected, sentences_of
from voirdire.jury.worth.tables import Key, Verdicts
from voirdire.raters.exchange.records import ExchangeError, ExportPlan, chosen_items, rater_of
from voirdire.raters.records import Project
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import SaidOfItem, Value

if TYPE_CHECKING:
    from voirdire.raters.tasks.guided.task import GuidedTask


def guided_task(project: Project) -> GuidedTask:
    """The task of a project.

    Raises:
        ExchangeError: it is none that a guide describes.
    """
    from voirdire.raters.tasks.guided.task import GuidedTask

    task = task_of(project.settings)
    if not isinstance(task, GuidedTask):
        raise ExchangeError(f"The task {task.name} has no scores for that: labels, score, preference and spans have.")
    return task


def said_by_people(project: Project, plan: ExportPlan | None = None) -> list[SaidOfItem]:
    """Every settled item that has an answer, in the order of the project.

    Args:
        project: of a guided task.
        plan: may name one rater, whose ratings then stand for the settled ones.

    Raises:
        ExchangeError: nothing is settled, or there is no such rater.
    """
    task = guided_task(project)
    stands: Mapping[str, tuple[Value, str]]
    if plan is not None and plan.rater is not None:
        rater = rater_of(project, plan.rater)
        stands = {each.item: (each.value, "one rater") for each in project.ratings if each.rater == rater}
    else:
        stands = {gold.item: (gold.value, gold.how) for gold in project.gold.values()}
    found = []
    for item in chosen_items(project, "live"):
        if item.id in stands and stands[item.id][0]["status"] == "answered":
            value, how = stands[item.id]
            document = project.documents[item.document]
            alike = [
                each
                for each in project.ratings
                if each.item == item.id and each.value.get("reason") and each.value["answer"] == value["answer"]
            ]
            found.append(
                SaidOfItem(
                    item=item.id,
                    document=document,
                    value=value,
                    how=how,
                    number=task.number(value),
                    reason=" | ".join(str(each.value["reason"]) for each in alike),
                    seconds=tuple(each.seconds for each in project.ratings if each.item == item.id and each.seconds),
                )
            )
    if not found:
        raise ExchangeError("No item is settled yet: finish the ratings first.")
    return found


def verdicts_of_detector(path: Path) -> Verdicts | None:
    """Of each answer whether any sentence is flagged, and the mean of its two highest scores; both high where bad.

    The texts are the sentences, without what stands between them. An answer of which no sentence was scored, small talk
    say, has no verdict. What is said of 1 holds once the scores are turned around. `None` where the file is none that
    `voirdire detect -o` has written.
    """
    if not is_detected(path):
        return None
    sentences = sentences_of(path)
    flagged = {name: [each for each in lines if each["flagged"]] for name, lines in sentences.items()}
    highest = [
        nlargest(2, (each["score"] for each in lines if each["score"] is not None)) for lines in sentences.values()
    ]
    reasons = tuple(
        "; ".join(f"{each['sentence']} ({', '.join(each['reasons'] or ())})" for each in lines)
        for lines in flagged.values()
    )
    return Verdicts(
        keys=tuple(Key(name, "") for name in sentences),
        clusters=tuple(sentences),
        scores={
            "flagged": np.array(
                [
                    float(bool(flagged[name])) if scores else math.nan
                    for name, scores in zip(sentences, highest, strict=True)
                ]
            ),
            "score": np.array([np.mean(scores) if scores else math.nan for scores in highest]),
        },
        texts=tuple(" ".join(each["sentence"] for each in lines) for lines in sentences.values()),
        reasons={"flagged": reasons, "score": reasons},
        ones={"flagged": "no sentence is flagged", "score": "detect's score is 0"},
    )


def verdicts_on_sentences(path: Path) -> Verdicts:
    """The same of each sentence, by its answer's id and its place: "a#0", as in a project of statements."""
    lines = [
        (name, place, each) for name, sentences in sentences_of(path).items() for place, each in enumerate(sentences)
    ]
    reasons = tuple(", ".join(each["reasons"] or ()) for _, _, each in lines)
    scored = [each["score"] is not None for _, _, each in lines]
    return Verdicts(
        keys=tuple(Key(f"{name}#{place}", "") for name, place, _ in lines),
        clusters=tuple(name for name, _, _ in lines),
        scores={
            "flagged": np.array(
                [
                    float(each["flagged"]) if known else math.nan
                    for known, (_, _, each) in zip(scored, lines, strict=True)
                ]
            ),
            "score": np.array(
                [each["score"] if known else math.nan for known, (_, _, each) in zip(scored, lines, strict=True)]
            ),
        },
        texts=tuple(each["sentence"] for _, _, each in lines),
        reasons={"flagged": reasons, "score": reasons},
        ones={"flagged": "the sentence is not flagged", "score": "detect's score is 0"},
        clustered_by="the answer",
    )
