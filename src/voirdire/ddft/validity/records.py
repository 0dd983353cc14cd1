"""What the checks of a run look at, and what each of them finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import pandas as pd

from voirdire.data.json_values import as_object
from voirdire.ddft import wording as wording  # what the evidence reads like
from voirdire.ddft.concept_sums import checked
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.ddft.validity.copied_judges import Copies, copied_judges
from voirdire.reason_codes import Reason
from voirdire.records import Concept

Status = Literal["pass", "warn", "fail", "undecided", "not measured"]
"""What has a value that decides nothing yet is undecided; what has nothing to look at, and need not have, is not
measured. Neither passes nor warns."""


@dataclass(frozen=True, slots=True, repr=False)
class Check:
    """What one check found."""

    id: str
    status: Status
    value: float | None
    """What was measured; `None` where it could not be, and `evidence` says why."""
    interval: tuple[float, float] | None
    """95 % interval of the value, clustered by concept; `None` where it has none."""
    evidence: tuple[Reason, ...]
    """What was counted, and quotes from the run."""
    count: tuple[int, int] | None = None
    """Of a share: how many of how many."""
    models: tuple[str, ...] = ()
    """Those that make it fail, the worst first; empty where it does not fail, or fails of all of them together."""

    def __repr__(self) -> str:
        return f"<Check {self.id}: {self.status}, value={self.value}, interval={self.interval}>"

    def as_dict(self) -> dict[str, Any]:
        """The finding as plain values that JSON can hold."""
        return as_object(self)


TURNS_CHECKED = (
    *("dialogue", "model", "concept", "level", "sample", "turn"),
    *("question", "question_notes", "finish_reason", "addresses"),
)
VERDICTS_CHECKED = ("model", "concept", "dialogue", "turn", "judge", "far", "sas", "stance", "missing", "echoes")
"""The columns that checks look at: the others of a large run need not be in memory."""


@dataclass(frozen=True)
class RunRecord:
    """A run as the checks need it, under one jury."""

    turns: pd.DataFrame
    """One row per turn asked, with the columns `TURNS_CHECKED` at least."""
    verdicts: pd.DataFrame
    """This jury's, one row per turn and judge, with the columns `VERDICTS_CHECKED` at least."""
    scores: pd.DataFrame
    """This jury's, one row per turn (`tables.SCORE_COLUMNS`)."""
    judges: tuple[str, ...]
    interviewer: str
    """The model that asked, "scripted" or "imported"."""
    trap: str
    """The kind of trap that the preset sets, or "none"."""
    samples: int
    """Repetitions of a dialogue that the preset asks for."""
    concepts: Mapping[str, Concept]
    """By id. A concept whose text the run does not hold has its id for a name and no reference."""
    openings: Mapping[str, str]
    """By dialogue: everything the subject was sent with the first question, that question included."""
    completed_dialogues: Set[str]
    """Dialogues that were held to their end."""
    specs: Mapping[str, str] = field(default_factory=dict)
    """Of models that are shown by an alias, by that alias."""
    imported: bool = False
    """Made of a published record: why answers ended, and who asked, is not known."""
    thresholds: Thresholds = PAPER
    """What the metrics count by."""
    call_failures: Mapping[str, Reason] = field(default_factory=dict)
    """By model, how most of its failed calls failed."""
    answer_pieces: Callable[[], Iterator[pd.Series[Any]]] | None = None
    """The answers, some at a time, each piece with the index of its rows of `turns`: those of a large run are not held
    in memory. `None`: `turns` has them, in its column "answer"."""

    justification_pieces: Callable[[], Iterator[pd.Series[Any]]] | None = None
    """The justifications in the same way, each piece with the index of its rows of `verdicts`. `None`: `verdicts` has
    them in its column "justification", or there are none."""

    @cached_property
    def copied_judges(self) -> Copies:
        """The judges who repeat each other."""
        return copied_judges(self.verdicts)

    def answers(self) -> Iterator[pd.Series[Any]]:
        """All answers, some at a time, with the index of `turns`."""
        return iter([self.turns["answer"]]) if self.answer_pieces is None else self.answer_pieces()

    def justifications(self) -> Iterator[pd.Series[Any]]:
        """All justifications, some at a time, with the index of `verdicts`."""
        if self.justification_pieces is not None:
            return self.justification_pieces()
        return iter([self.verdicts["justification"]] if "justification" in self.verdicts else [])

    def answered(self) -> pd.Series[bool]:
        """Of every turn: whether it has an answer."""
        return pd.concat([piece.notna() for piece in self.answers()])

    def with_answers(self, rows: pd.DataFrame) -> pd.DataFrame:
        """These few rows of `turns`, each with its answer."""
        if rows.empty:
            return rows.assign(answer="")
        answers = [piece[piece.index.intersection(rows.index)] for piece in self.answers()]
        return rows.assign(answer=pd.concat(answers).reindex(rows.index))

    def scores_by_model(self) -> list[tuple[str, pd.DataFrame]]:
        """The scores of each model, checked, in the order in which models appear; none where nothing is judged."""
        if self.scores.empty:
            return []
        return [(str(model), rows) for model, rows in checked(self.scores).groupby("model", sort=False)]
