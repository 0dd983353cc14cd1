"""What people say of each item of a guided project, for those who use it: other tools, judges that are examined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from voirdire.raters.exchange.records import ExchangeError, ExportPlan, chosen_items, rater_of
from voirdire.raters.records import Project
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import SettledItem, Value

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


def settled_items(project: Project, plan: ExportPlan | None = None) -> list[SettledItem]:
    """Every settled item that has an answer, in the order of the project.

    Args:
        project: of a guided task.
        plan: may name one rater, whose ratings then stand for the settled ones.

    Raises:
        ExchangeError: nothing is settled, or there is no such rater.
    """
    task = guided_task(project)
    chosen: Mapping[str, tuple[Value, str]]
    if plan is not None and plan.rater is not None:
        rater = rater_of(project, plan.rater)
        chosen = {each.item: (each.value, "one rater") for each in project.ratings if each.rater == rater}
    else:
        chosen = {gold.item: (gold.value, gold.how) for gold in project.labelled.values()}
    settled = []
    for item in chosen_items(project, "live"):
        if item.id in chosen and chosen[item.id][0]["status"] == "answered":
            value, how = chosen[item.id]
            document = project.documents[item.document]
            alike = [
                each
                for each in project.ratings
                if each.item == item.id and each.value.get("reason") and each.value["answer"] == value["answer"]
            ]
            settled.append(
                SettledItem(
                    item=item.id,
                    document=document,
                    value=value,
                    how=how,
                    number=task.number(value),
                    reason=" | ".join(str(each.value["reason"]) for each in alike),
                    seconds=tuple(each.seconds for each in project.ratings if each.item == item.id and each.seconds),
                )
            )
    if not settled:
        raise ExchangeError("No item is settled yet: finish the ratings first.")
    return settled
