"""One of a guide's labels for each item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from voirdire.detectors.records import Answer
from voirdire.errors import shown
from voirdire.jury.worth.direction import HIGH, LOW, as_read, one_of, read_labels, runs_down
from voirdire.jury.worth.records import WorthError
from voirdire.raters.records import Document, Project, RatersError, Refused
from voirdire.raters.tasks.base import Column, Scale, Value, Work
from voirdire.raters.tasks.guided.task import GuidedTask


class LabelsTask(GuidedTask):
    """Choosing a label."""

    kind = "labels"
    answer_column = Column("label", "word")

    def read_answer(self, text: str, work: Work) -> Any:
        """The label."""
        if text not in self.guide.names:
            raise Refused("Choose one of the labels on the page.")
        return text

    def right_answer(self, given: Any, document: Document) -> Mapping[str, Any]:
        """The label."""
        if isinstance(given, bool):  # YAML's own
            raise RatersError(f"right is read as {str(given).lower()}: put it into quotes.")
        if str(given) not in self.guide.names:
            raise RatersError(f"right must be one of the labels: {', '.join(self.guide.names)}.")
        return {"answer": str(given)}

    def answers_differ(self, one: Value, other: Value) -> bool:
        """Whether the labels differ."""
        return bool(one["answer"] != other["answer"])

    def settle_answers(self, values: Sequence[Value]) -> Mapping[str, Any] | None:
        """The label that more than half give."""
        label, votes = Counter(value["answer"] for value in values).most_common(1)[0]
        return {"answer": label} if 2 * votes > len(values) else None

    def answer_in_words(self, value: Value) -> str:
        """What its button says."""
        return self.guide.label(value["answer"]).text

    def choices(self, work: Work) -> list[dict[str, Any]]:
        """A button for each label."""
        return [
            {"answer": each.label, "text": each.text, "key": each.key, "help": each.help} for each in self.guide.labels
        ]

    def number(self, value: Value) -> float | None:
        """The label's value."""
        return self.values.get(value["answer"])

    @cached_property
    def values(self) -> Mapping[str, float]:
        """What labels count as: by the guide; where it gives none of them a value, by usual words."""
        by_guide = {each.label: each.value for each in self.guide.labels if each.value is not None}
        if by_guide:
            return by_guide
        try:
            return read_labels(self.guide.names, (), "--good-rating", "the guide")[0]
        except WorthError:
            return {}

    def guide_with_good(self, good: Sequence[str]) -> Mapping[str, Any]:
        """With the values 1 and 0; "high" and "low" leave the guide's own."""
        fields = self.guide.as_dict()
        if self.values and len(good) == 1 and good[0] in (HIGH, LOW):
            return {**fields, "good": good[0]}
        texts = {each.label: each.text for each in self.guide.labels}
        counts_as, _ = read_labels(self.guide.names, good, "--good-rating", "The guide of this project", texts=texts)
        labels = [{**each, "value": counts_as[each["label"]]} for each in fields["labels"]]
        return {**fields, "labels": labels, "good": HIGH}

    def _at(self, value: float) -> tuple[str, ...]:
        return tuple(name for name, counts_as in self.values.items() if counts_as == value)

    @property
    def high_is_bad(self) -> bool:  # type: ignore[override]
        """As the guide says, else by the words of its labels."""
        if self.guide.good:
            return self.guide.good == LOW
        return runs_down(self._at(self.top), self._at(self.bottom))

    @property
    def _bad(self) -> tuple[str, ...]:
        return self._at(self.top if self.high_is_bad else self.bottom)

    @property
    def halfway(self) -> tuple[str, ...]:  # type: ignore[override]
        """The labels half way between the lowest value and the highest."""
        return self._at((self.bottom + self.top) / 2)

    @property
    def read_as(self) -> str:
        """Which labels count as bad, and which as half."""
        return as_read(self._bad, self.halfway)

    @property
    def turn(self) -> tuple[str, ...]:
        """A label that was read as bad, taken for good."""
        return tuple(f"--good-rating {shown(name)}" for name in self._bad[:1])

    @property
    def has_numbers(self) -> bool:  # type: ignore[override]
        """Whether any label has a value."""
        return bool(self.values)

    @property
    def yes_or_no(self) -> bool:  # type: ignore[override]
        """Whether every value is 0 or 1."""
        return set(self.values.values()) <= {0.0, 1.0}

    @property
    def number_says(self) -> str:
        """The mean of the labels' values."""
        if not self.yes_or_no:
            return "the mean value of the labels"
        return f"the share of answers labelled {' or '.join(map(shown, self._at(1.0)))}"

    def says_of(self, number: float) -> str:
        """Its label, or the labels that count as it."""
        labels = self._at(number)
        return one_of(labels) if labels else super().says_of(number)

    def category_of(self, number: float) -> str | None:
        """The label of this value, or all that have it."""
        return " or ".join(self._at(number)) or None

    @property
    def bottom(self) -> float:  # type: ignore[override]
        """The lowest value of a label, 0 at most."""
        return min(self.values.values(), default=0.0)

    @property
    def top(self) -> float:  # type: ignore[override]
        """The highest value of a label."""
        return max(self.values.values(), default=1.0)

    def labelled_answers(self, project: Project) -> Sequence[Answer]:
        """The rated sentences with the best label or the worst, for whoever measures detectors on them.

        Raises:
            RatersError: nothing says which labels are good, or nothing is settled.
        """
        from voirdire.raters.tasks.guided.statements import rated_statements

        if self.bottom == self.top or not self.has_numbers:
            raise RatersError(
                "Labels of statements are wanted, and the guide of this project does not say which of its labels are "
                "good: give them values in the guide, 1 for supported and 0 for unsupported."
            )
        good, bad = (self.bottom, self.top) if self.high_is_bad else (self.top, self.bottom)
        return rated_statements(project, good=good, bad=bad)

    def scales(self) -> tuple[Scale, ...]:
        """The label."""
        return (Scale("label", self.guide.names, lambda value: value["answer"]),)

    def judged_scales(self) -> tuple[Scale, ...]:
        """The label; those of one value are one category, for a judge's number can't tell them apart."""
        together = {name: " or ".join(self._at(self.values[name])) for name in self.values}
        categories = tuple(dict.fromkeys(together.get(name, name) for name in self.guide.names))
        return (Scale("label", categories, lambda value: together.get(value["answer"], value["answer"])),)


TASK = LabelsTask()
