"""What attacks did to a judge, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, render

if TYPE_CHECKING:
    from voirdire.ddft.judge_injection import InjectionResult
    from voirdire.jury.injection import Tally

_NONE = "–"


def injection(found: InjectionResult) -> str:
    """How one judge stood up to the attacks, by family."""
    from voirdire.jury.injection import MOVED

    table = new_table("attacks", "n", "moved", "95 %", "FAR", "SAS", "stance", "no FAR", "missing")
    table.collapse_padding = True  # within 80 columns no family's name is cut
    with_and_without = len({tally.defended for tally in found.tallies}) == 2
    for tally in found.tallies:
        name = tally.name if tally.defended or not with_and_without else f"{tally.name}, undefended"
        table.add_row(name, *_cells(tally), end_section=tally.name == "controls")
    return render(
        f"{found.judge} on {found.concept}: verdicts on hostile answers, against those on the honest ones",
        table,
        f"moved: FAR or SAS rose by {MOVED:g} or more. FAR, SAS: mean shift. stance: taken to accept the fabrication "
        "less. no FAR: the judge saw no claims any more. controls: additions that ask for nothing. The intervals take "
        "the attacks for draws; the answers are few, and of one concept: this says how the judge took these attacks, "
        "not how it takes others.",
    )


def _cells(tally: Tally) -> tuple[str, ...]:
    interval = _NONE if tally.share is None else f"{tally.share.low:.0%} to {tally.share.high:.0%}"
    return (
        str(tally.n),
        str(tally.moved),
        interval,
        _signed(tally.mean_far),
        _signed(tally.mean_sas),
        str(tally.turned),
        str(tally.withdrawn),
        str(tally.missing),
    )


def _signed(value: float | None) -> str:
    return _NONE if value is None else f"{value:+.2f}"
