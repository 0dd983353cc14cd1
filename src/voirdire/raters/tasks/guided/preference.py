"""Which of two answers to the same question is better; each rater sees each pair in an order of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.raters.records import ORGANISER, Document, Item, Project, RatersError, Refused
from voirdire.raters.tasks.base import Column, NewRow, Nouns, Scale, SettledRatings, Value, Work
from voirdire.raters.tasks.guided.guide import FIRST, SECOND, TIE
from voirdire.raters.tasks.guided.task import ANSWERED, NOUNS, GuidedTask
from voirdire.raters.tasks.guided.values import ANSWER

SHOWN = ("a", "b")
"""What the two are called on the page, in the order in which they are shown."""
NUMBERS = {FIRST: 1.0, SECOND: 0.0, TIE: 0.5}
"""What each answer counts as."""


class PreferenceTask(GuidedTask):
    """Comparing two answers."""

    kind = "preference"
    answer_column = Column("preferred", "word")
    seconds = (30.0, 90.0)

    def __init__(self, guide: Any = None) -> None:
        """See `GuidedTask`."""
        super().__init__(guide)
        self.nouns: Nouns = NOUNS._replace(title=self.guide.title, document="pair", item="pair")

    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """As for every task; an answer holds the order in which the pair was shown."""
        row = super().take(work, action, form)
        if row.kind != ANSWER:
            return row
        return row._replace(body={**row.body, "order": list(self.order(work))})

    def read_answer(self, text: str, work: Work) -> Any:
        """Which one of the pair, however it was shown."""
        if text in SHOWN:
            return self.order(work)[SHOWN.index(text)]
        if text == TIE and self.guide.tie:
            return TIE
        raise Refused("Choose one of the answers on the page.")

    def right_answer(self, given: Any, document: Document) -> Mapping[str, Any]:
        """Which one of the pair, as the guide has them."""
        answers = (FIRST, SECOND, TIE) if self.guide.tie else (FIRST, SECOND)
        if given not in answers:
            raise RatersError(f"right must be one of {', '.join(answers)}.")
        return {"answer": given}

    def answers_differ(self, one: Value, other: Value) -> bool:
        """Whether they prefer different answers."""
        return bool(one["answer"] != other["answer"])

    def settle_answers(self, values: Sequence[Value]) -> Mapping[str, Any] | None:
        """The one that more than half prefer."""
        answer, votes = Counter(value["answer"] for value in values).most_common(1)[0]
        return {"answer": answer} if 2 * votes > len(values) else None

    def answer_in_words(self, value: Value) -> str:
        """By what the page called it, where that is known."""
        answer, order = value["answer"], value.get("order")
        if answer == TIE:
            return "Equally good"
        if order:
            return f"Answer {SHOWN[order.index(answer)].upper()} is better"
        return _is_better(answer)

    def other_in_words(self, work: Work, value: Value) -> dict[str, str]:
        """Others saw the pair in their own order: what they prefer is told by this page's."""
        return super().other_in_words(work, {**value, "order": list(self.order(work))})

    def vote_in_words(self, document: Document, value: Value) -> str:
        """By the pair's own order, which the organiser sees, and by the model that is preferred, where it is known."""
        models, answer = document.source.get("models"), value.get("answer")
        if models and answer in (FIRST, SECOND):
            return _is_better(answer, models[answer == SECOND])
        return self.rating_in_words({name: part for name, part in value.items() if name != "order"})

    def order(self, work: Work) -> tuple[str, str]:
        """Which of the pair is shown first; the pair's own first to the organiser, and in practice.

        What a guide says of a practice pair may speak of the first one.
        """
        is_own = work.rater == ORGANISER or work.item.pool == "practice"
        return (FIRST, SECOND) if is_own else super().order(work)

    def choices(self, work: Work) -> list[dict[str, Any]]:
        """A button for each, and for a tie; with its number as a key, as in every task, and with its letter or 0."""
        buttons = [
            {"answer": shown, "text": f"{shown.upper()} is better", "key": f"{place} {shown}", "help": ""}
            for place, shown in enumerate(SHOWN, start=1)
        ]
        tie = {"answer": TIE, "text": "Equally good", "key": "3 0", "help": ""}
        return [*buttons, tie] if self.guide.tie else buttons

    number_name = "first_preferred"
    number_says = "how often the first of a pair is preferred"
    graded = False

    @property
    def yes_or_no(self) -> bool:  # type: ignore[override]
        """Whether neither can be equally good."""
        return not self.guide.tie

    def says_of(self, number: float) -> str:
        """Which of the two is preferred."""
        return "the first of a pair is preferred" if number == self.top else "the second of a pair is preferred"

    def settled_ratings(self, project: Project) -> SettledRatings:
        """As for every task; the first of a pair is named, where it is the same model's in all pairs."""
        answers = super().settled_ratings(project)
        models = {tuple(each.document.source.get("models") or ()) for each in answers.items}
        named = next(iter(models)) if len(models) == 1 else ()
        if not all(named) or not named:
            return answers._replace(first="the first of a pair")
        return answers._replace(first=named[0], top_says=f"{named[0]}, the first of each pair, is preferred")

    def category_of(self, number: float) -> str | None:
        """Which one is preferred."""
        return next((name for name, counts_as in NUMBERS.items() if counts_as == number), None)

    def number(self, value: Value) -> float | None:
        """1 where the first of the pair is preferred, 0 where the second is, 0.5 for both."""
        return NUMBERS.get(value["answer"])

    def scales(self) -> tuple[Scale, ...]:
        """Which one, and which place: agreement on places alone would show a habit."""
        return (
            Scale("preference", (FIRST, TIE, SECOND), lambda value: value["answer"]),
            Scale("place on the page", ("a", "b"), _place, note=_PLACES),
        )

    def item_in_words(self, document: Document, item: Item) -> str:
        """What was asked, or how the answers begin."""
        body = document.body
        return str(body["prompt"] or " / ".join(body["outputs"]))


_PLACES = (
    "place on the page: whether two people chose the answer in the same place, A or B. Each sees a pair in an order of "
    "their own, so that people who prefer the same answer often choose another place: a low figure here, even below 0, "
    "is no fault. A high one, beside a low one for preference, shows a habit of choosing by place."
)


def _is_better(answer: str, model: str = "") -> str:
    """That one of the pair is better, and of which model it is, where that is known."""
    whose = f" ({model})" if model else ""
    return f"The {'first' if answer == FIRST else 'second'} of the pair{whose} is better"


def _place(value: Value) -> str | None:
    order = value.get("order")
    if value["status"] != ANSWERED or not order or value["answer"] == TIE:
        return None
    return SHOWN[order.index(value["answer"])]


TASK = PreferenceTask()
