"""What a run took: calls, tokens, money, time; and which turns have no score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pandas as pd

from voirdire.ddft.aliases import names_by_spec
from voirdire.ddft.report.material import Material, ReportRun
from voirdire.ddft.report.number_format import count_cell, number_cell, text_cell
from voirdire.documents.document import Block, Cell, Column, Figure, Figures, Notice, Section, Table, Text
from voirdire.runs.rows import FROM_CACHE
from voirdire.text.counting import counted
from voirdire.text.money import dollars

_NEVER_CALLED = "imported"
_GROUP = ["role", "spec"]


def cost(material: Material) -> Section:
    """Calls by who was called for what, failures, turns without a score; run by run."""
    blocks: list[Block] = []
    for place, run in enumerate(material.report_runs, 1):
        suffix = f"-{place}" if len(material.report_runs) > 1 else ""
        blocks += _of_run(run, suffix)
    blocks += _unscored(material)
    return Section("cost", "What it took", tuple(blocks), "Cost", detail=True)


def _of_run(run: ReportRun, suffix: str) -> Iterator[Block]:
    if suffix:
        yield Text(f"{run.path}:")
    calls = run.calls[run.calls["role"] != _NEVER_CALLED]
    aliased = calls["spec"].replace(names_by_spec(run.manifest))
    calls = calls.assign(spec=aliased.where(calls["role"] == "subject", calls["spec"]))
    if calls.empty:
        yield Notice("Nobody was called: the dialogues and scores were imported from a published record.", "info")
        return
    cached = int((calls["attempt"] == FROM_CACHE).sum())
    calls = calls[calls["attempt"] != FROM_CACHE]
    if cached:
        yield Text(f"{counted(cached, 'call')} from the cache, $0{'' if calls.empty else '; not counted below'}.")
    if calls.empty:
        return
    yield Figures(tuple(_figures(calls)))
    yield _by_role(calls, suffix)
    failed = calls[_failed(calls)]
    if len(failed):
        yield _failures(failed, suffix)


def _figures(calls: pd.DataFrame) -> Iterator[Figure]:
    broken_off = int((calls["error_kind"] == "interrupted").sum())
    failed = int(_failed(calls).sum())
    billed = f" A stop broke off {broken_off:,}, which may be billed." if broken_off else ""
    note = (f"{failed:,} failed." if failed else "None failed.") + billed
    yield Figure("Calls", f"{len(calls):,}", note=note, value=len(calls))
    into, out = (int(calls[name].sum()) for name in ("input_tokens", "output_tokens"))
    yield Figure("Tokens", f"{into + out:,}", note=f"{into:,} in, {out:,} out.", value=into + out)
    usd, unknown = _usd(calls)
    unpriced = f"Of {counted(unknown, 'call')} the price is unknown." if unknown else ""
    yield Figure("Price", dollars(usd), note=unpriced, value=usd)
    start, end = _span(calls)
    pauses = "" if start is None else f" First {start:%Y-%m-%d %H:%M}, last {end:%Y-%m-%d %H:%M} UTC."
    seconds = float(calls["seconds"].sum())
    yield Figure("Time in calls", _time(seconds), note=f"Summed over all calls.{pauses}", value=seconds)


def _failed(calls: pd.DataFrame) -> pd.Series[bool]:
    """Which calls failed by themselves; what a stop broke off did not."""
    return (calls["status"] == "error") & (calls["error_kind"] != "interrupted")


def _usd(calls: pd.DataFrame) -> tuple[float | None, int]:
    """The sum of the known prices (`None` where none is), and how many answered calls have no known price."""
    prices = pd.to_numeric(calls["price_usd"])
    known = prices[calls["status"] == "ok"].notna()
    return (float(prices.sum()) if known.any() else None), int((~known).sum())


def _span(calls: pd.DataFrame) -> tuple[Any, Any]:
    started = pd.to_datetime(calls["started_at"], utc=True, errors="coerce", format="ISO8601").dropna()
    return (None, None) if started.empty else (started.min(), started.max())


def _time(seconds: float) -> str:
    if seconds < 1:
        return "under 1 s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 2 * 3600 else f"{seconds / 3600:.1f} h"


def _by_role(calls: pd.DataFrame, suffix: str) -> Table:
    columns = (
        Column("role", "role"),
        Column("model", "model"),
        Column("calls", "calls", numeric=True),
        Column("failed", "failed", numeric=True),
        Column("input_tokens", "tokens in", numeric=True),
        Column("output_tokens", "tokens out", numeric=True),
        Column("usd", "price", numeric=True, help="US dollars"),
        Column("seconds", "seconds a call", numeric=True, help="Mean over the calls that were answered"),
    )
    rows = []
    for (role, spec), group in calls.groupby(_GROUP, sort=True):
        usd, _ = _usd(group)
        answered = group.loc[group["status"] == "ok", "seconds"]
        rows.append(
            {
                "role": text_cell(str(role)),
                "model": text_cell(str(spec)),
                "calls": count_cell(len(group)),
                "failed": count_cell(int(_failed(group).sum())),
                "input_tokens": count_cell(int(group["input_tokens"].sum())),
                "output_tokens": count_cell(int(group["output_tokens"].sum())),
                "usd": Cell(usd, dollars(usd)),
                "seconds": number_cell(None if answered.empty else float(answered.mean()), 2),
            }
        )
    return Table(f"calls{suffix}", columns, tuple(rows), "Who was called for what")


def _failures(failed: pd.DataFrame, suffix: str) -> Table:
    columns = (
        Column("role", "role"),
        Column("model", "model"),
        Column("kind", "failure"),
        Column("calls", "calls", numeric=True),
        Column("example", "what was said, once"),
    )
    rows = tuple(
        {
            "role": text_cell(str(role)),
            "model": text_cell(str(spec)),
            "kind": text_cell(str(kind)),
            "calls": count_cell(len(group)),
            "example": text_cell(str(group["error_text"].iloc[0])),
        }
        for (role, spec, kind), group in failed.groupby([*_GROUP, "error_kind"], sort=True)
    )
    caption = "Failed calls are repeated where that can help; a turn is lost only if all attempts fail."
    return Table(f"failed-calls{suffix}", columns, rows, "Failed calls", caption)


def turn_counts(n_asked: int, judged: int, unscored: int, planned: int | None) -> str:
    """As in "60 of 80 turns asked, 48 with a score, 2 unscored, 10 not judged yet"; `planned` may be unknown."""
    waiting = f", {n_asked - judged:,} not judged yet" if judged < n_asked else ""
    asked = counted(n_asked, "turn") if planned in (None, n_asked) else f"{n_asked:,} of {counted(planned, 'turn')}"
    return f"{asked} asked, {judged - unscored:,} with a score, {unscored:,} unscored{waiting}"


def _unscored(material: Material) -> Iterator[Block]:
    scores = material.scores
    n_asked, judged = len(material.turns), len(scores)
    known = scores.loc[scores["unscored"].notna(), ["model", "unscored"]]
    reasons = Counter((str(model), str(reason)) for model, reason in known.itertuples(index=False))
    silent = int(scores["no_claims"].sum())
    without_claims = counted(silent, "scored answer claims nothing and has", "scored answers claim nothing and have")
    claims = f" {without_claims} no FAR: not an error." if silent else ""
    planned = [run.result.turns_planned for run in material.report_runs]
    in_all = None if None in planned else sum(filter(None, planned))
    yield Text(f"{turn_counts(n_asked, judged, len(known), in_all)}.{claims}")
    if reasons:
        columns = (
            Column("model", "model"),
            Column("reason", "why there is no score"),
            Column("turns", "turns", numeric=True),
        )
        rows = tuple(
            {"model": text_cell(model), "reason": text_cell(reason), "turns": count_cell(count)}
            for (model, reason), count in sorted(reasons.items())
        )
        caption = "An unscored turn counts for nothing and against nobody."
        yield Table("unscored", columns, rows, "Turns without a score", caption)
