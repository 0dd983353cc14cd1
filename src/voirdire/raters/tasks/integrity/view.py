"""What raters of a trial read, what its page shows, and what they are told once it is finished: plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from voirdire.data import packaged_files
from voirdire.integrity.scoring import Charge
from voirdire.integrity.taxonomy import ViolationType, load_taxonomy
from voirdire.raters.tasks.base import Work
from voirdire.raters.tasks.integrity.actions import OMITTED, QUESTIONS
from voirdire.raters.tasks.integrity.deduction import LIMIT, PickedViolation, State, fold
from voirdire.raters.tasks.integrity.rating import Value, differ, unmatched_violations, value_of
from voirdire.text.counting import counted

FILE = "raters/integrity/guideline.yaml"


def guideline() -> dict[str, Any]:
    """`title`, `intro`, `steps`, `classes`, `edge_cases`, `bands`, `questions`, `pace`.

    A class has `name`, `label`, `definition` (the taxonomy's), `severity`, `penalty`, and as examples `fact`,
    `positive` (is this violation) and `negative` (looks like it, but is not), each of these two with `text` and `why`.
    """
    texts, taxonomy = _texts(), load_taxonomy()
    classes = [
        {
            "name": kind.name,
            "definition": kind.says,
            "severity": kind.severity,
            "penalty": kind.penalty,
            "pick": kind.rung is None and kind.severity != "critical",
            **texts["types"][kind.name],
            "label": label(kind.name),
        }
        for kind in taxonomy.types.values()
    ]
    bands = [{"name": band.name, "range": band.range, "target_pct": list(band.target_pct)} for band in taxonomy.bands]
    plain = {name: texts[name] for name in ("title", "intro", "steps", "edge_cases", "pace")}
    return plain | {"classes": classes, "bands": bands, "questions": list(texts["questions"].values())}


def three_questions() -> Mapping[str, Mapping[str, str]]:
    """By name ("missed", "twice", "values"): `asks`, and `then`, what to do after a yes."""
    questions: Mapping[str, Mapping[str, str]] = _texts()["questions"]
    return questions


def label(name: str) -> str:
    """A type's name for reading: "Fact denial"."""
    texts = _texts()["types"].get(name, {})
    return str(texts.get("label", name.replace("_", " ").capitalize()))


def violation_in_words(violation: Mapping[str, Any]) -> str:
    """A violation of a rating in a line: its type, where it is, the words at fault and why."""
    sentence = violation.get("sentence")
    where = "whole response" if sentence is None else f"sentence {sentence + 1}"
    words = f": \u201c{violation['span']}\u201d" if violation.get("span") else ""
    why = f" ({violation['reason']})" if violation.get("reason") else ""
    return f"{label(violation['type'])}, {where}{words}{why}"


@cache
def _texts() -> Mapping[str, Any]:
    read: Mapping[str, Any] = packaged_files.read_yaml(FILE)
    return read


_DIGITS = 9
_KEYS = {
    "imprecision": "i",
    "vagueness": "v",
    "selective_emphasis": "s",
    "unsupported_caveat": "c",
    "reframing": "r",
    "fact_denial": "d",
    "fact_invention": "m",
    "editorializing": "e",
}
"""Single keys of the types that are picked. Others of the page: g (go on), f (finish), y, n, u (undo)."""
MAX_QUOTE = 4_000
"""Characters; every form with a violation sends its quote back."""


def view(work: Work) -> dict[str, Any]:
    """Everything the template needs; nothing of where the trial comes from."""
    state = fold(work)
    return {
        "stage": state.stage,
        "closed": state.closed,
        "context": work.document.body["context"],
        "facts": _facts(state),
        "response": work.document.body["response"],
        "sentences": _sentences(state),
        "focus": None if state.focus is None else _focus_view(state, state.focus),
        "done": len(state.done),
        "types": [_type(kind) for kind in pickable()],
        "holistic": state.holistic,
        "tally": None if state.holistic is None else _tally(state),
        "violations": _violations(state),
        "omissions": _omissions(state),
        "questions": _questions(state),
        "second_look": state.second_look,
        "ambiguous": state.ambiguous,
        "note": state.note,
        "others": _others(work, state),
    }


def pickable() -> list[ViolationType]:
    """The types that can be picked for a sentence: not omissions, nor the flag for several severe ones."""
    kinds = load_taxonomy().types.values()
    return [kind for kind in kinds if kind.rung is None and kind.severity != "critical"]


def _facts(state: State) -> list[dict[str, Any]]:
    at_hand = {mark.fact for mark in state.marks if mark.sentence == state.focus}
    parents = {fact.parent for fact in state.facts}
    return [
        {
            "id": fact.id,
            "text": fact.text,
            "parent": fact.parent,
            "whole": fact.id not in parents,
            "central": fact.central,
            "relevant": fact.relevant,
            "side": fact.side,
            "named": state.focus is not None and fact.id in at_hand,
            "key": str(number) if number <= _DIGITS else "",
        }
        for number, fact in enumerate(state.facts, start=1)
    ]


def _sentences(state: State) -> list[dict[str, Any]]:
    return [
        {
            "number": place,
            "text": text,
            "done": place in state.done,
            "focus": place == state.focus,
            "reached": place <= state.reached and state.holistic is not None,
            "points": state.score.by_sentence.get(place, 0),
            "violations": sum(mark.sentence == place for mark in state.marks),
        }
        for place, text in enumerate(state.sentences)
    ]


def _focus_view(state: State, place: int) -> dict[str, Any]:
    return {
        "number": place,
        "text": state.sentences[place],
        "done": place in state.done,
        "quote": _quote(state.sentences[place]),
        "violations": [each for each in _violations(state) if each["sentence"] == place],
    }


def _tally(state: State) -> dict[str, Any]:
    score = state.score
    return {
        "score": score.score,
        "total": score.total,
        "band": score.band.name,
        "range": score.band.range,
        "pervasive": score.pervasive,
        "difference": None if state.holistic is None else score.score - state.holistic,
        "diverges": state.diverges,
    }


def _violations(state: State) -> list[dict[str, Any]]:
    texts = {fact.id: fact.text for fact in state.facts}
    marks: list[PickedViolation | None] = [*state.marks, *[None] * len(state.omitted or ())]
    return [_charge_view(charge, mark, texts) for charge, mark in zip(state.score.charges, marks, strict=True)]


def _charge_view(charge: Charge, mark: PickedViolation | None, texts: Mapping[str, str]) -> dict[str, Any]:
    fact = charge.violation.fact
    return {
        "id": None if mark is None else mark.id,
        "type": charge.type.name,
        "label": label(charge.type.name),
        "severity": charge.type.severity,
        "penalty": charge.penalty,
        "dropped": charge.dropped,
        "sentence": charge.violation.sentence,
        "span": charge.violation.span,
        "quote": _quote(charge.violation.span or ""),
        "fact": fact,
        "fact_text": "" if fact is None else texts.get(fact, ""),
        "reason": charge.violation.reason,
        "ambiguous": mark is not None and mark.ambiguous,
        "note": "" if mark is None else mark.note,
    }


def _quote(text: str) -> str:
    """What the field for the words at fault begins with: a sentence too long to cut down by hand is left out."""
    return text if len(text) <= MAX_QUOTE else ""


def _omissions(state: State) -> dict[str, Any]:
    omitted = state.omitted or ()
    charge = next((each for each in state.score.charges if each.type.rung is not None and each.penalty), None)
    return {
        "asked": state.reached == len(state.sentences),
        "given": state.omitted is not None,
        "choices": [
            {**fact, "field": OMITTED + fact["id"], "chosen": fact["id"] in omitted}
            for fact in _facts(state)
            if fact["whole"] and fact["relevant"]
        ],
        "reason": state.omission_reason,
        "label": None if charge is None else label(charge.type.name),
        "penalty": 0 if charge is None else charge.penalty,
    }


def _questions(state: State) -> list[dict[str, Any]]:
    answers = state.second_look or {}
    texts = three_questions()
    return [{"name": name, **texts[name], "answer": answers.get(name)} for name in QUESTIONS]


def _type(kind: ViolationType) -> dict[str, Any]:
    return {
        "name": kind.name,
        "label": label(kind.name),
        "key": _KEYS.get(kind.name, ""),
        "severity": kind.severity,
        "penalty": kind.penalty,
        "definition": kind.says,
    }


def _others(work: Work, state: State) -> Sequence[Mapping[str, Any]]:
    """What raters said, for whoever decides between them: once their own impression is given, lest it be theirs."""
    if state.holistic is None or work.phase != "live":
        return []
    return [
        {
            "name": f"Rater {number}",
            "holistic": other["holistic"],
            "score": other["score"],
            "band": other["band"],
            "second_look": other.get("second_look"),
            "note": other.get("note", ""),
            "violations": [_other_violation(each) for each in other["violations"]],
        }
        for number, other in enumerate(work.others, start=1)
    ]


def _other_violation(violation: Mapping[str, Any]) -> dict[str, Any]:
    """A violation of another rating; imported ones may lack what is not needed for scoring."""
    plain = {"span": None, "fact": None, "reason": "", "penalty": None, "ambiguous": False, "note": ""}
    return {**plain, **violation, "label": label(violation["type"]), "fact_text": "", "dropped": None}


_PHASES = ("practice", "calibration")
_ALONE = "Nobody else has finished it yet. What they say will stand here once they have: look again under Done."


def feedback(work: Work) -> dict[str, Any] | None:
    """Your score beside the reference's, or the other raters'; `None` outside practice and calibration, or unfinished.

    `right` says whether yours and the reference (every other rater's, where there is none) are so close that no third
    person would be needed, and is `None` where there is nothing to compare with; `why` are sentences; `beside` has, for
    each rating compared, `name`, `score`, `band`, `difference` (yours less theirs), `only_theirs` and `only_yours`.
    """
    state = fold(work)
    value = value_of(state)
    if value is None or work.phase not in _PHASES:
        return None
    compared = _values_to_compare(work)
    beside = [_comparison(name, value, other, state) for name, other in compared]
    right = not any(differ(value, other) for _, other in compared) if compared else None
    why = [_sentence(each) for each in beside] or [_ALONE]
    if work.item.key is not None and work.item.key.get("why"):
        why.append(str(work.item.key["why"]))
    return {"right": right, "why": why, "score": value["score"], "band": value["band"], "beside": beside}


def _values_to_compare(work: Work) -> list[tuple[str, Value]]:
    if work.item.key is not None:
        return [("the reference", work.item.key)]
    several = len(work.others) > 1
    return [
        (f"another rater ({number})" if several else "another rater", other)
        for number, other in enumerate(work.others, start=1)
    ]


def _comparison(name: str, value: Value, other: Value, state: State) -> dict[str, Any]:
    return {
        "name": name,
        "score": other["score"],
        "band": other["band"],
        "difference": value["score"] - other["score"],
        "only_theirs": _in_words(unmatched_violations(other, value), state),
        "only_yours": _in_words(unmatched_violations(value, other), state),
    }


def _in_words(violations: Sequence[Mapping[str, Any]], state: State) -> list[dict[str, Any]]:
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
