"""What a rater is told of a finished trial while calibrating: how far they are from a reference, or from the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.raters.tasks.base import Work
from voirdire.raters.tasks.integrity.deduction import LIMIT, State, fold
from voirdire.raters.tasks.integrity.guideline import label
from voirdire.raters.tasks.integrity.rating import Value, differ, not_found_by, value_of
from voirdire.text.counting import counted

PHASES = ("practice", "calibration")
_ALONE = "Nobody else has finished this trial yet. What they say will stand here once they have: look again under Done."


def feedback(work: Work) -> dict[str, Any] | None:
    """Your score beside the reference's, or the other raters'; `None` outside practice and calibration, or unfinished.

    `right` says whether yours and the reference (every other rater's, where there is none) are so close that no third
    person would be needed, and is `None` where there is nothing to compare with; `why` are sentences; `beside` has, for
    each rating compared, `name`, `score`, `band`, `difference` (yours less theirs), `only_theirs` and `only_yours`.
    """
    state = fold(work)
    value = value_of(state)
    if value is None or work.phase not in PHASES:
        return None
    compared = _compared(work)
    beside = [_beside(name, value, other, state) for name, other in compared]
    right = not any(differ(value, other) for _, other in compared) if compared else None
    why = [_sentence(each) for each in beside] or [_ALONE]
    if work.item.key is not None and work.item.key.get("why"):
        why.append(str(work.item.key["why"]))
    return {"right": right, "why": why, "score": value["score"], "band": value["band"], "beside": beside}


def _compared(work: Work) -> list[tuple[str, Value]]:
    if work.item.key is not None:
        return [("the reference", work.item.key)]
    several = len(work.others) > 1
    return [
        (f"another rater ({number})" if several else "another rater", other)
        for number, other in enumerate(work.others, start=1)
    ]


def _beside(name: str, value: Value, other: Value, state: State) -> dict[str, Any]:
    return {
        "name": name,
        "score": other["score"],
        "band": other["band"],
        "difference": value["score"] - other["score"],
        "only_theirs": _told(not_found_by(other, value), state),
        "only_yours": _told(not_found_by(value, other), state),
    }


def _told(violations: Sequence[Mapping[str, Any]], state: State) -> list[dict[str, Any]]:
    """Violations with the words of the sentence and the fact that they concern."""
    facts = {fact.id: fact.text for fact in state.facts}
    return [
        {
            "type": each["type"],
            "label": label(each["type"]),
            "sentence": each.get("sentence"),
            "span": each.get("span"),
            "fact": each.get("fact"),
            "fact_text": facts.get(each.get("fact") or "", ""),
            "reason": each.get("reason", ""),
            "penalty": each.get("penalty"),
            "dropped": None,
            "ambiguous": bool(each.get("ambiguous")),
            "note": each.get("note", ""),
        }
        for each in violations
    ]


def _sentence(beside: Mapping[str, Any]) -> str:
    apart, reference = abs(beside["difference"]), f"that of {beside['name']} ({beside['score']})"
    if not apart:
        return f"Your score equals {reference}."
    side = "above" if beside["difference"] > 0 else "below"
    far = "within" if apart <= LIMIT else "more than"
    return f"Your score is {counted(apart, 'point')} {side} {reference}: {far} {LIMIT}."
