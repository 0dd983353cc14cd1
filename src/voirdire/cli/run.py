"""`voirdire run` and `score`: a cross-examination, and its judges."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._output import answer, tell_exact
from voirdire.cli._run_options import CONNECTIONS, EXACT, MAX_CALLS, MAX_COST, OUT, TIMEOUT
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
    study_of,
)
from voirdire.cli._values import BASE_URL

if TYPE_CHECKING:
    from voirdire.ddft.results import Result


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
    """Cross-examine models, have a jury judge every answer, and print how reliable each model is.

    A run can be interrupted at any time; the same command with the same -o goes on. With --stop-when dialogues are
    drawn in a balanced order, each model ends when its interval is narrow enough, and intervals are corrected for that.
    """
    import asyncio

    from voirdire.ddft.session import new_run_path, run_study
    from voirdire.ddft.study import dialogue_specs
    from voirdire.models import Pace
    from voirdire.runs import RunOptions, open_progress

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
    """Judge a run again, with this or another jury. The subjects are not asked again; earlier verdicts stay."""
    import asyncio

    from voirdire.ddft.results import dialogues_in, jury_of
    from voirdire.ddft.session import score_run
    from voirdire.models import Pace
    from voirdire.runs import RunOptions, open_progress

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


@contextmanager
def _interrupts_name(path: Path) -> Iterator[None]:
    """Have every Ctrl-C, also an early or a second one, say where the run is and whether anything is judged."""
    from voirdire.ddft.results import anything_judged
    from voirdire.runs import Interrupted

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

    answer(result.as_dict(), lambda: result_document(result), as_json=json, details=False)
