"""What counts as good of people's ratings, said when they are used: for a guide that doesn't say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from voirdire.raters.records import Project
from voirdire.raters.tasks import task_of


def with_good_ratings(project: Project, good: Sequence[str]) -> Project:
    """The project as if its guide had said which ratings are good.

    Args:
        project: of a task with a guide of its own, where `good` is not empty.
        good: labels, "not LABEL", "high", "low", or the good end of a scale.

    Raises:
        RatersError: which ratings of the task are good is known.
        WorthError: no label, or end of the scale, is called so.
    """
    if not good:
        return project
    guide = task_of(project.settings).guide_with_good(good)
    return replace(project, settings=replace(project.settings, guide=guide))
