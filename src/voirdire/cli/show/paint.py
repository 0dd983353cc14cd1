"""How things are put on a terminal: tables, panels, numbers. Shared by all that is shown."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from voirdire.stats.intervals import Interval
    from voirdire.text.terminal import Rendered


def render(*parts: RenderableType) -> Rendered:
    """Render for the terminal that is there: colour only where stdout is one."""
    import shutil

    from voirdire.report.formats.terminal.console import InertConsole
    from voirdire.report.formats.terminal.tables import READABLE, FittedTable
    from voirdire.text.terminal import Rendered

    buffer = StringIO()
    width = shutil.get_terminal_size((100, 24)).columns
    console = InertConsole(file=buffer, width=width, force_terminal=sys.stdout.isatty(), highlight=False)
    for part in parts:
        console.print(part, width=width if isinstance(part, FittedTable) else min(width, READABLE))
    return Rendered(buffer.getvalue().rstrip("\n"))


def new_table(first: str, *others: str, numbers: int | None = None) -> Table:
    """An empty table; its first `numbers` columns after the first (all, by default) hold numbers.

    It fits the terminal and loses nothing: see `fitted`.
    """
    from voirdire.report.formats.terminal.tables import FittedTable

    table = FittedTable()
    table.add_column(first)
    for place, name in enumerate(others):
        right = place < (len(others) if numbers is None else numbers)
        table.add_column(name, justify="right" if right else "left")
    return table


def boxed(text: str) -> RenderableType:
    """A boxed remark that must be read first."""
    from rich.panel import Panel
    from rich.text import Text

    return Panel(Text(text), border_style="yellow", title="What these numbers are worth", title_align="left")


def remarks(said: Sequence[str]) -> list[RenderableType]:
    """All that must be read first, in one box; nothing where there is nothing to say."""
    return [boxed("\n".join(said))] if said else []


def figure(name: str, value: float) -> str:
    """A metric, with as many decimals as it deserves."""
    return f"{value:z.1f}" if name.endswith("_pct") else f"{value:z.3f}"


def ends(name: str, interval: Interval | None) -> str:
    """The ends of an interval; nothing where there is none."""
    return "" if interval is None else f"{figure(name, interval.low)} to {figure(name, interval.high)}"
