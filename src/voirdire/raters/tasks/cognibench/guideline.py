"""What raters of statements read: the guideline, practice items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

from voirdire.data import packaged_files
from voirdire.detectors.records import type_of
from voirdire.raters.records import Document, Item, Settings
from voirdire.raters.tasks.base import Materials
from voirdire.raters.tasks.cognibench.ladder import CHOICES, LABEL, outcome, walk
from voirdire.text.counting import capitalised

_FOLDER = "raters/cognibench"
_LADDER = tuple(question for question in CHOICES if question != LABEL)


def question_view(question: str) -> dict[str, Any]:
    """A question as it is put to a person.

    Returns:
        `question`, `asks`, `hint`, `short`; `choices` of `answer`, `text`, `help`, `key` and, on the ladder, `example`;
        and `example`, the text that these speak of, "" where there are none.
    """
    asked = _questions()[question]
    choices = [{"answer": answer, **asked["choices"][answer]} for answer in CHOICES[question]]
    example = "" if question == LABEL else _read("questions")["example"]
    return {"question": question, **asked, "choices": choices, "example": example}


def named_path(path: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    """A path in words: `question`, `short` (of the question), `answer`, `text` (of the answer)."""
    return [
        {
            "question": question,
            "short": _questions()[question]["short"],
            "answer": answer,
            "text": _questions()[question]["choices"][answer]["text"],
        }
        for question, answer in path
    ]


def class_of(label: str) -> dict[str, str]:
    """A class by its label: `label`, `name`, `plain` (the name in everyday words), `definition`."""
    entry = _guideline()["classes"][label]
    return {"label": label, **{name: entry[name] for name in ("name", "plain", "definition")}}


def label_in_words(label: str) -> str:
    """A class for a list: its name, and in everyday words what it means."""
    entry = class_of(label)
    return f"{entry['name']} ({entry['plain']})"


def practice_answers() -> Sequence[Mapping[str, Any]]:
    """The answers of the qualification set, as the YAML has them."""
    answers: Sequence[Mapping[str, Any]] = _read("practice")["answers"]
    return answers


def guideline(settings: Settings) -> Mapping[str, Any]:
    """The guideline panel.

    Returns:
        `title`, `intro` (paragraphs); `classes` of `label`, `name`, `plain`, `type`, `definition`, `positive` and
        `negative`, each of these with `context`, `statement`, `reason`; `contexts` by their names; `criteria` with the
        legal analogy; and `ladder`, the table of the questions, `None` where the class is asked for directly: there it
        would bring in what the mode is to be compared with.
    """
    text = _guideline()
    criteria = text["legal"]["criteria"]
    return {
        "title": text["title"],
        "intro": text["intro"],
        "contexts": text["contexts"],
        "classes": [{"label": label, "type": type_of(label), **entry} for label, entry in text["classes"].items()],
        "criteria": {**text["legal"], "criteria": {name: _asked(name, each) for name, each in criteria.items()}},
        "ladder": _table() if settings.mode == "sequential" else None,
        "pass_percent": round(100 * settings.pass_share),
    }


def _leads_to(question: str, answer: str) -> dict[str, str]:
    """In words: `next` (the next question's short form) or `label` (the class's name)."""
    following, label = outcome(question, answer)
    if label is not None:
        return {"label": label_in_words(label)}
    return {"next": _questions()[str(following)]["short"]}


def _table() -> list[dict[str, Any]]:
    rows = [question_view(question) for question in _LADDER]
    return [
        {**row, "choices": [{**choice, **_leads_to(row["question"], choice["answer"])} for choice in row["choices"]]}
        for row in rows
    ]


@cache
def _questions() -> Mapping[str, Any]:
    """The questions; those of the classes are called and explained as in the guideline."""
    questions: Mapping[str, Any] = _read("questions")["questions"]
    classes = {
        label: {"text": class_of(label)["name"], "help": f"{capitalised(class_of(label)['plain'])}.", **choice}
        for label, choice in questions[LABEL]["choices"].items()
    }
    return {**questions, LABEL: {**questions[LABEL], "choices": classes}}


def _asked(question: str, criterion: Mapping[str, str]) -> dict[str, str]:
    """A criterion with its question as the ladder asks it."""
    return {**criterion, "asks": _questions()[question]["asks"]}


def _guideline() -> Mapping[str, Any]:
    return _read("guideline")


@cache
def _read(name: str) -> Mapping[str, Any]:
    read: Mapping[str, Any] = packaged_files.read_yaml(f"{_FOLDER}/{name}.yaml")
    return read


def practice() -> Materials:
    """The packaged practice answers: one item for each statement, with its key.

    Returns:
        Documents, and items whose key holds `label`, `path` (question and answer of each step) and `why`.
    """
    answers = practice_answers()
    items = (
        Item(id=f"{_name(each)}#{place}", document=_name(each), place=place, pool="practice", key=_key(statement))
        for each in answers
        for place, statement in enumerate(each["statements"])
    )
    return Materials(tuple(map(_document, answers)), tuple(items))


def _name(answer: Mapping[str, Any]) -> str:
    return f"practice:{answer['id']}"


def _document(answer: Mapping[str, Any]) -> Document:
    texts = [statement["text"] for statement in answer["statements"]]
    starts = accumulate((len(text) + 1 for text in texts[:-1]), initial=0)
    body = {
        "context": answer["context"],
        "question": answer["question"],
        "answer": " ".join(texts),
        "history": [],
        "statements": [
            {"text": text, "start": start, "end": start + len(text)} for text, start in zip(texts, starts, strict=True)
        ],
    }
    return Document(id=_name(answer), body=body, group=_name(answer), source={"practice": answer["id"]})


def _key(statement: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "label": statement["label"],
        "path": [list(step) for step in walk(statement["path"])],
        "why": statement["why"],
    }
