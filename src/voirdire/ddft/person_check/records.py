"""What a person is given to check, what comes back, and the turns of a run that it is about."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from voirdire.ddft.exported_tables import build_tables
from voirdire.ddft.folders import open_examination
from voirdire.ddft.judging import juries_in
from voirdire.ddft.snapshot import saved_concepts
from voirdire.errors import InputError
from voirdire.jury.choice import choose_jury
from voirdire.records import Concept, ConceptKind, Stance

if TYPE_CHECKING:
    import pandas as pd


THRESHOLD = 0.7
"""Of FAR: at or above it a turn counts as accurate (theta, DDFT 5.2.1)."""


class CrosscheckError(InputError):
    """A sheet that can't be made or read: one sentence says where, what is wrong, and what is expected."""


@dataclass(frozen=True, slots=True)
class SampledTurn:
    """A turn as a person sees it: without the subject's name, the level and the jury's scores."""

    key: str
    """Names the turn and the very answer, without telling whose it is."""
    concept: str
    turn: int
    reference: str
    history: tuple[tuple[str, str], ...]
    """The (question, answer) pairs before it."""
    question: str
    answer: str
    fabricated: str
    """At turns 4 and 5: the item that does not exist; "" elsewhere."""
    kind: ConceptKind = "established"
    as_of: str = ""
    """The date (ISO) at which the reference holds, where it names one."""

    @property
    def earlier(self) -> str:
        """The questions and answers before it, as one text."""
        return "\n\n".join(f"Question: {question}\nAnswer: {answer}" for question, answer in self.history)


@dataclass(frozen=True, slots=True)
class DrawnTurn:
    """A turn of a sample, with what a person must not know of it."""

    shown: SampledTurn
    dialogue: str
    """Its name tells the subject and the level."""
    concept: str
    """The concept's id."""
    stratum: str
    """The turn's number, and the side of theta on which the jury's FAR lies."""
    stands_for: int
    """How many scored turns it was drawn from: one over its chance."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What a person says of a turn."""

    key: str
    far: float | None
    sas: float | None
    no_claims: bool
    stance: Stance | None
    comment: str


def key_of(dialogue: str, turn: int, answer: str) -> str:
    """The key of a turn: stays the same as long as its answer does."""
    return hashlib.sha256(f"{dialogue}\n{turn}\n{answer}".encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run under one jury."""

    jury: str
    turns: pd.DataFrame
    """One row per turn that has an answer and a score: question, answer, the score, and the turn's `key`."""
    answered: pd.DataFrame
    """One row per turn that has an answer, scored or not: what was said before a turn."""
    verdicts: pd.DataFrame
    """What each judge said."""
    concepts: Mapping[str, Concept]

    @property
    def unscored(self) -> list[str]:
        """The answered turns that have no score: concept, level and turn."""
        names = ["dialogue", "turn"]
        scored = set(self.turns[names].itertuples(index=False, name=None))
        rows = self.answered[[*names, "concept", "level"]].itertuples(index=False, name=None)
        return [
            f"{concept} at level {level:g}, turn {turn}"
            for dialogue, turn, concept, level in rows
            if (dialogue, turn) not in scored
        ]


def read_judged(path: Path, jury: str | None = None) -> JudgedRun:
    """Read a run, without calling anything.

    Args:
        path: of the run folder.
        jury: the judges' names, or the id, of the jury; `None` for the run's own.

    Raises:
        JuryError: no such jury has judged it.
        RunFolderError: there is no run, or its manifest is damaged or another instrument's.
    """
    with open_examination(path, read_only=True) as folder:
        juries = juries_in(folder.journal)
        tables, concepts = build_tables(folder.journal), saved_concepts(folder)
    if tables.scores.empty:
        raise CrosscheckError(f"No turn of {path} has been judged yet; continue the run first.")
    chosen = choose_jury(juries, jury, path)
    scores, verdicts = (frame[frame["jury"] == chosen] for frame in (tables.scores, tables.verdicts))
    answered = tables.turns[tables.turns["answer"].notna()]
    turns = answered.merge(
        scores[["dialogue", "turn", "far", "sas", "no_claims", "stance", "unscored"]], on=["dialogue", "turn"]
    )
    turns = turns[turns["unscored"].isna()].reset_index(drop=True)
    keys = [key_of(*row) for row in turns[["dialogue", "turn", "answer"]].itertuples(index=False)]
    return JudgedRun(chosen, turns.assign(key=keys), answered, verdicts, concepts)
