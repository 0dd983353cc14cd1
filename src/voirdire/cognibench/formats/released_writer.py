"""Write the layout of the CogniBench release, so that `read_released` gives equal labels back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from voirdire.cognibench.formats.problems import Problem, Tell
from voirdire.cognibench.formats.released import DIALOGUES, LABELS, LISTS, MARK, read_released
from voirdire.detectors.records import Answer, Label, Statement, hallucinated, type_of

_ENTRIES: dict[Label, list[str]] = {
    "irrelevant": [],
    "faithful": ["faithful"],
    "invented": ["invented"],
    "misleading": [],  # told from irrelevant by `misleading_list`
    "speculative": ["rational"],
    "reliable": ["rational", "grounded"],
    "irrefutable": ["rational", "grounded", "unequivocal"],
}


def write_released(answers: Sequence[Answer], folder: Path, tell: Tell) -> None:
    """Write `dialogues.json` and `labels.json`, and tell of what reading them does not give back.

    That happens where equal sentences of an answer have different labels, where statements were not cut as we cut them,
    or where earlier turns are missing. An answer that holds the layout's own marks is left out. Beside the authors'
    fields stand ours: group, dialogue_id, model.

    Args:
        answers: labelled or not; only labelled ones get an entry in `labels.json`.
        folder: that is there.
        tell: is told of what the layout can't hold.
    """
    kept = [answer for answer in answers if _can_hold(answer, tell)]
    _dump([_dialogue(number, answer) for number, answer in enumerate(kept)], folder / DIALOGUES)
    _dump({answer.id: _labels(answer) for answer in kept if answer.labelled}, folder / LABELS)
    for answer, back in zip(kept, read_released(folder), strict=True):
        if answer.labelled and [each.label for each in back.statements] != [each.label for each in answer.statements]:
            tell(Problem("not held", answer.id, "read back, its labels differ"))
        elif back.turn != answer.turn:
            tell(Problem("not held", answer.id, f"read back, it is turn {back.turn}, not {answer.turn}"))


def _can_hold(answer: Answer, tell: Tell) -> bool:
    texts = [answer.question, answer.text, *(part for exchange in answer.history for part in exchange)]
    if any(MARK.search(text) for text in texts):
        tell(Problem("not held", answer.id, "left out, as it holds <user> or <assistant>"))
        return False
    return True


def _dialogue(number: int, answer: Answer) -> dict[str, Any]:
    current = _said(answer.question, answer.text)
    return {
        "Unnamed: 0": number,
        "id": answer.id,
        "dialogue": "".join([*(_said(*exchange) for exchange in answer.history), current]),
        "current_turn": current.strip(),
        "turn_index": len(answer.history),
        "reference": answer.context,
        "topic": answer.topic,
        "dialogue_id": answer.dialogue,
        "group": answer.group,
        "model": answer.model,
    }


def _said(user: str, assistant: str) -> str:
    return f"\n\n<user> {user}\n\n<assistant> {assistant}"


def _labels(answer: Answer) -> dict[str, Any]:
    labelled = [each for each in answer.statements if each.label is not None]
    kinds: dict[str, list[str]] = {
        "hallu_list": [each.text for each in labelled if _is_hallucinated(each)],
        "faithfulness_list": [
            each.text for each in labelled if not _is_hallucinated(each) and each.label != "irrelevant"
        ],
        "factual_list": [each.text for each in labelled if _type(each) == "factual"],
        "cognitive_list": [each.text for each in labelled if _type(each) == "cognitive"],
        "cognitive_hallu_list": [
            each.text for each in labelled if _is_hallucinated(each) and _type(each) == "cognitive"
        ],
    }
    for name, label in LISTS.items():
        kinds.setdefault(name, [each.text for each in labelled if each.label == label])
    entries = {
        each.text.lower(): [_ENTRIES[each.label], str(place)]
        for place, each in enumerate(answer.statements)
        if each.label is not None
    }
    return {**kinds, "sentence_label_dict": entries}


def _is_hallucinated(statement: Statement) -> bool:
    return statement.label is not None and hallucinated(statement.label)


def _type(statement: Statement) -> str | None:
    return None if statement.label is None else type_of(statement.label)


def _dump(data: Any, path: Path) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
