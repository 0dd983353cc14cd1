"""What a run of dialogues holds, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from voirdire.cognibench.generation.dialogue import HeldTurn, complete
from voirdire.cognibench.generation.references import Reference
from voirdire.cognibench.generation.user import UserSide
from voirdire.data.plain import as_object
from voirdire.run import Totals
from voirdire.text import cut_answer
from voirdire.text.counting import counted
from voirdire.text.scripts import count_words


@dataclass(frozen=True, slots=True)
class ModelTurns:
    """What came of a model's turns."""

    model: str
    dialogues: int
    """Complete ones."""
    answered: int
    """Answers, cut ones included."""
    cut: int
    """Of them, cut at the limit of tokens."""
    refused: int
    empty: int
    failed: int
    """Calls that did not succeed; the next session makes them again."""
    words: float | None
    """Mean of an answer; `None` without any."""
    sentences: float | None
    """Likewise."""


@dataclass(frozen=True, slots=True)
class Generated:
    """What there is in a run."""

    path: Path
    references: int
    dialogues: int
    """That were asked for."""
    models: tuple[ModelTurns, ...]
    topics: Mapping[str, int]
    """References by topic; "" stands for none."""
    users: Mapping[str, int]
    """References by who wrote the user's side."""
    calls: int
    usd: float | None
    """What was spent; `None` where a price is unknown."""
    stopped: str | None = None
    """Why it is not complete, if it is not."""

    def stopping(self, why: str | None) -> Self:
        """The same, with why the session stopped, or else what is missing."""
        missing = self.dialogues - sum(model.dialogues for model in self.models)
        lacking = f"{missing:,} of {counted(self.dialogues, 'dialogue')} missing; the same command goes on."
        return replace(self, stopped=why or (lacking if missing else None))

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return as_object(self)


def summarised(
    path: Path,
    references: Sequence[Reference],
    sides: Sequence[UserSide],
    held: Mapping[str, Sequence[Sequence[HeldTurn]]],
    turns: int,
    totals: Totals,
) -> Generated:
    """Count what was held.

    Args:
        path: of the run.
        references: of the run.
        sides: the user's sides that are there.
        held: the turns of every dialogue, by model.
        turns: that a dialogue is to have.
        totals: what the calls took.
    """
    return Generated(
        path,
        references=len(references),
        dialogues=len(references) * len(held),
        models=tuple(_model_turns(model, dialogues, turns) for model, dialogues in held.items()),
        topics=dict(sorted(Counter(reference.topic or "" for reference in references).items())),
        users=dict(Counter(side.source for side in sides)),
        calls=totals.calls,
        usd=None if totals.unknown_price else totals.cost_usd,
    )


def _model_turns(model: str, dialogues: Sequence[Sequence[HeldTurn]], turns: int) -> ModelTurns:
    outcomes = Counter(turn.outcome for dialogue in dialogues for turn in dialogue)
    answers = [turn.answer for dialogue in dialogues for turn in dialogue if turn.answer is not None]
    return ModelTurns(
        model,
        dialogues=sum(complete(dialogue, turns) for dialogue in dialogues),
        answered=len(answers),
        cut=outcomes["cut"],
        refused=outcomes["refused"],
        empty=outcomes["empty"],
        failed=outcomes["failed"],
        words=_mean([count_words(answer) for answer in answers]),
        sentences=_mean([len(cut_answer(answer)) for answer in answers]),
    )


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None
