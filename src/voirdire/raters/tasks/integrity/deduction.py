"""The state of a trial for one rater: a pure fold of their rows. All arithmetic is `integrity.scoring`'s."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from voirdire.integrity import EstablishedFact, IntegrityScore, Violation, load_taxonomy, score
from voirdire.raters.records import Row
from voirdire.raters.tasks.base import Work

Stage = Literal["holistic", "sentences", "omissions", "ready", "second_look", "complete"]
"""What is asked now: the impression, the sentences, what was left out, the end, the three questions, nothing more."""
Kind = Literal["holistic", "violation", "remove", "sentence", "omissions", "ambiguous", "finish", "second_look"]

KINDS: tuple[Kind, ...] = get_args(Kind)
"""Of this task's rows: each is named after the action that makes it."""
LIMIT = 10  # guide, "Comparison to Holistic Scoring": a second look above this
OMISSION = "omission"
RATER = "rater"
_CLOSING_PHASES = ("practice", "calibration")
_REOPENING = frozenset({"violation", "remove", "omissions", "sentence", "second_look"})
_PLACES = ("sentence", "omissions", "finish", "second_look")


@dataclass(frozen=True, slots=True)
class PickedViolation:
    """A violation that a rater has picked."""

    id: int
    """`seq` of the row that it was first added with; it stays through changes."""
    seq: int
    """`seq` of the row that it stands in now."""
    type: str
    sentence: int
    span: str
    fact: str | None
    reason: str
    ambiguous: bool = False
    note: str = ""

    @property
    def violation(self) -> Violation:
        """As the instrument scores it."""
        return Violation(self.type, self.sentence, self.span, self.fact, self.reason, RATER)


@dataclass(frozen=True, slots=True)
class State:
    """How a trial stands."""

    facts: tuple[EstablishedFact, ...]
    sentences: tuple[str, ...]
    holistic: int | None
    marks: tuple[PickedViolation, ...]
    """Those that stand, in the order in which they were first added."""
    done: frozenset[int]
    """Sentences that are done."""
    focus: int | None
    """The sentence at hand, if one is."""
    omitted: tuple[str, ...] | None
    """Ids of the facts that the response leaves out; `None` before that was asked."""
    omission_reason: str
    ambiguous: bool
    note: str
    second_look: Mapping[str, Any] | None
    stage: Stage
    closed: bool
    """Whether it can't be changed any more: finished, and its feedback has been shown."""
    score: IntegrityScore
    """Of what stands; its charges are `marks`, then one for each fact of `omitted`."""

    @property
    def reached(self) -> int:
        """The first sentence that is not done: those up to here can be worked on; their number when all are done."""
        return first_open(self.done, len(self.sentences))

    @property
    def diverges(self) -> bool:
        """Whether deduction and impression lie more than 10 points apart."""
        return self.holistic is not None and abs(self.score.score - self.holistic) > LIMIT

    def mark(self, number: int) -> PickedViolation | None:
        """The violation of this id, if it stands."""
        return next((mark for mark in self.marks if mark.id == number), None)


def fold(work: Work) -> State:
    """How a trial stands, by the rows that stand. Rows of other kinds, imported ratings say, are passed over."""
    rows = [row for row in work.rows if row.kind in KINDS]
    facts, sentences = facts_of(work), tuple(each["text"] for each in work.document.body["sentences"])
    marks, omissions, second = _marks(rows), _last(rows, "omissions"), _last(rows, "second_look")
    omitted = None if omissions is None else tuple(omissions.body["omitted"])
    reason = "" if omissions is None else str(omissions.body["reason"])
    scored = score(
        [*(mark.violation for mark in marks), *omission_violations(omitted or (), reason)],
        facts,
        taxonomy=load_taxonomy(),
    )
    done = frozenset(row.body["done"] for row in rows if row.kind == "sentence" and "done" in row.body)
    holistic = next((row.body["score"] for row in rows if row.kind == "holistic"), None)
    apart = holistic is not None and abs(scored.score - holistic) > LIMIT
    stage: Stage = (
        "holistic"
        if holistic is None
        else "sentences"
        if first_open(done, len(sentences)) < len(sentences)
        else "omissions"
        if omitted is None
        else "ready"
        if not _finished(rows)
        else "second_look"
        if apart and second is None
        else "complete"
    )
    flag = next((row for row in reversed(rows) if row.kind == "ambiguous" and row.body["violation"] is None), None)
    return State(
        facts=facts,
        sentences=sentences,
        holistic=holistic,
        marks=marks,
        done=done,
        focus=_focus(rows, done, len(sentences)) if stage not in ("holistic", "second_look") else None,
        omitted=omitted,
        omission_reason=reason,
        ambiguous=flag is not None and flag.body["ambiguous"],
        note="" if flag is None else flag.body["note"],
        second_look=None if second is None else dict(second.body),
        stage=stage,
        closed=stage == "complete" and work.phase in _CLOSING_PHASES,
        score=scored,
    )


def facts_of(work: Work) -> tuple[EstablishedFact, ...]:
    """The established facts of a trial."""
    return tuple(EstablishedFact(**fact) for fact in work.document.body["facts"])


def omission_violations(omitted: Iterable[str], reason: str) -> list[Violation]:
    """One for each fact left out; which rung that is, scoring settles."""
    return [Violation(OMISSION, fact=fact, reason=reason, source=RATER) for fact in omitted]


def first_open(done: Iterable[int], count: int) -> int:
    """The first of `count` sentences that is not done; `count` when all are."""
    known = frozenset(done)
    return next((place for place in range(count) if place not in known), count)


def _marks(rows: Iterable[Row]) -> tuple[PickedViolation, ...]:
    """By id, the last row decides: a removal, or the violation as it was last put."""
    last: dict[int, Row] = {}
    flags: dict[int, Row] = {}
    for row in rows:
        if row.kind in ("violation", "remove"):
            last[row.body.get("id", row.seq)] = row
        elif row.kind == "ambiguous" and row.body["violation"] is not None:
            flags[row.body["violation"]] = row
    return tuple(_mark(number, row, flags.get(number)) for number, row in last.items() if row.kind == "violation")


def _mark(number: int, row: Row, flag: Row | None) -> PickedViolation:
    body = row.body
    return PickedViolation(
        id=number,
        seq=row.seq,
        type=body["type"],
        sentence=body["sentence"],
        span=body["span"],
        fact=body["fact"],
        reason=body["reason"],
        ambiguous=flag is not None and flag.body["ambiguous"],
        note="" if flag is None else flag.body["note"],
    )


def _finished(rows: Iterable[Row]) -> bool:
    """Whether "finish" was pressed last: a change, the three questions and going back to a sentence open it again."""
    finished = False
    for row in rows:
        finished = row.kind == "finish" or (finished and row.kind not in _REOPENING)
    return finished


def _focus(rows: Iterable[Row], done: frozenset[int], count: int) -> int | None:
    """The sentence that was gone to, or else the next that is not done; `None` where all are."""
    places = [row for row in rows if row.kind in _PLACES]
    open_one = first_open(done, count)
    last = places[-1] if places else None
    if last is None or last.kind != "sentence":
        return open_one if open_one < count else None
    if "to" in last.body:
        return int(last.body["to"])
    following = next((place for place in range(last.body["done"] + 1, count) if place not in done), open_one)
    return following if following < count else None


def _last(rows: Iterable[Row], kind: Kind) -> Row | None:
    return next((row for row in reversed(list(rows)) if row.kind == kind), None)
