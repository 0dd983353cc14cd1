"""The task: from a form to the next row, and from rows to a rating."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.raters.records import Refused, Settings
from voirdire.raters.tasks.base import NewRow, Task, Work
from voirdire.raters.tasks.cognibench import guideline as texts
from voirdire.raters.tasks.cognibench import showing
from voirdire.raters.tasks.cognibench.ladder import CHOICES, REASON, STEP, Standing, stand

MAX_REASON = 4_000
"""Characters."""


class _Cognibench:
    """One sentence of an answer at a time: its class, by the ladder or directly."""

    name = "cognibench"
    template = "cognibench/work.html"

    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """The row of "answer" (fields `question`, `answer`, optionally `reason`) or of "reason" (field `reason`).

        Raises:
            Refused: the question is neither the next one nor an answered one, or the answer is none of its choices; a
                reason before the rating is complete, or one that is too long.
        """
        standing = stand(work.rows, work.settings.mode)
        if action == "answer":
            return _answered(work, standing, form)
        if action == "reason":
            return _reasoned(work, standing, form)
        raise Refused(f"There is no action {action!r} on a statement; there are answer and reason.")

    def value(self, work: Work) -> Mapping[str, Any] | None:
        """`label`, `steps` and `reason`, once the ladder has ended."""
        standing = stand(work.rows, work.settings.mode)
        if standing.label is None:
            return None
        return {
            "label": standing.label,
            "steps": [list(step) for step in standing.path],
            "reason": standing.reason,
        }

    def view(self, work: Work) -> Mapping[str, Any]:
        """What `cognibench/work.html` shows; see `showing.view`."""
        return showing.view(work)

    def feedback(self, work: Work) -> Mapping[str, Any] | None:
        """Whether a complete rating is right, or what others say; see `showing.feedback`."""
        return showing.feedback(work)

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
        return texts.guideline(settings)


def _answered(work: Work, standing: Standing, form: Mapping[str, str]) -> NewRow:
    question, answer = form.get("question", ""), form.get("answer", "")
    before = standing.answered(question)
    if question != standing.question and before is None:
        raise Refused("That question is not the one that is asked now: answer the one on the page.")
    if answer not in CHOICES[question]:
        raise Refused(f"{answer!r} is no answer to this question; choose one of {', '.join(CHOICES[question])}.")
    body = {"question": question, "answer": answer}
    if "reason" in form:
        body["reason"] = _reason_of(form)
    return NewRow(STEP, body, None if before is None else before.seq)


def _reasoned(work: Work, standing: Standing, form: Mapping[str, str]) -> NewRow:
    if standing.label is None:
        raise Refused("A reason goes with a rating: answer the questions first.")
    last = max((row.seq for row in work.rows if row.kind == REASON), default=None)
    return NewRow(REASON, {"reason": _reason_of(form)}, last)


def _reason_of(form: Mapping[str, str]) -> str:
    reason = form.get("reason", "").strip()
    if len(reason) > MAX_REASON:
        raise Refused(f"A reason of {len(reason):,} characters was given; keep it to {MAX_REASON:,}.")
    return reason


TASK: Task = _Cognibench()
