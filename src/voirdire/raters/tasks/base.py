"""What a task is: pure functions from rows to how an item stands, and from a form to the next row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from voirdire.raters.records import Document, Item, Row, Settings


class NewRow(NamedTuple):
    """A row to be written; who, when and which item are the store's to add."""

    kind: str
    body: Mapping[str, Any]
    replaces: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One item in one rater's hands."""

    settings: Settings
    document: Document
    item: Item
    rows: tuple[Row, ...]
    """This rater's on this item that stand: neither undone nor of another task; oldest first."""
    phase: str = "live"
    """"practice", "calibration" or "live"."""
    others: tuple[Mapping[str, Any], ...] = ()
    """What other raters say of it (values of ratings), where this person may see that: adjudicators only."""


class Task(Protocol):
    """How one kind of rating goes. Pure: no I/O, no clock."""

    name: str
    template: str
    """Of the work page, under `raters/web/templates`."""

    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """The row that an action makes.

        Args:
            work: how things stand.
            action: which button: the task's own word.
            form: the fields sent with it.

        Raises:
            Refused: it does not fit how things stand, or a field is missing or out of range.
        """

    def value(self, work: Work) -> Mapping[str, Any] | None:
        """The rating, once it is complete."""

    def view(self, work: Work) -> Mapping[str, Any]:
        """What the template needs, as plain data; nothing of `Document.source`."""

    def feedback(self, work: Work) -> Mapping[str, Any] | None:
        """In practice and calibration, when complete: whether it was right, and why. `None` elsewhere."""

    def differ(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """Whether two ratings of an item need a third person."""

    def settle(self, values: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """What three or more blind ratings come to; `None` without a majority."""

    def guideline(self, settings: Settings) -> Mapping[str, Any]:
        """The guideline panel as data: `title`, `intro`, `classes` of `name`, `says`, `positive`, `negative`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How documents are drawn for a project."""

    sample: int | None = None
    """How many documents; `None` for all."""
    seed: int = 0
    practice: bool = True
    """Whether the packaged practice items come first."""
    jury: str | None = None
    """Id of the jury of a run by whose scores a sample is spread; `None` for the run's own."""
    plain: bool = False
    """Of statements: Markdown is read as plain text, so that lists, tables and code blocks separate nothing."""


class Made(NamedTuple):
    """What a project is made of. Practice items come first."""

    documents: tuple[Document, ...]
    items: tuple[Item, ...]


class Maker(Protocol):
    """Makes documents and items of data or a run: `voirdire.raters.tasks.NAME.make`."""

    def __call__(self, path: Path, making: Making) -> Made:
        """Read `path` (data or a run folder) and draw.

        Raises:
            RatersError: nothing there that this task can use.
        """
