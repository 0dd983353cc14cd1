"""`voirdire cognibench generate`: knowledge-grounded dialogues of your own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._output import answer, say, tell_exact
from voirdire.cli._run_options import CONNECTIONS, EXACT, MAX_CALLS, MAX_COST, OUT, TIMEOUT
from voirdire.cli._values import BASE_URL
from voirdire.cli.cognibench._app import app

if TYPE_CHECKING:
    from voirdire.cognibench.generation.plan import GenerationPlan
    from voirdire.runs import RunOptions


@app.command(
    epilog="Example: voirdire cognibench generate --references texts/ -m local/smollm2-135m --limit 20 "
    "-o runs/dialogues"
)
@common_options("references", "model", "out", "turns", "limit", "max_cost", "dry_run", "json")
def generate(
    references: Path = typer.Option(
        ..., help='JSON Lines {"id", "topic", "text"}, CSV, or a folder of .txt and .md by topic.', metavar="F"
    ),
    model: list[str] = typer.Option(
        ..., "--model", "-m", help="Model to examine: PROVIDER/NAME; it answers. Repeat for several.", metavar="SPEC"
    ),
    turns: int = typer.Option(4, help="Turns of a dialogue.", min=1, max=1000),
    limit: int | None = typer.Option(
        None, help="At most this many: references, drawn evenly over topics; all without it.", min=1
    ),
    user_model: str = typer.Option("scripted", "--user-model", help="Who asks: scripted, or a model.", metavar="SPEC"),
    seed: int = typer.Option(0, help="Seed: of the references drawn, the script, and the models' own seeds."),
    max_tokens: int = typer.Option(1000, "--max-tokens", help="Of an answer.", min=1, max=10_000_000),
    temperature: float | None = typer.Option(
        None, help="Sampling temperature: of who answers; each model's own without it.", min=0, max=10
    ),
    out: Path | None = OUT,
    exact: bool = EXACT,
    dry_run: bool = typer.Option(False, "--dry-run", help="Only say what would be done: calls, tokens and cost."),
    base_url: str | None = BASE_URL,
    max_cost: float | None = MAX_COST,
    max_calls: int | None = MAX_CALLS,
    connections: int = CONNECTIONS,
    timeout: float = TIMEOUT,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Hold dialogues about your references, with the same user for every model.

    The questions are made once per reference, before any answer. What was answered stands in RUN/dialogues.jsonl, ready
    for voirdire label. A run can be interrupted at any time; the same command with the same -o goes on.
    """
    from voirdire.cognibench.generation.plan import GenerationPlan, cost_of, sampled
    from voirdire.runs import RunOptions

    asked = GenerationPlan(
        references=references,
        models=tuple(model),
        turns=turns,
        count=limit,
        user=user_model,
        seed=seed,
        max_tokens=max_tokens,
        temperature=temperature,
        base_url=base_url,
        exact=exact,
    )
    if exact:
        tell_exact([*model, user_model])
    if dry_run:
        from voirdire.cognibench.generation.report import cost_document

        cost = cost_of(asked, sampled(asked), connections)
        answer(cost.as_dict(), lambda: cost_document(cost), as_json=json)
        return
    options = RunOptions(max_cost=max_cost, max_calls=max_calls, connections=connections, timeout=timeout)
    _hold(asked, out, options, json)


def _hold(
    asked: GenerationPlan,
    out: Path | None,
    options: RunOptions,
    json: bool,
) -> None:
    import asyncio

    from voirdire.cognibench.generation.plan import sampled
    from voirdire.cognibench.generation.report import generated_document
    from voirdire.cognibench.generation.session import generate as hold
    from voirdire.cognibench.generation.session import new_run_path
    from voirdire.documents.messages import not_complete
    from voirdire.runs import open_progress

    path = out or new_run_path(asked)
    with open_progress(len(sampled(asked)) * len(asked.models)) as progress:
        result = asyncio.run(hold(asked, path, replace(options, progress=progress)))
    answer(result.as_dict(), lambda: generated_document(result), as_json=json)
    if result.stopped is not None:
        say(not_complete(result.stopped), err=True)
        raise typer.Exit(3)
