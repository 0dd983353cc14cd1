"""`voirdire ddft`: plan, run, score and show a cross-examination."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._output import answer

if TYPE_CHECKING:
    from voirdire.ddft.presets import Preset
    from voirdire.ddft.session import Result
    from voirdire.ddft.study import StudyPlan

app = typer.Typer(
    help="The Drill-Down and Fabricate Test: five questions, a shrinking reference, one fabrication.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_MODEL = typer.Option(..., "--model", "-m", help="Subject, as PROVIDER/NAME; repeat for several.", metavar="SPEC")
_INTERVIEWER = typer.Option("scripted", help="Who asks: scripted, or a model.", metavar="SPEC")
_JURY = typer.Option("reference", help="Who judges: reference, or models, comma-separated.", metavar="SPEC,…")
_PRESET = typer.Option(
    "sound", "--preset", "-p", help="sound, published, as-run, lite, quick, or a YAML file.", metavar="NAME"
)
_CONCEPTS = typer.Option(None, help="Concept ids, names or YAML files, comma-separated.", metavar="NAME,…")
_LEVELS = typer.Option(None, help="Compression levels, comma-separated: 0,0.5,1.", metavar="C,…")
_TRAP = typer.Option(None, help="mixed, expert, paper, statistic, event, law, or none.", metavar="KIND")
_SAMPLES = typer.Option(None, help="Repetitions of every dialogue.", min=1)
_BASE_URL = typer.Option(None, "--base-url", help="Server of openai-api/ models.", metavar="URL")
_GRANULARITY = typer.Option(None, help="What judges score in one call: turn, or dialogue.", metavar="UNIT")
_SEED = typer.Option(0, help="Seed of traps, questions and calls.")
_EXACT = typer.Option(False, "--exact", help="Local models repeat their replies exactly; about 2.4 times slower.")
_JSON = typer.Option(False, "--json", help="Print JSON.")
_MAX_COST = typer.Option(None, "--max-cost", help="Stop when this many USD are spent.", metavar="USD")
_MAX_CALLS = typer.Option(None, "--max-calls", help="Stop after this many calls.", min=1)
_CONNECTIONS = typer.Option(20, help="Calls at once per hosted model.", min=1)
_TIMEOUT = typer.Option(120.0, "--timeout", help="Seconds an attempt at a hosted model may take.", min=1)
_OUT = typer.Option(None, "-o", "--out", help="Run folder; a run that is there is gone on with.", metavar="RUN")


@app.command(
    epilog="Example: voirdire ddft plan -m openai/gpt-5.1 --jury openai/gpt-5.1,anthropic/claude-opus-4-1 -p sound"
)
def plan(
    model: list[str] = _MODEL,
    interviewer: str = _INTERVIEWER,
    jury: str = _JURY,
    preset: str = _PRESET,
    concepts: str | None = _CONCEPTS,
    levels: str | None = _LEVELS,
    trap: str | None = _TRAP,
    samples: int | None = _SAMPLES,
    granularity: str | None = _GRANULARITY,
    base_url: str | None = _BASE_URL,
    connections: int = _CONNECTIONS,
    json: bool = _JSON,
) -> None:
    """Say what a run would take - calls, tokens, money, time - before anything is spent."""
    from voirdire.cli.show import run as show_run
    from voirdire.ddft.plan import estimate

    study = _study(
        model, interviewer, jury, _preset(preset, concepts, levels, trap, samples, granularity), base_url, 0, False
    )
    expected = estimate(study, connections)
    answer(expected.as_dict(), lambda: show_run.plan(expected), as_json=json)


@app.command(epilog="Example: voirdire ddft run -m local/smollm2-135m --preset quick -o runs/first")
def run(
    model: list[str] = _MODEL,
    interviewer: str = _INTERVIEWER,
    jury: str = _JURY,
    preset: str = _PRESET,
    concepts: str | None = _CONCEPTS,
    levels: str | None = _LEVELS,
    trap: str | None = _TRAP,
    samples: int | None = _SAMPLES,
    granularity: str | None = _GRANULARITY,
    base_url: str | None = _BASE_URL,
    seed: int = _SEED,
    exact: bool = _EXACT,
    max_cost: float | None = _MAX_COST,
    max_calls: int | None = _MAX_CALLS,
    connections: int = _CONNECTIONS,
    timeout: float = _TIMEOUT,
    out: Path | None = _OUT,
    json: bool = _JSON,
) -> None:
    """Cross-examine models, have a jury judge every answer, and print the profiles.

    A run can be interrupted at any time; the same command with the same -o goes on.
    """
    import asyncio

    from voirdire.ddft.session import hold_study, new_run_path
    from voirdire.ddft.study import dockets
    from voirdire.run import Budget, open_progress

    study = _study(
        model, interviewer, jury, _preset(preset, concepts, levels, trap, samples, granularity), base_url, seed, exact
    )
    path = out or new_run_path(study)
    with open_progress(len(dockets(study))) as progress:
        result = asyncio.run(
            hold_study(
                study,
                path,
                budget=Budget(max_cost, max_calls),
                progress=progress,
                connections=connections,
                timeout=timeout,
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
    base_url: str | None = _BASE_URL,
    max_cost: float | None = _MAX_COST,
    max_calls: int | None = _MAX_CALLS,
    connections: int = _CONNECTIONS,
    timeout: float = _TIMEOUT,
    json: bool = _JSON,
) -> None:
    """Judge a run's dialogues, with this or another jury. The subjects are not asked again; earlier verdicts stay."""
    import asyncio

    from voirdire.ddft.session import dialogues_in, jury_of, score_run
    from voirdire.run import Budget, open_progress

    judges = _split(jury) or jury_of(run)
    with open_progress(dialogues_in(run)) as progress:
        result = asyncio.run(
            score_run(
                run,
                judges,
                base_url=base_url,
                budget=Budget(max_cost, max_calls),
                progress=progress,
                connections=connections,
                timeout=timeout,
            )
        )
    _finish(result, json)


