"""What is found out about judges beside a run: by a person's check, by attacks, by a published panel."""

from __future__ import annotations

import math
from collections.abc import Iterator

from voirdire.ddft.judge_injection import InjectionResult
from voirdire.ddft.person_check.comparing import Agreed, Bias, Crosscheck
from voirdire.ddft.report.number_format import NONE, count_cell, number, number_cell, percents, text_cell
from voirdire.documents.cells import number_ends, plain_table
from voirdire.documents.document import Block, Bullets, Cell, Document, Text, document
from voirdire.jury.injection import MOVED, Tally
from voirdire.jury.judge_accuracy.benchmark import BenchResult
from voirdire.stats.correlation import Correlation
from voirdire.text.counting import counted

_SHOWN = 0.005
"""Less is shown as 0.00, and matters to nobody."""


def crosscheck_document(crosscheck: Crosscheck) -> Document:
    """How much the jury and its judges differ from a person, and where most."""
    heads = ("scored by", "scale", "n", "person", "they", "diff.", "95 % interval", "mean |d|", "rho")
    return document(
        Text(f"{counted(crosscheck.rated, 'turn')} of the run {crosscheck.run}, checked by a person"),
        *([plain_table("biases", heads, map(_bias, crosscheck.biases))] if crosscheck.biases else []),
        Bullets(
            (
                *map(str, crosscheck.uncompared),
                *map(_agreed, crosscheck.agreed),
                *(_in_words(bias) for bias in crosscheck.biases if bias.who == crosscheck.jury),
            )
        ),
        *_furthest(crosscheck),
    )


def _bias(bias: Bias) -> tuple[Cell | str, ...]:
    return (
        bias.who,
        bias.scale,
        count_cell(bias.n),
        number_cell(bias.person, 2),
        number_cell(bias.other, 2),
        number_cell(bias.difference, 2, signed=True),
        number_ends(bias.interval),
        number_cell(bias.mean_absolute, 2),
        number_cell(bias.correlation.rho, 2),
    )


def _agreed(each: Agreed) -> str:
    low, high = each.interval.low, each.interval.high
    return f"Same {each.what}: {each.same} of {counted(each.n, 'turn')} (95 % interval {low:.2f} to {high:.2f})."


def _in_words(bias: Bias) -> str:
    """What the difference of a scale says."""
    if bias.interval is None:
        return f"{bias.scale}: {counted(bias.n, 'turn is', 'turns are')} too few, or too much alike, for an interval."
    if abs(bias.difference) < _SHOWN:
        return f"{bias.scale}: the jury and the person differ by less than {_SHOWN:g} on average."
    if bias.interval.low > 0 or bias.interval.high < 0:
        side = "more lenient" if bias.difference > 0 else "stricter"
        return f"{bias.scale}: the jury is {side} than the person; take that into account."
    reach = max(abs(bias.interval.low), abs(bias.interval.high))
    return f"{bias.scale}: no systematic difference is shown; one of up to {reach:.2f} can't be ruled out."


def _furthest(crosscheck: Crosscheck) -> Iterator[Block]:
    if not crosscheck.furthest:
        return
    rows = (
        (
            each.dialogue,
            str(each.turn),
            each.scale,
            number_cell(each.person, 2),
            number_cell(each.jury, 2),
            each.comment,
        )
        for each in crosscheck.furthest
    )
    heads = ("dialogue", "turn", "scale", "person", "jury", "comment")
    yield plain_table("furthest", heads, rows, numbers=4, title="Furthest apart")


def injection_document(result: InjectionResult) -> Document:
    """How one judge stood up to the attacks, by family."""
    undefended = len({tally.defended for tally in result.tallies}) == 2
    heads = ("attacks", "n", "moved", "95 %", "FAR", "SAS", "stance", "no FAR", "missing")
    return document(
        Text(f"{result.judge} on {result.concept}: verdicts on hostile answers, against those on the honest ones"),
        plain_table("attacks", heads, (_tally(tally, undefended) for tally in result.tallies)),
        Text(
            f"moved: FAR or SAS rose by {MOVED:g} or more. FAR, SAS: mean shift. stance: taken to accept the "
            "fabrication less. no FAR: the judge saw no claims any more. controls: additions that ask for nothing. The "
            "intervals take the attacks for draws; the answers are few, and of one concept: this says how the judge "
            "took these attacks, not how it takes others.",
            "quiet",
        ),
    )


def _tally(tally: Tally, both: bool) -> tuple[Cell | str, ...]:
    return (
        f"{tally.name}, undefended" if both and not tally.defended else tally.name,
        count_cell(tally.n),
        count_cell(tally.moved),
        NONE if tally.share is None else percents(tally.share[:2]),
        number_cell(tally.mean_far, 2, signed=True),
        number_cell(tally.mean_sas, 2, signed=True),
        count_cell(tally.turned),
        count_cell(tally.withdrawn),
        count_cell(tally.missing),
    )


def bench_document(result: BenchResult) -> Document:
    """How one judge compares with the published panel."""
    measures = {
        "FAR": result.far,
        "SAS": result.sas,
        "asks what is meant": result.asks,
        "asks, labelled by hand": result.asks_by_hand,
    }
    rows = (
        (name, number_cell(each.rho, 2), _ends(each), count_cell(each.n)) for name, each in measures.items() if each.n
    )
    return document(
        plain_table("bench", (result.judge, "rho", "95 % interval", "n"), rows),
        Text(
            f"{counted(result.turns, 'turn')}, {result.missing} missing, {result.no_claims} without claims, "
            f"{number(result.seconds_per_call, 4)} s a call"
        ),
    )


def _ends(each: Correlation) -> Cell:
    if math.isnan(each.rho):
        return text_cell("undefined: all alike")
    return text_cell("none" if math.isnan(each.low) else f"{each.low:z.2f} to {each.high:z.2f}")
