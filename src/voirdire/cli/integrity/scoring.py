"""`voirdire integrity facts` and `score`: facts as they are judged, and the arithmetic of deductions."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer, say, say_json, show
from voirdire.cli._run_options import CALLS
from voirdire.cli._values import BASE_URL
from voirdire.cli.integrity._app import app
from voirdire.cli.integrity._options import CRITICAL, EDITORIALIZING, FACTS, JSON, TAXONOMY


@app.command(epilog="Example: voirdire integrity facts facts.txt > facts.yaml")
def facts(
    file: Path = typer.Argument(..., help="Established facts: text, YAML or JSON Lines.", metavar="FILE"),
    proposer: str | None = typer.Option(None, help="A model that proposes how to split; checked.", metavar="SPEC"),
    run: Path | None = CALLS,
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

        path = run or Path("runs") / f"facts-{file.stem}"
        proposal = asyncio.run(propose_split(known, proposer, path, base_url=base_url))
        items = as_items(proposal.facts)
        for why in proposal.refused:
            say(why, err=True)

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
    facts: Path | None = FACTS,
    taxonomy: Path | None = TAXONOMY,
    critical: str = CRITICAL,
    editorializing: int = EDITORIALIZING,
    json: bool = JSON,
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
        result = scoring.score(item.violations, item.facts, item.response)
        if json:
            say_json({"id": item.id} | result.as_dict())
        else:
            show(scored_document(item, result))
            say("")
