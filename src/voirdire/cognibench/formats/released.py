"""The layout of the CogniBench release: `dialogues.json` and `labels.json`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from voirdire.detectors.records import Answer, Exchange, Label, Statement
from voirdire.text.sentences import split_sentences

_TURN = re.compile(r"<(user|assistant)>")


def read_released(folder: Path) -> list[Answer]:
    """Every turn that the release selects, labelled or not, in the order of `dialogues.json`."""
    dialogues = json.loads((folder / "dialogues.json").read_text(encoding="utf-8"))
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    return [_answer(entry, labels.get(entry["id"])) for entry in dialogues]


def _answer(entry: dict[str, Any], labels: dict[str, Any] | None) -> Answer:
    exchanges = _exchanges(entry["dialogue"])
    (current,) = _exchanges(entry["current_turn"])
    known = (
        {}
        if labels is None
        else {text: _label(text, given, labels) for text, (given, _) in labels["sentence_label_dict"].items()}
    )
    return Answer(
        id=entry["id"],
        dialogue=entry["id"].rpartition("_")[0],
        group=entry["id"].partition("_")[0],
        context=entry["reference"],
        question=current.user,
        text=current.assistant,
        statements=tuple(
            Statement(s.text, s.start, s.end, known.get(s.text.lower())) for s in split_sentences(current.assistant)
        ),
        history=tuple(exchanges[: entry["turn_index"]]),
        turn=entry["turn_index"],
        topic=entry.get("topic"),
    )


def _label(text: str, given: list[str], labels: Any) -> Label:
    if "invented" in given:
        return "invented"
    if "faithful" in given:
        return "faithful"
    rungs: tuple[Label, ...] = ("misleading", "speculative", "reliable", "irrefutable")
    if given:
        return rungs[len(given)]
    return "misleading" if text in [each.lower() for each in labels["misleading_list"]] else "irrelevant"


def _exchanges(text: str) -> list[Exchange]:
    parts = _TURN.split(text)[1:]
    said = [(role, words.strip()) for role, words in zip(parts[::2], parts[1::2], strict=True)]
    return [Exchange(said[i][1], said[i + 1][1]) for i in range(0, len(said) - 1, 2)]
