"""What `voirdire cognibench stats --published` shows: the paper's numbers beside recomputed ones."""

from __future__ import annotations

from typing import Any

from voirdire.cognibench.dynamics.tables import in_percent
from voirdire.documents.cells import cautions, number, plain_table, text
from voirdire.documents.document import Document, Section, Text, document, folded, more
from voirdire.papers.claims import ClaimOutcome
from voirdire.papers.cognibench.replication import Replication
from voirdire.papers.report import claims_sections, failing, how_many_hold


def replication_document(result: Replication) -> Document:
    """Every claim under its verdict, then Table 3 looked at closely, and what reading nothing gives."""
    counts = ", ".join(f"{number_of} {verdict}" for verdict, number_of in result.counts.items() if number_of)
    first = f"{how_many_hold(result.claims)}, {result.labelled} labelled responses ({counts})."
    tables = (
        *claims_sections(result.claims, list(result.counts), _recomputed),
        _table_3(result),
        _baselines(result),
        Section("rule", "", (Text(result.paper.rule),)),
    )
    return document(
        Text(first, "strong"),
        *cautions([result.paper.assumed, *result.dynamics.cautions]),
        more("Each claim with its figures, Table 3, and what flagging blindly gives", failing(result.claims)),
        *folded(tables),
    )


def _recomputed(result: ClaimOutcome[Any]) -> str:
    """A recomputed value with one decimal more than is printed, its interval and n."""
    value = result.value
    if value is None or isinstance(value, str):
        return value or ""
    decimals = result.claim.numbers[0].decimals + 1
    formatted = f"{value:,.0f}" if float(value).is_integer() and result.interval is None else f"{value:,.{decimals}f}"
    if result.interval is not None:
        formatted += f" [{result.interval[0]:.{decimals}f}, {result.interval[1]:.{decimals}f}]"
    return formatted if result.result.n is None else f"{formatted}, n {result.result.n}"


def _table_3(result: Replication) -> Section:
    names = ("overall", "factual", "cognitive", "macro", "cognitive_weight")
    rows = ([text(row["method"]), *(number(row[name]) for name in names)] for row in result.table_3)
    heads = ("method", "overall", "factual", "cognitive", "mean of both", "weight of cognitive")
    weight = (
        "Weight of cognitive: with which the printed overall lies between the two types' F1; 0.50 is a macro average."
    )
    return Section("table-3", "Table 3, F1", (plain_table("table-3", heads, rows), Text(weight)))


def _baselines(result: Replication) -> Section:
    rows = (
        (each.flags, in_percent(each.overall), in_percent(each.factual), in_percent(each.cognitive))
        for each in result.baselines
    )
    table = plain_table("baselines", ("flag", "overall F1", "factual", "cognitive"), rows)
    beside = Text("On the data at hand, in %, counted in words: what Table 3 must be read beside.")
    return Section("baselines", "Without reading", (table, beside))
