"""Options of commands that score responses."""

from __future__ import annotations

import typer

FACTS = typer.Option(None, help="Established facts: text, YAML or JSON Lines.", metavar="FILE")
TAXONOMY = typer.Option(None, help="A team's own taxonomy.", metavar="YAML")
CRITICAL = typer.Option("sum", help="What two or more severe violations do: sum, or cap29.", metavar="RULE")
EDITORIALIZING = typer.Option(0, help="Points for a neutral inference that adds nothing: 0 or 5.", metavar="POINTS")
JSON = typer.Option(False, "--json", help="Print JSON: one object per response and line.")
