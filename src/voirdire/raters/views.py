"""How things stand for a rater: an item in their hands, the practice items, and where they go from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from voirdire.raters.flow import deck_of
from voirdire.raters.project_loader import value_of, work_of
from voirdire.raters.qualifying import Qualified, qualified, since_retake
from voirdire.raters.records import Item, Rater, RatersError, Settings
from voirdire.raters.store import Reader
from voirdire.raters.tasks.base import Task, Work
from voirdire.raters.undo import last_of


class NotYours(RatersError):
    """No such item is in this rater's hands; whether there is one at all is not theirs to know."""


class Look(NamedTuple):
    """An item in a rater's hands, at one moment."""

    work: Work
    value: Mapping[str, Any] | None
    """The rating, where it is complete."""
    seen: int
    """The last row that changed it: what a page made of this knows of."""
    locked: str | None
    """Why nothing can be changed any more, if so."""


class Next(NamedTuple):
    """Where a rater goes from here."""

    state: Literal["item", "ready", "not passed", "finished", "waiting"]
    """"ready": nothing is in their hands, and `document` can be handed out; "waiting": an adjudicator, and no
    disagreement is open."""
    item: str = ""
    document: str = ""


class Viewer:
    """Looks at a project for its raters; reads by whichever reader or transaction it is given."""

    def __init__(self, settings: Settings, task: Task, items: list[Item]) -> None:
        """Know what never changes: the settings, the task and the items."""
        self.settings = settings
        self.task = task
        self.deck = deck_of(items, settings)
        self._passed: set[str] = set()

    def item(self, item: str) -> Item:
        """The item of this id.

        Raises:
            NotYours: there is none.
        """
        try:
            return self.deck.by_id[item]
        except KeyError:
            raise NotYours("There is no such item in your hands.") from None

    def look(self, reader: Reader, rater: Rater, item_id: str) -> Look:
        """An item as it stands for a rater.

        Raises:
            NotYours: it is not in their hands.
        """
        item = self.item(item_id)
        if not self._is_theirs(reader, rater, item):
            raise NotYours("There is no such item in your hands.")
        phase = self.deck.phase_of(item)
        rows = reader.rows(rater=rater.id, item=item.id)
        seen = last_of(rows)
        if phase == "practice":
            rows = since_retake(rows, reader.retakes(rater.id))
        work = work_of(self.settings, reader.document(item.document), item, rows, phase)
        value = value_of(self.task, work)
        if self._sees_others(rater, phase, value):
            others = reader.values(item.id, but=rater.id)
            work = work_of(self.settings, work.document, item, rows, phase, others)
        return Look(work, value, seen, self._lock(reader, rater, work, value))

    def qualified(self, reader: Reader, rater: Rater) -> Qualified:
        """How a rater stands with the practice items."""
        values = reader.values_of(rater.id, (item.id for item in self.deck.practice))
        tries = 1 + len(reader.retakes(rater.id))
        return qualified(self.settings, self.deck.practice, values, self.task.differ, tries)

    def next(self, reader: Reader, rater: Rater) -> Next:
        """Where a rater goes from here."""
        if rater.role == "rater" and not self._has_passed(reader, rater):
            rated = reader.values_of(rater.id, (item.id for item in self.deck.practice))
            left = next((item.id for item in self.deck.practice if item.id not in rated), None)
            return Next("not passed") if left is None else Next("item", left)
        if (item := reader.open_item(rater.id)) is not None:
            return Next("item", item)
        if rater.role == "adjudicator":
            dispute = next(iter(reader.free_disputes(rater.id)), None)
            return Next("waiting") if dispute is None else Next("ready", dispute, self.item(dispute).document)
        document = self._next_document(reader, rater)
        return Next("finished") if document is None else Next("ready", document=document)

    def _next_document(self, reader: Reader, rater: Rater) -> str | None:
        """First what is for calibration, which everybody gets; then what somebody has begun and wants another rater.

        So pairs are complete early. New documents come last, in their order.
        """
        if self.deck.calibration:
            left = self.deck.calibration - reader.ever_held(rater.id)
            if left:
                return min(left, key=self.deck.live.index)
        return reader.free_document(rater.id, self.settings.raters_per_item, len(self.deck.calibration))

    def _has_passed(self, reader: Reader, rater: Rater) -> bool:
        """Once passed, always passed: practice ratings are locked, and nobody begins anew after passing."""
        if rater.id not in self._passed and (not self.deck.practice or self.qualified(reader, rater).passed):
            self._passed.add(rater.id)
        return rater.id in self._passed

    def _is_theirs(self, reader: Reader, rater: Rater, item: Item) -> bool:
        if item.pool == "practice":
            return rater.role == "rater"
        return reader.holds(rater.id, item.document, item.id)

    def _sees_others(self, rater: Rater, phase: str, value: Mapping[str, Any] | None) -> bool:
        """Adjudicators, where they decide; in calibration everybody, once they have rated."""
        if rater.role == "adjudicator":
            return self.settings.gold == "adjudicated"
        return phase == "calibration" and value is not None

    def _lock(self, reader: Reader, rater: Rater, work: Work, value: Mapping[str, Any] | None) -> str | None:
        if value is None or rater.role == "adjudicator":
            return None
        if work.phase != "live":
            return f"Ratings in {work.phase} stay as they were first given: feedback has been shown."
        if reader.is_adjudicated(work.item.id):
            return "This item is closed: it has all the ratings that it needs, and they are in use."
        return None
