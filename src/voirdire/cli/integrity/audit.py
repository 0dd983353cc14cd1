"""`voirdire integrity score`, `audit`, `report`: one response or ten thousand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._output import answer, say, say_json, show, tell_exact
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
from voirdire.cli._values import BASE_URL
from voirdire.cli.integrity._app import app

if TYPE_CHECKING:
    from voirdire.adapters.ray import Spread
    from voirdire.integrity.plan import AuditPlan
    from voirdire.run import RunOptions

SHOWN = 20
"""Responses that are printed in full; the rest are counted."""

_FACTS = typer.Option(None, help="Established facts: text, YAML or JSON Lines.", metavar="FILE")
_TAXONOMY = typer.Option(None, help="A team's own taxonomy.", metavar="YAML")
_CRITICAL = typer.Option("sum", help="What two or more severe violations do: sum, or cap29.", metavar="RULE")
_EDITORIALIZING = typer.Option(0, help="Points for a neutral inference that adds nothing: 0 or 5.", metavar="POINTS")
_JSON = typer.Option(False, "--json", help="Print JSON, one object per response and line.")


@app.command(epilog="Example: voirdire integrity facts facts.txt > facts.yaml")
def facts(
    file: Path = typer.Argument(..., help="Established facts: text, YAML or JSON Lines.", metavar="FILE"),
    proposer: str | None = typer.Option(None, help="A model that proposes how to split; checked.", metavar="SPEC"),
    out: Path | None = typer.Option(None, "-o", "--out", help="Run folder of the proposer's call.", metavar="RUN"),
    base_url: str | None = BASE_URL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Print facts as they would be judged, compound ones split by rule or as a model proposes.

    Edit what it prints, and give that to audit: the file decides.
    """
    from voirdire.integrity.facts import as_items, expand, read_facts

    known = read_facts(file)
    if proposer is None:
        items = as_items(expand(known))
    else:
        import asyncio

        from voirdire.integrity.fact_candidates import propose_split

        path = out or Path("runs") / f"facts-{file.stem}"
        proposal = asyncio.run(propose_split(known, proposer, path, base_url=base_url))
        items = as_items(proposal.facts)
        for why in proposal.refused:
            say(f"{why} Split by rule instead.", err=True)

    def as_yaml() -> str:
        import yaml

        return str(yaml.safe_dump(items, sort_keys=False, allow_unicode=True, width=110)).rstrip()

    answer(items, as_yaml, as_json=json)


@app.command(epilog="Example: voirdire integrity score violations.jsonl --critical cap29")
def score(
    file: Path = typer.Argument(
        ...,
        help='JSON Lines, JSON or Parquet: {"id", "violations": [{"type", "sentence", "span", "fact"}], "facts"?, '
        '"response"?}.',
    ),
    facts: Path | None = _FACTS,
    taxonomy: Path | None = _TAXONOMY,
    critical: str = _CRITICAL,
    editorializing: int = _EDITORIALIZING,
    json: bool = _JSON,
) -> None:
    """Score violations that are given: the arithmetic of the guide, and nothing else."""
    from voirdire.integrity.facts import read_facts
    from voirdire.integrity.items import SCORED, check_items, read_items
    from voirdire.integrity.plan import AuditPlan
    from voirdire.integrity.report.sections import scored_document

    known = read_facts(facts) if facts is not None else []
    scoring = AuditPlan(file, taxonomy=taxonomy, critical=critical, editorializing=editorializing).scoring
    check_items(file, known, SCORED)
    for item in read_items(file, known):
        found = scoring.score(item.violations, item.facts, item.response)
        if json:
            say_json({"id": item.id} | found.as_dict())
        else:
            show(scored_document(item, found))
            say("")


@app.command(
    epilog="Example: voirdire integrity audit --facts facts.txt --responses answers.jsonl --auditor rules -o runs/audit"
)
def audit(
    responses: Path = typer.Option(
        ..., help='JSON Lines, JSON or Parquet: {"id", "response", "facts"?, "context"?, "holistic"?}.', metavar="FILE"
    ),
    facts: Path | None = _FACTS,
    auditor: str = typer.Option("rules", help="Who audits: rules, or models, comma-separated.", metavar="SPEC,…"),
    out: Path | None = OUT,
    taxonomy: Path | None = _TAXONOMY,
    critical: str = _CRITICAL,
    editorializing: int = _EDITORIALIZING,
    omissions: bool = typer.Option(
        True, "--omissions/--no-omissions", help="Count what responses leave out, or only what they say."
    ),
    base_url: str | None = BASE_URL,
    exact: bool = EXACT,
    max_cost: float | None = MAX_COST,
    max_calls: int | None = MAX_CALLS,
    connections: int = CONNECTIONS,
    timeout: float = TIMEOUT,
    json: bool = _JSON,
    engine: Engine = ENGINE,
    address: str | None = ADDRESS,
    workers: int | None = SHARDS_AT_A_TIME,
    shard_rows: int | None = SHARD_ROWS,
) -> None:
    """Audit responses against established facts; models judge and score them, rules only suggest.

    By rules alone there are findings, and no score. An audit can be interrupted at any time; the
    same command with the same -o goes on.
    """
    from voirdire.integrity.plan import AuditPlan
    from voirdire.run import RunOptions

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
        _here(plan, out, options, json)


def _here(
    plan: AuditPlan,
    out: Path | None,
    options: RunOptions,
    json: bool,
) -> None:
    import asyncio

    from voirdire.integrity.session import audit_responses, check_plan, new_run_path
    from voirdire.run import open_progress

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
    _print(run, json)
    if stopped is not None:
        say(f"Not complete: {stopped}", err=True)
        raise typer.Exit(3)


def _by_shards(plan: AuditPlan, out: Path | None, spread: Spread, options: RunOptions, json: bool) -> None:
    from voirdire.adapters.ray import Executor, SpreadRun, audit_shards

    def hold(folder: Path, executor: Callable[[], Executor]) -> SpreadRun:
        return audit_shards(plan, folder, executor, shard_rows=spread.shard_rows, options=options, progress=tell_shards)

    hold_spread(out, spread, hold, json)


@app.command(epilog="Example: voirdire integrity report runs/audit")
def report(
    run: Path = typer.Argument(..., help="Run folder of an audit.", metavar="RUN"),
    full: bool = typer.Option(False, "--full", help="Print every response with its deductions in place."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """What the audits of a run say together; nothing is asked."""
    from voirdire.integrity.report.loader import load_runs
    from voirdire.integrity.report.sections import summary_document
    from voirdire.integrity.results import open_audits
    from voirdire.integrity.summary import summarise

    if json:
        taxonomy, audits = open_audits(run)
        say_json(summarise(audits, taxonomy).as_dict(), indent=2)
    else:
        show(summary_document(load_runs([run])[0], responses=full))


def _print(run: Path, json: bool) -> None:
    from voirdire.integrity.report.loader import load_runs
    from voirdire.integrity.report.sections import summary_document
    from voirdire.integrity.results import read_audits

    if json:
        for each in read_audits(run):
            say_json(each.as_dict())
        return
    (audit,) = load_runs([run])
    show(summary_document(audit, responses=len(audit.audits) <= SHOWN))
    say(f"The run is in {run}: voirdire integrity report {run} --full")
