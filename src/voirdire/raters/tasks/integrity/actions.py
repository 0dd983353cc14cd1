"""What a rater does to a trial: from a button and its fields to the next row, or a sentence that says why not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from voirdire.integrity import IntegrityError, load_taxonomy
from voirdire.raters.records import Refused, Row
from voirdire.raters.tasks.base import NewRow, Work
from voirdire.raters.tasks.integrity.deduction import KINDS, PickedViolation, State, fold

OMITTED = "omitted:"
"""Before the id of a fact: the name of its box in the form of omissions."""
QUESTIONS = ("missed", "twice", "values")  # guide, "Comparison to Holistic Scoring", 1 to 3
HIGHEST = 100
_LOCKED = "Your holistic score is locked: it was given before the response was taken apart, and stays as it is."
_CLOSED = "This trial is finished and its feedback has been shown; it stays as it is."
_THREE_FIRST = "Answer the three questions first; the violations can be changed after that."


def take(work: Work, action: str, form: Mapping[str, str]) -> NewRow:
    """The row that an action makes; see `Task.take`.

    Raises:
        Refused: it does not fit how things stand, or a field is missing or out of range.
    """
    if action not in KINDS:
        raise Refused(f"There is no action {action!r} here; there are {', '.join(KINDS)}.")
    state = fold(work)
    _check_turn(state, action)
    return _ACTIONS[action](work, state, form)


def may_undo(work: Work, row: Row) -> str | None:
    """Why a row can't be undone; `None` if it can."""
    state = fold(work)
    if row.kind == "holistic":
        return _LOCKED
    if state.closed:
        return _CLOSED
    if state.stage == "second_look":
        return _THREE_FIRST
    if row.kind == "second_look":
        return "Your answers to the three questions stay; answer them again instead."
    if row.kind == "finish" and any(each.kind == "second_look" and each.seq > row.seq for each in work.rows):
        return "The three questions were asked at that point; change the violations and finish again instead."
    if any(each.replaces == row.seq for each in work.rows):
        return "A later change rests on this one; undo that one first."
    return None


def _check_turn(state: State, action: str) -> None:
    if action == "holistic":
        return
    if state.holistic is None:
        raise Refused("Give your holistic score first, before the response is taken apart.")
    if state.closed:
        raise Refused(_CLOSED)
    if state.stage == "second_look" and action not in ("second_look", "ambiguous"):
        raise Refused(_THREE_FIRST)


def _holistic(_: Work, state: State, form: Mapping[str, str]) -> NewRow:
    if state.holistic is not None:
        raise Refused(_LOCKED)
    score = _whole(form, "score")
    if score is None or score > HIGHEST:
        raise Refused(f"The holistic score is a whole number from 0 to 100; {form.get('score', '')!r} was given.")
    return NewRow("holistic", {"score": score})


def _violation(_: Work, state: State, form: Mapping[str, str]) -> NewRow:
    former = _current(state, form) if form.get("violation") else None
    sentence = _sentence(state, form, former)
    body: dict[str, Any] = {
        "type": _type(form),
        "sentence": sentence,
        "span": _span(form.get("span", ""), state.sentences[sentence], sentence),
        "fact": _fact(state, form),
        "reason": form.get("reason", "").strip(),
    }
    if any(_same(mark, body) for mark in state.marks if mark != former):
        raise Refused("This violation is already listed: the same type, words and fact.")
    if former is None:
        return NewRow("violation", body)
    return NewRow("violation", body | {"id": former.id}, former.seq)


def _remove(_: Work, state: State, form: Mapping[str, str]) -> NewRow:
    mark = _current(state, form)
    return NewRow("remove", {"id": mark.id}, mark.seq)


def _sentence_done(_: Work, state: State, form: Mapping[str, str]) -> NewRow:
    field = "to" if form.get("to") else "done"
    place = _whole(form, field)
    if place is None:
        raise Refused("Say which sentence is done (`done`) or to be gone to (`to`), by its number from 0.")
    return NewRow("sentence", {field: _within(state, place)})


def _omissions(work: Work, state: State, form: Mapping[str, str]) -> NewRow:
    if state.reached < len(state.sentences):
        raise Refused("Omissions are judged for the whole response: go through all its sentences first.")
    omitted = [name.removeprefix(OMITTED) for name, value in form.items() if name.startswith(OMITTED) and value]
    known = [fact.id for fact in state.facts]
    unknown = next((fact for fact in omitted if fact not in known), None)
    if unknown is not None:
        raise Refused(f"This response has no fact {unknown!r}.")
    body = {"omitted": sorted(omitted, key=known.index), "reason": form.get("reason", "").strip()}
    return NewRow("omissions", body, _former(work, lambda row: row.kind == "omissions"))


