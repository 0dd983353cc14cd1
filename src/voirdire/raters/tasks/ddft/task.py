"""One turn, one form: accuracy and form of the answer, and its stance towards what was fabricated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.raters.records import Refused, Row, Settings
from voirdire.raters.tasks.base import NewRow, Work
from voirdire.raters.tasks.ddft.texts import guideline_data, reference_notes
from voirdire.raters.tasks.ddft.values import MAX_COMMENT, NO_CLAIMS, STEPS, differ, differing, read_form, settle
from voirdire.raters.undo import IMPORTED

RATE = "rate"
"""The only action, and the kind of its rows; a change is a new row."""


class DdftTask:
    """Rating turns of a cross-examination by the definitions that judges go by (DDFT B.2, B.3)."""

    name = "ddft"
    template = "ddft/work.html"

    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """The row of a rating, which takes the place of the former one.

        Raises:
            Refused: another action, or a field that is missing or impossible.
        """
        if action != RATE:
            raise Refused(f"A turn is rated by the action {RATE!r}; {action[:40]!r} was sent.")
        given = read_form(form, with_stance=_is_trapped(work))
        return NewRow(RATE, given, replaces=max((row.seq for row in _rated(work)), default=None))

    def value(self, work: Work) -> Mapping[str, Any] | None:
        """The last rating given: `far`, `sas`, `no_claims`, `stance`, `comment`."""
        rated = _rated(work)
        if not rated:
            return None
        return dict(rated[-1].body["value"] if rated[-1].kind == IMPORTED else rated[-1].body)

    def view(self, work: Work) -> Mapping[str, Any]:
        """The turn, what to choose from, what was chosen, and what others say where that may be seen."""
        body = work.document.body
        said = guideline_data()
        return {
            **{name: body[name] for name in ("concept", "reference", "turn", "question", "answer", "fabricated")},
            "history": [{"question": question, "answer": answer} for question, answer in body["history"]],
            "notes": reference_notes(body["kind"], body["as_of"]),
            "scores": [f"{step:g}" for step in STEPS],
            "no_claims": NO_CLAIMS,
            "bands": {scale["name"].lower(): scale["bands"] for scale in said["scales"]},
            "stances": [{"name": name, "says": says} for name, says in said["stances"].items()],
            "max_comment": MAX_COMMENT,
            "chosen": _chosen(self.value(work)),
            "others": [_chosen(other) for other in work.others],
        }

    def feedback(self, work: Work) -> Mapping[str, Any] | None:
        """Of a complete rating in practice: `right`, `why`, and part by part what was said and what is right.

        Turns of a run have no key: in calibration `right` is `None`, and `others` holds what others say.
        """
        given, key = self.value(work), work.item.key
        if given is None or work.phase == "live":
            return None
        if key is None:
            return {"right": None, "parts": [], "why": "", "others": [_chosen(other) for other in work.others]}
        wrong = differing(given, key)
        said, right = _chosen(given), _chosen(key)
        parts = [
            {"name": name, "given": said[name], "key": right[name], "right": not wrong[name]}
            for name in ("far", "sas", *(("stance",) if _is_trapped(work) else ()))
        ]
        return {"right": not any(wrong.values()), "parts": parts, "why": key["why"], "others": []}

    def differ(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """See `values.differ`: other claims, another stance, or scores more than 0.2 apart."""
        return differ(one, other)

    def settle(self, values: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """See `values.settle`: medians and majorities."""
        return settle(values)

    def guideline(self, settings: Settings) -> Mapping[str, Any]:
        """The guideline: `title`, `intro`, `classes`, and the bands of both `scales`."""
        said = guideline_data()
        return {name: said[name] for name in ("title", "intro", "classes", "scales")}


TASK = DdftTask()


def _is_trapped(work: Work) -> bool:
    return bool(work.document.body["fabricated"])


def _rated(work: Work) -> list[Row]:
    """The rows that hold ratings, the one that stands last."""
    return [row for row in work.rows if row.kind in (RATE, IMPORTED)]


def _chosen(value: Mapping[str, Any] | None) -> dict[str, str]:
    """A rating as the form's fields hold it; empty where there is none."""
    said = value or {}
    return {
        "far": NO_CLAIMS if said.get("no_claims") else _score(said.get("far")),
        "sas": _score(said.get("sas")),
        "stance": said.get("stance") or "",
        "comment": said.get("comment") or "",
    }


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:g}"
