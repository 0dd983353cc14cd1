"""What a run would take, and what each way of paying less saves, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, render
from voirdire.text.counting import counted
from voirdire.text.money import dollars

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.ddft.plan import StudyEstimate
    from voirdire.ddft.savings import Saving


def plan(expected: StudyEstimate, compared: Sequence[Saving]) -> str:
    """A plan's estimate, and beside it the same done in other ways."""
    table = new_table("model", "calls", "tokens in", "tokens out", "USD")
    for model in expected.models:
        table.add_row(
            model.spec, f"{model.calls:,}", f"{model.input_tokens:,}", f"{model.output_tokens:,}", dollars(model.usd)
        )
    summary = (
        f"{counted(expected.dialogues, 'dialogue')}, {counted(expected.turns, 'turn')}, "
        f"{counted(expected.calls, 'call')}, "
        f"about {dollars(expected.usd)} and {_time(expected)}."
    )
    parts: list[RenderableType] = [table, summary, f"Assumed: {'; '.join(expected.assumptions)}."]
    return render(*parts, *(_savings(compared) if len(compared) > 1 else ()))


def _savings(compared: Sequence[Saving]) -> tuple[RenderableType, ...]:
    columns = ("calls", "tokens in", "cached", "tokens out", "USD", "time")
    table = new_table("option", *columns, "gives up", numbers=len(columns))
    for row in compared:
        found = row.estimate
        table.add_row(
            row.option,
            f"{found.calls:,}",
            _thousands(found.input_tokens),
            f"{found.cached_tokens / found.input_tokens:.0%}" if found.cached_tokens else "",
            _thousands(found.output_tokens),
            dollars(found.usd),
            _time(found),
            row.gives_up,
        )
    parts: tuple[RenderableType, ...] = ("\nWhat each option would save:", table)
    if any("--stop-when" in row.option for row in compared) or compared[0].estimate.share < 1.0:
        return parts
    return (*parts, "A stopping rule (--stop-when) is expected to save nothing in so small a study.")


def _time(found: StudyEstimate) -> str:
    minutes = f"{found.minutes:.0f} min" if found.minutes >= 1 else "< 1 min"
    return f"{minutes} + up to {found.wait_hours:.0f} h" if found.wait_hours else minutes


def _thousands(tokens: int) -> str:
    return f"{tokens / 1_000:,.0f}k" if tokens >= 1_000 else f"{tokens}"
