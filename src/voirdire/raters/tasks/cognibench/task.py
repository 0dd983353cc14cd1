"""One sentence of an answer at a time: its class, by the ladder or directly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

from voirdire.detectors.records import LABELS, REQUIREMENTS, Answer, Require, hallucinated, type_of
from voirdire.raters.records import Document, Item, Mode, Project, Rating, Refused, Settings
from voirdire.raters.tasks.base import (
    ASSUMED,
    DrawOptions,
    Effort,
    Judgements,
    Materials,
    ModesCompared,
    NewRow,
    Nouns,
    Phase,
    PublishedWorkload,
    RatingsExchange,
    Scale,
    SourcedRange,
    Task,
    Value,
    Work,
    WorkloadLine,
    known,
)
from voirdire.raters.tasks.cognibench.guideline import (
    class_of,
    guideline,
    label_in_words,
    named_path,
    practice,
    question_view,
)
from voirdire.raters.tasks.cognibench.ladder import (
    CHOICES,
    LABEL,
    REASON,
    STEP,
    LadderState,
    first_difference,
    state_of,
)
from voirdire.raters.timing import RaterWarning, nearly_all

PER = 500
"""Statements that table 1 counts questions by."""
PUBLISHED: dict[Mode, WorkloadLine] = {
    "independent": WorkloadLine(0.9151, 25, 15, 10),
    # The copy at hand prints "12 (6 … + 7 …)" and, read a second time, "15 (6 … + 7 …)". 6 and 7 make 13, and only 13
    # fits "reducing QA instances by 48%" beside the 25 of the other line (CogniBench 2.2).
    "sequential": WorkloadLine(0.9619, 13, 6, 7),
}
PUBLISHED_WORKLOAD = PublishedWorkload("CogniBench's table 1", PUBLISHED)
MAX_REASON = 4_000
"""Characters."""
TIERS = ("misleading", "speculative", "reliable", "irrefutable")
"""Of cognitive statements, from the lowest (CogniBench 2.2)."""
TYPES = ("irrelevant", "factual", "cognitive")
YES_NO = ("no", "yes")


class CognibenchTask(Task):
    """Rating the statements of grounded answers by CogniBench's seven classes."""

    name = "cognibench"
    nouns = Nouns("Rating statements", document="answer", item="statement", group="context", dialogue="dialogue")
    modes = ("sequential", "independent")
    workload = PUBLISHED_WORKLOAD
    beside = MappingProxyType({"question": "question", "context": "context"})

    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """The row of "answer" (fields `question`, `answer`, optionally `reason`) or of "reason" (field `reason`).

        Raises:
            Refused: the question is neither the next one nor an answered one, or the answer is none of its choices; a
                reason before the rating is complete, or one that is too long.
        """
        state = state_of(work.rows, work.settings.mode)
        if action == "answer":
            return _answer_row(state, form)
        if action == "reason":
            return _reason_row(work, state, form)
        raise Refused(f"There is no action {action!r} on a statement; there are answer and reason.")

    def value(self, work: Work) -> Mapping[str, Any] | None:
        """`label`, `steps` and `reason`, once the ladder has ended."""
        state = state_of(work.rows, work.settings.mode)
        if state.label is None:
            return None
        return {
            "label": state.label,
            "steps": [list(step) for step in state.path],
            "reason": state.reason,
        }

    def view(self, work: Work) -> Mapping[str, Any]:
        """What `cognibench/rating_page.html` shows; see `view`."""
        return view(work)

    def feedback(self, work: Work) -> Mapping[str, Any] | None:
        """Whether a complete rating is right, or what others say; see `feedback`."""
        return feedback(work)

    def differ(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """Whether the labels differ; paths and reasons may."""
        return bool(one["label"] != other["label"])

    def settle(self, values: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """The label that more than half of the ratings give, with the steps of the first of them."""
        counts = Counter(value["label"] for value in values)
        label, votes = counts.most_common(1)[0]
        if 2 * votes <= len(values):
            return None
        first = next(value for value in values if value["label"] == label)
        return {"label": label, "steps": first["steps"], "reason": ""}

    def guideline(self, settings: Settings) -> Mapping[str, Any]:
        """The guideline panel; see `guideline.guideline`."""
        return guideline(settings)

    def item_in_words(self, document: Document, item: Item) -> str:
        """The statement."""
        return str(document.body["statements"][item.place]["text"])

    def rating_in_words(self, value: Value) -> str:
        """The class's name, and in everyday words what it means."""
        return label_in_words(value["label"])

    def details_in_words(self, value: Value) -> tuple[str, ...]:
        """The way up the ladder, and the reason."""
        way = [
            f"{step['short']} {step['text']}"
            for step in named_path(value.get("steps", ()))
            if step["question"] != LABEL
        ]
        return (*(["; ".join(way)] if way else []), *([value["reason"]] if value.get("reason") else []))

    def make(self, path: Path, options: DrawOptions) -> Materials:
        """See `builder.make`."""
        from voirdire.raters.tasks.cognibench.builder import make

        return make(path, options)

    def source(self, path: Path) -> Path:
        """The file with Label Studio's tasks, where the folder of an export for it was named."""
        from voirdire.raters.tasks.cognibench.builder import tasks_in

        return tasks_in(path)

    def practice(self) -> Materials:
        """The statements of the qualification set."""
        return practice()

    def effort(self, mode: Mode) -> Effort:
        """Times are assumptions; the rest is the paper's."""
        agreement, questions = PUBLISHED[mode].agreement, PUBLISHED[mode].questions
        return Effort(
            # A context of the release has 685 words on average, an answer 9.4 sentences: reading takes 18 s of these.
            phases=(Phase("statements", None, SourcedRange(30.0, 75.0, ASSUMED)),),
            disagreement=known(
                round(1 - agreement, 4), f"CogniBench, table 1: {100 * agreement:.2f} % agreement, {mode}"
            ),
            questions=known(questions / PER, f"CogniBench, table 1: {questions} per {PER} statements, {mode}"),
            pay=known(0.30, "CogniBench, A.5: per statement"),
        )

    def warnings(self, rater: str, ratings: Sequence[Rating]) -> Iterator[RaterWarning]:
        """One label on more than 95 % of the statements."""
        common = nearly_all([rating.value["label"] for rating in ratings])
        if common is not None:
            text = f"{common.times} of {common.of} statements are labelled {common.value}."
            yield RaterWarning(rater, "one label", text)

    def scales(self) -> tuple[Scale, ...]:
        """Class, type, hallucinated or not under each requirement, tier."""
        return (
            Scale("label", LABELS, lambda value: str(value["label"])),
            Scale("type", TYPES, lambda value: type_of(value["label"])),
            *(flag_scale(require) for require in REQUIREMENTS),
            Scale("tier", TIERS, lambda value: value["label"] if value["label"] in TIERS else None, ordered=True),
        )

    def compare_modes(self, project: Project, other: Project) -> ModesCompared:
        """See `modes.compare_modes`; the projects come in any order."""
        from voirdire.raters.tasks.cognibench.modes import compare_modes

        return compare_modes(*((project, other) if project.settings.mode == self.modes[0] else (other, project)))

    def exchange(self) -> RatingsExchange:
        """See `exchange`."""
        from voirdire.raters.tasks.cognibench.exchange import EXCHANGE

        return EXCHANGE

    def labelled_answers(self, project: Project) -> Sequence[Answer]:
        """See `release.labelled_answers`."""
        from voirdire.raters.tasks.cognibench.release import labelled_answers

        return labelled_answers(project)

    def judgements(self) -> Judgements:
        """What a labelling run or a detector says."""
        from voirdire.raters.tasks.cognibench.judgements import JUDGEMENTS

        return JUDGEMENTS


TASK = CognibenchTask()


def flag_scale(require: Require) -> Scale:
    """Hallucinated or not, where cognitive statements must be so much."""
    return Scale(f"hallucinated ({require} required)", YES_NO, partial(_hallucinated, require))


def _hallucinated(require: Require, value: Value) -> str:
    return YES_NO[hallucinated(value["label"], require)]


def _answer_row(state: LadderState, form: Mapping[str, str]) -> NewRow:
    question, answer = form.get("question", ""), form.get("answer", "")
    before = state.answered(question)
    if question != state.question and before is None:
        raise Refused("That question is not the one that is asked now: answer the one on the page.")
    if answer not in CHOICES[question]:
        raise Refused(f"{answer!r} is no answer to this question; choose one of {', '.join(CHOICES[question])}.")
    body = {"question": question, "answer": answer}
    if "reason" in form:
        body["reason"] = _reason_of(form)
    return NewRow(STEP, body, None if before is None else before.seq)


def _reason_row(work: Work, state: LadderState, form: Mapping[str, str]) -> NewRow:
    if state.label is None:
        raise Refused("A reason goes with a rating: answer the questions first.")
    last = max((row.seq for row in work.rows if row.kind == REASON), default=None)
    return NewRow(REASON, {"reason": _reason_of(form)}, last)


def _reason_of(form: Mapping[str, str]) -> str:
    reason = form.get("reason", "").strip()
    if len(reason) > MAX_REASON:
        raise Refused(f"A reason of {len(reason):,} characters was given; keep it to {MAX_REASON:,}.")
    return reason


def view(work: Work) -> dict[str, Any]:
    """The work page as plain data.

    Returns:
        `context`, `history` (of `user`, `assistant`), `question`, `pieces` (the answer, cut in `text` with `focus`),
        `statement`; `steps`, the questions answered, as they were put, with
        `given` and `said`; `asked`, the question whose turn it is, or `None`; `label`, once settled; `reason`;
        `others`, what other raters say, for adjudicators who may see that.
    """
    body, state = work.document.body, state_of(work.rows, work.settings.mode)
    statement = body["statements"][work.item.place]
    return {
        "mode": work.settings.mode,
        "phase": work.phase,
        "context": body["context"],
        "history": [{"user": user, "assistant": assistant} for user, assistant in body["history"]],
        "question": body["question"],
        "pieces": pieces(body["answer"], body["statements"], work.item.place),
        "statement": statement["text"],
        "steps": [
            {**question_view(named["question"]), "given": named["answer"], "said": named["text"]}
            for named in named_path(state.path)
        ],
        "asked": None if state.question is None else question_view(state.question),
        "label": None if state.label is None else class_of(state.label),
        "reason": state.reason,
        "others": _others(work) if work.phase == "live" else [],
    }


def pieces(answer: str, statements: Any, place: int) -> list[dict[str, Any]]:
    """The whole answer in pieces, in order; the statement at `place` is one piece, and has `focus`.

    Other statements end pieces too, unless they reach into the one in focus.
    """
    focus = (statements[place]["start"], statements[place]["end"])
    ends = {end for each in statements for end in (each["start"], each["end"]) if not focus[0] < end < focus[1]}
    cuts = sorted({0, len(answer)} | ends)
    return [{"text": answer[start:end], "focus": (start, end) == focus} for start, end in pairwise(cuts)]


def feedback(work: Work) -> dict[str, Any] | None:
    """Once a rating is complete: in practice whether it was right, in calibration what others say; `None` elsewhere.

    Returns:
        `given`, the rater's class; `others`, as in `view`; and `key`, `None` where the item has none, otherwise with
        `right`, `label` (its class), `why`; `path`, its steps in words, each with `left`, whether the rater left it
        there; and `left_at`, the short form of that question. Path and `left_at` are `None` without the ladder.
    """
    state = state_of(work.rows, work.settings.mode)
    if state.label is None or work.phase == "live":
        return None
    return {
        "given": class_of(state.label),
        "others": _others(work),
        "key": None if work.item.key is None else _comparison_with_key(work.item.key, state, work.settings.mode),
    }


def _comparison_with_key(key: Mapping[str, Any], state: LadderState, mode: Mode) -> dict[str, Any]:
    result = {"right": state.label == key["label"], "label": class_of(key["label"]), "why": key["why"]}
    if mode == "independent":
        return {**result, "path": None, "left_at": None}
    parting_question = first_difference(key["path"], state.path)
    path = [{**step, "left": step["question"] == parting_question} for step in named_path(key["path"])]
    return {**result, "path": path, "left_at": next((step["short"] for step in path if step["left"]), None)}


def _others(work: Work) -> list[dict[str, Any]]:
    return [
        {
            "label": class_of(value["label"]),
            "steps": named_path(value.get("steps", ())),
            "reason": value.get("reason", ""),
        }
        for value in work.others
    ]
