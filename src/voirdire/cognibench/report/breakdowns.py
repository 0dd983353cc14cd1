"""Figures by turn, position, topic and answering model, and several labellers beside one another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from voirdire.cognibench.diagnosis.comparing import diagnose
from voirdire.cognibench.dynamics.strata import Stratum
from voirdire.cognibench.dynamics.tables import TITLES, stratum_name
from voirdire.cognibench.records import CognibenchError
from voirdire.cognibench.report.charts import small_charts
from voirdire.cognibench.report.loader import ReportedRun
from voirdire.documents.cells import count, number, text
from voirdire.documents.document import Block, Cell, Chart, Column, Notice, Section, Table, Text


def breakdowns_section(runs: Sequence[ReportedRun]) -> Section | None:
    """Charts of each run by what its answers can be cut by; `None` where there is too little to cut."""
    blocks: list[Block] = []
    for place, run in enumerate(runs, start=1):
        blocks += _run_blocks(run, place if len(runs) > 1 else None)
    if not blocks:
        return None
    note = Text(
        "Shares are of the statements of a type, with 95 % intervals clustered by context; the tables behind these "
        "charts: voirdire cognibench stats RUN."
    )
    return Section("course", "Where answers go wrong", (*blocks, note), short="Where")


def labellers_section(runs: Sequence[ReportedRun]) -> Section | None:
    """How far runs over the same answers agree; `None` where no two share a statement."""
    rows = [row for one, other in combinations(runs, 2) if (row := _pair(one, other)) is not None]
    if not rows:
        return None
    columns = (
        Column("one", "run"),
        Column("other", "and"),
        Column("statements", "statements in common", numeric=True),
        Column("differ", "with other labels", numeric=True),
        Column("kappa", "kappa", numeric=True, help="Cohen's, of hallucinated or not"),
        Column("kappa_low", "from", numeric=True),
        Column("kappa_high", "to", numeric=True),
    )
    note = Text("Runs that agree need not be right: labellers share errors.")
    return Section("labellers", "Runs beside one another", (Table("labellers", columns, tuple(rows)), note))


def _run_blocks(run: ReportedRun, place: int | None) -> list[Block]:
    """A chart for each thing that the answers can be cut by; `place` tells several runs apart."""
    dynamics = run.dynamics
    if dynamics is None:
        return []
    cuts = {
        "turn": dynamics.by_turn,
        "position": dynamics.by_position,
        "topic": dynamics.by_topic,
        "model": dynamics.by_model,
    }
    blocks: list[Block] = []
    for name, strata in cuts.items():
        if len(strata) > 1:
            panels = tuple(each.panel() for each in small_charts(dynamics, name))
            title = TITLES[name] if place is None else f"{run.name}: {TITLES[name][0].lower()}{TITLES[name][1:]}"
            id = f"by-{name}" if place is None else f"run-{place}-by-{name}"
            blocks.append(Chart(id, panels, title, _unlabelled(strata)))
    return [*(Notice(caution, "info") for caution in dynamics.cautions), *blocks]


def _unlabelled(strata: Sequence[Stratum]) -> str:
    """Where statements have no label; nothing where each has one."""
    lacking = [f"{stratum_name(each)} (+{number:,})" for each in strata if (number := sum(each.unlabelled.values()))]
    return f"(+ …): so many statements have no label and are in no rate: {', '.join(lacking)}." if lacking else ""


def _pair(one: ReportedRun, other: ReportedRun) -> dict[str, Cell] | None:
    try:
        diagnosis = diagnose(one.answers, other.answers, one.require)
    except CognibenchError:  # they share no statement
        return None
    kappa = diagnosis.kappa_hallucinated
    return {
        "one": text(one.name),
        "other": text(other.name),
        "statements": count(len(diagnosis.matched.pairs)),
        "differ": count(diagnosis.wrong),
        "kappa": number(kappa.value),
        "kappa_low": number(None if math.isnan(kappa.low) else kappa.low),
        "kappa_high": number(None if math.isnan(kappa.high) else kappa.high),
    }
