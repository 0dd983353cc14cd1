"""Reading published DDFT records: a file of turns, or a folder with one JSON file per dialogue.

What can't be read is named and counted, never passed over in silence.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voirdire.data.files import FileError, decoded, whole_bytes
from voirdire.data.json_text import parse_json
from voirdire.errors import InputError

MAX_FILE_BYTES = 512 * 2**20
"""Of a file of turns, packed and unpacked."""
MAX_DIALOGUE_BYTES = 16 * 2**20
_DIALOGUES = ("*.json", "*/*.json")
"""In a folder: an export may have one for each model, and whoever names / or a home is not kept waiting."""
Scores = tuple[float | None, float | None]
"""(FAR, SAS)."""
TURN_FIELDS = ("model", "concept", "level", "turn", "question", "response", "judges", "consensus")
"""Of a line of a file of turns."""
SCORE_FIELDS = ("FAR", "SAS")


class LayoutError(InputError):
    """A source that can't be imported: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A turn as the source has it."""

    number: int
    question: str
    answer: str
    judges: Mapping[str, Scores]
    consensus: Scores


@dataclass(frozen=True, slots=True)
class RecordedDialogue:
    """A dialogue as the source has it."""

    model: str
    concept: str
    level: float
    turns: tuple[RecordedTurn, ...]


@dataclass(slots=True)
class Source:
    """What was read, and what was not."""

    sha256: str
    dialogues: list[RecordedDialogue] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    """One sentence per file, line or turn that could not be read."""
    unread: Counter[str] = field(default_factory=Counter)
    """Fields of turns and scores that mean nothing here, and how often each stands there."""


def read_source(path: Path) -> Source:
    """Read a published record.

    Args:
        path: a file of turns (`.jsonl` or `.jsonl.gz`), or a folder with one JSON file per dialogue, in it or in its
            folders.

    Raises:
        LayoutError: no such file or folder, or nothing in it could be read.
    """
    if path.is_dir():
        source = _read_folder(path)
    elif path.is_file():
        source = _read_turns(path)
    else:
        expected = "give a file of turns (.jsonl or .jsonl.gz), or a folder of dialogues"
        raise LayoutError(f"There is no file or folder {path}; {expected}.")
    if not source.dialogues:
        seen = f" (searched: {' and '.join(_DIALOGUES)})" if path.is_dir() else ""
        reason = f": {source.skipped[0].removesuffix('.')}" if source.skipped else ""
        raise LayoutError(f"Nothing in {path} could be read as a published dialogue{seen}{reason}.")
    return source


def _read_folder(path: Path) -> Source:
    files = sorted(file for each in _DIALOGUES for file in path.glob(each) if file.is_file())
    digest = hashlib.sha256()
    source = Source("")
    for file in files:
        try:
            raw = whole_bytes(file, MAX_DIALOGUE_BYTES)
            digest.update(raw)
            source.dialogues.append(_dialogue(parse_json(decoded(raw, file)), source, file.name))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            source.skipped.append(f"{file.relative_to(path)}: {_why(error)}")
    source.sha256 = digest.hexdigest()
    return source


def _dialogue(raw: Mapping[str, Any], source: Source, name: str) -> RecordedDialogue:
    """One dialogue of the folder layout: questions and answers alternate, answers carry their evaluation."""
    turns: list[RecordedTurn] = []
    question: str | None = None
    for entry in raw["conversation_log"]:
        if entry["role"] == "user":
            question = _text(entry["content"])
        elif entry["role"] == "assistant" and question is not None:
            evaluation = entry.get("evaluation") or {}
            number = len(turns) + 1
            turns.append(
                RecordedTurn(
                    number,
                    question,
                    _text(entry["content"]),
                    _judges(evaluation.get("judges"), source.unread),
                    _scores(evaluation.get("consensus"), source.unread),
                )
            )
            question = None
        else:
            source.skipped.append(f"{name}: a message of the role {entry['role']!r} stands out of turn")
    if not turns or len(turns) > 5:
        raise ValueError(f"it has {len(turns)} answered questions, and must have one to five")
    return RecordedDialogue(
        _text(raw["subject_model"]), _text(raw["concept"]), _level(raw["compression_level"]), tuple(turns)
    )


def _read_turns(path: Path) -> Source:
    try:
        raw = whole_bytes(path, MAX_FILE_BYTES)
        text = decoded(whole_bytes(path, MAX_FILE_BYTES, unzip=True), path)
    except FileError as error:
        raise LayoutError(str(error)) from None
    source = Source(hashlib.sha256(raw).hexdigest())
    turns_by_dialogue: dict[tuple[str, str, float], dict[int, RecordedTurn]] = {}
    # Not splitlines: answers hold U+2028.
    for number, line in enumerate(filter(str.strip, text.split("\n")), start=1):
        try:
            row = parse_json(line)
            turn = RecordedTurn(
                _number(row["turn"]),
                _text(row["question"]),
                _text(row["response"]),
                _judges(row.get("judges"), source.unread),
                _scores(row.get("consensus"), source.unread),
            )
            _note_unread(row, TURN_FIELDS, source.unread)
            at = _text(row["model"]), _text(row["concept"]), _level(row["level"])
            if turn.number in turns_by_dialogue.setdefault(at, {}):
                raise ValueError(f"turn {turn.number} of this dialogue stands in the file twice")
            turns_by_dialogue[at][turn.number] = turn
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            source.skipped.append(f"line {number}: {_why(error)}")
    for (model, concept, level), turns in turns_by_dialogue.items():
        ordered = tuple(turns[number] for number in sorted(turns))
        source.dialogues.append(RecordedDialogue(model, concept, level, ordered))
    return source


def _judges(raw: Any, unread: Counter[str]) -> dict[str, Scores]:
    return {str(name): _scores(scores, unread) for name, scores in (raw or {}).items()}


def _scores(raw: Any, unread: Counter[str]) -> Scores:
    scores = raw or {}
    _note_unread(scores, SCORE_FIELDS, unread)
    return _score(scores.get("FAR")), _score(scores.get("SAS"))


def _note_unread(fields: Iterable[str], known: Iterable[str], unread: Counter[str]) -> None:
    unread.update(str(name) for name in fields if name not in known)


def _score(raw: Any) -> float | None:
    if raw is None:
        return None
    if isinstance(raw, bool) or not isinstance(raw, int | float) or math.isnan(raw) or not 0 <= raw <= 1:
        raise ValueError(f"the score {raw!r} is not a number in [0, 1]")
    return float(raw)


def _level(raw: Any) -> float:
    level = _score(raw)
    if level is None:
        raise ValueError("the compression level is missing")
    return level


def _number(raw: Any) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 1 <= raw <= 5:
        raise ValueError(f"the turn {raw!r} is not a whole number from 1 to 5")
    return raw


def _text(raw: Any) -> str:
    if not isinstance(raw, str):
        raise ValueError(f"{type(raw).__name__} where a text is expected")
    return raw


def _why(error: Exception) -> str:
    return f"the field {error} is missing" if isinstance(error, KeyError) else str(error)
