"""A number on a guide's scale for each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from statistics import median
from typing import Any

from voirdire.errors import shown
from voirdire.jury.worth.direction import HIGH, LOW, read_numbers, runs_down
from voirdire.raters.records import Document, RatersError, Refused
from voirdire.raters.tasks.base import Column, ScoreScale, Value, Work
from voirdire.raters.tasks.guided.guide import MAX_BUTTONS, Range
from voirdire.raters.tasks.guided.task import GuidedTask

_NEAR = 1e-9
_TEN = 10.0


class ScoreTask(GuidedTask):
    """Giving a score."""

    kind = "score"
    answer_column = Column("score", "number")

    @property
    def scale(self) -> Range:
        """Of the scores."""
        assert self.guide.scale is not None  # noqa: S101 - a guide of this kind has one
        return self.guide.scale

    def read_answer(self, text: str, work: Work) -> Any:
        """The number, one of the scale's."""
        try:
            number = float(text.strip().replace(",", "."))
        except ValueError:
            number = nan
        if not self._is_on_scale(number):
            raise Refused(f"Give a number {self._steps}.")
        return number

    @property
    def _steps(self) -> str:
        return f"from {self.scale.low:g} to {self.scale.high:g}, in steps of {self.scale.step:g}"

    def _is_on_scale(self, number: float) -> bool:
        scale = self.scale
        steps = (number - scale.low) / scale.step
        return scale.low <= number <= scale.high and abs(steps - round(steps)) <= 1e-6

    def right_answer(self, given: Any, document: Document) -> Mapping[str, Any]:
        """The number."""
        if isinstance(given, bool) or not isinstance(given, int | float) or not self._is_on_scale(given):
            raise RatersError(f"right must be a number {self._steps}.")
        return {"answer": float(given)}

    def answers_differ(self, one: Value, other: Value) -> bool:
        """Whether the scores lie farther apart than the guide allows."""
        return bool(abs(one["answer"] - other["answer"]) > self.scale.within + _NEAR)

    def settle_answers(self, values: Sequence[Value]) -> Mapping[str, Any] | None:
        """The median."""
        return {"answer": median(value["answer"] for value in values)}

    def answer_in_words(self, value: Value) -> str:
        """The number, and how far it could go."""
        return f"Score {value['answer']:g} of {self.scale.high:g}"

    def choices(self, work: Work) -> list[dict[str, Any]]:
        """A button for each value, where they are few; with the digit as its key where that is one."""
        scale = self.scale
        if len(scale.values) > MAX_BUTTONS:
            return []
        ends = {scale.low: scale.ends[0], scale.high: scale.ends[1]}
        return [
            {"answer": f"{each:g}", "text": f"{each:g}", "key": _key(each, scale), "help": ends.get(each, "")}
            for each in scale.values
        ]

    def guide_with_good(self, good: Sequence[str]) -> Mapping[str, Any]:
        """With the end of the scale that is good."""
        ends = self.scale.low, self.scale.high
        turned = read_numbers(good, "--good-rating", "This project's scores", ends=ends).turned
        return {**self.guide.as_dict(), "good": LOW if turned else HIGH}

    @property
    def high_is_bad(self) -> bool:  # type: ignore[override]
        """As the guide says, else by what it calls the ends of the scale."""
        return self.guide.good == LOW if self.guide.good else runs_down(self.scale.ends[1:], self.scale.ends[:1])

    @property
    def read_as(self) -> str:
        """Which end was read as bad, where its words say so."""
        return f"read {shown(self.scale.ends[1])} as bad" if self.high_is_bad and not self.guide.good else ""

    @property
    def turn(self) -> tuple[str, ...]:
        """The other end."""
        return (f"--good-rating {HIGH if self.high_is_bad else LOW}",)

    number_name = "score"
    number_says = "the mean score"

    def number(self, value: Value) -> float | None:
        """The score."""
        answer: float | None = value["answer"]
        return answer

    @property
    def bottom(self) -> float:  # type: ignore[override]
        """The lowest score."""
        return self.scale.low

    @property
    def top(self) -> float:  # type: ignore[override]
        """The highest score."""
        return self.scale.high

    def scores(self) -> tuple[ScoreScale, ...]:
        """The score."""
        return (ScoreScale("score", lambda value: value["answer"], self.scale.high, self.scale.low),)


def _key(value: float, scale: Range) -> str:
    """The digit that a value is; ten has that of 0, as on a keyboard, where 0 is no value."""
    if value == _TEN and scale.low > 0:
        return "0"
    return f"{value:g}" if value.is_integer() and 0 <= value < _TEN else ""


TASK = ScoreTask()
