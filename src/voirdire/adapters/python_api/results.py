"""What every result of the Python functions can do: show itself in a line or in a notebook, and give its values."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from voirdire.adapters.loading import LoadedRun
from voirdire.data.json_values import as_plain
from voirdire.data.paths import AnyPath, as_paths
from voirdire.documents.document import Document, in_python
from voirdire.errors import InputError
from voirdire.jury.choice import judge_names
from voirdire.models.secrets import without_known_secrets
from voirdire.text.shortening import beginning
from voirdire.text.terminal import inert

_LINE = 500
"""Characters of a `repr`."""


class UsageError(InputError):
    """Something that a Python function can't use: one sentence says what was given and what to do."""


class Shown(ABC):
    """A result: its `repr` is one line that leads with the conclusion, and a notebook shows its document."""

    _more = ".to_dict()"
    """How to get what is not shown."""

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
        return inert(beginning(without_known_secrets(self.headline), _LINE))

    def _repr_html_(self) -> str:
        from voirdire.reports.formats.notebook import to_notebook

        return to_notebook(without_known_secrets(in_python(self.document(), self._more)))


def listed(given: AnyPath | Sequence[AnyPath] | None) -> list[str]:
    """Names or paths as texts: one alone is a list of one, nothing an empty one.

    Raises:
        UsageError: something else was given.
    """
    if given is None:
        return []
    several = [given] if isinstance(given, str | os.PathLike) else given
    if not isinstance(several, Sequence) or not all(isinstance(each, str | os.PathLike) for each in several):
        raise UsageError(f"A name or a list of names is expected; {given!r} was given.")
    return [os.fspath(each) for each in several]


def numbers(given: float | str | Sequence[float | str]) -> Sequence[float | str]:
    """One number is a list of one; a text is read as a command reads it: "0,0.5"."""
    if isinstance(given, str):
        return given.split(",")
    return (given,) if isinstance(given, int | float) else given


def each_run(runs: Sequence[AnyPath | list[AnyPath] | tuple[AnyPath, ...]]) -> list[AnyPath]:
    """The runs of a call that takes them one by one, in a list, or both."""
    return [each for some in runs for each in (some if isinstance(some, list | tuple) else [some])]


def runs_of(given: AnyPath | Sequence[AnyPath], jury: str | Sequence[str] | None) -> tuple[list[Path], str | None]:
    """The folders of runs, and the jury to read them under: the one named, or that with which they were loaded.

    Raises:
        PathTypeError: something else was given.
        UsageError: they were loaded with several juries, and none is named.
        JuryError: the jury is no text and no list of texts.
    """
    folders = as_paths(given)
    each = [given] if isinstance(given, str | os.PathLike) else given
    own = [run.jury if isinstance(run, LoadedRun) and run.jury not in run.juries[:1] else None for run in each]
    if jury is None and len(set(own)) > 1:
        raise UsageError("The runs were loaded with different juries. Name one with jury=.")
    return folders, ",".join(judge_names(jury)) if jury else next(iter(own), None)
