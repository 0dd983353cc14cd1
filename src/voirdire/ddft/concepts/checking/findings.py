"""What a check finds, how strictly it looks, and where in the file it looked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]


class BrokenRule(NamedTuple):
    """One rule that a concept file breaks."""

    severity: Severity
    """An error is what a run can't do without, or breaks a rule of the packaged concepts; a warning weakens a test."""
    rule: str
    field: str
    """Which part of the file: "reference", "facts[3].wrong" …"""
    message: str
    quote: str = ""
    """The sentence concerned, where the field holds several."""


class Limits(NamedTuple):
    """How much of everything is wanted, and how grave it is when there is less."""

    severity: Severity
    words: tuple[int, int]
    """Of the reference: at least and at most."""
    paragraphs: int
    facts: int
    carried: int
    """Facts whose details stand in the reference."""
    instances: int
    scholars: int
    topics: int
    real: int
    """Of each kind: papers, events, laws."""


OWN = Limits("warning", (150, 800), 1, 8, 6, 2, 5, 5, 1)
"""For a user's own file."""
HOUSE = Limits("error", (300, 450), 2, 12, 10, 2, 25, 10, 6)
"""For packaged concepts (data/concepts/README.md), and for a user's own with --as-packaged."""

MIN_FACTS = 3
MIN_SENTENCES = 5
"""Of a reference: with fewer, there is nothing to take away level by level."""

error = partial(BrokenRule, "error")
warning = partial(BrokenRule, "warning")

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Lines:
    """Where in its file each part of a concept begins."""

    text: str
    """YAML that has been read without fault."""

    @cached_property
    def starts(self) -> Mapping[Path, int]:
        """The line (from 1) of every part, by its path."""
        import yaml

        return dict(_starts(yaml.compose(self.text, Loader=yaml.SafeLoader), ()))

    def line_number(self, finding: BrokenRule) -> int | None:
        """The line (from 1) of what a finding speaks of, or of what holds it where it is missing."""
        path = _path(finding.field)
        while path and path not in self.starts:
            path = path[:-1]
        if not path:
            return None
        start = self.starts[path]
        return start + self._lines_to(finding.quote, start) if finding.quote else start

    def _lines_to(self, quote: str, start: int) -> int:
        """How many lines after line `start` a quote begins; line breaks in the file are spaces in the quote."""
        after = "\n".join(self.text.splitlines()[start - 1 :])
        match = re.search(r"\s+".join(map(re.escape, quote.split())), after)
        return after[: match.start()].count("\n") if match else 0


def _starts(node: object, path: Path) -> Iterator[tuple[Path, int]]:
    import yaml

    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = (*path, str(key.value))
            yield here, key.start_mark.line + 1
            yield from _starts(value, here)
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            yield (*path, place), value.start_mark.line + 1
            yield from _starts(value, (*path, place))


def _path(field: str) -> Path:
    parts = field.replace("[", ".").replace("]", "").split(".")
    return tuple(int(part) if part.isdigit() else part for part in parts)
