"""Detectors, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.cli.show.paint import new_table, render


def kinds(found: Sequence[Mapping[str, Any]]) -> str:
    """The table of `voirdire detectors list`."""
    table = new_table("detector", "flags", "needs", numbers=0)
    for each in found:
        name = each["name"] if each["model"] is None else f"{each['name']}:{each['model']}"
        table.add_row(name, each["says"], "" if each["needs"] is None else f"voirdire[{each['needs']}]")
    return render(table)
