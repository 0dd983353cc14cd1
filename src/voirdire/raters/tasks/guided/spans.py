"""Words of an answer, marked with a guide's labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from voirdire.detectors.records import Answer
from voirdire.errors import shown
from voirdire.raters.records import Document, Project, RatersError, Refused
from voirdire.raters.tasks.base import Column, Scale, Spans, Value, Work
from voirdire.raters.tasks.guided.guide import DONE
from voirdire.raters.tasks.guided.task import ANSWERED, QUOTE, GuidedTask
from voirdire.raters.tasks.guided.values import OUTPUT, without_punctuation
from voirdire.text.shortening import beginning

YES_NO = ("no", "yes")
Marked = set[tuple[int, str]]
"""(place, label) of every character that is marked."""


class SpansTask(GuidedTask):
    """Marking words."""

    kind = "spans"
    answer_column = Column("spans_marked", "whole")
    seconds = (45.0, 150.0)

    def read_answer(self, text: str, work: Work) -> Any:
        """That all is marked which is to be marked; perhaps nothing is."""
        if text != DONE:
            raise Refused("Mark what is to be marked, then say that you are done.")
        return DONE

    def right_answer(self, given: Any, document: Document) -> Mapping[str, Any]:
        """The words to be marked, by label; of a guide with one label a list of them is enough."""
        in_list = _is_list(given) and (not given or len(self.guide.names) == 1)
        by_label = {self.guide.names[0]: given} if in_list else given
        if not (isinstance(by_label, Mapping) and by_label.keys() <= {*self.guide.names}):
            raise RatersError(
                f"right must be the words to be marked, by label: {', '.join(self.guide.names)}. For example "
                f"right: {{{self.guide.names[0]}: {document.body['output'].split()[0]}}}"
            )
        spans = [
            _span_of(quote, label, document.body["output"])
            for label, quotes in by_label.items()
            for quote in (quotes if _is_list(quotes) else [quotes])
        ]
        return {"answer": DONE, "spans": sorted(spans, key=lambda span: (span["start"], span["end"]))}

    def quoted_in_words(self, document: Document, value: Value) -> str:
        """The words that are marked, and of several labels as what."""
        spans = value["spans"] if value["status"] == ANSWERED else ()
        if not spans:
            return self.rating_in_words(value)
        marked = [document.body["output"][each["start"] : each["end"]] for each in spans]
        quoted = [f"\u201c{beginning(words, QUOTE)}\u201d" for words in marked]
        if len(self.guide.names) == 1:
            return f"Marked {', '.join(quoted)}"
        labels = [self.guide.label(each["label"]).text for each in spans]
        return "Marked " + ", ".join(f"{quote} as {label}" for quote, label in zip(quoted, labels, strict=True))

    def mark_labels(self, part: str) -> tuple[str, ...]:
        """The guide's labels, in the answer."""
        return self.guide.names if part == OUTPUT else super().mark_labels(part)

    def answers_differ(self, one: Value, other: Value) -> bool:
        """Whether either has a mark that the other hasn't, or too few of the marked characters are the same."""
        marked = one["spans"], other["spans"]
        alone = any(supporters(mark, marked) < 2 for spans in marked for mark in spans)
        return alone or span_f1(*marked) < self.guide.agree_at

    def answers_gap(self, one: Value, other: Value) -> float:
        """The share of the marked characters that are not the same."""
        return 1 - span_f1(one["spans"], other["spans"])

    def settle_answers(self, values: Sequence[Value]) -> Mapping[str, Any] | None:
        """All that anybody has marked, where no two differ; else the characters that more than half have marked.

        Returns:
            `None` where half have a mark, and half don't; or where more than half mark something, and no two the same.
        """
        marked = [value["spans"] for value in values]
        if not any(self.answers_differ(one, other) for one, other in combinations(values, 2)):
            return {"answer": DONE, "spans": marked_by(marked, 1)}
        if any(2 * supporters(mark, marked) == len(marked) for spans in marked for mark in spans):
            return None
        spans = majority(marked)
        if not spans and 2 * sum(map(bool, marked)) > len(marked):
            return None
        return {"answer": DONE, "spans": spans}

    def settled(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """A rating of nobody in particular."""
        return super().settled({"spans": [], **value})

    def answer_in_words(self, value: Value) -> str:
        """How much is marked, and as what."""
        counts = [(name, sum(span["label"] == name for span in value["spans"])) for name in self.guide.names]
        marked = ", ".join(f"{self.guide.label(name).text} {count}×" for name, count in counts if count)
        return marked or "Nothing marked"

    def choices(self, work: Work) -> list[dict[str, Any]]:
        """One button: labels are for marks."""
        return [{"answer": DONE, "text": f"Done with this {self.nouns.item}", "key": self.guide.keys[DONE], "help": ""}]

    number_name = "answers_marked"
    number_says = "the share of answers in which words are marked"
    graded, high_is_bad, yes_or_no = False, True, True

    def says_of(self, number: float) -> str:
        """Whether words are marked."""
        return "words of the answer are marked" if number else "nothing in the answer is marked"

    def category_of(self, number: float) -> str | None:
        """Whether anything is marked."""
        return YES_NO[int(number)] if number in (0, 1) else None

    def number(self, value: Value) -> float | None:
        """1 where anything is marked, 0 where nothing is."""
        return float(bool(value["spans"])) if value["status"] == ANSWERED else None

    def spans(self) -> Spans:
        """The guide's labels, in the answer."""
        return Spans(
            labels=self.guide.names,
            counts=lambda value: bool(value["status"] == ANSWERED),
            marks=lambda value: [(span["start"], span["end"], span["label"]) for span in value["spans"]],
            length=lambda document: len(document.body["output"]),
        )

    def labelled_answers(self, project: Project) -> Sequence[Answer]:
        """See `statements.labelled_answers`."""
        from voirdire.raters.tasks.guided.statements import labelled_answers

        return labelled_answers(project)

    def scales(self) -> tuple[Scale, ...]:
        """Whether anything is marked; with several labels also whether each is."""
        each = (
            [_scale(f"verdict ({name} marked)", name) for name in self.guide.names] if len(self.guide.names) > 1 else []
        )
        return (_scale("verdict (anything marked)", None), *each)


def _scale(name: str, label: str | None) -> Scale:
    def says(value: Value) -> str | None:
        if value["status"] != ANSWERED:
            return None
        return YES_NO[any(label in (None, span["label"]) for span in value["spans"])]

    return Scale(name, YES_NO, says)


def _is_list(given: Any) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str)