@app.command(epilog="Example: voirdire ddft show runs/first --turns")
def show(
    run: Path = typer.Argument(..., help="Run folder.", metavar="RUN"),
    jury: str | None = typer.Option(None, help="Id of a jury that has judged the run.", metavar="ID"),
    turns: bool = typer.Option(False, "--turns", help="Print the dialogues too, with each turn's scores."),
    json: bool = _JSON,
) -> None:
    """Show a run's profiles again, without calling anything."""
    from voirdire.cli.show import run as show_run
    from voirdire.ddft.session import load_run

    result = load_run(run, jury)
    if turns and not json:
        typer.echo(show_run.dialogues(result))
    _print(result, json)


@app.command("import", epilog="Example: voirdire ddft import turns.jsonl.gz -o runs/published")
def import_(
    source: Path = typer.Argument(..., help="turns.jsonl.gz, or a folder with a JSON file per dialogue."),
    out: Path = typer.Option(..., "-o", "--out", help="Run folder to make.", metavar="RUN"),
    json: bool = _JSON,
) -> None:
    """Make a run of a published record: its dialogues and its judges' scores, as they are."""
    import asyncio

    from voirdire.cli.show import run as show_run
    from voirdire.ddft.importing import import_record

    found = asyncio.run(import_record(source, out))
    data = found.result.as_dict() | {"skipped": list(found.skipped)}
    answer(data, lambda: show_run.imported(found), as_json=json)


def _finish(result: Result, json: bool) -> None:
    """Print a result; a run that was stopped ends with exit code 3, so that scripts notice."""
    _print(result, json)
    if result.stopped is not None:
        raise typer.Exit(3)


def _print(result: Result, json: bool) -> None:
    from voirdire.cli.show import run as show_run

    answer(result.as_dict(), lambda: show_run.result(result), as_json=json)


def _study(
    models: list[str], interviewer: str, jury: str, preset: Preset, base_url: str | None, seed: int, exact: bool
) -> StudyPlan:
    from voirdire.ddft.concepts import find_concepts
    from voirdire.ddft.study import StudyPlan

    return StudyPlan(
        models=tuple(models),
        concepts=tuple(find_concepts(preset.concepts)),
        preset=preset,
        interviewer=interviewer,
        jury=tuple(_split(jury)),
        seed=seed,
        base_url=base_url,
        exact=exact,
    )


def _preset(
    name: str,
    concepts: str | None,
    levels: str | None,
    trap: str | None,
    samples: int | None,
    granularity: str | None,
) -> Preset:
    from voirdire.ddft.presets import changed_preset, load_preset

    return changed_preset(
        load_preset(name),
        concepts=_split(concepts),
        levels=_split(levels),
        trap=trap,
        samples=samples,
        granularity=granularity,
    )


def _split(listed: str | None) -> list[str]:
    return [part.strip() for part in (listed or "").split(",") if part.strip()]
