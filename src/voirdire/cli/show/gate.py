"""What came of a gate, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.cli.show.paint import ends, figure, new_table, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.adapters.gate_limits import Outcome, Verdict
    from voirdire.instruments.figures import Checked

_UNDEFINED = "–"


def verdict(found: Verdict) -> str:
    """Warnings, a table of all limits for each run, a sentence for what fails, and the verdict."""
    from rich.text import Text

    parts: list[RenderableType] = [Text(f"! {warning}", style="yellow") for warning in found.remarks]
    for checked in found.runs:
        parts += [
            *([""] if parts else []),
            Text(f"{checked.run} ({checked.instrument})", style="bold"),
            _table(checked, found),
            *(
                Text(f"! {outcome.caution}", style="yellow")
                for subject in checked.subjects
                for outcome in found.of(subject)
                if outcome.caution
            ),
        ]
    parts += [Text(f"· {sentence}") for sentence in found.failures]
    style, word = ("bold green", "PASSED") if found.passed else ("bold red", "FAILED")
    return render(*parts, "", Text.assemble((word, style), _tally(found)))


def _tally(found: Verdict) -> str:
    """How many limits are kept; where that is all of them and the gate fails, first why."""
    kept = sum(outcome.passed for outcome in found.outcomes)
    tally = f"{kept:,} of {counted(len(found.outcomes), 'limit')} kept"
    if found.passed or kept < len(found.outcomes):
        end = "the unfavourable end of the interval counts" if found.asked.bound else "the value counts"
        return f"  {tally}; {end}."
    unfinished = any(found.incomplete(checked) for checked in found.runs)
    which = "the run" if len(found.runs) == 1 else "a run"
    whys = [
        *([f"{which} is not complete"] if unfinished else []),
        *(["a validity check fails"] if found.unsound else []),
    ]
    return f": {' and '.join(whys)} ({tally})."


def _table(checked: Checked, found: Verdict) -> RenderableType:
    from rich.text import Text

    table = new_table("model", "limit", "value", "95 % interval", "", numbers=3)
    for subject in checked.subjects:
        for number, outcome in enumerate(found.of(subject)):
            name = Text(subject.model if number == 0 else "")
            word = Text("kept", style="green") if outcome.passed else Text("not kept", style="bold red")
            table.add_row(
                name, str(outcome.limit), _value(outcome), ends(outcome.limit.metric, outcome.figure.interval), word
            )
    return table


def _value(outcome: Outcome) -> str:
    value = outcome.figure.value
    return _UNDEFINED if value is None else figure(outcome.limit.metric, value)
