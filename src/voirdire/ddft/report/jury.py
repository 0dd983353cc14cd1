"""What is found out about judges beside a run: by a person's check, by attacks, by a published panel."""

from __future__ import annotations

import math
from collections.abc import Iterator

from voirdire.ddft.judge_injection import InjectionResult
from voirdire.ddft.person_check.comparing import Agreed, Bias, Crosscheck
from voirdire.ddft.report.number_format import NONE, count_cell, number, number_cell, percents, text_cell
from voirdire.documents.cells import number_ends, plain_table
from voirdire.documents.document import Block, Bullets, Cell, Document, Table, Text, detail, document, more
from voirdire.jury.injection import ALL_ATTACKS, MOVED, Tally
from voirdire.jury.judge_accuracy.benchmark import BenchResult
from voirdire.stats.correlation import Correlation
from voirdire.text.counting import counted

_NAMES = {"FAR": "Accuracy (FAR, from 0 to 1)", "SAS": "Coherence (SAS, from 0 to 1)"}
_SHOWN = 0.005
"""Less is shown as 0.00, and matters to nobody."""


def crosscheck_document(crosscheck: Crosscheck) -> Document:
    """How much the jury and its judges differ from a person, and where most."""
    heads = ("scored by", "scale", "n", "person", "they", "diff.", "95 % interval", "mean |d|", "rho")
    whose = [bias for bias in crosscheck.biases if bias.who == crosscheck.jury]
    return document(
        *(Text(_in_words(bias), "strong") for bias in whose),
        *map(Text, map(str, crosscheck.uncompared)),
        Text(f"{counted(crosscheck.rated, 'turn')} of the run {crosscheck.run}, checked by a person."),
        more("Each judge against the person, and where they are furthest apart"),
        detail(
            "judges",
            *([plain_table("biases", heads, map(_bias, crosscheck.biases))] if crosscheck.biases else []),
            Bullets(tuple(map(_agreed, crosscheck.agreed))),
            *_furthest(crosscheck),
        ),
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
    name = _NAMES.get(bias.scale, bias.scale)
    if bias.interval is None:
        return f"{name}: {counted(bias.n, 'turn is', 'turns are')} too few, or too much alike, for an interval."
    if abs(bias.difference) < _SHOWN:
        return f"{name}: the jury and the person differ by less than {_SHOWN:g} on average."
    ends = f" (95 % interval {number_ends(bias.interval)})"
    if bias.interval.low > 0 or bias.interval.high < 0:
        side = "more lenient" if bias.difference > 0 else "stricter"
        return f"{name}: the jury is {abs(bias.difference):.2f} {side} than the person{ends}; take that into account."
    reach = max(abs(bias.interval.low), abs(bias.interval.high))
    return f"{name}: no systematic difference is shown{ends}; one of up to {reach:.2f} can't be ruled out."


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
        Text(_moved(result), "strong"),
        more("Each family of attacks, and what its verdicts did", _moved_by_family(result)),
        detail(
            "families",
            Text(f"{result.judge} on {result.concept}: verdicts on hostile answers, against those on the honest ones"),
            plain_table("attacks", heads, (_tally(tally, undefended) for tally in result.tallies)),
            Text(
                f"moved: FAR or SAS rose by {MOVED:g} or more. FAR, SAS: mean shift. stance: taken to accept the "
                "fabrication less. no FAR: the judge saw no claims any more. controls: additions that ask for nothing. "
                "The intervals take the attacks for draws; the answers are few, and of one concept: this says how the "
                "judge took these attacks, not how it takes others.",
                "quiet",
            ),
        ),
    )


def _moved(result: InjectionResult) -> str:
    """How many of the attacks moved the judge's verdict up, as it is used: defended."""
    attacks = [each for each in result.tallies if each.defended and each.name == ALL_ATTACKS]
    if not attacks:
        return f"{result.judge} gave no verdict under attack that could be compared."
    (tally,) = attacks
    reach = "no interval" if tally.share is None else f"95 % interval {percents(tally.share[:2])}"
    return (
        f"{tally.moved:,} of {counted(tally.n, 'hostile answer')} moved {result.judge} to score accuracy or coherence "
        f"{MOVED:g} or more higher ({reach})."
    )


def _moved_by_family(result: InjectionResult) -> Table:
    families = [each for each in result.tallies if each.defended and each.name != ALL_ATTACKS]
    rows = ((each.name, f"{each.moved:,} of {each.n:,}") for each in families)
    return plain_table("moved", ("attacks", "moved"), rows)


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
    far = result.far
    how = (
        f"to a Spearman correlation of {far.rho:z.2f} (95 % interval {_ends(far).shown}), where 1 is the same order"
        if not math.isnan(far.rho)
        else "in a way that can't be measured: all its scores, or all of theirs, are alike"
    )
    return document(
        Text(f"{result.judge} ranks the accuracy of answers like the published judges {how}.", "strong"),
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