def _ambiguous(work: Work, state: State, form: Mapping[str, str]) -> NewRow:
    target = _current(state, form).id if form.get("violation") else None
    flag, note = bool(form.get("ambiguous")), form.get("note", "").strip()
    if flag and not note:
        raise Refused("Say in the note what makes it ambiguous.")
    body = {"violation": target, "ambiguous": flag, "note": note if flag else ""}
    former = _former(work, lambda row: row.kind == "ambiguous" and row.body["violation"] == target)
    return NewRow("ambiguous", body, former)


def _finish(_: Work, state: State, __: Mapping[str, str]) -> NewRow:
    if state.stage == "complete":
        raise Refused("This trial is finished already.")
    if state.stage == "sentences":
        raise Refused(f"Sentence {state.reached + 1} is not done yet; go through all of them before you finish.")
    if state.stage == "omissions":
        raise Refused("Say which facts the response leaves out, or that there are none, before you finish.")
    return NewRow("finish", {"score": state.score.score, "band": state.score.band.name})


def _second_look(work: Work, state: State, form: Mapping[str, str]) -> NewRow:
    if state.stage != "second_look" and (state.second_look is None or state.stage == "complete"):
        raise Refused("The three questions are asked once, when a finished score lies over 10 points from your first.")
    answers = {question: form.get(question) for question in QUESTIONS}
    if any(answer not in ("yes", "no") for answer in answers.values()):
        raise Refused("Answer each of the three questions with yes or no.")
    earlier = state.score.score if state.second_look is None else state.second_look["score_before"]
    body = {question: answer == "yes" for question, answer in answers.items()}
    more = {"note": form.get("note", "").strip(), "score_before": earlier}
    return NewRow("second_look", body | more, _former(work, lambda row: row.kind == "second_look"))


_ACTIONS: Mapping[str, Callable[[Work, State, Mapping[str, str]], NewRow]] = {
    "holistic": _holistic,
    "violation": _violation,
    "remove": _remove,
    "sentence": _sentence_done,
    "omissions": _omissions,
    "ambiguous": _ambiguous,
    "finish": _finish,
    "second_look": _second_look,
}


def _current(state: State, form: Mapping[str, str]) -> PickedViolation:
    number = _whole(form, "violation")
    mark = None if number is None else state.mark(number)
    if mark is None:
        raise Refused("That violation does not stand any more; reload the page to see those that do.")
    return mark


def _sentence(state: State, form: Mapping[str, str], former: PickedViolation | None) -> int:
    """The one named, or else the one that the violation stands in, or else the one at hand."""
    if form.get("sentence"):
        place = _whole(form, "sentence")
    else:
        place = former.sentence if former is not None else state.focus
    if place is None:
        raise Refused("Say which sentence the violation is in, by its number from 0.")
    return _within(state, place)


def _within(state: State, place: int) -> int:
    if place >= len(state.sentences):
        raise Refused(f"There is no sentence {place + 1}: the response has {len(state.sentences)}.")
    if place > state.reached:
        raise Refused(f"Sentence {place + 1} comes later: sentence {state.reached + 1} is next.")
    return place


def _type(form: Mapping[str, str]) -> str:
    try:
        kind = load_taxonomy().type_of(form.get("type", ""))
    except IntegrityError:
        raise Refused(f"Pick a type of violation from the list; {form.get('type', '')!r} was given.") from None
    if kind.rung is not None:
        raise Refused("Omissions are judged once for the whole response, after its last sentence.")
    if kind.severity == "critical":
        raise Refused(f"{kind.name} is no violation of its own: it shows when two or more severe ones stand.")
    return kind.name


def _span(words: str, sentence: str, place: int) -> str:
    """The words as they stand in the sentence; all of it where none are given. Line breaks and spaces are alike."""
    quote = " ".join(words.split())
    if not quote:
        return sentence
    # Of every run of white space the first character is kept, so that what is found can be led back to its place.
    places = [at for at, char in enumerate(sentence) if not char.isspace() or (at and not sentence[at - 1].isspace())]
    start = "".join(" " if sentence[at].isspace() else sentence[at] for at in places).find(quote)
    if start < 0:
        raise Refused(f"The quoted words do not stand in sentence {place + 1}; copy them as they are written there.")
    return sentence[places[start] : places[start + len(quote) - 1] + 1]


def _fact(state: State, form: Mapping[str, str]) -> str | None:
    fact = form.get("fact") or None
    if fact is not None and fact not in {each.id for each in state.facts}:
        raise Refused(f"This response has no fact {fact!r}; pick one from the list, or none.")
    return fact


def _same(mark: PickedViolation, body: Mapping[str, Any]) -> bool:
    return (mark.type, mark.sentence, mark.span, mark.fact) == tuple(
        body[field] for field in ("type", "sentence", "span", "fact")
    )


def _former(work: Work, matches: Callable[[Row], bool]) -> int | None:
    """`seq` of the row that the new one takes the place of."""
    return next((row.seq for row in reversed(work.rows) if matches(row)), None)


def _whole(form: Mapping[str, str], field: str) -> int | None:
    """A whole number from 0 in plain digits; `None` where there is none."""
    text = form.get(field, "").strip()
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None
