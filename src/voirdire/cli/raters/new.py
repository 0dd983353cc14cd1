"""`voirdire raters new`: a project for people to rate in."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli.raters._app import app


@app.command(epilog="Example: voirdire raters new ana.voirdire --task ddft --from runs/first --rater Ana --rater Ben")
def new(
    project: Path = typer.Argument(..., help="File to make; nothing may be there yet.", metavar="PROJECT"),
    task: str = typer.Option(
        ..., help="cognibench (statements), integrity (responses) or ddft (turns).", metavar="TASK"
    ),
    source: Path = typer.Option(..., "--from", help="Data, or a run folder.", metavar="DATA|RUN"),
    mode: str | None = typer.Option(
        None,
        help="Of cognibench: sequential (the ladder; default) or independent (the class directly).",
        metavar="MODE",
    ),
    gold: str = typer.Option(
        "majority",
        help="What a third person does where two differ: majority (rates blind) or adjudicated (sees both, decides).",
        metavar="GOLD",
    ),
    rater: list[str] = typer.Option([], help="Name of a rater; may be given again.", metavar="NAME"),
    adjudicator: list[str] = typer.Option([], help="Name of an adjudicator; may be given again.", metavar="NAME"),
    per_item: int = typer.Option(2, "--per-item", help="Ratings per item.", metavar="N", min=1, max=100),
    sample: int | None = typer.Option(
        None, help="Draw so many answers, responses or turns; all without it.", metavar="N", min=1
    ),
    seed: int = typer.Option(0, help="Seed of the sample and the order."),
    jury: str | None = typer.Option(
        None, help="Id of the jury whose scores spread the sample; without it, the run's own.", metavar="ID"
    ),
    pass_share: float = typer.Option(
        0.8, "--pass", help="Share of the practice items to be right before live ones.", metavar="SHARE", min=0, max=1
    ),
    practice: bool = typer.Option(True, "--practice/--no-practice", help="Begin with the packaged practice items."),
    calibration: int = typer.Option(0, help="The first N of the sample go to all raters, with feedback.", metavar="N"),
    pay: float | None = typer.Option(
        None, help="Pay per item, for: raters plan.", metavar="AMOUNT", min=0, max=1_000_000
    ),
    currency: str = typer.Option("USD", help="Of the pay.", metavar="CODE"),
    plain: bool = typer.Option(False, "--plain", help="Of cognibench: read Markdown answers as plain text."),
    title: str = typer.Option("", help="What raters see on top; it should not name a model.", metavar="TEXT"),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Make a project: draw what is to be rated, blind it, and give each rater a link of their own."""
    from voirdire.cli.show import raters_new as show
    from voirdire.raters.new_project import NewProject, make_project
    from voirdire.raters.tasks.base import Making

    made = make_project(
        project,
        NewProject(
            task=task,
            source=source,
            making=Making(sample=sample, seed=seed, practice=practice, jury=jury, plain=plain),
            raters=tuple(rater),
            adjudicators=tuple(adjudicator),
            title=title,
            mode=mode,
            gold=gold,
            raters_per_item=per_item,
            pass_share=pass_share,
            calibration=calibration,
            pay_per_item=pay,
            currency=currency,
        ),
    )
    answer(made.as_dict() | {"next": show.next_command(made)}, lambda: show.made(made), as_json=json)
