"""What is wrong with a file of somebody else."""

from __future__ import annotations

from voirdire.errors import InputError


class UntrustedError(InputError):
    """Half a sentence without its full stop: "has 12 bytes; at most 10 are read"."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        """Where, from 1; `None` where that is not known."""

    def of(self, what: str) -> str:
        """The sentence about `what`: "x.yaml, line 3, has the key 'a' twice."."""
        return f"{what} {self}." if self.line is None else f"{what}, line {self.line}, {self}."
