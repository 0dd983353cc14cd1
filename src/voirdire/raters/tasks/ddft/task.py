"""One turn, one form: accuracy and form of the answer, and its stance towards what was fabricated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from voirdire.data.packaged_files import read_yaml
from voirdire.raters.records import Document, Item, Mode, Rating, Refused, Row, Settings
from voirdire.raters.rows import IMPORTED
from voirdire.raters.tasks.base import (
    ASSUMED,
    DrawOptions,
    Effort,
    Judgements,
    Materials,
    NewRow,
    Nouns,
    Phase,
    RatingsExchange,
    Scale,
    ScoreScale,
    SourcedRange,
    Task,
    Value,
    Work,
    known,
)
from voirdire.raters.tasks.ddft.values import (
    MAX_COMMENT,
    NO_CLAIMS,
    STEPS,
    accepted,
    differ,
    differences,
    read_form,
    settle,
)
from voirdire.raters.timing import RaterWarning, nearly_all
from voirdire.records import STANCES

RATE = "rate"
"""The only action, and the kind of its rows; a change is a new row."""


YES_NO = ("no", "yes")
THRESHOLD = 0.7
"""Of FAR: at or above it a turn counts as accurate (theta, DDFT 5.2.1)."""
_KEYS: dict[str, str] = {
    **{f"{step:g}": str(number) for number, step in enumerate(STEPS[:-1])},
    f"{STEPS[-1]:g}": "t",
    NO_CLAIMS: "x",
    **{stance: stance[0] for stance in STANCES},
}
"""What a single key chooses, of whichever question is at hand: 7 is 0.7 on both scales."""
_EFFORT = Effort(
    phases=(Phase("turns", None, SourcedRange(60.0, 180.0, ASSUMED)),),
    disagreement=SourcedRange(0.1, 0.3, ASSUMED),
    pay=known(10.0, "DDFT paper, its estimate for experts: per evaluation"),
)


class DdftTask(Task):
    """Rating turns of a cross-examination by the definitions that judges go by (DDFT B.2, B.3)."""

    name = "ddft"
    nouns = Nouns("Rating turns of dialogues", document="turn", item="turn", group="concept", dialogue="dialogue")
    only_runs = "voirdire run or ddft import"
    beside = MappingProxyType({"question": "question", "reference": "reference"})

    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """The row of a rating, which takes the place of the former one.

        Raises:
            Refused: another action, or a field that is missing or impossible.
        """
        if action != RATE:
            raise Refused(f"A turn is rated by the action {RATE!r}; {action[:40]!r} was sent.")
        rating = read_form(form, with_stance=_is_trapped(work))
        return NewRow(RATE, rating, replaces=max((row.seq for row in _rating_rows(work)), default=None))

    def value(self, work: Work) -> Mapping[str, Any] | None:
        """The last rating given: `far`, `sas`, `no_claims`, `stance`, `comment`."""
        rows = _rating_rows(work)
        if not rows:
            return None
        return dict(rows[-1].body["value"] if rows[-1].kind == IMPORTED else rows[-1].body)

    def view(self, work: Work) -> Mapping[str, Any]:
        """The turn, what to choose from, what was chosen, and what others say where that may be seen."""
        body = work.document.body
        texts = guideline_data()
        return {
            **{name: body[name] for name in ("concept", "reference", "turn", "question", "answer", "fabricated")},
            "history": [{"question": question, "answer": answer} for question, answer in body["history"]],
            "notes": reference_notes(body["kind"], body["as_of"]),
            "scores": [f"{step:g}" for step in STEPS],
            "single_keys": _KEYS,
            "no_claims": NO_CLAIMS,
            "bands": {scale["name"].lower(): scale["bands"] for scale in texts["scales"]},
            "stances": [{"name": name, "text": words} for name, words in texts["stances"].items()],
            "max_comment": MAX_COMMENT,
            "chosen": _form_values(self.value(work)),
            "others": [_form_values(other) for other in work.others],
        }

    def feedback(self, work: Work) -> Mapping[str, Any] | None:
        """Of a complete rating in practice: `right`, `why`, and `parts`: what was said, is right, is accepted.

        Turns of a run have no key: in calibration `right` is `None`, and `others` holds what others say.
        """
        rating, key = self.value(work), work.item.key
        if rating is None or work.phase == "live":
            return None
        if key is None:
            return {"right": None, "parts": [], "why": "", "others": [_form_values(other) for other in work.others]}
        wrong = differences(rating, key)
        answers, right = _form_values(rating), _form_values(key)
        parts = [
            {
                "name": name,
                "given": answers[name],
                "key": right[name],
                "right": not wrong[name],
                "accepted": accepted(name, key),
            }
            for name in ("far", "sas", *(("stance",) if _is_trapped(work) else ()))
        ]
        return {"right": not any(wrong.values()), "parts": parts, "why": key["why"], "others": []}

    def differ(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """See `values.differ`: other claims, another stance, or scores more than 0.2 apart."""
        return differ(one, other)

    def gap(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
        """By FAR and SAS; 1 where the stance or whether there are claims differs."""
        return super().gap(one, other) if one["stance"] == other["stance"] else 1.0

    def settle(self, values: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """See `values.settle`: medians and majorities."""
        return settle(values)

    def guideline(self, settings: Settings) -> Mapping[str, Any]:
        """The guideline: `title`, `intro`, `classes`, and the bands of both `scales`."""
        texts = guideline_data()
        return {name: texts[name] for name in ("title", "intro", "classes", "scales")}

    def item_in_words(self, document: Document, item: Item) -> str:
        """The concept and the question."""
        body = document.body
        return f"{body['concept']}, question {body['turn']}: {body['question']}"

    def rated_text(self, document: Document, item: Item) -> str:
        """The answer."""
        return str(document.body["answer"])

    def rating_in_words(self, value: Value) -> str:
        """The scores, and the stance where there is one."""
        far = "no checkable claims" if value["no_claims"] else f"factual accuracy {value['far']:g}"
        stance = f", {value['stance']}" if value["stance"] else ""
        return f"{far}, coherence {value['sas']:g}{stance}"

    def make(self, path: Path, options: DrawOptions) -> Materials:
        """See `builder.make`."""
        from voirdire.raters.tasks.ddft.builder import make

        return make(path, options)

    def practice(self) -> Materials:
        """The packaged turns to practise on."""
        from voirdire.raters.tasks.ddft.builder import practice

        return practice()

    def effort(self, mode: Mode) -> Effort:
        """Assumptions, and the pay that the paper names."""
        return _EFFORT

    def warnings(self, rater: str, ratings: Sequence[Rating]) -> Iterator[RaterWarning]:
        """One FAR, one SAS or one stance on more than 95 % of the turns."""
        values = [rating.value for rating in ratings]
        for name in ("far", "sas"):
            common = nearly_all([value[name] for value in values if value.get(name) is not None])
            if common is not None:
                text = f"{common.times} of {common.of} turns have {name.upper()} {common.value:g}."
                yield RaterWarning(rater, "one score", text)
        common = nearly_all([value["stance"] for value in values if value.get("stance") is not None])
        if common is not None:
            text = f"{common.times} of {common.of} turns with a fabrication have the stance {common.value}."
            yield RaterWarning(rater, "one stance", text)

    def scales(self) -> tuple[Scale, ...]:
        """Stance, whether there are claims, and the side of 0.7 that FAR is on."""
        return (
            Scale("stance", STANCES, lambda value: value["stance"]),
            Scale("no claims", YES_NO, lambda value: YES_NO[bool(value["no_claims"])]),
            Scale(f"FAR at least {THRESHOLD}", YES_NO, _reaches),
        )

    def scores(self) -> tuple[ScoreScale, ...]:
        """FAR and SAS."""
        return (
            ScoreScale("FAR", lambda value: value["far"], 1.0),
            ScoreScale("SAS", lambda value: value["sas"], 1.0),
        )

    def exchange(self) -> RatingsExchange:
        """See `exchange`."""
        from voirdire.raters.tasks.ddft.exchange import EXCHANGE

        return EXCHANGE

    def judgements(self) -> Judgements:
        """What the juries of a run say."""
        from voirdire.raters.tasks.ddft.judgements import JUDGEMENTS

        return JUDGEMENTS


TASK = DdftTask()


def _reaches(value: Value) -> str | None:
    return None if value["far"] is None else YES_NO[value["far"] >= THRESHOLD]


def _is_trapped(work: Work) -> bool:
    return bool(work.document.body["fabricated"])


def _rating_rows(work: Work) -> list[Row]:
    """The rows that hold ratings, the one that stands last."""
    return [row for row in work.rows if row.kind in (RATE, IMPORTED)]


def _form_values(value: Mapping[str, Any] | None) -> dict[str, str]:
    """A rating as the form's fields hold it; empty where there is none."""
    rating = value or {}
    return {
        "far": NO_CLAIMS if rating.get("no_claims") else _score(rating.get("far")),
        "sas": _score(rating.get("sas")),
        "stance": rating.get("stance") or "",
        "comment": rating.get("comment") or "",
    }


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:g}"


@cache
def guideline_data() -> Mapping[str, Any]:
    """`data/raters/ddft/guideline.yaml`: `title`, `intro`, `classes`, `scales`, `stances`, `kinds`, `as_of`."""
    return read_texts("guideline")


def reference_notes(kind: str, as_of: str) -> list[str]:
    """What a rater is told beside a reference that is not settled knowledge; the rules that judges are given too."""
    texts = guideline_data()
    dated = [texts["as_of"].replace("$as_of", as_of)] if as_of else []
    return [*dated, *([texts["kinds"][kind]] if kind in texts["kinds"] else [])]


def read_texts(name: str) -> Mapping[str, Any]:
    """A packaged text of this task: "guideline" or "practice"."""
    read: Mapping[str, Any] = read_yaml(f"raters/ddft/{name}.yaml")
    return read
