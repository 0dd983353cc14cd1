"""A run's tables, made from its journal: turns, verdicts, scores. They can be made again at any time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from voirdire.ddft.judging import HELD, answer_hash, verdicts_kind
from voirdire.records import Trap, Turn
from voirdire.run import RecordedNote, RecordedReply

if TYPE_CHECKING:
    import pandas as pd

TURN_COLUMNS = (
    *("dialogue", "model", "concept", "level", "sample", "turn", "question", "answer", "question_source"),
    *("question_notes", "trap_kind", "trap_item", "trap_description", "stance_at_4", "finish_reason", "error"),
)
CELL_COLUMNS = ("jury", "dialogue", "model", "concept", "level", "sample", "turn")
VERDICT_COLUMNS = (
    *CELL_COLUMNS,
    *("judge", "far", "sas", "no_claims", "stance", "justification", "missing", "repairs"),
)
SCORE_COLUMNS = (*CELL_COLUMNS, "far", "sas", "no_claims", "stance", "judges", "unscored")

ANSWERING = ("subject", "imported")
"""Roles of calls whose replies are the answers to be judged."""

_VERDICTS = verdicts_kind("")


class Recorded(Protocol):
    """What was decided and answered in dialogues: a journal, or a record in memory."""

    def notes(self) -> Iterator[RecordedNote]:
        """All notes, in the order in which they were first written."""
        ...

    def replies(self) -> Iterator[RecordedReply]:
        """All replies, in order."""
        ...


class Tables(NamedTuple):
    """What `build_tables` makes: one row per turn; per jury, turn and judge; per jury and turn."""

    turns: pd.DataFrame
    verdicts: pd.DataFrame
    scores: pd.DataFrame


def build_tables(journal: Recorded) -> Tables:
    """Make all tables of a run from its journal, or from another record of dialogues."""
    import pandas as pd

    turns: dict[tuple[str, int], dict[str, Any]] = {}
    decisions: list[tuple[str, str, int, Mapping[str, Any]]] = []
    hashes: dict[tuple[str, int], str | None] = {}
    held: dict[str, int] = {}
    for note in journal.notes():
        if note.kind == "turn":
            turns[note.dialogue, note.turn] = _turn_row(note.dialogue, note.turn, note.body)
            hashes[note.dialogue, note.turn] = note.body["answer_sha256"]
        elif note.kind.startswith(_VERDICTS):
            decisions.append((note.kind.removeprefix(_VERDICTS), note.dialogue, note.turn, note.body))
        elif note.kind == HELD:
            held[note.dialogue] = len(note.body["answers"])
        elif note.kind == "stance" and (note.dialogue, note.turn) in turns:
            turns[note.dialogue, note.turn]["stance_at_4"] = note.body["stance"]
    # A dialogue that was held again after a failure can be shorter than it was before.
    turns = {at: row for at, row in turns.items() if at[1] <= held.get(at[0], at[1])}
    # A verdict on an answer that has been given anew since is no verdict on this one.
    decisions = [each for each in decisions if (each[1], each[2]) in turns and _is_current(each, hashes)]
    for recorded in journal.replies():
        at = recorded.slot.dialogue, recorded.slot.turn
        answers = recorded.slot.role in ANSWERING and at in turns
        if answers and answer_hash(recorded.reply.text) == hashes[at]:
            turns[at]["answer"] = recorded.reply.text
    verdicts, scores = _judged(decisions, turns)
    return Tables(
        _sorted(pd.DataFrame(list(turns.values()), columns=list(TURN_COLUMNS))),
        _sorted(pd.DataFrame(verdicts, columns=list(VERDICT_COLUMNS))),
        _sorted(_with_types(pd.DataFrame(scores, columns=list(SCORE_COLUMNS)))),
    )


def turns_of(frame: pd.DataFrame) -> list[list[Turn]]:
    """The turns of a table as records, dialogue by dialogue, each in order."""
    return [
        [_turn(row) for row in rows.sort_values("turn").to_dict("records")]
        for _, rows in frame.groupby("dialogue", sort=False)
    ]


def _turn_row(dialogue: str, turn: int, body: Mapping[str, Any]) -> dict[str, Any]:
    kind, item, description = body["trap"] or (None, None, None)
    return {
        "dialogue": dialogue,
        **{name: body[name] for name in ("model", "concept", "level", "sample", "question", "question_source")},
        "turn": turn,
        "question_notes": list(body["question_notes"]),
        "answer": None,
        "trap_kind": kind,
        "trap_item": item,
        "trap_description": description,
        "stance_at_4": None,
        "finish_reason": body["finish_reason"],
        "error": body["error"],
    }


def _judged(
    decisions: Iterable[tuple[str, str, int, Mapping[str, Any]]], turns: Mapping[tuple[str, int], Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    verdicts: list[dict[str, Any]] = []
    scores: list[dict[str, Any]] = []
    for jury, dialogue, number, body in decisions:
        turn = turns[dialogue, number]
        cell = {"jury": jury, **{name: turn[name] for name in CELL_COLUMNS[1:]}}
        verdicts += [{**cell, **verdict} for verdict in body["verdicts"]]
        scores.append({**cell, **body["consensus"]})
    return verdicts, scores


def _is_current(
    decision: tuple[str, str, int, Mapping[str, Any]], hashes: Mapping[tuple[str, int], str | None]
) -> bool:
    _, dialogue, number, body = decision
    return bool(body["answer_sha256"] == hashes[dialogue, number])


def _turn(row: Mapping[Any, Any]) -> Turn:
    import pandas as pd

    def text(name: str) -> str | None:
        return None if pd.isna(row[name]) else str(row[name])

    kind = text("trap_kind")
    return Turn(
        model=row["model"],
        concept=row["concept"],
        level=float(row["level"]),
        turn=int(row["turn"]),
        question=row["question"],
        answer=text("answer"),
        question_source=row["question_source"],
        question_notes=tuple(row["question_notes"]),
        trap=None if kind is None else Trap(kind, row["trap_item"], row["trap_description"]),  # type: ignore[arg-type]
        finish_reason=row["finish_reason"],
        error=text("error"),
        sample=int(row["sample"]),
    )


def _with_types(scores: pd.DataFrame) -> pd.DataFrame:
    """Numbers as numbers even where a column holds nothing but missing values."""
    return scores.astype({"far": "float64", "sas": "float64", "no_claims": "bool"})


def _sorted(frame: pd.DataFrame) -> pd.DataFrame:
    """In an order that does not depend on which call ended first: two runs of the same replies give equal tables."""
    keys = [name for name in ("jury", "model", "concept", "level", "sample", "turn", "judge") if name in frame]
    return frame.sort_values(keys, kind="stable").reset_index(drop=True)
