"""Wrong labels by kind of error, the most typical first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from voirdire.cognibench.diagnosis.cases import Case, Grounds
from voirdire.cognibench.diagnosis.errors import ERRORS, ErrorKind, kind_of
from voirdire.cognibench.diagnosis.matching import Pair
from voirdire.detectors.records import Require

EXAMPLES = 3
"""Statements of each group in the JSON."""


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """All errors of one kind."""

    kind: ErrorKind
    cases: tuple[Case, ...]
    """The most typical first."""
    words: int
    share: float
    """Of all wrong labels, in [0, 1]."""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON, with the most typical cases."""
        return {
            "name": self.kind.name,
            "title": self.kind.title,
            "definition": self.kind.says,
            "side": self.kind.side,
            "statements": len(self.cases),
            "words": self.words,
            "share": self.share,
            "examples": [
                {
                    "id": case.pair.answer.id,
                    "group": case.pair.answer.group,
                    "statement": case.pair.statement.text,
                    "start": case.pair.statement.start,
                    "machine": case.pair.machine,
                    "human": case.pair.human,
                    "why": self.kind.reason(case),
                }
                for case in self.cases[:EXAMPLES]
            ],
        }


def grouped(pairs: Sequence[Pair], require: Require) -> tuple[ErrorGroup, ...]:
    """Put every wrong label into its group; the largest group first, those without a case left out."""
    grounds: dict[str, Grounds] = {}
    cases: dict[str, list[Case]] = {kind.name: [] for kind in ERRORS}
    wrong = [pair for pair in pairs if pair.machine != pair.human]
    for pair in wrong:
        context = pair.answer.context
        if context not in grounds:
            grounds[context] = Grounds.of(context)
        case = Case(pair, grounds[context], require)
        cases[kind_of(case).name].append(case)
    groups = [
        ErrorGroup(
            kind,
            _typical(cases[kind.name]),
            words=sum(case.pair.statement.words for case in cases[kind.name]),
            share=len(cases[kind.name]) / len(wrong),
        )
        for kind in ERRORS
        if cases[kind.name]
    ]
    return tuple(sorted(groups, key=lambda group: -len(group.cases)))


def _typical(cases: Sequence[Case]) -> tuple[Case, ...]:
    """Cases, the most typical first, each from another dialogue's group before one comes twice.

    Typical is what lies near the medians of length and of new words, each distance counted in its own median; equal
    ones stand in the order of id and place.
    """
    far_in_length = _distances([float(case.pair.statement.words) for case in cases])
    far_in_words = _distances([case.novelty.anywhere for case in cases])
    order = sorted(range(len(cases)), key=lambda at: (far_in_length[at] + far_in_words[at], _place(cases[at])))
    seen: dict[str, int] = {}
    turn: dict[int, int] = {}
    for at in order:
        group = cases[at].pair.answer.group
        turn[at] = seen[group] = seen.get(group, 0) + 1
    return tuple(cases[at] for at in sorted(order, key=lambda at: turn[at]))


def _distances(values: Sequence[float]) -> list[float]:
    """How far each value lies from the median, in medians; values are positive."""
    middle = median(values) if values else 1.0
    return [abs(value - middle) / middle for value in values]


def _place(case: Case) -> tuple[str, int]:
    return case.pair.answer.id, case.pair.statement.start
