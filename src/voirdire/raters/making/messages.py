"""What an organiser is told of a new project."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from voirdire.raters.making.records import MadeProject
from voirdire.raters.records import Item, Role, Settings
from voirdire.raters.tasks.base import Made
from voirdire.text.counting import counted

_FEW = 2


def told(
    path: Path, settings: Settings, made: Made, live: Sequence[Item], people: Sequence[tuple[str, Role]]
) -> MadeProject:
    """Count what a project holds.

    Args:
        path: of the project.
        settings: of the project.
        made: documents and items.
        live: the items that are not for practice.
        people: names and roles.
    """
    order = list(dict.fromkeys(item.document for item in live))
    shared = set(order[: settings.calibration])
    of_live = [document for document in made.documents if document.id in set(order)]
    raters = tuple(name for name, role in people if role == "rater")
    adjudicators = tuple(name for name, role in people if role == "adjudicator")
    practice, calibration = len(made.items) - len(live), sum(item.document in shared for item in live)
    each = min(settings.raters_per_item, len(raters)) / len(raters)
    return MadeProject(
        path=path,
        settings=settings,
        documents=len(order),
        items=len(live),
        practice=practice,
        calibration=calibration,
        strata=dict(sorted(Counter(document.stratum for document in of_live).items())),
        stands_for=math.fsum(document.weight for document in of_live),
        raters=raters,
        adjudicators=adjudicators,
        items_per_rater=practice + calibration + each * (len(live) - calibration),
        disagreements=_disagreements(settings, len(live)),
        notes=tuple(_notes(settings, raters, adjudicators)),
    )


def _disagreements(settings: Settings, items: int) -> float | None:
    """By what CogniBench (table 1) found for two annotators; for other tasks and numbers no figure is known."""
    if settings.raters_per_item < _FEW:
        return 0.0
    if settings.task != "cognibench" or settings.raters_per_item > _FEW:
        return None
    from voirdire.raters.agreement.workload import PUBLISHED

    return items * (1 - PUBLISHED[settings.mode].agreement)


def _notes(settings: Settings, raters: Sequence[str], adjudicators: Sequence[str]) -> Iterator[str]:
    per_item = settings.raters_per_item
    if len(raters) < per_item:
        yield (
            f"{counted(len(raters), 'rater')} for {per_item} ratings per item: no item can be "
            "settled until there are more."
        )
    if per_item == 1:
        yield "With one rating per item nothing can be said of agreement."
    elif not adjudicators and (per_item == _FEW or settings.gold == "adjudicated"):
        yield "There is no adjudicator: items on which raters differ stay open until there is one."
