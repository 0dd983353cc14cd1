"""The published turns of the DDFT study, as its release holds them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from voirdire.data.sheets import read_sheet
from voirdire.errors import InputError

DialogueKey = tuple[str, str, float]
"""Model, concept (as the published data name it), level."""


class PublishedDataError(InputError):
    """Published data that can't be used: one sentence says what is wrong."""


@dataclass(frozen=True, slots=True)
class PublishedTurn:
    """One turn of the published study, with its consensus; a score the study is missing is `None`."""

    model: str
    concept: str
    level: float
    turn: int
    question: str
    response: str
    far: float | None
    sas: float | None

    @property
    def dialogue(self) -> DialogueKey:
        """The dialogue it belongs to."""
        return (self.model, self.concept, self.level)


def read_labels(path: Path) -> dict[DialogueKey, bool]:
    """Read hand labels of first answers: whether each asks what is meant or says that nothing was given.

    A CSV with the columns model, concept, level and label; "neither" is no, anything else yes.

    Raises:
        PublishedDataError: no such file, or it lacks a column.
    """
    try:
        columns, cells = read_sheet(path)
        rows = [dict(zip(columns, row, strict=True)) for _, row in cells]
        labels = {(row["model"], row["concept"], float(row["level"])): row["label"] != "neither" for row in rows}
        if not all(0 <= level <= 1 for _, _, level in labels):
            raise ValueError("a level must lie from 0 to 1")
    except (KeyError, ValueError) as error:
        raise PublishedDataError(
            f"{path} is no table of labels ({type(error).__name__}: {error}); expected a CSV with the columns model, "
            "concept, level and label."
        ) from error
    return labels


def sample_turns(turns: Sequence[PublishedTurn], n: int | None = None, seed: int = 0) -> list[PublishedTurn]:
    """All turns, or `n` drawn by seed in equal parts from the concepts, ordered by concept.

    The order lets a judge that keeps its prompt's beginning in memory share the concept's reference between calls.

    Raises:
        ValueError: `n` is less than 1.
    """
    if n is not None and n < 1:
        raise ValueError(f"A sample of {n} turns was asked for; give at least 1, or leave the number out for all.")
    rng = random.Random(seed)  # noqa: S311 - a reproducible sample, not a secret
    ordered = sorted(turns, key=lambda turn: (turn.concept, turn.model, turn.level, turn.turn))
    if n is None or n >= len(ordered):
        return ordered
    shuffled = rng.sample(ordered, len(ordered))
    rank: dict[str, int] = {}
    ranked = []
    for turn in shuffled:
        rank[turn.concept] = rank.get(turn.concept, -1) + 1
        ranked.append((rank[turn.concept], turn))
    ranked.sort(key=lambda pair: pair[0])
    sample = {id(turn) for _, turn in ranked[:n]}
    return [turn for turn in ordered if id(turn) in sample]
