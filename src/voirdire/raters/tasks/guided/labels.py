"""One of a guide's labels for each item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.raters.records import Document, RatersError, Refused
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
        return self.guide.label(value["answer"]).says

    def choices(self, work: Work) -> list[dict[str, Any]]:
        """A button for each label."""
        return [
            {"answer": each.label, "says": each.says, "key": each.key, "help": each.help} for each in self.guide.labels
        ]

    def number(self, value: Value) -> float | None:
        """The label's value."""
        return None if value["answer"] is None else self.guide.label(value["answer"]).value

    @property
    def has_numbers(self) -> bool:  # type: ignore[override]
        """Whether the guide gives any label a value."""
        return any(each.value is not None for each in self.guide.labels)

    @property
    def yes_or_no(self) -> bool:  # type: ignore[override]
        """Whether every value is 0 or 1."""
        return {each.value for each in self.guide.labels} <= {None, 0.0, 1.0}

    @property
    def number_says(self) -> str:
        """The mean of the labels' values."""
        return "the share of answers that count as 1" if self.yes_or_no else "the mean value of the labels"

    def category_of(self, number: float) -> str | None:
        """The only label of this value."""
        found = [each.label for each in self.guide.labels if each.value == number]
        return found[0] if len(found) == 1 else None

    @property
    def bottom(self) -> float:  # type: ignore[override]
        """The lowest value of a label, 0 at most."""
        return min((each.value for each in self.guide.labels if each.value is not None), default=0.0)

    @property
    def top(self) -> float:  # type: ignore[override]
        """The highest value of a label."""
        return max((each.value for each in self.guide.labels if each.value is not None), default=1.0)

    def scales(self) -> tuple[Scale, ...]:
        """The label."""
        return (Scale("label", self.guide.names, lambda value: value["answer"]),)


TASK = LabelsTask()
