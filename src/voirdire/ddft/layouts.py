"""Reading published DDFT records: a file of turns, or a folder with one JSON file per dialogue.

What can't be read is named and counted, never passed over in silence.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MAX_FILE_BYTES = 512 * 2**20
Scores = tuple[float | None, float | None]
"""(FAR, SAS)."""


class LayoutError(ValueError):
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


def read_source(path: Path) -> Source:
    """Read a published record.

    Args:
        path: a file of turns (`.jsonl` or `.jsonl.gz`), or a folder with one JSON file per dialogue.

    Raises:
        LayoutError: no such file or folder, or nothing in it could be read.
    """
    if path.is_dir():
        source = _read_folder(path)
    elif path.is_file():
        source = _read_turns(path)
    else:
        raise LayoutError(f"There is no file or folder {path}; give turns.jsonl.gz, or a folder of dialogues.")
    if not source.dialogues:
        reason = f": {source.skipped[0]}" if source.skipped else "."
        raise LayoutError(f"Nothing in {path} could be read as a published dialogue{reason}")
    return source


def _read_folder(path: Path) -> Source:
    files = sorted(file for file in path.rglob("*.json") if file.is_file())
    digest = hashlib.sha256()
    source = Source("")
    for file in files:
        try:
            raw = file.read_bytes()
            digest.update(raw)
            source.dialogues.append(_dialogue(json.loads(raw), source, file.name))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
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
                    _judges(evaluation.get("judges")),
                    _scores(evaluation.get("consensus")),
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
    if path.stat().st_size > MAX_FILE_BYTES:
        raise LayoutError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes, and is not read.")
    raw = path.read_bytes()
    source = Source(hashlib.sha256(raw).hexdigest())
    found: dict[tuple[str, str, float], dict[int, RecordedTurn]] = {}
    for number, line in enumerate(_lines(raw, path), start=1):
        try:
            row = json.loads(line)
            turn = RecordedTurn(
                _number(row["turn"]),
                _text(row["question"]),
                _text(row["response"]),
                _judges(row.get("judges")),
                _scores(row.get("consensus")),
            )
            at = _text(row["model"]), _text(row["concept"]), _level(row["level"])
            if turn.number in found.setdefault(at, {}):
                raise ValueError(f"turn {turn.number} of this dialogue stands in the file twice")
            found[at][turn.number] = turn
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            source.skipped.append(f"line {number}: {_why(error)}")
    for (model, concept, level), turns in found.items():
        ordered = tuple(turns[number] for number in sorted(turns))
        source.dialogues.append(RecordedDialogue(model, concept, level, ordered))
    return source


def _lines(raw: bytes, path: Path) -> Iterator[str]:
    try:
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise LayoutError(f"{path} can't be read as (gzipped) UTF-8 text ({error}).") from None
    return (line for line in text.split("\n") if line.strip())  # not splitlines: answers hold U+2028


def _judges(raw: Any) -> dict[str, Scores]:
    return {str(name): _scores(scores) for name, scores in (raw or {}).items()}


def _scores(raw: Any) -> Scores:
    scores = raw or {}
    return _score(scores.get("FAR")), _score(scores.get("SAS"))


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
    if not isinstance(raw, int) or not 1 <= raw <= 5:
        raise ValueError(f"the turn {raw!r} is not a whole number from 1 to 5")
    return raw


def _text(raw: Any) -> str:
    if not isinstance(raw, str):
        raise ValueError(f"{type(raw).__name__} where a text is expected")
    return raw


def _why(error: Exception) -> str:
    return f"the field {error} is missing" if isinstance(error, KeyError) else str(error)
