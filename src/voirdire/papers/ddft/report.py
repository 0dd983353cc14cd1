"""The published study, recomputed, and what its predictions come to with other runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from voirdire.data.json_values import as_plain
from voirdire.ddft.metric_labels import LABELS
from voirdire.documents.cells import cautions, metric_cell, number, plain_table, text
from voirdire.documents.document import (
    Block,
    Cell,
    Column,
    Document,
    Section,
    Table,
    Text,
    Tone,
    document,
    folded,
    more,
)
from voirdire.papers.claims import ClaimOutcome, ClaimVerdict
from voirdire.papers.ddft.predictions import Examination, condition, measured_by_the_paper
from voirdire.papers.ddft.replication import PaperRow, Replication
from voirdire.papers.report import claims_sections, failing, how_many_hold, printed
from voirdire.text.counting import counted

_TABLE_2 = ("CI_raw", "HOC", "CRI", "FAR_prime", "SAS_prime")
_DECIMALS = 3
"""Of what is recomputed where no number is printed."""
_ORDER = (
    ClaimVerdict.NOT_REPRODUCED,
    ClaimVerdict.OTHER_DEFINITION,
    ClaimVerdict.NOT_CHECKABLE,
    ClaimVerdict.REPRODUCED,
)
_TONES: dict[ClaimVerdict, Tone] = {ClaimVerdict.HELD: "good", ClaimVerdict.BROKEN: "bad"}

Rows = Sequence[Mapping[str, Any]]


# --- the published study --------------------------------------------------------------------------------------------


def replication_document(result: Replication) -> Document:
    """How many claims hold, then which don't; for those who ask for more, Table 2, labels, curves and every claim."""
    counts = ", ".join(f"{count} {verdict}" for verdict, count in result.counts.items())
    tables = (
        Section("table-2", "Table 2, recomputed; below each row what the paper prints", (_table_2(result.models),)),
        Section("labels", "Labels (7.3) and turns in the danger zone (8.2.3)", (_labels(result.models),)),
        Section(
            "far",
            "Factual accuracy (FAR) by compression, means of all turns at a level",
            (_curve(result.models, "far"),),
        ),
        Section("sas", "Semantic coherence (SAS) by compression, likewise", (_curve(result.models, "sas"),)),
        *claims_sections(result.claims, _ORDER, recomputed, defined=(ClaimVerdict.OTHER_DEFINITION,)),
        Section(
            "counts",
            "",
            (
                Text(result.rule),
                Text("A claim's exact definition: voirdire ddft replicate --claim ID"),
            ),
        ),
    )
    return document(
        Text(f"{how_many_hold(result.claims)} ({counts}).", "strong"),
        more("Each claim with its figures, Table 2 and the curves", failing(result.claims)),
        *folded(tables),
    )


def claim_document(outcome: ClaimOutcome[Any]) -> Document:
    """One claim with its definition."""
    rows = (
        ("says", f"{outcome.claim.says} ({outcome.claim.section})"),
        ("published", printed(outcome)),
        ("recomputed", recomputed(outcome)),
        ("definition", outcome.definition),
        ("verdict", outcome.verdict.value),
        ("why", outcome.why),
    )
    return document(plain_table("claim", ("claim", outcome.claim.id), [row for row in rows if row[1]], numbers=0))


def recomputed(outcome: ClaimOutcome[Any]) -> str:
    """A recomputed value with one decimal more than is printed, and its interval."""
    value = outcome.value
    if value is None:
        return ""
    of_number = _DECIMALS if isinstance(outcome.claim.published, str) else outcome.claim.numbers[0].decimals + 1
    decimals = of_number if isinstance(value, float) else 0
    formatted = value if isinstance(value, str) else f"{value:,.{decimals}f}"
    if outcome.interval is None:
        return formatted
    low, high = outcome.interval
    return f"{formatted} [{low:.{decimals}f}, {high:.{decimals}f}]"


