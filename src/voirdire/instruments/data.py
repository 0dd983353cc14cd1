"""Data that need be no run: files that somebody else wrote, and what an instrument makes of them without any call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from voirdire.documents.document import Document
from voirdire.errors import InputError
from voirdire.instruments.questions import CompareQuestion, PowerQuestion, QuestionResult

if TYPE_CHECKING:
    from voirdire.instruments.figures import RunFigures
    from voirdire.instruments.instrument import RunSummary


class NearlyDataError(InputError):
    """A file that can hardly be meant as anything else, and can't be read yet: the sentence says what to do."""


class AnswerCheck(NamedTuple):
    """How the sentences of answers are checked, where in another way than usual."""

    detector: str
    threshold: float | None = None
    """That of the detector without."""
    history: str = "none"
    """Earlier turns that count as evidence: one of `detectors.records.HISTORIES`."""
    columns: str | None = None
    """What the file calls its fields: "answer=response,context=docs"."""
    skip_bad: bool = False
    """Entries that can't be used are left out; without it they are an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Data that an instrument reads, and what it makes of them. Every part but the first two may be left out."""

    what: str
    """What they are, for sentences: "results of an evaluation"."""
    check: Callable[[Path], None]
    """Raises an `InputError` for a path that holds none, a `NearlyDataError` where it must be meant; little is read."""
    files: Callable[[Path], tuple[Path, ...]] | None = None
    """The files that are read where a file or folder of such data is named; none where it looks like none. Little is
    read of them. For whoever lists a folder."""
    document: Callable[[Sequence[Path]], Document] | None = None
    """The report."""
    checked: Callable[[Path, AnswerCheck], Document] | None = None
    """The report on one file of answers, checked as asked."""
    summary: Callable[[Sequence[Path]], RunSummary] | None = None
    """What they hold, as `voirdire show` prints it."""
    figures: Callable[[Path], RunFigures] | None = None
    """What limits can be set on."""
    validate: Callable[[Sequence[Path]], QuestionResult] | None = None
    """Whether they can be believed."""
    compare: Callable[[Sequence[Path], CompareQuestion], QuestionResult] | None = None
    """Which models differ."""
    power: Callable[[Sequence[Path], PowerQuestion], QuestionResult] | None = None
    """How many items it takes to see a difference."""
    reliability: Callable[[Sequence[Path]], QuestionResult] | None = None
    """How far judges agree."""
