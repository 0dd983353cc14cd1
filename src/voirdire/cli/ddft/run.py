"""`voirdire ddft run`, `score`, `show`, `import`: a cross-examination and its results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._output import answer, tell_exact
from voirdire.cli._output import show as show_document
from voirdire.cli._run_options import CONNECTIONS, EXACT, MAX_CALLS, MAX_COST, OUT, TIMEOUT
from voirdire.cli._values import BASE_URL, JURY_OF_RUN
from voirdire.cli.ddft._app import app
from voirdire.cli.ddft._options import (
    BATCH,
    CONCEPTS,
    GRANULARITY,
    INTERVIEWER,
    JSON,
    JURY,
    LEVELS,
    MODEL,
    PACK,
    PRESET,
    SAMPLES,
    SEED,
    STOP_WHEN,
    TRAP,
    preset_of,
    split,
    study_of,
)

if TYPE_CHECKING:
    from voirdire.ddft.results import Result


@app.command(epilog="Example: voirdire ddft run -m local/smollm2-135m --preset quick -o runs/first")
def run(
    model: list[str] = MODEL,
    interviewer: str = INTERVIEWER,
    jury: str = JURY,
    preset: str = PRESET,
    concepts: str | None = CONCEPTS,
    pack: list[str] | None = PACK,
    levels: str | None = LEVELS,
    trap: str | None = TRAP,
    samples: int | None = SAMPLES,
    granularity: str | None = GRANULARITY,
    base_url: str | None = BASE_URL,
    seed: int = SEED,
    exact: bool = EXACT,
    stop_when: str | None = STOP_WHEN,
    max_cost: float | None = MAX_COST,
    max_calls: int | None = MAX_CALLS,
    connections: int = CONNECTIONS,
    timeout: float = TIMEOUT,
    batch: bool = BATCH,
    out: Path | None = OUT,
    json: bool = JSON,
) -> None:
    """Cross-examine models, have a jury judge every answer, and print the profiles.

    A run can be interrupted at any time; the same command with the same -o goes on. With --stop-when dialogues are
    drawn in a balanced order, each model ends when its interval is narrow enough, and intervals are corrected for that.
    """
    import asyncio

    from voirdire.ddft.session import new_run_path, run_study
    from voirdire.ddft.study import dialogue_specs
    from voirdire.models import Pace
    from voirdire.run import RunOptions, open_progress

    if exact:
        tell_exact([*model, interviewer, *split(jury)])
    chosen = preset_of(preset, concepts, levels, trap, samples, granularity, pack)
    study = study_of(model, interviewer, jury, chosen, base_url, seed, exact, stop_when)
    path = out or new_run_path(study)
    with open_progress(len(dialogue_specs(study))) as progress, _interrupts_name(path):
        result = asyncio.run(
            run_study(
                study,
                path,
                RunOptions(
                    max_cost=max_cost,
                    max_calls=max_calls,
                    connections=connections,
                    timeout=timeout,
                    batch=Pace() if batch else None,
                    progress=progress,
                ),
            )
        )
    _finish(result, json)


@app.command(epilog="Example: voirdire ddft score runs/first --jury openai/gpt-5.1,anthropic/claude-opus-4-1")
def score(
    run: Path = typer.Argument(..., help="Run folder.", metavar="RUN"),
    jury: str | None = typer.Option(
        None,
        help="Who judges: reference, or models, comma-separated; without it, the run's own jury.",
        metavar="SPEC,…",
    ),
    base_url: str | None = BASE_URL,
    max_cost: float | None = MAX_COST,
    max_calls: int | None = MAX_CALLS,
    connections: int = CONNECTIONS,
    timeout: float = TIMEOUT,
    batch: bool = BATCH,
    json: bool = JSON,
) -> None:
    """Judge a run's dialogues, with this or another jury. The subjects are not asked again; earlier verdicts stay."""
    import asyncio

    from voirdire.ddft.results import dialogues_in, jury_of
    from voirdire.ddft.session import score_run
    from voirdire.models import Pace
    from voirdire.run import RunOptions, open_progress

    judges = split(jury) or jury_of(run)
    with open_progress(dialogues_in(run)) as progress, _interrupts_name(run):
        result = asyncio.run(
            score_run(
                run,
                judges,
                RunOptions(
                    max_cost=max_cost,
                    max_calls=max_calls,
                    connections=connections,
                    timeout=timeout,
                    batch=Pace() if batch else None,
                    progress=progress,
                ),
                base_url=base_url,
            )
        )
    _finish(result, json)


@app.command(epilog="Example: voirdire ddft show runs/first --turns")
def show(
    run: Path = typer.Argument(..., help="Run folder.", metavar="RUN"),
    jury: str | None = JURY_OF_RUN,
    turns: bool = typer.Option(False, "--turns", help="Print the dialogues too, with each turn's scores."),
    json: bool = JSON,
) -> None:
    """Show a run's profiles again, without calling anything."""
    from voirdire.ddft.report.result import turns_document
    from voirdire.ddft.results import load_run

    result = load_run(run, jury, unjudged=True)
    if turns and not json:
        show_document(turns_document(result))
    _print(result, json)


@app.command("import", epilog="Example: voirdire ddft import turns.jsonl.gz -o runs/published")
def import_(
    source: Path = typer.Argument(..., help="turns.jsonl.gz, or a folder with a JSON file per dialogue."),
    out: Path = typer.Option(..., "-o", "--out", help="Run folder to make.", metavar="RUN"),
    json: bool = JSON,
) -> None:
    """Make a run of a published record: its dialogues and its judges' scores, as they are."""
    import asyncio

    from voirdire.ddft.importing import import_record
    from voirdire.ddft.report.result import import_document

    found = asyncio.run(import_record(source, out))
    data = found.result.as_dict() | {"skipped": list(found.skipped)}
    answer(data, lambda: import_document(found), as_json=json)


@contextmanager
def _interrupts_name(path: Path) -> Iterator[None]:
    """Have every Ctrl-C, also an early or a second one, say where the run is and whether anything is judged."""
    from voirdire.ddft.results import anything_judged
    from voirdire.run import Interrupted

    try:
        yield
    except KeyboardInterrupt:
        if not path.exists():
            raise
        raise Interrupted(path, nothing_judged=not anything_judged(path)) from None


def _finish(result: Result, json: bool) -> None:
    """Print a result; a run that was stopped ends with exit code 3, so that scripts notice."""
    _print(result, json)
    if result.stopped is not None:
        raise typer.Exit(3)


def _print(result: Result, json: bool) -> None:
    from voirdire.ddft.report.result import result_document

    answer(result.as_dict(), lambda: result_document(result), as_json=json)
