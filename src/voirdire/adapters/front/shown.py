"""What every result of the front door can do: show itself in a line or in a notebook, and give its values."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from voirdire.adapters.loading import LoadedRun
from voirdire.data.paths import AnyPath
from voirdire.data.plain import as_plain
from voirdire.documents.document import Document
from voirdire.errors import InputError
from voirdire.models.secrets import without_known_secrets
from voirdire.reports.formats.notebook import to_notebook


class FrontError(InputError):
    """Something that a function of the front door can't use: one sentence says what was given and what to do."""


class Shown(ABC):
    """A result: its `repr` is one line that leads with the conclusion, and a notebook shows its document."""

    @property
    @abstractmethod
    def headline(self) -> str:
        """The conclusion, in one line."""

    @abstractmethod
    def document(self) -> Document:
        """What the terminal shows of it."""

    @abstractmethod
    def values(self) -> dict[str, Any]:
        """What the command's `--json` prints."""

    def to_dict(self) -> dict[str, Any]:
        """All values as JSON has them, without known secrets: `None` for what is undefined, never NaN."""
        plain: dict[str, Any] = as_plain(self.values())
        return without_known_secrets(plain)

    def __repr__(self) -> str:
        return without_known_secrets(" ".join(self.headline.split()))

    def _repr_html_(self) -> str:
        return to_notebook(without_known_secrets(self.document()))


def listed(given: AnyPath | Sequence[AnyPath] | None) -> list[str]:
    """Names or paths as texts: one alone is a list of one, nothing an empty one.

    Raises:
        FrontError: something else was given.
    """
    if given is None:
        return []
    several = [given] if isinstance(given, str | os.PathLike) else given
    if not isinstance(several, Sequence) or not all(isinstance(each, str | os.PathLike) for each in several):
        raise FrontError(f"A name or a list of names is expected; {given!r} was given.")
    return [os.fspath(each) for each in several]


def jury_of(runs: Sequence[AnyPath], jury: str | None) -> str | None:
    """The jury to read runs under: the one named, or that with which loaded runs were loaded.

    Raises:
        FrontError: they were loaded with several, and none is named.
    """
    chosen = {run.jury for run in runs if isinstance(run, LoadedRun) and run.jury not in run.juries[:1]}
    if jury is not None or not chosen:
        return jury
    if len(chosen) > 1 or any(not isinstance(run, LoadedRun) or run.jury not in chosen for run in runs):
        raise FrontError("The runs were loaded with different juries. Name one with jury=.")
    return chosen.pop()