def _table_2(rows: Sequence[PaperRow]) -> Table:
    cells: list[Sequence[Cell | str]] = []
    for row in rows:
        metrics, published = row.profile.metrics, row.published.row
        cells.append((row.profile.model, *(metric_cell(name, metrics[name].value) for name in _TABLE_2)))
        cells.append((text("printed", "quiet"), *(text(published[name].text, "quiet") for name in _TABLE_2)))
    return plain_table("table-2", ("model", *(LABELS[name] for name in _TABLE_2)), cells)


def _labels(rows: Sequence[PaperRow]) -> Table:
    heads = (
        "model",
        Column("danger", LABELS["danger_zone_pct"], numeric=True),
        Column("danger_printed", "printed", numeric=True),
        Column("n", "n of FAR'", numeric=True),
        "label",
        "by min-max",
        "printed",
    )
    cells = (
        (
            row.profile.model,
            metric_cell("danger_zone_pct", row.profile.danger_zone_pct),
            row.published.row["danger_zone_pct"].text,
            f"{row.profile.paper_index.far_prime_n:,}",
            str(row.profile.paper_index.phenotype),
            str(row.profile.paper_index.phenotype_relative),
            row.published.phenotype,
        )
        for row in rows
    )
    return plain_table("labels", heads, cells, numbers=0)


def _curve(rows: Sequence[PaperRow], score: Literal["far", "sas"]) -> Table:
    levels = [f"{at.level:g}" for at in rows[0].profile.curves]
    cells = ([text(row.profile.model), *(number(getattr(at, score)) for at in row.profile.curves)] for row in rows)
    return plain_table(score, ("model", *levels), cells)


# --- predictions and ablations --------------------------------------------------------------------------------------


def examination_document(examination: Examination) -> Document:
    """Predictions and ablations, each with its verdict and why."""
    outcomes = [*examination.predictions, *examination.ablations]
    rows = ((each.claim.id, str(each.verdict), each.claim.says) for each in outcomes if each.verdict in _TONES)
    decided = plain_table("decided", ("id", "verdict", "claim"), rows, numbers=0)
    parts = (
        Section("predictions", "Predictions", ()),
        *map(_prediction, examination.predictions),
        Section("ablations", "Ablations", ()),
        *map(_prediction, examination.ablations),
    )
    return document(
        Text(_counts_in_words(examination), "strong"),
        *cautions(examination.cautions),
        more("Each prediction with its figure, and why it is not decided", *([decided] if decided.rows else [])),
        *folded(parts),
    )


def _counts_in_words(examination: Examination) -> str:
    """Of the predictions, how many held in these models, and how many broke."""
    verdicts = [each.verdict for each in examination.predictions]
    holding, broken = verdicts.count(ClaimVerdict.HELD), verdicts.count(ClaimVerdict.BROKEN)
    measured = sum(bool(each.claim.section) for each in examination.predictions)
    return (
        f"{holding} of {counted(len(verdicts), 'prediction')} held in {examination.model_count}, "
        f"{broken} {'was' if broken == 1 else 'were'} broken; {len(verdicts) - holding - broken} can't be decided. The "
        f"paper measured {measured} of them."
    )


def _prediction(outcome: ClaimOutcome[Any]) -> Section:
    claim, result = outcome.claim, outcome.result
    places, ends = _PLACES.get(claim.id, (3, 2)), as_plain(result.interval)
    reach = f" ({_ends(ends, places[1])})" if ends else ""
    value = f": {outcome.value:z.{places[0]}f}{reach}" if isinstance(outcome.value, float) else ""
    when = condition(claim)
    blocks = (
        Text(f"{outcome.verdict}{value}", _TONES.get(outcome.verdict, "info")),
        Text(outcome.note),
        Text(f"Paper: {measured_by_the_paper(claim)}", "quiet"),
        Text(f"{when[:1].upper()}{when[1:]}.", "quiet"),
        *_tables(claim.id, result.table),
    )
    return Section(claim.id, f"{claim.id}  {claim.says}", blocks)


