"""How many items an evaluation needs to see a difference, as people read it."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.documents.cells import count, number, text
from voirdire.documents.document import Block, Cell, Column, Document, Section, Table, Text
from voirdire.evaluation.checks import Check
from voirdire.evaluation.planning import MOST_UNITS, Planned
from voirdire.evaluation.report.checks import TONES
from voirdire.instruments import PowerQuestion
from voirdire.text.counting import counted, listed

_COLUMNS = (
    Column("evaluation", "Evaluation"),
    Column("units", "It has", numeric=True, help="items, or clusters of items, that two models share"),
    Column("needed", "It takes", numeric=True, help="for two models as unlike as the median pair"),
    Column("worst", "At worst", numeric=True, help="for two as unlike as the most unlike pair"),
    Column("seen", "It sees now", numeric=True, help="the smallest difference"),
)


def planned_line(plan: Planned, question: PowerQuestion, failing: Sequence[Check]) -> str:
    """The conclusion, in one line."""
    has = counted(plan.units, plan.unit)
    if plan.needed is None:
        takes = f"more than {MOST_UNITS:,} {plan.unit}s"
    else:
        takes = counted(plan.needed, plan.unit)
    own = listed([check.id for check in failing if check.evaluation == plan.evaluation])
    doubt = f" Don't rely on it: it rests on scores of which checks fail ({own})." if own else ""
    return f"To see a difference of {question.detect:g}, {plan.evaluation} takes {takes}; it has {has}.{doubt}"


def planning_document(plans: Sequence[Planned], question: PowerQuestion, failing: Sequence[Check]) -> Document:
    """The sentence, which checks fail, and a row for each evaluation."""
    models = question.models or 2
    corrected = f", each of {models} models with each (Holm's correction)" if models > 2 else ""
    units = "Units are items, or clusters where the data name them."
    caption = f"Power {question.power:g}, level {question.alpha:g}{corrected}. {units}"
    rows = tuple(map(_row, plans))
    blocks: tuple[Block, ...] = (
        Text(planned_line(plans[0], question, failing), "strong"),
        *(Text(f"The check {check.id} fails: {check.finding}.", TONES["fail"]) for check in failing),
        Table("plan", _COLUMNS, rows, caption=caption),
    )
    return Document("How many items does it take?", "", (Section("plan", "", blocks),))


def _row(plan: Planned) -> dict[str, Cell]:
    return {
        "evaluation": text(plan.evaluation),
        "units": Cell(plan.units, counted(plan.units, plan.unit)),
        "needed": _needed(plan.needed),
        "worst": _needed(plan.needed_at_worst),
        "seen": number(plan.seen, 3),
    }


def _needed(value: int | None) -> Cell:
    return count(value) if value is not None else Cell(None, f"over {MOST_UNITS:,}")
