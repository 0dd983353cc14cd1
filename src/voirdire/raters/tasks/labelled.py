"""A project's answers with settled labels, wherever labelled answers are taken: `cognibench bench`, calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from voirdire.cognibench.formats import Problem, Tell
from voirdire.detectors.records import Answer
from voirdire.raters.exchange.records import chosen_items
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Project
from voirdire.raters.tasks import task_of
from voirdire.raters.timing import hasty


def labelled_answers(path: Path, tell: Tell) -> Sequence[Answer]:
    """The answers of a project; what is not settled is told, and who rated in less time than reading takes.

    Raises:
        RatersError: it is no project of labels, or none is settled.
    """
    project = read_project(path)
    answers = task_of(project.settings).labelled_answers(project)
    for problem in unsettled(project):
        tell(problem)
    for each in hasty(project):
        tell(Problem("hasty", str(each["rater"]), str(each)))
    return answers


def unsettled(project: Project) -> Iterator[Problem]:
    """The items that are not settled: those in dispute, and those that lack ratings."""
    counts = Counter(each.item for each in project.ratings if each.role == "rater")
    for item in chosen_items(project, "live"):
        if item.id not in project.gold:
            enough = counts[item.id] >= max(project.settings.raters_per_item, 1)
            yield Problem("in dispute" if enough else "unrated", item.document, f"sentence {item.place + 1}")
