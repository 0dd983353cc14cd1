"""What a model is asked to write, and what it wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

Chat = list[dict[str, str]]
"""Messages with "role" and "content"."""


class Task(NamedTuple):
    """What a model is asked to write."""

    prompt: Chat | str
    """Messages; or the whole text, to be sent as it stands."""
    max_tokens: int


class Written(NamedTuple):
    """What it wrote."""

    text: str
    complete: bool
    """`False`: cut at the limit of tokens."""
    failure: str | None = None
    """Why nothing was written, in a sentence."""


class Writer(Protocol):
    """A model that writes: loaded here, or served elsewhere."""

    def write(self, tasks: Sequence[Task]) -> list[Written]:
        """One text a task, in their order."""
        ...
