"""What goes with how models fare: every column of figures, tested."""

from __future__ import annotations

import math
from collections.abc import Iterator

from voirdire.ddft.analysis.correlates import Correlate, Correlates
from voirdire.ddft.analysis.measures import Association
from voirdire.ddft.metric_labels import in_full
from voirdire.documents.cells import UNDEFINED, cautions, count, number, number_ends, plain_table
from voirdire.documents.document import Block, Cell, Column, Document, Text, Tone, detail, document, more
from voirdire.text.counting import capitalised, counted, listed

_HEADS = ("column", Column("test", "test"), "value", "95 % interval", "concepts alone", "exact p", "p by t, F", "n")


def correlates_document(correlates: Correlates) -> Document:
    """Every column of figures: correlations, p-values, and what they decide."""
    rows = (row for each in correlates.columns for row in _tests(each))
    return document(
        Text(_conclusion(correlates), "strong"),
        *cautions(correlates.cautions),
        more(
            "Every test, with intervals and p",
            plain_table("short", ("column", "correlation", "outcome"), map(_short, correlates.columns), numbers=1),
        ),
        detail(
            "tests",
            plain_table("correlates", _HEADS, rows),
            *map(_outcome, correlates.columns),
            Text(
                "Exact p: over all orders of the values (n ≤ 9, else random ones). 95 % interval: over the choice of "
                "models. Concepts alone: how far another draw of concepts moves the value, with these models.",
                "quiet",
            ),
        ),
    )


def _conclusion(correlates: Correlates) -> str:
    """Which columns go with the metric, and how many are not decided."""
    matches = [each.column for each in correlates.columns if each.outcome == "associated"]
    metric, models = capitalised(in_full(correlates.metric)), counted(len(correlates.models), "model")
    if matches:
        return f"{metric} goes with {listed(matches)}, across {models}."
    names = [each.column for each in correlates.columns]
    what = listed(names) if len(names) == 1 else f"any of {listed(names)}"
    return f"{metric} is not shown to go with {what}, across {models}."


def _short(each: Correlate) -> tuple[Cell | str, ...]:
    value = UNDEFINED if each.spearman is None or each.spearman.value is None else number(each.spearman.value)
    return each.column, value, each.outcome


def _outcome(each: Correlate) -> Block:
    corrected = "" if each.p_holm is None else f" (Holm's p = {each.p_holm:z.3f})"
    tone: Tone = "good" if each.outcome == "associated" else ""
    return Text(f"{each.column}: {each.outcome}{corrected}. {each.why}", tone)


def _tests(each: Correlate) -> Iterator[tuple[Cell | str, ...]]:
    coefficients = {"Spearman": each.spearman, "Pearson": each.pearson, "Pearson, log": each.pearson_log}
    known = {name: coefficient for name, coefficient in coefficients.items() if coefficient is not None}
    for name, coefficient in known.items():
        yield (each.column, _group_above(each, coefficient) or name, *_association(coefficient))
    if each.anova is not None:
        anova = each.anova
        ends = "" if math.isnan(anova.eta_low) else f"{anova.eta_low:z.2f} to {anova.eta_high:z.2f}"
        ps = (number(anova.p_permutation, 3), number(anova.p, 3))
        yield each.column, "ANOVA, eta²", number(anova.eta_squared), ends, "", *ps, count(each.n)
    elif not known:
        yield each.column, "not tested", UNDEFINED, "", "", "", "", count(each.n)


def _group_above(each: Correlate, association: Association) -> str:
    """Of two groups: what the correlation is, and which group has the higher values."""
    if each.kind != "two groups":
        return ""
    if not association.value:
        return "point-biserial"
    first, second = sorted(each.groups)
    return f"point-biserial, higher in {second if association.value > 0 else first}"


def _association(association: Association) -> tuple[Cell | str, ...]:
    exact = association.exact
    if association.value is None:
        return UNDEFINED, "", "", "", "", count(exact.n)
    ends = (number_ends(association.interval), number_ends(association.concepts))
    return number(exact.value), *ends, number(exact.p, 3), number(exact.p_asymptotic, 3), count(exact.n)
