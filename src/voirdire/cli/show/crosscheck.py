"""A person's check of a jury, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.ddft.crosscheck.comparing import Agreed, Bias, Crosscheck


def crosscheck(found: Crosscheck) -> str:
    """How much the jury and its judges differ from a person, and where most."""
    from rich.text import Text

    table = new_table("scored by", "scale", "n", "person", "they", "difference", "95 %", "mean |d|", "rho", numbers=8)
    for bias in found.biases:
        table.add_row(*_bias(bias))
    parts: list[RenderableType] = [Text(f"{counted(found.rated, 'turn')} of {found.run} checked by a person"), table]
    parts += [Text(_agreed(each)) for each in found.agreed]
    parts += [Text(_said(bias)) for bias in found.biases if bias.who == found.jury]
    if found.furthest:
        apart = new_table("dialogue", "turn", "scale", "person", "jury", "comment", numbers=4)
        for each in found.furthest:
            apart.add_row(
                Text(each.dialogue),
                str(each.turn),
                each.scale,
                f"{each.person:.2f}",
                f"{each.jury:.2f}",
                Text(each.comment),
            )
        parts += ["\nFurthest apart", apart]
    return render(*parts)


def _bias(bias: Bias) -> tuple[str, ...]:
    ends = "" if bias.interval is None else f"{bias.interval.low:+.2f} to {bias.interval.high:+.2f}"
    rho = bias.correlation.rho
    return (
        bias.who,
        bias.scale,
        str(bias.n),
        f"{bias.person:.2f}",
        f"{bias.other:.2f}",
        f"{bias.difference:+.2f}",
        ends,
        f"{bias.mean_absolute:.2f}",
        f"{rho:.2f}" if rho == rho else "–",
    )


def _agreed(each: Agreed) -> str:
    low, high = each.interval.low, each.interval.high
    return f"Same {each.what}: {each.same} of {counted(each.n, 'turn')} (95 % {low:.2f} to {high:.2f})."


def _said(bias: Bias) -> str:
    """What the difference of a scale says, in words."""
    if bias.interval is None:
        return f"{bias.scale}: {counted(bias.n, 'turn is', 'turns are')} too few, or too much alike, for an interval."
    if bias.interval.low > 0 or bias.interval.high < 0:
        side = "more lenient" if bias.difference > 0 else "stricter"
        return f"{bias.scale}: the jury is {side} than the person; take that into account."
    reach = max(abs(bias.interval.low), abs(bias.interval.high))
    return f"{bias.scale}: no systematic difference is shown; one of up to {reach:.2f} can't be ruled out."
