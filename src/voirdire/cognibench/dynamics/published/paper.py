"""What the CogniBench paper prints: its tables and its claims, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from voirdire import data

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Said:
    """A claim of the paper, in our words."""

    id: str
    section: str
    claim: str
    printed: str
    """A number, a range ("50 to 432"), a bound ("> 0"), or a word."""

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers of what is printed, in order."""
        return tuple(float(found) for found in _NUMBER.findall(self.printed))

    @property
    def number(self) -> float:
        """The one number that is printed."""
        return self.numbers[0]

    @property
    def decimals(self) -> int:
        """Decimals of the first number."""
        found = _NUMBER.search(self.printed)
        return len(found.group().partition(".")[2]) if found else 0

    @property
    def published(self) -> float | int | str:
        """What is printed, as a number where it is nothing else."""
        if not _NUMBER.fullmatch(self.printed):
            return self.printed
        return float(self.printed) if "." in self.printed else int(self.printed)

    def matches(self, value: float) -> bool:
        """Whether a number equals the printed one: half a unit of the last decimal is allowed."""
        return bool(abs(value - self.number) <= 0.5 * 10**-self.decimals + 1e-9)


@dataclass(frozen=True, slots=True)
class Paper:
    """What the paper prints."""

    claims: dict[str, Said]
    """By id, in the order in which they are shown."""
    tables: dict[str, tuple[dict[str, Any], ...]]
    """By number; cells are text as printed."""
    released_turns: int
    """Labelled turns that were made public."""
    released_sentences: int

    def row(self, table: str, name: str) -> dict[str, Any]:
        """The row of a table whose first cell is this."""
        return next(row for row in self.tables[table] if next(iter(row.values())) == name)


@cache
def load_paper() -> Paper:
    """Read the packaged record of what the paper prints."""
    import yaml

    source = yaml.safe_load(data.read_text("published/cognibench_paper.yaml"))
    return Paper(
        claims={entry["id"]: Said(**entry) for entry in source["claims"]},
        tables={number: tuple(rows) for number, rows in source["tables"].items()},
        released_turns=source["release"]["labelled_turns"],
        released_sentences=source["release"]["labelled_sentences"],
    )
