"""The statements of an answer, with the labels that its entry gives placed on its sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.cognibench.formats._fields import FieldError, label_of, text
from voirdire.cognibench.formats.problems import Problem, Tell
from voirdire.detectors.records import Label, Statement
from voirdire.text.alignment import align
from voirdire.text.counting import counted
from voirdire.text.scripts import count_words
from voirdire.text.sentences import Sentence, cut_answer

_GRAVEST_FIRST: tuple[Label, ...] = (
    "invented",
    "misleading",
    "speculative",
    "reliable",
    "irrefutable",
    "faithful",
    "irrelevant",
)


def place_labels(
    sentences: Sequence[Sentence], given: Sequence[tuple[str, Label]], answer: str, tell: Tell
) -> tuple[Statement, ...]:
    """Place each label once, wherever its text belongs; of equal sentences each needs a label of its own.

    Args:
        sentences: of the answer.
        given: (text, label), in any order.
        answer: its id, for problems.
        tell: is told of texts that belong nowhere, of sentences with two labels, and of sentences with none.
    """
    labels: dict[int, Label] = {}
    _place(sentences, range(len(sentences)), given, labels, answer, tell)
    return _labelled(sentences, labels, answer, tell)


def place_mapping(
    sentences: Sequence[Sentence], given: Mapping[str, Label], answer: str, tell: Tell
) -> tuple[Statement, ...]:
    """Place labels that are given by text: equal sentences share theirs. Otherwise as `place_labels`."""
    known = {text.strip().lower(): label for text, label in given.items()}
    exact = {place: sentence.text.lower() for place, sentence in enumerate(sentences)}
    labels = {place: known[text] for place, text in exact.items() if text in known}
    met = {exact[place] for place in labels}
    rest = [(text, label) for text, label in given.items() if text.strip().lower() not in met]
    _place(sentences, [place for place in exact if place not in labels], rest, labels, answer, tell)
    return _labelled(sentences, labels, answer, tell)


def _place(
    sentences: Sequence[Sentence],
    where: Sequence[int],
    given: Sequence[tuple[str, Label]],
    labels: dict[int, Label],
    answer: str,
    tell: Tell,
) -> None:
    aligned = align([sentences[place].text for place in where], [text for text, _ in given])
    for (_, label), places in zip(given, aligned.places, strict=True):
        for sentence in (where[place] for place in places):
            labels[sentence] = _graver(labels.get(sentence), label, sentence, answer, tell)
    for which in aligned.unplaced:
        tell(Problem("unplaced", answer, f"{_short(given[which][0])} ({given[which][1]})"))


def _graver(there: Label | None, label: Label, sentence: int, answer: str, tell: Tell) -> Label:
    if there is None or there == label:
        return label
    tell(Problem("two labels", answer, f"sentence {sentence + 1} is {there} and {label}"))
    return min(there, label, key=_GRAVEST_FIRST.index)


def _labelled(
    sentences: Sequence[Sentence], labels: Mapping[int, Label], answer: str, tell: Tell
) -> tuple[Statement, ...]:
    missing = [str(place + 1) for place in range(len(sentences)) if place not in labels]
    if labels and missing:
        tell(Problem("no label", answer, f"sentence {', '.join(missing)}"))
    return tuple(Statement(*sentence, labels.get(place)) for place, sentence in enumerate(sentences))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return f'"{line}"' if len(line) <= 60 else f'"{line[:59]}…"'


def statements_of(
    answer: str, given: Mapping[str, Any], name: str, tell: Tell, *, plain: bool = False
) -> tuple[Statement, ...]:
    """Statements as `given["statements"]` cuts them if it has offsets, else the sentences with the labels given.

    Args:
        answer: the text.
        given: may hold "statements" or "labels".
        name: the answer's id, for problems.
        tell: is told of labels that can't be placed, and of words outside the statements given.
        plain: Markdown is read as plain text.

    Raises:
        FieldError: the statements or labels can't be read.
    """
    listed, labels = given.get("statements"), given.get("labels")
    entries = None if listed is None else _entries(listed)
    if entries and all("start" in each and "end" in each for each in entries):
        return _cut_as_given(answer, entries, name, tell)
    sentences = cut_answer(answer, plain=plain)
    if entries is not None:
        named = [(text("the text of a statement", each.get("text")), label_of(each.get("label"))) for each in entries]
        known = [(said, label) for said, label in named if label is not None]
        return place_labels(sentences, known, name, tell)
    if labels is not None:
        return place_mapping(sentences, _by_text(labels), name, tell)
    return tuple(Statement(*sentence) for sentence in sentences)


def _entries(listed: Any) -> Sequence[Mapping[str, Any]]:
    if not isinstance(listed, list) or not all(isinstance(each, Mapping) for each in listed):
        raise FieldError("statements must be a list of objects")
    return listed


def _by_text(labels: Any) -> dict[str, Label]:
    if not isinstance(labels, Mapping):
        raise FieldError("labels must be an object from sentences to labels")
    read = {said: label_of(value) for said, value in labels.items()}
    return {said: label for said, label in read.items() if label is not None}


def _cut_as_given(answer: str, entries: Sequence[Mapping[str, Any]], name: str, tell: Tell) -> tuple[Statement, ...]:
    statements = tuple(_statement(answer, each) for each in entries)
    outside = list(answer)
    for each in statements:
        outside[each.start : each.end] = " " * (each.end - each.start)
    words = count_words("".join(outside))
    if words:
        tell(Problem("outside", name, counted(words, "word")))
    return statements


def _statement(answer: str, entry: Mapping[str, Any]) -> Statement:
    start, end = entry["start"], entry["end"]
    if not (type(start) is int and type(end) is int and 0 <= start < end <= len(answer)):
        raise FieldError(f"a statement's start and end must lie in the answer, unlike {start!r} and {end!r}")
    said = answer[start:end]
    if entry.get("text") not in (None, said):
        raise FieldError(f"the statement at {start} is not the text given with it: the offsets count characters")
    return Statement(said, start, end, label_of(entry.get("label")))
