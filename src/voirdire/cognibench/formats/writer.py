"""The one writer of grounded dialogues: JSON Lines that `iter_jsonl` gives back as they were."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from voirdire.cognibench.records import CognibenchError
from voirdire.data.plain import as_plain
from voirdire.detectors.records import Answer


def write_jsonl(answers: Iterable[Answer], path: Path) -> int:
    """Write one line per answer, with labels, offsets and history; how many were written.

    Raises:
        CognibenchError: the file can't be written.
    """
    written = 0
    try:
        with path.open("w", encoding="utf-8") as file:
            for answer in answers:
                file.write(json.dumps(as_entry(answer), ensure_ascii=False) + "\n")
                written += 1
    except OSError as error:
        raise CognibenchError(f"{path} can't be written: {error.strerror}.") from error
    return written


def as_entry(answer: Answer) -> dict[str, Any]:
    """An answer as the JSON object that stands for it."""
    return {
        "id": answer.id,
        "dialogue": answer.dialogue,
        "group": answer.group,
        "turn": answer.turn,
        "topic": answer.topic,
        "model": answer.model,
        "context": answer.context,
        "history": as_plain(answer.history),
        "question": answer.question,
        "answer": answer.text,
        "statements": [
            {"text": each.text, "start": each.start, "end": each.end, "label": each.label} for each in answer.statements
        ],
    }