def _span_of(quote: Any, label: str, text: str) -> dict[str, Any]:
    """Where the words stand that a guide quotes."""
    words = str(quote).strip()
    if not words or text.count(words) != 1:
        raise RatersError(f"{shown(words)} must stand in the answer once: quote as many words as that takes.")
    place = text.index(words)
    start, end = without_punctuation(text, place, place + len(words))
    return {"start": start, "end": end, "label": label}


def characters(spans: Iterable[Mapping[str, Any]]) -> Marked:
    """The characters that spans cover."""
    return {(place, span["label"]) for span in spans for place in range(span["start"], span["end"])}


def span_f1(one: Iterable[Mapping[str, Any]], other: Iterable[Mapping[str, Any]]) -> float:
    """The F1 of one person's marked characters against another's, labels counted; 1 where neither marks anything."""
    first, second = characters(one), characters(other)
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else 1.0


def supporters(mark: Mapping[str, Any], marked: Iterable[Iterable[Mapping[str, Any]]]) -> int:
    """How many people have a mark of the same label that overlaps this one."""
    return sum(
        any(
            each["label"] == mark["label"] and each["start"] < mark["end"] and mark["start"] < each["end"]
            for each in spans
        )
        for spans in marked
    )


def majority(marked: Sequence[Iterable[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Spans of the characters that more than half of them cover with the same label."""
    return marked_by(marked, len(marked) // 2 + 1)


def marked_by(marked: Iterable[Iterable[Mapping[str, Any]]], least: int) -> list[dict[str, Any]]:
    """Spans of the characters that so many people, or more, cover with the same label."""
    votes: dict[tuple[str, int], int] = {}
    for spans in marked:
        for place, label in characters(spans):
            votes[label, place] = votes.get((label, place), 0) + 1
    agreed: list[dict[str, Any]] = []
    for label, place in sorted(key for key, count in votes.items() if count >= least):
        if agreed and agreed[-1]["label"] == label and agreed[-1]["end"] == place:
            agreed[-1]["end"] = place + 1
        else:
            agreed.append({"start": place, "end": place + 1, "label": label})
    return sorted(agreed, key=lambda span: (span["start"], span["end"]))


TASK = SpansTask()
