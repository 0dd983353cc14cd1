"""`voirdire raters plan`: items, hours and pay, before anybody begins and while they are at it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli.raters._app import app
from voirdire.raters.tasks import MODULES

TaskChoice = StrEnum("TaskChoice", list(MODULES))  # type: ignore[misc]
"""What is rated."""
_FIRST = next(iter(TaskChoice))


class ModeChoice(StrEnum):
    """How a statement is rated."""

    sequential = "sequential"
    independent = "independent"


@app.command(
    epilog="Example: voirdire raters plan --task cognibench --items 500 --raters 4\n\n"
    "Example: voirdire raters plan --task integrity --items 30 --pay-per-hour 25\n\n"
    "Example: voirdire raters plan pilot.voirdire --items 2000"
)
def plan(
    project: Path | None = typer.Argument(
        None,
        help="Project to plan by: its own times, disagreements and questions, once it has them.",
        metavar="PROJECT",
    ),
    task: TaskChoice = typer.Option(_FIRST, help="Without a project: what is rated."),
    mode: ModeChoice = typer.Option(ModeChoice.sequential, help="Without a project: how statements are rated."),
    items: int | None = typer.Option(
        None, help="How many statements, responses or turns; a project's own if not given.", min=1, max=10_000_000
    ),
    raters: int | None = typer.Option(
        None, help="People who rate; if not given, as many as an item needs.", min=1, max=10_000
    ),
    raters_per_item: int = typer.Option(2, help="Without a project: how many rate each item.", min=1, max=100),
    disagreement: float | None = typer.Option(
        None, help="Share of items on which two raters differ, so that a third is needed.", min=0, max=1
    ),
    seconds: float | None = typer.Option(None, help="Seconds for one rating.", min=0, max=86_400),
    pay_per_item: float | None = typer.Option(None, help="Pay for one rating.", min=0, max=1_000_000),
    pay_per_hour: float | None = typer.Option(None, help="Pay for an hour, instead.", min=0, max=1_000_000),
    practice: int | None = typer.Option(
        None, help="Without a project: items that every rater rates first; else the packaged ones.", min=0, max=10_000
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Say what rating takes: ratings, third ratings, hours and pay, with the source of every number beside it.

    Ranges are assumptions, or intervals of what a project has measured. Idle time is left out.
    """
    from voirdire.cli.show import raters_plan as shown
    from voirdire.raters import planning

    if project is not None:
        from voirdire.raters.project_loader import read_project

        found = planning.plan_project(
            read_project(project),
            items=items,
            raters=raters,
            disagreement_share=disagreement,
            seconds_per_item=seconds,
            pay_per_item=pay_per_item,
            pay_per_hour=pay_per_hour,
        )
    elif items is not None:
        found = planning.plan(
            items,
            raters_per_item,
            disagreement,
            seconds,
            pay_per_item,
            pay_per_hour,
            practice,
            task=task.value,
            mode=mode.value,
            raters=raters,
        )
    else:
        raise typer.BadParameter("say how many, or name a project.", param_hint="--items")
    answer(found.as_dict(), lambda: shown.plan(found), as_json=json)
