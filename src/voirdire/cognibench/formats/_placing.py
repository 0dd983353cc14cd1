"""Put given labels on the sentences of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voirdire.cognibench.formats.problems import Problem, Tell
from voirdire.detectors.records import Label, Statement
from voirdire.text.alignment import align
from voirdire.text.sentences import Sentence

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
