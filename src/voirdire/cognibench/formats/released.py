"""The layout of the CogniBench release: `dialogues.json` and `labels.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from voirdire.cognibench.formats.entries import (
    LABELLED_BY_MODEL,
    cut_by_offsets,
    name_of,
    place_mapping,
    text_of,
    turn_of,
)
from voirdire.cognibench.formats.entries import text as text_field
from voirdire.cognibench.formats.problems import Problem, Tell, ignore
from voirdire.cognibench.records import CognibenchError
from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import JsonError, parse_json
from voirdire.detectors.records import Answer, Exchange, Label, Statement, hallucinated, type_of
from voirdire.errors import a_type
from voirdire.text.alignment import align
from voirdire.text.counting import counted
from voirdire.text.sentences import Sentence, split_sentences

DIALOGUES = "dialogues.json"
LABELS = "labels.json"
MARK = re.compile(r"<(user|assistant)>")
"""Who speaks next."""

_RUNGS: tuple[Label, ...] = ("misleading", "speculative", "reliable", "irrefutable")
# Spelled as the release spells them; later ones win: `faithfulness_list` also holds cognitive statements.
LISTS: dict[str, Label] = {
    "faithfulness_list": "faithful",
    "factual_hallu_list": "invented",
    "misleading_list": "misleading",
    "speculative_list": "speculative",
    "realiable_list": "reliable",
    "unequivocal_list": "irrefutable",
    "irrelevant_list": "irrelevant",
}


def read_released(folder: Path, tell: Tell = ignore) -> list[Answer]:
    """Every turn that the release selects, labelled or not, in the order of `dialogues.json`.

    `sentence_label_dict` settles the labels. An empty entry is misleading if `misleading_list` holds the sentence, else
    irrelevant. What the lists say otherwise is told.

    Args:
        folder: with `dialogues.json` and, where there are labels, `labels.json`.
        tell: is told of what could not be placed, and where the lists disagree with the dict.

    Raises:
        CognibenchError: a file can't be read, or an entry is not as it should be.
    """
    dialogues = _load(folder / DIALOGUES, list)
    labels = _load(folder / LABELS, dict) if (folder / LABELS).exists() else {}
    answers = [_checked(folder, number, entry, labels, tell) for number, entry in enumerate(dialogues, start=1)]
    for name in labels.keys() - {answer.id for answer in answers}:
        tell(Problem("unplaced", str(name), f"{LABELS} has labels for it, {DIALOGUES} does not have it"))
    return answers


def _checked(folder: Path, number: int, entry: Any, labels: Mapping[str, Any], tell: Tell) -> Answer:
    try:
        return _answer(entry, labels.get(entry["id"]), tell)
    except KeyError as error:
        raise CognibenchError(f"{folder}: entry {number} of {DIALOGUES}, or its labels, has no {error}.") from None
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise CognibenchError(
            f"{folder}: entry {number} of {DIALOGUES}, or its labels, can't be read: {error}."
        ) from None


def _answer(entry: Mapping[str, Any], labels: Mapping[str, Any] | None, tell: Tell) -> Answer:
    current = _exchanges(entry["current_turn"])
    if len(current) != 1:
        raise ValueError("current_turn must hold one <user> and one <assistant> part")
    ((question, text),) = current
    name, turn = name_of(entry, "id"), turn_of(entry["turn_index"])
    if name is None:
        raise ValueError("it has no id")
    return Answer(
        id=name,
        dialogue=text_of(entry, ("dialogue_id",)) or name.rpartition("_")[0] or name,
        group=text_of(entry, ("group",)) or name.partition("_")[0],
        context=text_field("reference", entry["reference"]),
        question=question,
        text=text,
        statements=_statements(name, text, _cut(entry, name, text, tell), labels, tell),
        history=tuple(_exchanges(entry["dialogue"])[:turn]),
        turn=turn,
        topic=text_of(entry, ("topic",)),
        model=text_of(entry, ("model",)),
        labelled_by_model=text_of(entry, (LABELLED_BY_MODEL,)),
    )


def _cut(entry: Mapping[str, Any], name: str, text: str, tell: Tell) -> tuple[Statement, ...]:
    """As the authors cut; an entry that we wrote says how it cut: a table or list at its lines."""
    listed = entry.get("statements")
    if listed is None:
        return tuple(Statement(*sentence) for sentence in split_sentences(text))
    return cut_by_offsets(text, listed, name, tell)


def _statements(
    name: str, text: str, cut: Sequence[Statement], labels: Mapping[str, Any] | None, tell: Tell
) -> tuple[Statement, ...]:
    if labels is None:
        return tuple(cut)
    labels_by_text = {
        sentence: _label(sentence, entry[0], labels) for sentence, entry in labels["sentence_label_dict"].items()
    }
    sentences = [Sentence(each.text, each.start, each.end) for each in cut]
    placed = place_mapping(text, sentences, labels_by_text, name, tell)
    statements = tuple(replace(each, label=own.label) for each, own in zip(cut, placed, strict=True))
    if disagreeing := _disagreeing(statements, labels):
        tell(Problem("lists disagree", name, f"on {len(disagreeing)} of {counted(len(statements), 'sentence')}"))
    return statements


def _label(text: str, lists: Sequence[str], labels: Mapping[str, Any]) -> Label:
    if "invented" in lists:
        return "invented"
    if "faithful" in lists:
        return "faithful"
    if lists:
        return _RUNGS[min(len(lists), len(_RUNGS) - 1)]
    return "misleading" if text.lower() in {each.lower() for each in labels["misleading_list"]} else "irrelevant"


def _disagreeing(statements: Sequence[Statement], labels: Mapping[str, Any]) -> list[Statement]:
    """Labelled sentences of which the lists say something else, or nothing; the irrelevant need not be listed."""
    list_labels = _labels_from_lists([statement.text for statement in statements], labels)
    return [
        statement
        for statement, by_lists in zip(statements, list_labels, strict=True)
        if statement.label is not None and by_lists != statement.label and (by_lists or statement.label != "irrelevant")
    ]


def _labels_from_lists(sentences: Sequence[str], labels: Mapping[str, Any]) -> list[Label | None]:
    """What the lists call each sentence. Their texts were edited, so that they are aligned."""
    list_labels: list[Label | None] = [None] * len(sentences)
    for name, label in LISTS.items():
        for places in align(sentences, labels.get(name) or ()).places:
            for place in places:
                list_labels[place] = label
    return list_labels


def _load(path: Path, kind: type[list[Any]] | type[dict[str, Any]]) -> Any:
    try:
        data = parse_json(whole_text(path), halves="replace")
    except FileError as error:
        raise CognibenchError(str(error)) from error
    except JsonError as error:
        raise CognibenchError(f"{path} holds no JSON: {error}.") from error
    if not isinstance(data, kind):
        raise CognibenchError(f"{path} holds {a_type(data)}; a {kind.__name__} of entries is expected.")
    return data


def _exchanges(text: str) -> list[Exchange]:
    parts = MARK.split(text)[1:]
    messages = [(role, words.strip()) for role, words in zip(parts[::2], parts[1::2], strict=True)]
    return [Exchange(messages[i][1], messages[i + 1][1]) for i in range(0, len(messages) - 1, 2)]


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

    That happens where equal sentences of an answer have different labels, or where earlier turns are missing. An answer
    that holds the layout's own marks is left out. Beside the authors' fields stand ours: group, dialogue_id, model,
    labelled_by_model, and statements, which says how the answer was cut and what people labelled beside a model.

    Args:
        answers: labelled or not; only labelled ones get an entry in `labels.json`.
        folder: that is there.
        tell: is told of what the layout can't hold.
    """
    written = [answer for answer in answers if _can_hold(answer, tell)]
    _dump([_dialogue(number, answer) for number, answer in enumerate(written)], folder / DIALOGUES)
    _dump({answer.id: _labels(answer) for answer in written if answer.labelled}, folder / LABELS)
    for answer, back in zip(written, read_released(folder), strict=True):
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
    current = _exchange_text(answer.question, answer.text)
    return {
        "Unnamed: 0": number,
        "id": answer.id,
        "dialogue": "".join([*(_exchange_text(*exchange) for exchange in answer.history), current]),
        "current_turn": current.strip(),
        "turn_index": len(answer.history),
        "reference": answer.context,
        "topic": answer.topic,
        "dialogue_id": answer.dialogue,
        "group": answer.group,
        "model": answer.model,
        **({} if answer.labelled_by_model is None else {LABELLED_BY_MODEL: answer.labelled_by_model}),
        "statements": _cuts(answer),
    }


def _cuts(answer: Answer) -> list[dict[str, Any]]:
    """Where the statements stand in the answer as it is read back: without white space around it."""
    before = len(answer.text) - len(answer.text.lstrip())
    return [
        {"start": each.start - before, "end": each.end - before}
        | ({} if each.human_label is None else {"human_label": each.human_label})
        for each in answer.statements
    ]


def _exchange_text(user: str, assistant: str) -> str:
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
