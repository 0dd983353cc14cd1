"""Labelling runs as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.text.counting import counted
from voirdire.text.money import dollars

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.cognibench.labelling.cost import LabelEstimate
    from voirdire.cognibench.labelling.summary import LabelSummary

_SHOWN = 10
"""Answers with undecided sentences that are printed; the rest are counted."""


_GRADED = ("misleading", "irrefutable")
"""Labels that only a second stage gives."""


def summary(found: LabelSummary) -> str:
    """What a labelling run holds."""
    from rich.markup import escape

    from voirdire.cognibench.labelling.records import UNGRADED

    table = new_table("label", "statements", "share")
    ungraded = () if found.tiers else _GRADED
    for label, count in found.labels.items():
        if label in ungraded:
            table.add_row(label, "–", "–")
        elif count or label != "undecided":
            table.add_row(label, f"{count:,}", f"{100 * count / max(1, found.statements):.1f} %")
    money = "cost unknown" if found.totals.unknown_price else dollars(found.totals.cost_usd)
    lines = [
        f"{counted(found.statements, 'statement')} of {counted(found.answers, 'answer')}, labelled by {found.model} "
        f"(required: {found.require}).",
        f"{found.missing_votes:,} of {counted(found.votes, 'vote')} missing after {counted(found.repairs, 'repair')}; "
        f"{counted(found.totals.calls, 'call')} ({found.totals.errors:,} failed), {money}.",
    ]
    if not found.tiers:
        lines.append(f"Undefined (–): {UNGRADED}.")
    if found.used_in_prompt:
        lines.append(f"Scoring leaves out the prompt's examples: {counted(len(found.used_in_prompt), 'answer')}.")
    lines.append(f"The run is in {found.path}.")
    if found.stopped is not None:
        lines.append(f"Not complete: {found.stopped}")
    return render(*remarks(found.cautions), table, *_undecided(found), *(escape(line) for line in lines))


def plan(expected: LabelEstimate) -> str:
    """What a labelling run would take."""
    table = new_table("stage", "calls", "tokens in", "tokens out", "USD")
    for stage in expected.stages:
        table.add_row(
            stage.name, f"{stage.calls:,}", f"{stage.input_tokens:,}", f"{stage.output_tokens:,}", dollars(stage.usd)
        )
    time = f"{expected.minutes:.0f} min" if expected.minutes >= 1 else "less than a minute"
    summed = (
        f"{counted(expected.answers, 'answer')}, {counted(expected.statements, 'statement')}, "
        f"{counted(expected.calls, 'call')}, "
        f"about {dollars(expected.usd)} and {time}."
    )
    return render(table, summed, f"Assumed: {'; '.join(expected.assumptions)}.")


def _undecided(found: LabelSummary) -> list[RenderableType]:
    """A row for each answer with undecided sentences: which, and why."""
    from rich.markup import escape

    answers = [each for each in found.labelled if each.undecided]
    if not answers:
        return []
    table = new_table("undecided", "sentences", "why", numbers=0)
    for each in answers[:_SHOWN]:
        why = dict.fromkeys([each.judged[place].why for place in each.undecided])
        which = ", ".join(str(place + 1) for place in each.undecided)
        table.add_row(escape(each.answer.id), which, escape("; ".join([*why, *each.reasons])))
    more = len(answers) - _SHOWN
    return [table, f"and {counted(more, 'more answer')}; statements.parquet has them all."] if more > 0 else [table]
