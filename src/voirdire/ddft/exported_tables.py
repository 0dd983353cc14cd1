"""A run's tables, made from its journal: turns, verdicts, scores. They can be made again at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from voirdire.ddft import aliases
from voirdire.ddft.hostile_answers import HostileAnswers, Place
from voirdire.ddft.judging import DIALOGUE_NOTE, answer_hash, verdicts_kind
from voirdire.records import Trap, Turn
from voirdire.runs import RecordedNote, ReplyPlace, RunFolder

if TYPE_CHECKING:
    import pandas as pd

TURN_COLUMNS = (
    *("dialogue", "model", "concept", "level", "sample", "turn", "question", "answer", "question_source"),
    *("question_notes", "trap_kind", "trap_item", "trap_description", "stance_at_4", "finish_reason", "error"),
    "addresses",
)
CELL_COLUMNS = ("jury", "dialogue", "model", "concept", "level", "sample", "turn")
VERDICT_COLUMNS = (
    *CELL_COLUMNS,
    *("judge", "far", "sas", "no_claims", "stance", "justification", "missing", "repairs", "echoes"),
)
SCORE_COLUMNS = (*CELL_COLUMNS, "far", "sas", "no_claims", "stance", "judges", "unscored")

_AT_ONCE = 100
"""Dialogues of which rows are made together."""

ANSWERING = ("subject", "imported")
"""Roles of calls whose replies are the answers to be judged."""

_VERDICTS = verdicts_kind("")
_TYPES = {
    **dict.fromkeys(("level", "far", "sas"), "float64"),
    **dict.fromkeys(("sample", "turn", "repairs", "judges"), "int64"),
    **dict.fromkeys(("no_claims", "addresses", "echoes"), "bool"),
}
"""Of the columns that are not texts."""

Rows = dict[Place, dict[str, Any]]
"""Of turns, by where they stand."""
Write = Callable[[str, "Iterable[pd.DataFrame]"], object]
"""What takes the pieces of a table, by its name."""


class _Index(NamedTuple):
    """What there is to make tables of, in the order of their rows."""

    dialogues: list[str]
    """In an order that does not depend on which call ended first: two runs of the same replies give equal tables."""
    replies: dict[str, list[tuple[int, int]]]
    """(turn, id) of the answers by dialogue, in the order in which they came."""
    juries: list[str]
    hostile_answers: HostileAnswers
    """Knows what answers say to their judges once the rows of their turns have been made."""
    names: Mapping[str, str]
    """Aliases of models by their specs."""

    def pieces(self) -> Iterator[list[str]]:
        """The dialogues, some at a time; one empty piece where there are none."""
        yield from (self.dialogues[start : start + _AT_ONCE] for start in range(0, len(self.dialogues) or 1, _AT_ONCE))


class JournalReader(Protocol):
    """What was decided and answered in dialogues: a journal, or a record in memory."""

    def notes(self, kinds: Sequence[str] = ()) -> Iterator[RecordedNote]:
        """All notes, or those of these kinds, in the order in which they were first written."""
        ...

    def notes_in(self, dialogues: Sequence[str], kinds: Sequence[str]) -> Sequence[RecordedNote]:
        """Those of these dialogues and kinds."""
        ...

    def note_kinds(self) -> Set[str]:
        """Every kind of note there is."""
        ...

    def reply_places(self, roles: Sequence[str]) -> Iterator[ReplyPlace]:
        """Where the replies to calls of these roles belong, in order."""
        ...

    def reply_texts(self, ids: Sequence[int]) -> Mapping[int, str]:
        """What replies say, by their ids."""
        ...


class Tables(NamedTuple):
    """What `build_tables` makes: one row per turn; per jury, turn and judge; per jury and turn."""

    turns: pd.DataFrame
    verdicts: pd.DataFrame
    scores: pd.DataFrame


def build_tables(journal: JournalReader) -> Tables:
    """Make all tables of a run from its journal, or from another record of dialogues."""
    import pandas as pd

    index = _index_of(journal)
    turns: list[pd.DataFrame] = []
    judged: dict[str, list[tuple[pd.DataFrame, pd.DataFrame]]] = {jury: [] for jury in index.juries or [""]}
    for dialogues in index.pieces():
        rows, decisions = _turns_in(journal, dialogues, index.names, tuple(judged))
        turns.append(_turn_frame(journal, index, rows))
        for jury, frames in judged.items():
            frames.append(_judged_frames(index, rows, jury, decisions[jury]))
    verdicts, scores = zip(*(each for frames in judged.values() for each in frames), strict=True)
    return Tables(*(pd.concat(frames, ignore_index=True) for frames in (turns, verdicts, scores)))


def make_tables(journal: JournalReader, write: Write) -> None:
    """Make a run's tables from its journal, some dialogues at a time: memory does not grow with the run."""
    index = _index_of(journal)
    write("turns", _turn_pieces(journal, index))
    scores: list[pd.DataFrame] = []

    def verdict_pieces() -> Iterator[pd.DataFrame]:
        for verdicts, scored in _judged_pieces(journal, index):
            scores.append(scored)
            yield verdicts

    write("verdicts", verdict_pieces())
    write("scores", scores)


