"""A task that a guide describes: one description for pages, agreement and exports. Kinds differ in a few methods."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from voirdire.errors import shown
from voirdire.instruments import instrument_of
from voirdire.raters.records import Document, Item, Mode, Project, RatersError, Rating, Refused, Row, Settings
from voirdire.raters.tasks.base import (
    ASSUMED,
    Column,
    DrawOptions,
    Effort,
    Judgements,
    Materials,
    NewRow,
    Nouns,
    Phase,
    RatingsExchange,
    Scale,
    SettledRatings,
    SourcedRange,
    Task,
    Value,
    Work,
)
from voirdire.raters.tasks.guided.guide import UNSURE, Guide, Kind, guide_of, of_sentences, read_guide
from voirdire.raters.tasks.guided.values import (
    ANSWER,
    LEAVE,
    MARK,
    MAX_REASON,
    OUTPUT,
    UNMARK,
    RatingState,
    order_of,
    state_of,
    trimmed,
    value_of,
    without_punctuation,
)
from voirdire.raters.timing import RaterWarning, nearly_all
from voirdire.text.shortening import beginning

NOUNS = Nouns("Rating answers", document="answer", item="answer", group="group", dialogue="answer")
ANSWERED = "answered"
QUOTE = 80
"""Characters of marked words that are quoted in a sentence."""


class GuidedTask(Task):
    """A task of the kind `kind`, with the guide of a project or the usual one."""

    kind: Kind
    nouns = NOUNS
    names_columns = True
    beside = MappingProxyType(
        {"question": "prompt", "options": "choices", "reference": "reference", "context": "passages"}
    )
    seconds = (20.0, 60.0)
    """For one rating: an assumption."""

    def __init__(self, guide: Guide | None = None) -> None:
        """Take a guide, or the usual one."""
        self.guide = guide_of(self.kind, {}) if guide is None else guide
        self.nouns = NOUNS._replace(title=self.guide.title)

    @property
    def name(self) -> str:  # type: ignore[override]
        """That of its kind."""
        return self.kind

    def rates(self, instrument: str) -> bool:
        """Whether its description names any task: the outputs that this one would rate are rated here."""
        return instrument_of(instrument).rating_task != ""

    def guided(self, guide: Mapping[str, Any]) -> Self:
        """The same with a project's guide."""
        return type(self)(guide_of(self.kind, guide)) if guide else self

    def of_sentences(self) -> Self:
        """The same where each item is one sentence of an answer."""
        task = type(self)(of_sentences(self.guide))
        task.nouns = task.nouns._replace(document="sentence", item="sentence")
        return task

    def read_guide(self, path: Path) -> Mapping[str, Any]:
        """See `guide.read_guide`; what is right of its practice items must be an answer that can be given."""
        fields = read_guide(self.kind, path)
        try:
            self.guided(fields).practice()
        except RatersError as error:
            raise RatersError(f"The guide {path}: {error}") from None
        return fields

    # --- what differs between kinds ---

    @abstractmethod
    def read_answer(self, text: str, work: Work) -> Any:
        """The answer that a button or a field stands for.

        Raises:
            Refused: it is none.
        """

    @abstractmethod
    def right_answer(self, given: Any, document: Document) -> Mapping[str, Any]:
        """`answer`, and whatever else the kind has, of what a guide calls right of a practice item.

        Raises:
            RatersError: it is no answer that can be given.
        """

    @abstractmethod
    def answers_differ(self, one: Value, other: Value) -> bool:
        """Whether two ratings that both hold an answer need a third person."""

    @abstractmethod
    def settle_answers(self, values: Sequence[Value]) -> Mapping[str, Any] | None:
        """`answer`, and whatever else the kind has, of ratings that all hold one; `None` without a majority."""

    @abstractmethod
    def answer_in_words(self, value: Value) -> str:
        """An answer, for a list."""

    @abstractmethod
    def choices(self, work: Work) -> list[dict[str, Any]]:
        """Buttons: `answer`, `says`, `key` (several with spaces between them), `help`."""

    @abstractmethod
    def number(self, value: Value) -> float | None:
        """What a rating counts as, from `bottom` to `top`, for judges and other tools; `None` where it is no number."""

    bottom: float = 0.0
    top: float = 1.0
    """Of `number`."""
    number_name: str = "value"
    """Of the figure that `number` is averaged to."""
    graded: bool = True
    """Whether a number says how good an answer is."""
    high_is_bad: bool = False
    """Whether a high number stands for faults that were found."""
    has_numbers: bool = True
    """Whether any rating counts as a number."""
    yes_or_no: bool = False
    """Whether all of them count as 0 or 1."""

    @property
    @abstractmethod
    def number_says(self) -> str:
        """What the mean of `number` is, in words."""

    def says_of(self, number: float) -> str:
        """What a rating that counts as this number says of an item."""
        category = self.category_of(number)
        return f"a rating of {number:g}" if category is None else f"the label {shown(category)}"

    def category_of(self, number: float) -> str | None:
        """Of the first of `judged_scales`: the category that counts as this number; `None` where none does."""
        return None

    def judged_scales(self) -> tuple[Scale, ...]:
        """The scale on which answers are compared with a judge's numbers, where there is one."""
        return self.scales()[:1]

    halfway: tuple[str, ...] = ()
    """Categories that count as half way between the worst and the best."""

    @property
    def read_as(self) -> str:
        """How words were read that tell which answers are good ones: "read 'unsupported' as bad"; mostly empty."""
        return ""

    @property
    def turn(self) -> tuple[str, ...]:
        """What would have ratings read the other way round; empty where it is known which way they run."""
        return ()

    def asks_the_same(self, other: Self) -> bool:
        """Whether another project of the kind asks for the same answers."""
        mine, theirs = ((each.guide.names, each.bottom, each.top) for each in (self, other))
        return mine == theirs

    # --- rating an item ---

    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """The row of an answer, a mark, a mark that is taken away, or of an item that is left out.

        Raises:
            Refused: the action does not fit, or a field is missing or impossible.
        """
        state = state_of(work.rows)
        if action == ANSWER:
            return NewRow(ANSWER, self._answer(work, form, state), state.seq)
        if action == MARK:
            return NewRow(MARK, self._mark(work, form, state))
        if action == UNMARK:
            return NewRow(UNMARK, {"mark": _marked(form, state)})
        if action == LEAVE and self.guide.skip:
            reason = _reason(form)
            if not reason:
                raise Refused("Say in a few words why you leave this one out.")
            return NewRow(LEAVE, {"status": "skipped", "answer": None, "reason": reason}, state.seq)
        raise Refused(f"There is no action {action[:40]!r} here; load the page again.")

    def _answer(self, work: Work, form: Mapping[str, str], state: RatingState) -> dict[str, Any]:
        given = form.get("answer", "")
        reason = _reason(form) if "reason" in form else state.reason
        if given == UNSURE and self.guide.unsure:
            return {"status": "unsure", "answer": None, "reason": reason}
        return {"status": ANSWERED, "answer": self.read_answer(given, work), "reason": reason}

    def _mark(self, work: Work, form: Mapping[str, str], state: RatingState) -> dict[str, Any]:
        part, label = form.get("part", ""), form.get("label")
        if label is None:
            raise Refused("Choose a label for these words: press its button.")
        if label not in self.mark_labels(part):
            raise Refused(self._no_such_mark(part, label))
        start, end = _stretch(self.texts(work.document).get(part, ""), form)
        if any(mark[:4] == (part, start, end, label) for mark in state.marks):
            raise Refused("These words are marked so already.")
        return {"part": part, "start": start, "end": end, "label": label}

    def _no_such_mark(self, part: str, label: str) -> str:
        if self.guide.evidence and label in self.guide.names and part.startswith("passage-"):
            return f"Labels are for words of the answer: mark words of {self.guide.context_name} with Evidence (v)."
        if self.guide.evidence and not label and part == OUTPUT:
            return f"Evidence is for words of {self.guide.context_name}: mark words of the answer with a label."
        return "Choose one of the labels on the page."

    def mark_labels(self, part: str) -> tuple[str, ...]:
        """With which labels a part can be marked: a context as evidence, where the guide asks for it."""
        return ("",) if self.guide.evidence and part.startswith("passage-") else ()

    def texts(self, document: Document) -> dict[str, str]:
        """The texts in which something can be marked, by part."""
        passages = document.body["passages"] if "context" in self.guide.show else ()
        return {OUTPUT: document.body["output"]} | {
            f"passage-{number}": text for number, text in enumerate(passages, start=1)
        }

    def value(self, work: Work) -> Value | None:
        """`status` (answered, unsure or skipped), `answer`, `reason`, `evidence`, and what the kind adds."""
        return value_of(state_of(work.rows), spans=self.kind == "spans")

    def view(self, work: Work) -> Mapping[str, Any]:
        """What `rating_page.html` shows; see `pages.view`."""
        from voirdire.raters.tasks.guided.pages import view

        return view(self, work)

    def feedback(self, work: Work) -> Mapping[str, Any] | None:
        """Once a rating is complete: in practice what is right and why, in calibration what others say.

        Returns:
            `given`, the rating in words; `others`; and `key`, `None` where there is none, otherwise with `right`,
            whether the rating is, what the key `says`, and `why`.
        """
        value, key = self.value(work), work.item.key
        if value is None or work.phase == "live":
            return None
        return {
            "given": self.other_in_words(work, value)["says"],
            "others": [self.other_in_words(work, other) for other in work.others],
            "key": None
            if key is None
            else {
                "right": not self.differ(value, key),
                "says": self.other_in_words(work, key)["says"],
                "why": key["why"],
            },
        }

    def other_in_words(self, work: Work, value: Value) -> dict[str, str]:
        """What somebody else says, to whoever does this work: `says` and `reason`."""
        says = self.quoted_in_words(work.document, {**value, "reason": ""})
        return {"says": says, "reason": value.get("reason", "")}

    def order(self, work: Work) -> tuple[str, str]:
        """Which of a pair this rater is shown first."""
        return order_of(work.settings.seed, work.rater, work.item.id)

    def differ(self, one: Value, other: Value) -> bool:
        """Whether they answer differently, or only one of them answers."""
        if one["status"] != other["status"]:
            return True
        return one["status"] == ANSWERED and self.answers_differ(one, other)

    def gap(self, one: Value, other: Value) -> float:
        """How far apart their answers are; half way where only one of them answers."""
        return self.answers_gap(one, other) if one["status"] == other["status"] else 0.5

    def answers_gap(self, one: Value, other: Value) -> float:
        """By the numbers that they count as, so that a tie is nearer than the other answer; 1 without numbers."""
        numbers = [number for number in (self.number(one), self.number(other)) if number is not None]
        if len(numbers) < 2 or self.top == self.bottom:
            return 1.0
        return abs(numbers[0] - numbers[1]) / (self.top - self.bottom)

    def settle(self, values: Sequence[Value]) -> Value | None:
        """What more than half of them come to."""
        status, votes = Counter(value["status"] for value in values).most_common(1)[0]
        if 2 * votes <= len(values):
            return None
        if status != ANSWERED:
            return self.settled({"status": status, "answer": None})
        answer = self.settle_answers([value for value in values if value["status"] == ANSWERED])
        return None if answer is None else self.settled({"status": ANSWERED, **answer})

    def settled(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """A rating of nobody in particular."""
        return {"reason": "", "evidence": [], **value}

    def guideline(self, settings: Settings) -> Mapping[str, Any]:
        """`title`, `intro`, `question` and `classes`."""
        return {
            "title": self.guide.title,
            "intro": list(self.guide.guideline),
            "question": self.guide.question,
            "classes": [
                {"name": each.text, "definition": each.help, "examples": list(each.examples)}
                for each in self.guide.labels
            ],
            "scale": self.guide.scale,
        }

    def item_in_words(self, document: Document, item: Item) -> str:
        """The question, where there is one, and the answer."""
        prompt, output = document.body["prompt"], str(document.body["output"])
        if not prompt:
            return output
        return f"{prompt} {output}" if prompt.endswith((".", "?", "!", ":")) else f"{prompt}: {output}"

    def item_in_line(self, document: Document, item: Item, limit: int = 140) -> str:
        """The same in a line: at least half is the answer's, for answers to one long question begin alike."""
        prompt, output = document.body["prompt"], str(document.body["output"])
        asked = beginning(prompt, max(limit // 2, limit - len(output) - 2))
        return super().item_in_line(replace(document, body={**document.body, "prompt": asked}), item, limit)

    def rated_text(self, document: Document, item: Item) -> str:
        """The answer, or both of a pair."""
        return "\n\n".join(document.body["outputs"]) or str(document.body["output"])

    def rating_in_words(self, value: Value) -> str:
        """The answer, or that there is none."""
        if value["status"] == "skipped":
            return f"Left out: {value['reason']}" if value.get("reason") else "Left out"
        return "Not sure" if value["status"] == "unsure" else self.answer_in_words(value)

    def undone_in_words(self, work: Work, undone: Row) -> str:
        """A mark, or the removal of one, by its words."""
        if undone.kind not in (MARK, UNMARK):
            return super().undone_in_words(work, undone)
        state = state_of([undone] if undone.kind == MARK else work.rows)
        mark = next(each for each in state.marks if each.seq == undone.body.get("mark", undone.seq))
        words = self.texts(work.document)[mark.part][mark.start : mark.end]
        return f"the {'mark' if undone.kind == MARK else 'removal of'} \u201c{beginning(words, QUOTE)}\u201d"

    def no_answer(self, value: Value) -> str:
        """That the rater was not sure, or left the item out."""
        return "" if value["status"] == ANSWERED else f"\u201c{self.rating_in_words({**value, 'reason': ''})}\u201d"

    # --- a project ---

    def make(self, path: Path, options: DrawOptions) -> Materials:
        """See `builder.make`."""
        from voirdire.raters.tasks.guided.builder import make

        return make(self, path, options)

    def practice(self) -> Materials:
        """The practice items of the guide."""
        from voirdire.raters.tasks.guided.practice import practice

        return practice(self)

    def effort(self, mode: Mode) -> Effort:
        """Assumptions."""
        return Effort(
            phases=(Phase("answers", None, SourcedRange(*self.seconds, ASSUMED)),),
            disagreement=SourcedRange(0.1, 0.35, ASSUMED),
        )

    def warnings(self, rater: str, ratings: Sequence[Rating]) -> Iterator[RaterWarning]:
        """One answer to more than 95 % of the items."""
        common = nearly_all([self.rating_in_words({**rating.value, "reason": ""}) for rating in ratings])
        if common is not None:
            text = f"{common.times} of {common.of} ratings say the same: {common.value}."
            yield RaterWarning(rater, "one answer", text)

    def scales(self) -> tuple[Scale, ...]:
        """The categories of the kind."""
        return ()

    def judgements(self) -> Judgements:
        """See `judgements.judgements_of`."""
        from voirdire.raters.tasks.guided.judgements import judgements_of

        return judgements_of(self)

    def settled_ratings(self, project: Project) -> SettledRatings:
        """See `people.settled_items`."""
        from voirdire.raters.tasks.guided.people import settled_items

        return SettledRatings(
            items=settled_items(project),
            low=self.bottom,
            high=self.top,
            pairs=self.kind == "preference",
            top_says=self.says_of(self.top),
            bottom_says=self.says_of(self.bottom),
            high_is_bad=self.high_is_bad,
            read=self.read_as,
            turn=self.turn,
        )

    @cached_property
    def _exchange(self) -> RatingsExchange:
        from voirdire.raters.tasks.guided.exchange import exchange_of

        return exchange_of(self)

    def exchange(self) -> RatingsExchange:
        """See `exchange.exchange_of`."""
        return self._exchange

    answer_column: Column


def _reason(form: Mapping[str, str]) -> str:
    reason = form.get("reason", "").strip()
    if len(reason) > MAX_REASON:
        raise Refused(f"A reason of {len(reason):,} characters was given; keep it to {MAX_REASON:,}.")
    return reason


def _marked(form: Mapping[str, str], state: RatingState) -> int:
    known = {str(mark.seq): mark.seq for mark in state.marks}
    if form.get("mark", "") not in known:
        raise Refused("That mark is not there any more.")
    return known[form["mark"]]


def _stretch(text: str, form: Mapping[str, str]) -> tuple[int, int]:
    """Where the words are that are to be marked: by their place, or else by what they say."""
    quote, start, end = form.get("quote", "").strip(), form.get("start", ""), form.get("end", "")
    if start.isascii() and start.isdecimal() and end.isascii() and end.isdecimal() and len(start + end) < 18:
        first, last = trimmed(text, int(start), min(int(end), len(text)))
        if first < last and (not quote or " ".join(text[first:last].split()) == " ".join(quote.split())):
            return without_punctuation(text, first, last) if quote else (first, last)  # others' marks have no quote
    if not quote:
        raise Refused("Select some words first: with the mouse, by touch, or with the arrow keys and Shift.")
    place = text.find(quote)
    if place < 0:
        raise Refused("These words do not stand in the text: write them exactly as they are there.")
    return without_punctuation(text, place, place + len(quote))
