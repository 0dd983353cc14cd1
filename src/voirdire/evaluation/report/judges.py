"""Judges beside one another, as people read it: agreement, who is lenient, and whether each gives the same order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from voirdire.documents.cells import UNDEFINED, count, number, text
from voirdire.documents.document import Block, Cell, Column, Document, Section, Table, Text
from voirdire.evaluation.judges import Agreement, Judge, JudgePair
from voirdire.stats.rating_estimates import Estimate
from voirdire.text.counting import counted

_WHOLE = (
    Column("what", "Agreement"),
    Column("value", "Value", numeric=True, with_ends=True),
    Column("interval", "95 % interval", numeric=True, says_ends=True),
    Column("says", "What it says"),
)
_JUDGES = (
    Column("judge", "Judge"),
    Column("n", "Outputs", numeric=True),
    Column("mean", "Mean score", numeric=True),
    Column("leniency", "Leniency", numeric=True, with_ends=True, help="how much higher than the others' scores"),
    Column("interval", "95 % interval", numeric=True, says_ends=True),
    Column("others", "With the others", numeric=True, help="correlation with the mean of the other judges"),
)
_PAIRS = (
    Column("a", "A"),
    Column("b", "B"),
    Column("n", "Outputs", numeric=True),
    Column("correlation", "Correlation", numeric=True),
    Column("same", "Same score", numeric=True, help="share of outputs"),
    Column("difference", "Difference", numeric=True, help="mean absolute one"),
    Column("order", "Same order", numeric=True, help="Spearman's correlation of the models' means"),
)


def agreement_line(panel: Agreement) -> str:
    """The conclusion, in one line."""
    value = UNDEFINED if math.isnan(panel.alpha.value) else f"{panel.alpha.value:.2f}"
    judges, outputs = counted(len(panel.judges), "judge"), counted(panel.outputs, "output")
    scored = sorted({judge.n for judge in panel.judges})
    if scored == [panel.outputs]:
        return f"{judges} of the same {outputs} agree to Krippendorff's alpha {value} (1: always, 0: by chance)."
    each = f"{scored[0]:,}" if len(scored) == 1 else f"{scored[0]:,} to {scored[-1]:,}"
    return (
        f"{judges} agree to Krippendorff's alpha {value} (1: always, 0: by chance) on {outputs} that two or more of "
        f"them scored; each scored {each} of these."
    )


def judges_document(panels: Sequence[Agreement]) -> Document:
    """A section for each panel."""
    sections = tuple(
        Section(f"panel-{place}", each.name if len(panels) > 1 else "", tuple(_panel(each, place)))
        for place, each in enumerate(panels, start=1)
    )
    return Document("Do the judges agree?", "", sections)


def _panel(panel: Agreement, place: int) -> Iterator[Block]:
    yield Text(agreement_line(panel), "strong")
    if panel.copied is not None:
        yield Text(f"This agreement may be no evidence: {panel.copied}.", "warn")
    rows = (
        _whole("Krippendorff's alpha", panel.alpha, "of all scores, beyond chance"),
        _whole("ICC(2,1)", panel.single, "of a single judge; leniency counts against it"),
        _whole("ICC(2,k)", panel.mean_of_all, "of the mean of these judges"),
    )
    yield Table(f"agreement-{place}", _WHOLE, rows)
    yield Table(f"judges-{place}", _JUDGES, tuple(map(_judge, panel.judges)), "Each judge")
    yield Table(f"pairs-{place}", _PAIRS, tuple(map(_pair, panel.pairs)), "Each two")


def _whole(what: str, estimate: Estimate, says: str) -> dict[str, Cell]:
    return {"what": text(what), **_estimate("value", estimate), "says": text(says)}


def _estimate(key: str, estimate: Estimate) -> dict[str, Cell]:
    ends = None if math.isnan(estimate.low) or math.isnan(estimate.high) else (estimate.low, estimate.high)
    cell = number(estimate.value, 3)
    shown = UNDEFINED if ends is None else f"{ends[0]:z.3f} to {ends[1]:z.3f}"
    return {key: Cell(cell.value, cell.shown, ends=ends), "interval": text(shown)}


def _judge(judge: Judge) -> dict[str, Cell]:
    return {
        "judge": text(judge.judge),
        "n": count(judge.n),
        "mean": number(judge.mean, 3),
        **_estimate("leniency", judge.leniency),
        "others": number(judge.with_others, 3),
    }


def _pair(pair: JudgePair) -> dict[str, Cell]:
    return {
        "a": text(pair.a),
        "b": text(pair.b),
        "n": count(pair.n),
        "correlation": number(pair.correlation, 3),
        "same": number(pair.same, 3),
        "difference": number(pair.difference, 3),
        "order": number(pair.order, 3),
    }
