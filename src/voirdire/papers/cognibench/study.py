"""What the CogniBench paper prints, and the labelled answers that it is put to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from voirdire.cognibench.dynamics.estimates import Rows
from voirdire.cognibench.dynamics.report import Dynamics
from voirdire.data import packaged_files
from voirdire.detectors.records import Answer
from voirdire.papers.claims import Claim, read_claims

KINDS = ("overall", "factual", "cognitive")

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Paper:
    """What the paper prints."""

    claims: Mapping[str, Claim[Any]]
    """By id, in the order in which they are shown; `replication` binds them to what computes them."""
    tables: Mapping[str, tuple[Row, ...]]
    """By number, or by the section whose text has them; cells are text as printed."""
    released_turns: int
    """Labelled turns that were made public."""
    released_sentences: int
    rule: str
    """When a claim counts as reproduced, and when as consistent with a part of the data, in words."""
    assumed: str
    """What the verdicts take for granted."""

    def row(self, table: str, name: str) -> Row:
        """The row of a table whose first cell is this."""
        return next(row for row in self.tables[table] if next(iter(row.values())) == name)


@cache
def load_paper() -> Paper:
    """Read the packaged record of what the paper prints."""
    source = packaged_files.read_yaml("published/cognibench_paper.yaml")
    return Paper(
        claims=read_claims("cognibench_paper", source),
        tables={number: tuple(rows) for number, rows in source["tables"].items()},
        released_turns=source["release"]["labelled_turns"],
        released_sentences=source["release"]["labelled_sentences"],
        rule=source["rule"],
        assumed=source["assumed"],
    )


@dataclass(frozen=True, slots=True)
class Study:
    """The data at hand, and how much of the paper's they are."""

    answers: Sequence[Answer]
    rows: Rows
    dynamics: Dynamics
    paper: Paper

    def printed(self, claim: str) -> float:
        """The first number that the paper prints for a claim."""
        return self.paper.claims[claim].number

    @property
    def all_labels(self) -> bool:
        """Whether as many responses are labelled as the paper has."""
        return len(self.rows.answers) >= self.printed("responses")

    @property
    def all_texts(self) -> bool:
        """Whether there are as many responses, labelled or not."""
        return len(self.answers) >= self.printed("responses")

    @property
    def released(self) -> bool:
        """Whether there are at least as many labelled responses as were made public."""
        return len(self.rows.answers) >= self.paper.released_turns
