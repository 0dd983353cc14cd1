"""Labelled answers to read: every statement in its colour, with its votes."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.cognibench.labelling.records import LabelledAnswer
from voirdire.cognibench.report.loader import ReportedRun
from voirdire.cognibench.report.tiers import UNDECIDED, marks
from voirdire.detectors.labelling.records import JudgedStatement
from voirdire.detectors.records import LABELS, Label, Require, hallucinated
from voirdire.documents.document import Block, Exchange, Filter, Piece, Reading, Readings, Remark, Section, Text
from voirdire.documents.run_description import gravest_first
from voirdire.models.secrets import without_known_secrets
from voirdire.text.counting import counted

HALLUCINATED, MISSING, DIFFER, SPLIT = "hallucinated", "missing", "differ", "split"
_FILTERS = (
    Filter(HALLUCINATED, "hallucinated", "At least one statement is hallucinated under the run's requirement."),
    Filter(MISSING, "undecided or missing", "A statement has no label, or a vote or a grading on one is missing."),
    Filter(DIFFER, "people and model differ", "People and the model differ on whether a statement is hallucinated."),
    Filter(SPLIT, "votes differ", "The votes on a statement are not all the same."),
)
_FACETS = (("run", "run"), ("model", "answered by"), ("topic", "topic"), ("turn", "turn"))
_TITLE = 90


def readings_section(runs: Sequence[ReportedRun]) -> Section:
    """All answers of the runs; where there are too many, those with most hallucinated statements."""
    answers = [(run, each) for run in runs for each in run.labelled]
    shown, cut = gravest_first(answers, [_hallucinated(each, run.require) for run, each in answers])
    readings = tuple(_reading(run, each, several=len(runs) > 1) for run, each in shown)
    flags = {flag for reading in readings for flag in reading.flags}
    facets = tuple((name, label) for name, label in _FACETS if any(name in reading.facets for reading in readings))
    note = Text(
        f"Of {counted(len(answers), 'answer')}, the {len(shown):,} with most hallucinated statements; "
        "statements.parquet in the run's folder has all."
    )
    occurring = [judged.label for _, each in shown for judged in each.judged]
    block: Block = Readings(
        "answers",
        readings,
        "answers",
        facets,
        tuple(each for each in _FILTERS if each.id in flags),
        marks(occurring),
    )
    return Section("answers", "Read the answers", (note, block) if cut else (block,), short="Answers")


def _reading(run: ReportedRun, each: LabelledAnswer, *, several: bool) -> Reading:
    answer = each.answer
    facets = {"run": run.name} if several else {}
    facets |= {"model": answer.model} if answer.model else {}
    facets |= {"topic": answer.topic} if answer.topic else {}
    facets |= {"turn": str(answer.turn + 1)}
    flags = _flags(each, run.require)
    exchange = Exchange(
        f"Turn {answer.turn + 1}", answer.question, pieces(each), _remarks(each, run.require), _notes(each), flags
    )
    return Reading(
        f"{run.name}/{answer.id}" if several else answer.id,
        _shortened(answer.question) or answer.id,
        facets,
        (exchange,),
        _summary(each),
        answer.context,
        flags,
    )


def pieces(each: LabelledAnswer) -> tuple[Piece, ...]:
    """The answer cut at its statements; what lies between them carries no mark."""
    answer, place, parts = without_known_secrets(each.answer), 0, []
    for number, statement in enumerate(answer.statements):
        if statement.start > place:
            parts.append(Piece(answer.text[place : statement.start]))
        judged, human = each.judged[number], each.human[number]
        start = max(place, statement.start)
        parts.append(Piece(answer.text[start : statement.end], judged.label or UNDECIDED, _note(judged, human)))
        place = max(place, statement.end)
    parts.append(Piece(answer.text[place:]))
    return tuple(piece for piece in parts if piece.text)


def _note(judged: JudgedStatement, human: Label | None) -> str:
    notes = []
    if judged.votes:
        missing = judged.votes.count(None)
        lacking = f", {missing} missing" if missing else ""
        notes.append(f"votes {judged.votes.count('hallu')} of {len(judged.votes)} hallucinated{lacking}")
    if judged.tiers:
        notes.append(f"graded {', '.join(tier or 'not' for tier in judged.tiers)}")
    if judged.why:
        notes.append(judged.why)
    if human is not None:
        notes.append(f"people: {human}")
    return " · ".join(notes)


def _remarks(each: LabelledAnswer, require: Require) -> tuple[Remark, ...]:
    """Where people and model differ, statement by statement."""
    return tuple(
        Remark(
            f"sentence {number + 1}",
            (("people", human), ("model", judged.label)),
            each.answer.statements[number].text,
            "warn" if hallucinated(human, require) != hallucinated(judged.label, require) else "",
        )
        for number, (human, judged) in enumerate(zip(each.human, each.judged, strict=True))
        if human is not None and judged.label is not None and human != judged.label
    )


def _notes(each: LabelledAnswer) -> tuple[str, ...]:
    earlier = len(each.answer.history)
    notes = [f"{counted(earlier, 'earlier turn')} of this dialogue came before."] if earlier else []
    notes += ["An example in the prompt has this context: it is left out of scoring."] if each.used_in_prompt else []
    return (*notes, *each.reasons)


def _flags(each: LabelledAnswer, require: Require) -> tuple[str, ...]:
    pairs = list(zip(each.judged, each.human, strict=True))
    passed = {
        HALLUCINATED: _hallucinated(each, require) > 0,
        MISSING: bool(each.missing or each.undecided),
        DIFFER: any(
            human is not None
            and judged.label is not None
            and hallucinated(human, require) != hallucinated(judged.label, require)
            for judged, human in pairs
        ),
        SPLIT: any(len(set(judged.votes) - {None}) > 1 for judged in each.judged),
    }
    return tuple(name for name, holds in passed.items() if holds)


def _hallucinated(each: LabelledAnswer, require: Require) -> int:
    return sum(judged.label is not None and hallucinated(judged.label, require) for judged in each.judged)


def _summary(each: LabelledAnswer) -> str:
    labels = [judged.label for judged in each.judged]
    counts = [f"{labels.count(label)} {label}" for label in LABELS if label in labels]
    counts += [f"{labels.count(None)} {UNDECIDED}"] if None in labels else []
    return f"{counted(len(labels), 'statement')}: {', '.join(counts)}" if counts else "no statements"


def _shortened(text: str) -> str:
    line = " ".join(without_known_secrets(text).split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"
