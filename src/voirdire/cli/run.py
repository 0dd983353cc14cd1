"""`voirdire run` and `score`: a cross-examination, and its judges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._output import answer, tell_exact
from voirdire.cli._run_options import CACHE, CONNECTIONS, EXACT, MAX_CALLS, MAX_COST, OUT, TIMEOUT
from voirdire.cli._study_options import (
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
)
from voirdire.cli._values import BASE_URL

if TYPE_CHECKING:
    from voirdire.ddft.results import Result
    from voirdire.ddft.study import StudyPlan


@common_options("model", "jury", "preset", "concepts", "max_cost", "out", "dry_run", "json")
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
    cache: Path | None = CACHE,
    out: Path | None = OUT,
    dry_run: bool = typer.Option(
        False,
        "--dry-run",
        help="Only say what would be done: the prompts of the first dialogue, and the number of calls.",
    ),
    json: bool = JSON,
) -> None:
    """Cross-examine models, have a jury judge every answer, and print how reliable each model is.

    A run can be interrupted at any time; the same command with the same -o goes on. With --stop-when dialogues are
    drawn in a balanced order, each model ends when its interval is narrow enough, and intervals are corrected for that.
    """
    from voirdire.ddft.session import new_run_path, run_study_blocking
    from voirdire.ddft.study import plan_study
    from voirdire.documents.messages import warning
    from voirdire.models import Pace
    from voirdire.runs import RunOptions

    chosen = preset_of(preset, concepts, levels, trap, samples, granularity, pack)
    plan = plan_study(
        model,
        chosen,
        interviewer=interviewer,
        jury=split(jury),
        base_url=base_url,
        seed=seed,
        exact=exact,
        stop_when=stop_when,
    )
    if dry_run:
        for why in (plan.simulated_jury, plan.rubric_unread):
            if why is not None:
                typer.echo(warning(str(why)), err=True)
        _print_prompts(plan, json)
        return
    if exact:
        tell_exact([*plan.models, interviewer, *split(jury)])
    if plan.self_judged is not None:
        typer.echo(warning(str(plan.self_judged)), err=True)
    options = RunOptions(
        max_cost=max_cost,
        max_calls=max_calls,
        connections=connections,
        timeout=timeout,
        batch=Pace() if batch else None,
        cache=cache,
    )
    result = run_study_blocking(plan, out or new_run_path(plan), options)
    _finish(result, json)


@common_options("jury", "base_url", "max_cost", "json")
def score(
    run: Path = typer.Argument(..., help="Run folder.", metavar="RUN"),
    jury: str | None = typer.Option(
        None,
        help="Jury that judges: reference, or models, comma-separated; without it, the run's own.",
        metavar="JUDGE,…",
    ),
    base_url: str | None = BASE_URL,
    max_cost: float | None = MAX_COST,
    max_calls: int | None = MAX_CALLS,
    connections: int = CONNECTIONS,
    timeout: float = TIMEOUT,
    batch: bool = BATCH,
    cache: Path | None = CACHE,
    json: bool = JSON,
) -> None:
    """Judge a run again, with this or another jury. The subjects are not asked again; earlier verdicts stay."""
    import asyncio

    from voirdire.ddft.results import dialogues_in, jury_of
    from voirdire.ddft.session import naming_run, score_run
    from voirdire.models import Pace
    from voirdire.runs import RunOptions, open_progress

    judges = split(jury) or jury_of(run)
    try:
        with open_progress(dialogues_in(run)) as progress:
            options = RunOptions(
                max_cost=max_cost,
                max_calls=max_calls,
                connections=connections,
                timeout=timeout,
                batch=Pace() if batch else None,
                cache=cache,
                progress=progress,
            )
            result = asyncio.run(score_run(run, judges, options, base_url=base_url))
    except KeyboardInterrupt as interrupt:
        raise naming_run(interrupt, run, judges) from None
    _finish(result, json)


def _print_prompts(plan: StudyPlan, json: bool) -> None:
    import asyncio

    from voirdire.ddft.dry_run import dry_run
    from voirdire.ddft.report.dry_run import dry_run_text

    dry = asyncio.run(dry_run(plan))
    answer(dry.as_dict(), lambda: dry_run_text(dry), as_json=json)


def _finish(result: Result, json: bool) -> None:
    """Print a result; a run that was stopped ends with exit code 3, so that scripts notice."""
    from voirdire.ddft.session import naming_run

    try:
        _print(result, json)
    except KeyboardInterrupt as interrupt:
        raise naming_run(interrupt, result.path) from None
    if result.stopped is not None:
        raise typer.Exit(3)


def _print(result: Result, json: bool) -> None:
    from voirdire.ddft.report.show import result_document

    answer(result.as_dict(), lambda: result_document(result), as_json=json, details=False)
