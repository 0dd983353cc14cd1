"""A new project of raters, as text."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.raters.new_project import MadeProject

_UNITS = {
    "cognibench": ("answer", "statement"),
    "integrity": ("response", "response"),
    "ddft": ("turn", "turn"),
}
"""What a document and an item are called."""


def next_command(made: MadeProject) -> str:
    """What the organiser does now."""
    return f"voirdire raters serve {shlex.quote(str(made.path))}"


def made(made: MadeProject) -> str:
    """What was drawn, who rates how much, and what comes next."""
    from rich.text import Text

    parts: list[RenderableType] = [Text(_counted(made))]
    if set(made.strata) != {""}:
        table = new_table("stratum", "drawn")
        for stratum, drawn in made.strata.items():
            table.add_row(Text(stratum or "no stratum"), str(drawn))
        parts.append(table)
    parts += [Text(line) for line in _shared_out(made)]
    parts += [Text(f"Note: {note}") for note in made.notes]
    parts.append(Text(f"{made.path} holds the raters' links: keep it to yourself."))
    parts.append(Text(f"Next: {next_command(made)}"))
    return render(*parts)


def _counted(made: MadeProject) -> str:
    document, item = _UNITS[made.settings.task]
    drawn = counted(made.documents, document)
    if round(made.stands_for) > made.documents:
        drawn += f", standing for {made.stands_for:,.0f}"
    items = "" if document == item else f", with {counted(made.items, item)} to rate"
    practice = f"; before them {counted(made.practice, 'practice item')}" if made.practice else ""
    return f"{made.path}: {drawn}{items}{practice}."


def _shared_out(made: MadeProject) -> Iterator[str]:
    per_item, adjudicators = made.settings.raters_per_item, made.adjudicators
    who = f"{counted(len(made.raters), 'rater')} ({', '.join(made.raters)})"
    yield f"{who}, {counted(per_item, 'rating')} per item: about {counted(round(made.items_per_rater), 'item')} each."
    if made.calibration:
        yield f"{counted(made.calibration, 'item')} for calibration: all raters get them, first of all."
    if adjudicators:
        yield f"{counted(len(adjudicators), 'adjudicator')}: {', '.join(adjudicators)}."
    if made.disagreements:
        few = round(made.disagreements)
        yield (
            f"About {counted(few, 'disagreement is', 'disagreements are')} to be expected "
            "(CogniBench, table 1, for two annotators)."
        )
    elif made.disagreements is None:
        yield "How many disagreements to expect is not known for this task: the first pairs of ratings will tell."
