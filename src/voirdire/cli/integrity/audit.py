"""`voirdire integrity audit`: how responses treat established facts, one response or ten thousand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._output import say, say_json, show, tell_exact
from voirdire.cli._parallel_options import (
    ADDRESS,
    ENGINE,
    SHARD_ROWS,
    SHARDS_AT_A_TIME,
    USUAL_ANSWERS,
    Engine,
    hold_spread,
    tell_shards,
)
from voirdire.cli._run_options import CONNECTIONS, EXACT, MAX_CALLS, MAX_COST, OUT, TIMEOUT
from voirdire.cli._values import ALL, BASE_URL
from voirdire.cli.integrity._app import app
from voirdire.cli.integrity._options import CRITICAL, EDITORIALIZING, FACTS, JSON, TAXONOMY

if TYPE_CHECKING:
    from voirdire.adapters.ray import Spread
    from voirdire.integrity.plan import AuditPlan
    from voirdire.runs import RunOptions

SHOWN = 20
"""As many responses are printed in full with `--all`; more are only counted."""
FEW = 3
"""As many are printed in full without it."""


@app.command(
    epilog="Example: voirdire integrity audit --facts facts.txt --responses answers.jsonl --auditor openai/gpt-5.1 "
    "-o runs/audit"
)
@common_options("responses", "facts", "auditor", "out", "max_cost", "json")
def audit(
    responses: Path = typer.Option(
        ..., help='JSON Lines, JSON or Parquet: {"id", "response", "facts"?, "context"?, "holistic"?}.', metavar="FILE"
    ),
    facts: Path | None = FACTS,
    auditor: str = typer.Option("rules", help="Who audits: rules, or models, comma-separated.", metavar="SPEC,…"),
    out: Path | None = OUT,
    taxonomy: Path | None = TAXONOMY,
    critical: str = CRITICAL,
    editorializing: int = EDITORIALIZING,
    omissions: bool = typer.Option(
        True, "--omissions/--no-omissions", help="Count what responses leave out, or only what they say."
    ),
    base_url: str | None = BASE_URL,
    exact: bool = EXACT,
    max_cost: float | None = MAX_COST,
    max_calls: int | None = MAX_CALLS,
    connections: int = CONNECTIONS,
    timeout: float = TIMEOUT,
    all: bool = ALL,
    json: bool = JSON,
    engine: Engine = ENGINE,
    address: str | None = ADDRESS,
    workers: int | None = SHARDS_AT_A_TIME,
    shard_rows: int | None = SHARD_ROWS,
) -> None:
    """Audit responses against established facts: models judge and score them, rules only suggest.

    By rules alone there are findings, and no score. An audit can be interrupted at any time; the
    same command with the same -o goes on.
    """
    from voirdire.integrity.plan import AuditPlan
    from voirdire.runs import RunOptions

    plan = AuditPlan(
        responses=responses,
        auditors=tuple(part.strip() for part in auditor.split(",") if part.strip()),
        facts=facts,
        taxonomy=taxonomy,
        critical=critical,
        editorializing=editorializing,
        omissions=omissions,
        base_url=base_url,
        exact=exact,
    )
    if exact:
        tell_exact(plan.auditors)
    options = RunOptions(max_cost=max_cost, max_calls=max_calls, connections=connections, timeout=timeout)
    if engine is Engine.RAY:
        from voirdire.adapters.ray import Spread

        spread = Spread(address, workers, shard_rows or USUAL_ANSWERS)
        _by_shards(plan, out, spread, options, json)
    else:
        _here(plan, out, options, json, details=all)


def _here(plan: AuditPlan, out: Path | None, options: RunOptions, json: bool, *, details: bool) -> None:
    import asyncio

    from voirdire.documents.messages import not_complete
    from voirdire.integrity.session import audit_responses, check_plan, new_run_path
    from voirdire.runs import open_progress

    run = out or new_run_path(plan)
    checked = check_plan(plan)
    with open_progress(checked.items, unit="responses") as progress:
        stopped = asyncio.run(
            audit_responses(
                plan,
                run,
                replace(options, progress=progress),
                checked=checked,
            )
        )
    _print(run, json, details=details)
    if stopped is not None:
        say(not_complete(stopped), err=True)
        raise typer.Exit(3)


def _by_shards(plan: AuditPlan, out: Path | None, spread: Spread, options: RunOptions, json: bool) -> None:
    from voirdire.adapters.ray import Executor, SpreadRun, audit_shards

    def hold(folder: Path, executor: Callable[[], Executor]) -> SpreadRun:
        return audit_shards(plan, folder, executor, shard_rows=spread.shard_rows, options=options, progress=tell_shards)

    hold_spread(out, spread, hold, json)


def _print(run: Path, json: bool, *, details: bool) -> None:
    from voirdire.integrity.report.loader import load_runs
    from voirdire.integrity.report.sections import responses_document, summary_document, where_shown
    from voirdire.integrity.results import read_audits

    if json:
        for each in read_audits(run):
            say_json(each.as_dict())
        return
    (audit,) = load_runs([run])
    show(summary_document(audit), details=details)
    if len(audit.audits) <= (SHOWN if details else FEW):
        show(responses_document(audit))
    say(where_shown(run))