def _tables(id: str, rows: Rows) -> Iterator[Block]:
    """The figures behind a verdict, where there are any."""
    if id == "turns":
        yield Text("Spearman's rho of each turn's FAR with (ER less turn 4: the mean of K, S and D):")
    if id in _HEADS:
        cells = [_CELLS[id](row) for row in rows if id != "trap" or "model" in row]
        if cells and (id != "P3-verifier" or any(row["value"] is not None for row in rows)):
            yield plain_table(id, _HEADS[id], cells)


def _ends(interval: Mapping[str, float] | None, places: int = 2) -> str:
    return "" if interval is None else f"{interval['low']:z.{places}f} to {interval['high']:z.{places}f}"


_PLACES = {"P1": (1, 1)}
"""Decimals of a percentage and of its interval; of all else 3 and 2."""

_HEADS = {
    "P1": ("model", LABELS["danger_zone_pct"], "95 % interval", "of its fluent answers, %"),
    "P2": ("model", "FAR falls by", "SAS falls by", "difference", "95 % interval"),
    "P3-verifier": ("V_E against", "rho", "95 % interval", "exact p", "n"),
    "P4": ("F of", "F", "p", "permutation p", "eta²", "95 % interval"),
    "turns": ("turn", "CI index", "exact p", "index less turn", "ER", "ER less turn", "n index / ER"),
    "levels": ("levels kept", "tau of CI index", "concepts alone", "tau of ER", "CI index moves by", "ER by", "HOC by"),
    "formulas": ("formula", "tau", "concepts alone", "n"),
    "theta": ("theta", "tau", "concepts alone", "n"),
    "trap": ("model", "FAR gain at turn 4 without fabrication", "95 % interval"),
}
"""By the claim's id."""

_CELLS: Mapping[str, Any] = {
    "P1": lambda row: (row["model"], number(row["value"], 1), _ends(row["interval"], 1), number(row["of_fluent"], 1)),
    "P2": lambda row: (
        row["model"],
        *(number(row[name], 4) for name in ("FAR_falls", "SAS_falls")),  # so that what they differ by can be seen
        number(row["difference"], 3),
        _ends(row["difference_interval"], 3),
    ),
    "P3-verifier": lambda row: (
        row["index"],
        number(row["value"]),
        _ends(row["interval"]),
        number(row["p"], 3),
        str(row["n"]),
    ),
    "P4": lambda row: (
        row["of"],
        number(row["F"]),
        number(row["p"], 3),
        number(row["p_permutation"], 3),
        number(row["eta_squared"], 3),
        _ends(row["interval"], 3),
    ),
    "turns": lambda row: (
        str(row["turn"]),
        number(row["CI_raw"]["value"]),
        number(row["CI_raw"]["p"], 3),
        *(number(row[name]["value"]) for name in ("CI_raw without the turn", "ER", "ER without the turn")),
        f"{row['CI_raw']['n']} / {row['ER']['n']}",
    ),
    "levels": lambda row: (
        ", ".join(f"{level:g}" for level in row["levels"]),
        number(row["tau"]),
        _ends(row["interval"]),
        number(row["tau_ER"]),
        *(number(row[f"{name}_changes_by"]) for name in ("CI_raw", "ER", "HOC")),
    ),
    "formulas": lambda row: (str(row["formula"]), number(row["tau"]), _ends(row["interval"]), str(row["n"])),
    "theta": lambda row: (str(row["theta"]), number(row["tau"]), _ends(row["interval"]), str(row["n"])),
    "trap": lambda row: (
        row["model"],
        number(row["FAR_4_higher_without"], 3),
        _ends(row["FAR_4_higher_without_interval"], 3),
    ),
}
