"""`voirdire cognibench generate`: knowledge-grounded dialogues of your own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._output import answer, say, tell_exact
from voirdire.cli._values import BASE_URL
from voirdire.cli.cognibench._app import app

if TYPE_CHECKING:
    from voirdire.cognibench.generation import GenerationPlan


@app.command(
    epilog="Example: voirdire cognibench generate --references texts/ -m local/smollm2-135m -n 20 -o runs/dialogues"
)
def generate(
    references: Path = typer.Option(
        ..., help='JSON Lines {"id", "topic", "text"}, CSV, or a folder of .txt and .md by topic.', metavar="F"
    ),
    model: list[str] = typer.Option(
        ..., "--model", "-m", help="Who answers, as PROVIDER/NAME; repeat for several.", metavar="SPEC"
    ),
    turns: int = typer.Option(4, help="Turns of a dialogue.", min=1, max=1000),
    count: int | None = typer.Option(
        None, "-n", "--count", help="References, drawn evenly over topics; all without it.", min=1
    ),
    user_model: str = typer.Option("scripted", "--user-model", help="Who asks: scripted, or a model.", metavar="SPEC"),
    seed: int = typer.Option(0, help="Of the references drawn, the script, and the models' own seeds."),
    max_tokens: int = typer.Option(1000, "--max-tokens", help="Of an answer.", min=1, max=10_000_000),
    temperature: float | None = typer.Option(None, help="Of who answers; each model's own without it.", min=0, max=10),
    out: Path | None = typer.Option(
        None, "-o", "--out", help="Run folder; one that is there is gone on with.", metavar="RUN"
    ),
    exact: bool = typer.Option(False, "--exact", help="Local models repeat their replies exactly, and are slower."),
    plan: bool = typer.Option(False, "--plan", help="Only say what it would take."),
    base_url: str | None = BASE_URL,
    max_cost: float | None = typer.Option(None, "--max-cost", help="Stop when this many USD are spent.", metavar="USD"),
    max_calls: int | None = typer.Option(None, "--max-calls", help="Stop after this many calls.", min=1),
    connections: int = typer.Option(20, help="Calls at once per hosted model.", min=1, max=10_000),
    timeout: float = typer.Option(120.0, "--timeout", help="Seconds an attempt may take.", min=1, max=86_400),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Hold dialogues about your references, with the same user for every model.

    The questions are made once per reference, before any answer. What was answered stands in RUN/dialogues.jsonl, ready
    for voirdire cognibench label. A run can be interrupted at any time; the same command with the same -o goes on.
    """
    from voirdire.cognibench.generation import GenerationPlan, cost_of, sampled

    asked = GenerationPlan(
        references=references,
        models=tuple(model),
        turns=turns,
        count=count,
        user=user_model,
        seed=seed,
        max_tokens=max_tokens,
        temperature=temperature,
        base_url=base_url,
        exact=exact,
    )
    if exact:
        tell_exact([*model, user_model])
    if plan:
        from voirdire.cli.show import generation as show

        cost = cost_of(asked, sampled(asked), connections)
        answer(cost.as_dict(), lambda: show.cost(cost), as_json=json)
        return
    _hold(asked, out, max_cost, max_calls, connections, timeout, json)


def _hold(
    asked: GenerationPlan,
    out: Path | None,
    max_cost: float | None,
    max_calls: int | None,
    connections: int,
    timeout: float,
    json: bool,
) -> None:
    import asyncio

    from voirdire.cli.show import generation as show
    from voirdire.cognibench.generation import generate as hold
    from voirdire.cognibench.generation import new_run_path, sampled
    from voirdire.run import Budget, open_progress

    path = out or new_run_path(asked)
    with open_progress(len(sampled(asked)) * len(asked.models)) as progress:
        found = asyncio.run(
            hold(
                asked,
                path,
                budget=Budget(max_cost, max_calls),
                progress=progress,
                connections=connections,
                timeout=timeout,
            )
        )
    answer(found.as_dict(), lambda: show.generated(found), as_json=json)
    if found.stopped is not None:
        say(f"Not complete: {found.stopped}", err=True)
        raise typer.Exit(3)
