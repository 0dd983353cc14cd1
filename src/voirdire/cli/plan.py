"""`voirdire plan`: what a run would take, and what it takes to tell two models apart."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._output import answer
from voirdire.cli._progress import computing
from voirdire.cli._run_options import CONNECTIONS
from voirdire.cli._study_options import (
    BATCH,
    CONCEPTS,
    GRANULARITY,
    INTERVIEWER,
    JSON,
    JURY,
    LEVELS,
    PACK,
    PRESET,
    SAMPLES,
    STOP_WHEN,
    TRAP,
    split,
)
from voirdire.cli._values import ALL, BASE_URL, MAP

EXAMPLES = """\
voirdire plan -m openai/gpt-5.1 --jury google/gemini-2.5-pro,anthropic/claude-opus-4-1 -p sound
voirdire plan --detect 0.05 --metric K
voirdire plan --detect 0.05 results.csv
voirdire plan --detect 0.1 --metric ER --assume "accuracy=0.9..0.7&reject=0.7&concept_sd=0.5\""""


@common_options("model", "jury", "preset", "detect", "metric", "assume", "all", "json")
def plan(
    results: list[Path] | None = typer.Argument(
        None, help="With --detect: results of an evaluation, as for audit; how many items does it take?", metavar="PATH"
    ),
    model: list[str] | None = typer.Option(
        None,
        "--model",
        "-m",
        help="Model to examine: PROVIDER/NAME; repeat for several. With --detect, optional.",
        metavar="SPEC",
    ),
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
    connections: int = CONNECTIONS,
    batch: bool = BATCH,
    stop_when: str | None = STOP_WHEN,
    detect: float | None = typer.Option(
        None, help="Difference of two models that is to be told from 0, in the metric's unit.", metavar="DIFFERENCE"
    ),
    power: float = typer.Option(0.8, help="With --detect: the chance of telling it.", min=0.01, max=0.999),
    alpha: float = typer.Option(
        0.05, help="Significance level: with --detect, 1 - the level of the difference's interval.", min=0.0001, max=0.5
    ),
    metric: str | None = typer.Option(
        None, help="Metric: with --detect, ER where stances are known, else K.", metavar="NAME"
    ),
    pilot: Path | None = typer.Option(
        None,
        help="With --detect, --stop-when: a run to take the variances from; else the published study.",
        metavar="RUN",
    ),
    assume: str | None = typer.Option(
        None,
        help="With --detect, --stop-when: assume subjects of these parameters instead: "
        '"accuracy=0.9..0.7&reject=0.7"; coherence, concept_sd and judge_noise are further ones. Each model\'s own: '
        "with commas between them.",
        metavar="PARAMETERS",
    ),
    compared: int | None = typer.Option(
        None, help="With --detect: how many models are compared, each with each (Holm's correction)."
    ),
    judges: int | None = typer.Option(None, help="With --detect: keep to this number of judges.", min=1, max=100),
    map: str | None = MAP,
    all: bool = ALL,
    json: bool = JSON,
) -> None:
    """Say what a run would cost in calls, tokens, money and time, before anything is spent, and what would save.

    With --detect: how many concepts, levels, samples and judges tell two models apart that differ by that much; with
    neither --pilot nor --assume also what the paper's eight concepts could tell apart.
    """
    from voirdire.adapters.python_api.planning import plan as plan_run

    if detect is None and not model and not results:
        raise typer.BadParameter("name a model with -m, or a difference with --detect.", param_hint="--model")
    if pilot is not None and assume is not None:
        raise typer.BadParameter("give a pilot or an assumption, not both.", param_hint="--assume")
    with computing("Reckoning what each option would save" if detect is None else "Simulating studies"):
        result = plan_run(
            model,
            split(jury),
            split(concepts),
            preset,
            packs=split(",".join(pack or ())),
            levels=split(levels),
            trap=trap,
            samples=samples,
            granularity=granularity,
            interviewer=interviewer,
            base_url=base_url,
            stop_when=stop_when,
            connections=connections,
            batch=batch,
            detect=detect,
            power=power,
            alpha=alpha,
            metric=metric,
            pilot=pilot,
            assume=assume,
            compared=compared,
            judges=judges,
            results=results or None,
            map=map,
        )
    answer(result.to_dict(), result.document, as_json=json, details=all)
