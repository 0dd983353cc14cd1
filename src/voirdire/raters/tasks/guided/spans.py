"""Words of an answer, marked with a guide's labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from voirdire.detectors.records import Answer
from voirdire.raters.records import Document, Project, Refused
from voirdire.raters.tasks.base import Column, Scale, Spans, Value, Work
from voirdire.raters.tasks.guided.guide import DONE
from voirdire.raters.tasks.guided.task import ANSWERED, GuidedTask
from voirdire.raters.tasks.guided.values import OUTPUT

YES_NO = ("no", "yes")
Marked = set[tuple[int, str]]
"""(place, label) of every character that is marked."""


class SpansTask(GuidedTask):
    """Marking words."""

    kind = "spans"
    answer_column = Column("marked", "whole")
    seconds = (45.0, 150.0)

    def read_answer(self, text: str, work: Work) -> Any:
        """That all is marked which is to be marked; perhaps nothing is."""
        if text != DONE:
            raise Refused("Mark what is to be marked, then say that you are done.")
        return DONE

    def mark_labels(self, part: str) -> tuple[str, ...]:
        """The guide's labels, in the answer."""
        return self.guide.names if part == OUTPUT else super().mark_labels(part)

    def answers_differ(self, one: Value, other: Value) -> bool:
        """Whether too few of the marked characters are the same."""
        return span_f1(one["spans"], other["spans"]) < self.guide.agree_at

    def settle_answers(self, values: Sequence[Value]) -> Mapping[str, Any] | None:
        """The characters that more than half have marked."""
        return {"answer": DONE, "spans": majority([value["spans"] for value in values])}

    def settled(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """A rating of nobody in particular."""
        return super().settled({"spans": [], **value})

    def answer_in_words(self, value: Value) -> str:
        """How much is marked, and as what."""
        counts = [(name, sum(span["label"] == name for span in value["spans"])) for name in self.guide.names]
        marked = ", ".join(f"{self.guide.label(name).says} {count}×" for name, count in counts if count)
        return marked or "Nothing marked"

    def choices(self, work: Work) -> list[dict[str, Any]]:
        """One button: labels are for marks."""
        return [{"answer": DONE, "says": "Done with this answer", "key": self.guide.keys[DONE], "help": ""}]

    def number(self, value: Value, document: Document) -> float | None:
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


def characters(spans: Iterable[Mapping[str, Any]]) -> Marked:
    """The characters that spans cover."""
    return {(place, span["label"]) for span in spans for place in range(span["start"], span["end"])}


def span_f1(one: Iterable[Mapping[str, Any]], other: Iterable[Mapping[str, Any]]) -> float:
    """The F1 of one person's marked characters against another's, labels counted; 1 where neither marks anything."""
    first, second = characters(one), characters(other)
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else 1.0


def majority(marked: Sequence[Iterable[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Spans of the characters that more than half of them cover with the same label."""
    votes: dict[tuple[str, int], int] = {}
    for spans in marked:
        for place, label in characters(spans):
            votes[label, place] = votes.get((label, place), 0) + 1
    found: list[dict[str, Any]] = []
    for label, place in sorted(key for key, count in votes.items() if 2 * count > len(marked)):
        if found and found[-1]["label"] == label and found[-1]["end"] == place:
            found[-1]["end"] = place + 1
        else:
            found.append({"start": place, "end": place + 1, "label": label})
    return sorted(found, key=lambda span: (span["start"], span["end"]))


TASK = SpansTask()
