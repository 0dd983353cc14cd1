"""Data that need be no run: files that somebody else wrote, and what an instrument makes of them without any call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire.documents.document import Document
from voirdire.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.instruments.figures import RunFigures
    from voirdire.instruments.instrument import RunSummary


class NearlyDataError(InputError):
    """A file that can hardly be meant as anything else, and can't be read yet: the sentence says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataResult:
    """What a question put to data found, whoever shows it."""

    headline: str
    """The conclusion, in one line."""
    values: Mapping[str, Any]
    """As JSON."""
    document: Document
    """For people; sections that are details are for those who ask for more."""
    frame: pd.DataFrame
    """As a table."""
    failed: tuple[str, ...] = ()
    """Ids of checks that fail."""
    models: tuple[str, ...] = ()
    """The models that the data hold, where a list of data names them."""


class CompareQuestion(NamedTuple):
    """Which models differ?"""

    models: tuple[str, ...] = ()
    """Only these; empty for all."""
    alpha: float = 0.05


class PowerQuestion(NamedTuple):
    """How many items does it take to see a difference?"""

    detect: float
    """The difference of two models, in the unit of the score."""
    power: float = 0.8
    alpha: float = 0.05
    models: int | None = None
    """How many models are compared, each with each; `None` for two."""


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
    summary: Callable[[Sequence[Path]], RunSummary] | None = None
    """What they hold, as `voirdire show` prints it."""
    figures: Callable[[Path], RunFigures] | None = None
    """What limits can be set on."""
    validate: Callable[[Sequence[Path]], DataResult] | None = None
    """Whether they can be believed."""
    compare: Callable[[Sequence[Path], CompareQuestion], DataResult] | None = None
    """Which models differ."""
    power: Callable[[Sequence[Path], PowerQuestion], DataResult] | None = None
    """How many items it takes to see a difference."""
    reliability: Callable[[Sequence[Path]], DataResult] | None = None
    """How far judges agree."""
