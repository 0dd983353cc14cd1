"""`voirdire plan`: what a run would take, and what it takes to tell two models apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

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
    preset_of,
    study_of,
)
from voirdire.cli._values import BASE_URL
from voirdire.data.plain import as_plain

if TYPE_CHECKING:
    from voirdire.ddft.analysis.planning.power import Rates, Source
    from voirdire.ddft.presets import Preset
    from voirdire.ddft.study import StudyPlan


EXAMPLES = """\
voirdire plan -m openai/gpt-5.1 --jury openai/gpt-5.1,anthropic/claude-opus-4-1 -p sound
voirdire plan --detect 0.05 --power 0.8 --metric K
voirdire plan --detect 0.1 --metric ER --assume "accuracy=0.9..0.7&reject=0.7&concept_sd=0.5\""""


def plan(
    model: list[str] | None = typer.Option(
        None,
        "--model",
        "-m",
        help="Subject, as PROVIDER/NAME; repeat for several. With --detect, optional.",
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
        0.05, help="With --detect: 1 - the level of the difference's interval.", min=0.0001, max=0.5
    ),
    metric: str | None = typer.Option(
        None, help="With --detect: of which metric; ER where stances are known, else K.", metavar="NAME"
    ),
    pilot: Path | None = typer.Option(
        None,
        help="With --detect, --stop-when: a run to take the variances from; else the published study.",
        metavar="RUN",
    ),
    assume: str | None = typer.Option(
        None,
        help="With --detect, --stop-when: assume subjects of these parameters instead: "
        '"accuracy=0.9..0.7&reject=0.7"; coherence, concept_sd and judge_noise are further ones.',
        metavar="PARAMETERS",
    ),
    models: int | None = typer.Option(
        None, help="With --detect: how many models are compared, each with each (Holm's correction)."
    ),
    judges: int | None = typer.Option(None, help="With --detect: keep to this number of judges.", min=1, max=100),
    json: bool = JSON,
) -> None:
    """Say what a run would cost in calls, tokens, money and time, before anything is spent, and what would save.

    With --detect: how many concepts, levels, samples and judges tell two models apart that differ by that much, and
    what the paper's eight concepts could tell apart.
    """
    chosen = preset_of(preset, concepts, levels, trap, samples, granularity, pack)
    if detect is None:
        if not model:
            raise typer.BadParameter("name a model with -m, or a difference with --detect.", param_hint="--model")
        study = study_of(model, interviewer, jury, chosen, base_url, 0, False, stop_when)
        source = _source(pilot, assume, chosen) if pilot is not None or assume is not None else None
        _take(study, connections, batch, source, json)
        return

    from voirdire.ddft.analysis.planning.power import Question, plan_detection
    from voirdire.ddft.report.detection import detection_document

    question = Question(
        detect=detect,
        power=power,
        alpha=alpha,
        metric=metric,
        models=models or max(2, len(model or ())),
        concepts=len(chosen.concepts) if concepts or pack else None,
        levels=len(chosen.levels) if levels else None,
        samples=samples,
        judges=judges,
    )
    rates = _rates(model or [], interviewer, jury, chosen, base_url, connections, question.models)
    with computing("Simulating studies"):
        found = plan_detection(question, _source(pilot, assume, chosen), rates)
    answer(found.as_dict(), lambda: detection_document(found), as_json=json)


def _take(study: StudyPlan, connections: int, batch: bool, source: Source | None, json: bool) -> None:
    from voirdire.ddft.batching import check_batch
    from voirdire.ddft.plan import Ways
    from voirdire.ddft.report.plan import plan_document
    from voirdire.ddft.savings import savings

    if batch:
        check_batch(study.jury)
    with computing("Reckoning what each option would save"):
        compared = savings(study, connections, Ways(batch=batch), source)
    expected = compared[0].estimate
    data = expected.as_dict() | {"options": as_plain(compared)}
    answer(data, lambda: plan_document(expected, compared), as_json=json)


def _rates(
    model: list[str],
    interviewer: str,
    jury: str,
    preset: Preset,
    base_url: str | None,
    connections: int,
    models: int,
) -> Rates:
    from voirdire.ddft.analysis.planning.power import priced_rates, unpriced_rates

    if not model:
        return unpriced_rates(preset, interviewer, models)
    return priced_rates(study_of(model, interviewer, jury, preset, base_url, 0, False), connections)


def _source(pilot: Path | None, assume: str | None, preset: Preset) -> Source:
    from voirdire.ddft.analysis.planning.power import assumed_source, pilot_source, published_source

    if pilot is not None and assume is not None:
        raise typer.BadParameter("give a pilot or an assumption, not both.", param_hint="--assume")
    if pilot is not None:
        return pilot_source(pilot)
    return published_source() if assume is None else assumed_source(assume, preset.levels)