def judged_turns(journal: JournalReader, jury: str) -> Iterator[tuple[dict[str, Any], Mapping[str, Any] | None]]:
    """Each turn's row, and what a jury decided on its answer as it stands; `None` where it has not decided."""
    index = _index_of(journal)
    for dialogues in index.pieces():
        rows, decisions = _turns_in(journal, dialogues, index.names, (jury,))
        for at, _, text in _answers_to(journal, index, rows):
            rows[at]["answer"] = text
        for at, row in rows.items():
            yield row, _if_current(decisions[jury].get(at), row)


def read_tables(folder: RunFolder) -> Tables:
    """A run's tables as they were last written.

    Raises:
        RunFolderError: they have not been.
    """
    return Tables(*(folder.read_table(name) for name in Tables._fields))


def dialogues_in(journal: JournalReader) -> Iterator[list[Turn]]:
    """The turns of each dialogue as records, in order, put together some at a time; models have their specs."""
    for piece in _turn_pieces(journal, _index_of(journal)._replace(names={})):
        yield from turns_of(piece)


def turns_of(frame: pd.DataFrame) -> list[list[Turn]]:
    """The turns of a table as records, dialogue by dialogue, each in order."""
    return [
        [_turn(row) for row in rows.sort_values("turn").to_dict("records")]
        for _, rows in frame.groupby("dialogue", sort=False)
    ]


