"""Judges beside one another, as people read it: agreement, who is lenient, and whether each gives the same order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from voirdire.documents.cells import UNDEFINED, count, number, text
from voirdire.documents.document import Block, Cell, Column, Document, Table, Text, detail, document, more
from voirdire.evaluation.judges import Judge, JudgePair, PanelAgreement
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


def agreement_line(panel: PanelAgreement) -> str:
    """The conclusion, in one line."""
    alpha = panel.alpha
    known = not (math.isnan(alpha.low) or math.isnan(alpha.high))
    reach = f"95 % interval {alpha.low:z.2f} to {alpha.high:z.2f}; " if known else ""
    value = UNDEFINED if math.isnan(alpha.value) else f"{alpha.value:.2f}"
    value = f"{value} ({reach}1: always, 0: by chance)"
    without = {each.judge for each in panel.left_out}
    counting = [judge for judge in panel.judges if judge.judge not in without]
    judges, outputs = counted(len(counting), "judge"), counted(panel.outputs, "output")
    scored = sorted({judge.n for judge in counting})
    repeating = ", or ".join(f"{each.judge}, which repeats {each.repeats}" for each in panel.left_out)
    aside = f", without {repeating}," if repeating else ""
    if scored == [panel.outputs]:
        return f"{judges} of the same {outputs}{aside} agree to Krippendorff's alpha {value}."
    each = f"{scored[0]:,}" if len(scored) == 1 else f"{scored[0]:,} to {scored[-1]:,}"
    return (
        f"{judges}{aside} agree to Krippendorff's alpha {value} on {outputs} that two or more of "
        f"them scored; each scored {each} of these."
    )


def judges_document(panels: Sequence[PanelAgreement]) -> Document:
    """A section for each panel."""
    several = len(panels) > 1
    lines = (line for each in panels for line in _conclusion(each, f"{each.name}: " if several else ""))
    return document(
        *lines,
        more("Every measure, each judge and each two"),
        *(
            detail(f"panel-{place}", *_panel(each, place), title=each.name if several else "")
            for place, each in enumerate(panels, start=1)
        ),
        title="Do the judges agree?",
    )


def _conclusion(panel: PanelAgreement, of: str) -> Iterator[Text]:
    yield Text(f"{of}{agreement_line(panel)}", "strong")
    for each in panel.left_out:
        yield Text(f"They count as one judge: {each.why}.", "warn")
    yield from (Text(why.sentence, "warn") for why in panel.far_off)
    if panel.copied is not None:
        yield Text(f"This agreement may be no evidence: {panel.copied}.", "warn")
    most = max(panel.judges, key=lambda judge: abs(judge.leniency.value))
    low, high = most.leniency.low, most.leniency.high
    if low > 0 or high < 0:
        side, how = ("most lenient", "above") if low > 0 else ("strictest", "below")
        yield Text(
            f"{most.judge} is the {side}: its scores lie {abs(most.leniency.value):.2f} {how} the others' "
            f"(95 % interval {low:z.2f} to {high:z.2f})."
        )


def _panel(panel: PanelAgreement, place: int) -> Iterator[Block]:
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
