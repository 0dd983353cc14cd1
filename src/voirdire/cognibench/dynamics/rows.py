"""Labelled answers in tables, from their paths on: one row per labelled statement, and one per answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from voirdire.cognibench.formats import read_answers
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import Answer, Label, Require, hallucinated, type_of
from voirdire.text.counting import counted

UNKNOWN_MODEL = "unknown"
TYPES = ("irrelevant", "factual", "cognitive")
CLAIMS = ("factual", "cognitive")
"""The types that can be hallucinated."""


class Rows(NamedTuple):
    """A data set as two tables."""

    statements: pd.DataFrame
    """One row per labelled statement: answer (row of `answers`), group, turn, topic, model, place (from 0), of (number
    of its answer's sentences), position ((place + 1/2) / of, in (0, 1)), label, type, hallucinated, words."""
    answers: pd.DataFrame
    """One row per answer with a label: answer, dialogue, group, turn, topic, model, reference."""

    def part(self, column: str, value: object) -> Rows:
        """The answers whose `column` has this value, with their statements."""
        return Rows(
            self.statements[self.statements[column] == value],
            self.answers[self.answers[column] == value],
        )


def rows_of(answers: Sequence[Answer], require: Require = "grounded") -> Rows:
    """Lay out what is labelled.

    Args:
        answers: those without a label are left out.
        require: what a cognitive statement must be.

    Raises:
        CognibenchError: nothing is labelled.
    """
    labelled = [answer for answer in answers if answer.labelled]
    if not labelled:
        raise CognibenchError(
            f"None of {counted(len(answers), 'answer')} has a labelled sentence; "
            "label them first (voirdire cognibench label DATA -o RUN)."
        )
    return Rows(
        pd.DataFrame(
            [
                _statement(row, answer, place, label, require)
                for row, answer in enumerate(labelled)
                for place, label in _known(answer)
            ]
        ),
        pd.DataFrame([{"answer": row, "dialogue": a.dialogue, **_shared(a)} for row, a in enumerate(labelled)]),
    )


def pooled(sets: Mapping[str, Sequence[Answer]]) -> list[Answer]:
    """The answers of several data sets as those of one.

    Ids and dialogues get the set's name in front. Whatever has the same context is one group, whichever set it stands
    in, so that several models' answers on the same references can be compared in pairs.
    """
    if len(sets) == 1:
        return [answer for answers in sets.values() for answer in answers]
    group: dict[str, str] = {}
    return [
        replace(
            answer,
            id=f"{name}/{answer.id}",
            dialogue=f"{name}/{answer.dialogue}",
            group=group.setdefault(answer.context, f"{name}/{answer.group}"),
        )
        for name, answers in sets.items()
        for answer in answers
    ]


def _known(answer: Answer) -> list[tuple[int, Label]]:
    return [(place, given.label) for place, given in enumerate(answer.statements) if given.label is not None]


def _shared(answer: Answer) -> dict[str, object]:
    return {
        "group": answer.group,
        "turn": answer.turn,
        "topic": answer.topic or "",
        "model": answer.model or UNKNOWN_MODEL,
        "reference": answer.context,
    }


def _statement(row: int, answer: Answer, place: int, label: Label, require: Require) -> dict[str, object]:
    of = len(answer.statements)
    return {
        "answer": row,
        **{name: value for name, value in _shared(answer).items() if name != "reference"},
        "place": place,
        "of": of,
        "position": (place + 0.5) / of,
        "label": label,
        "type": type_of(label),
        "hallucinated": hallucinated(label, require),
        "words": answer.statements[place].words,
    }


def read_sets(paths: Sequence[Path]) -> dict[str, list[Answer]]:
    """Read data sets, each under the shortest end of its path that tells it from the others.

    Raises:
        CognibenchError: a path is given twice, or holds nothing that can be read.
    """
    whole = [path.resolve() for path in paths]
    if len(set(whole)) < len(whole):
        raise CognibenchError("A data set is given twice; name each once.")
    depth = 1
    while len({path.parts[-depth:] for path in whole}) < len(whole):
        depth += 1
    return {"/".join(path.parts[-depth:]): read_answers(given) for path, given in zip(whole, paths, strict=True)}


def read_one(paths: Sequence[Path]) -> list[Answer]:
    """Read the one data set that is meant.

    Raises:
        CognibenchError: there are several, or nothing that can be read.
    """
    if len(paths) != 1:
        raise CognibenchError(f"This takes one data set; {len(paths)} were given.")
    return read_answers(paths[0])