def _turn_row(dialogue: str, turn: int, body: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    kind, item, description = body["trap"] or (None, None, None)
    return {
        "dialogue": dialogue,
        "model": names.get(body["model"], body["model"]),
        **{name: body[name] for name in ("concept", "level", "sample", "question", "question_source")},
        "turn": turn,
        "question_notes": list(body["question_notes"]),
        "answer": None,
        "answer_sha256": body["answer_sha256"],
        "trap_kind": kind,
        "trap_item": item,
        "trap_description": description,
        "stance_at_4": None,
        "finish_reason": body["finish_reason"],
        "error": body["error"],
        "addresses": False,
    }


def _index_of(journal: JournalReader) -> _Index:
    keys: dict[str, tuple[Any, ...]] = {}
    for note in journal.notes(("turn",)):
        if note.dialogue not in keys:
            model, concept = (intern(note.body[name]) for name in ("model", "concept"))
            keys[note.dialogue] = model, concept, note.body["level"], note.body["sample"]
    replies: dict[str, list[tuple[int, int]]] = {}
    for number, dialogue, turn in journal.reply_places(ANSWERING):
        replies.setdefault(dialogue, []).append((turn, number))
    juries = sorted(kind.removeprefix(_VERDICTS) for kind in journal.note_kinds() if kind.startswith(_VERDICTS))
    names = {spec: alias for note in journal.notes((aliases.FIELD,)) for alias, spec in note.body.items()}
    return _Index(sorted(keys, key=keys.__getitem__), replies, juries, HostileAnswers(journal.reply_texts), names)


def _turn_pieces(journal: JournalReader, index: _Index) -> Iterator[pd.DataFrame]:
    for dialogues in index.pieces():
        yield _turn_frame(journal, index, _turns_in(journal, dialogues, index.names)[0])


def _turn_frame(journal: JournalReader, index: _Index, rows: Rows) -> pd.DataFrame:
    for at, number, text in _answers_to(journal, index, rows):
        rows[at]["answer"] = text
        rows[at]["addresses"] = index.hostile_answers.add_answer(at, number, text)
    return _frame(list(rows.values()), TURN_COLUMNS)


def _answers_to(journal: JournalReader, index: _Index, rows: Rows) -> Iterator[tuple[Place, int, str]]:
    """Where an answer belongs, its reply's number, and its text: of several replies, the one that the turn names."""
    places = [
        ((dialogue, turn), number)
        for dialogue in dict.fromkeys(dialogue for dialogue, _ in rows)
        for turn, number in index.replies.get(dialogue, ())
        if (dialogue, turn) in rows
    ]
    texts = journal.reply_texts([number for _, number in places])
    for at, number in places:
        if answer_hash(texts[number]) == rows[at]["answer_sha256"]:
            yield at, number, texts[number]


def _judged_pieces(journal: JournalReader, index: _Index) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    for jury in index.juries or [""]:
        for dialogues in index.pieces():
            rows, decisions = _turns_in(journal, dialogues, index.names, (jury,))
            yield _judged_frames(index, rows, jury, decisions[jury])


def _judged_frames(
    index: _Index, rows: Rows, jury: str, decisions: Mapping[Place, Mapping[str, Any]]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    verdicts: list[dict[str, Any]] = []
    scores: list[dict[str, Any]] = []
    for at, row in rows.items():
        body = _if_current(decisions.get(at), row)
        if body is not None:
            cell = {"jury": jury, **{name: row[name] for name in CELL_COLUMNS[1:]}}
            verdicts += [
                {**cell, **verdict, "echoes": index.hostile_answers.is_echoed(at, verdict["justification"])}
                for verdict in sorted(body["verdicts"], key=_judge_of)
            ]
            scores.append({**cell, **body["consensus"]})
    return _frame(verdicts, VERDICT_COLUMNS), _frame(scores, SCORE_COLUMNS)


def _if_current(decision: Mapping[str, Any] | None, row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A decision; `None` of one on an answer that has been given anew since: it is none on this one."""
    is_current = decision is not None and decision["answer_sha256"] == row["answer_sha256"]
    return decision if is_current else None


def _turns_in(
    journal: JournalReader, dialogues: Sequence[str], names: Mapping[str, str], juries: Sequence[str] = ()
) -> tuple[Rows, dict[str, dict[Place, Mapping[str, Any]]]]:
    """The rows of these dialogues' turns in their order, answers apart; and what each of these juries decided."""
    rows: Rows = {}
    answered: dict[str, int] = {}
    kinds = {verdicts_kind(jury): jury for jury in juries}
    decisions: dict[str, dict[Place, Mapping[str, Any]]] = {jury: {} for jury in juries}
    for note in journal.notes_in(dialogues, ("turn", DIALOGUE_NOTE, "stance", *kinds)):
        at = note.dialogue, note.turn
        if note.kind == "turn":
            rows[at] = _turn_row(note.dialogue, note.turn, note.body, names)
        elif note.kind == DIALOGUE_NOTE:
            answered[note.dialogue] = len(note.body["answers"])
        elif note.kind in kinds:
            decisions[kinds[note.kind]][at] = note.body
        elif at in rows:
            rows[at]["stance_at_4"] = note.body["stance"]
    place = {dialogue: number for number, dialogue in enumerate(dialogues)}
    ordered = sorted(rows, key=lambda at: (place[at[0]], at[1]))
    # A dialogue that was held again after a failure can be shorter than it was before.
    return {at: rows[at] for at in ordered if at[1] <= answered.get(at[0], at[1])}, decisions


def _judge_of(verdict: Mapping[str, Any]) -> str:
    return str(verdict["judge"])


def _frame(rows: list[dict[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a table whose columns have their types also where they hold nothing."""
    import numpy as np
    import pandas as pd

    def column(name: str) -> Any:
        values: Any = [row.get(name) for row in rows]
        if name == "question_notes":
            return pd.Series(values, dtype="object")
        kind = _TYPES.get(name)
        return np.array(values, dtype=kind) if kind else pd.array(values, dtype="str")

    return pd.DataFrame({name: column(name) for name in columns})


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
