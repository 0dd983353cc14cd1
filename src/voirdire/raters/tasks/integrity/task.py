"""The integrity task: impression first, then deductions sentence by sentence beside the facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.raters.records import Row, Settings
from voirdire.raters.tasks.base import NewRow, Work
from voirdire.raters.tasks.integrity import actions, rating
from voirdire.raters.tasks.integrity.deduction import fold
from voirdire.raters.tasks.integrity.feedback import feedback
from voirdire.raters.tasks.integrity.guideline import guideline
from voirdire.raters.tasks.integrity.viewing import view


class IntegrityTask:
    """A trial is one response: a score by impression, locked; violations; a second look where the two lie apart."""

    name = "integrity"
    template = "integrity/work.html"

    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """See `actions.take`."""
        return actions.take(work, action, form)

    def may_undo(self, work: Work, row: Row) -> str | None:
        """Why a row can't be undone, the holistic score for one; `None` if it can."""
        return actions.may_undo(work, row)

    def value(self, work: Work) -> Mapping[str, Any] | None:
        """The rating, once the trial is finished; see `rating.value_of`."""
        return rating.value_of(fold(work))

    def view(self, work: Work) -> Mapping[str, Any]:
        """What the template needs."""
        return view(work)

    def feedback(self, work: Work) -> Mapping[str, Any] | None:
        """In practice and calibration, when finished; see `feedback.feedback`."""
        return feedback(work)

    def differ(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """See `rating.differ`."""
        return rating.differ(one, other)

    def settle(self, values: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """See `rating.settle`."""
        return rating.settle(values)

    def guideline(self, settings: Settings) -> Mapping[str, Any]:
        """See `guideline.guideline`; the same for every project."""
        return guideline()


TASK = IntegrityTask()
