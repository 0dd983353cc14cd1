"""`voirdire label`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._detect_options import HISTORY, REQUIRE
from voirdire.cli._output import answer, say, tell_exact
from voirdire.cli._parallel_options import (
    ADDRESS,
    ENGINE,
    SHARD_ROWS,
    SHARDS_AT_A_TIME,
    USUAL_ANSWERS,
    Engine,
    hold_spread,
    tell_shards,
)
from voirdire.cli._run_options import CONNECTIONS, EXACT, MAX_CALLS, MAX_COST, OUT, TIMEOUT
from voirdire.cli._values import ANSWERS, BASE_URL
from voirdire.data.bounds import MAX_SAMPLES
from voirdire.detectors.records import History, Require

if TYPE_CHECKING:
    from voirdire.adapters.ray import Spread
    from voirdire.cognibench.labelling.records import LabelTask
    from voirdire.detectors import Answer
    from voirdire.runs import RunOptions


@common_options("labeller", "out", "votes", "limit", "dry_run", "max_cost", "json")
def label(
    data: Path = typer.Argument(..., help=f"Answers: {ANSWERS}", metavar="DATA"),
    labeller: str = typer.Option(..., help="Model that labels, as PROVIDER/NAME.", metavar="SPEC"),
    votes: int = typer.Option(5, help="Votes of the labeller on each sentence.", min=1, max=MAX_SAMPLES),
    min_votes: int | None = typer.Option(
        None, help="Votes that make a hallucination; without it, more than half.", min=1
    ),
    require: Require = REQUIRE,
    contrastive: bool = typer.Option(
        True, "--contrastive/--no-contrastive", help="Show contrastive and worked examples."
    ),
    examples: Path | None = typer.Option(
        None, help="Contrastive examples: your own, as voirdire cognibench diagnose drafts them.", metavar="YAML"
    ),
    types: str = typer.Option("classifier", help="Who tells factual from cognitive: classifier, or model."),
    tiers: bool = typer.Option(True, "--tiers/--no-tiers", help="Grade cognitive statements in a second stage."),
    tier_votes: int = typer.Option(1, help="Gradings of each; the median counts.", min=1, max=MAX_SAMPLES),
    history: History = HISTORY,
    retrieve: int | None = typer.Option(
        None, help="Show only the best-matching context sentences, so many for each sentence.", min=1, metavar="K"
    ),
    sentences_per_call: int | None = typer.Option(
        None, "--sentences-per-call", help="Ask about so many sentences at once; without it, about all.", min=1
    ),
    form: str = typer.Option(
        "marks", help="How votes are given: marks (sentences are repeated), or numbers (for small models)."
    ),
    temperature: float | None = typer.Option(
        None, help="Sampling temperature: without it, 0 for one vote and 0.7 for several.", min=0, max=10
    ),
    limit: int | None = typer.Option(None, help="At most this many: the first answers.", min=1),
    labelled_only: bool = typer.Option(False, "--labelled-only", help="Only answers that people have labelled."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Only say what would be done: calls, tokens and cost."),
    out: Path | None = OUT,
    seed: int = typer.Option(0, help="Seed: of the calls."),
    exact: bool = EXACT,
    base_url: str | None = BASE_URL,
    max_cost: float | None = MAX_COST,
    max_calls: int | None = MAX_CALLS,
    connections: int = CONNECTIONS,
    timeout: float = TIMEOUT,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
    engine: Engine = ENGINE,
    address: str | None = ADDRESS,
    workers: int | None = SHARDS_AT_A_TIME,
    shard_rows: int | None = SHARD_ROWS,
) -> None:
    """Label every sentence of answers with a language model: supported or not, fact or conclusion.

    Labels that people gave stay apart, and are never shown to the model. A run can be interrupted at any time; the
    same command with the same -o goes on.
    """
    from voirdire.cognibench.labelling.records import LabelTask
    from voirdire.detectors.contrastive import read_contrasts
    from voirdire.detectors.labelling import LabelPlan
    from voirdire.runs import RunOptions

    how = LabelPlan(  # checks what is given
        votes=votes,
        min_votes=min_votes,
        require=require,
        history=history,
        contrastive=contrastive,
        contrasts=() if examples is None else read_contrasts(examples),
        types=types,  # type: ignore[arg-type]
        tiers=tiers,
        tier_votes=tier_votes,
        retrieve=retrieve,
        sentences_per_call=sentences_per_call,
        form=form,  # type: ignore[arg-type]
        temperature=temperature,
    )
    task = LabelTask(
        data=data,
        model=labeller,
        plan=how,
        limit=limit,
        labelled_only=labelled_only,
        base_url=base_url,
        seed=seed,
        exact=exact,
    )
    if exact:
        tell_exact([labeller])
    options = RunOptions(max_cost=max_cost, max_calls=max_calls, connections=connections, timeout=timeout)
    if dry_run:
        _plan(task, connections, json)
    elif engine is Engine.RAY:
        from voirdire.adapters.ray import Spread

        spread = Spread(address, workers, shard_rows or USUAL_ANSWERS)
        _by_shards(task, out, spread, options, json)
    else:
        _label(task, out, options, json)


def _by_shards(task: LabelTask, out: Path | None, spread: Spread, options: RunOptions, json: bool) -> None:
    from voirdire.adapters.ray import Executor, SpreadRun, label_shards
    from voirdire.cognibench.formats import Problems

    problems = Problems()

    def hold(folder: Path, executor: Callable[[], Executor]) -> SpreadRun:
        return label_shards(
            task,
            folder,
            executor,
            shard_rows=spread.shard_rows,
            options=options,
            tell=problems,
            progress=tell_shards,
        )

    hold_spread(out, spread, hold, json)
    for text in problems.sentences():
        say(text, err=True)


def _plan(task: LabelTask, connections: int, json: bool) -> None:
    from voirdire.cognibench.labelling.cost import plan_calls
    from voirdire.cognibench.labelling.report import estimate_document

    expected = plan_calls(task, _answers(task), connections)
    answer(expected.as_dict(), lambda: estimate_document(expected), as_json=json)


def _answers(task: LabelTask) -> list[Answer]:
    from voirdire.cognibench.formats import Problem, summarise_problems
    from voirdire.cognibench.labelling.session import answers_of

    problems: list[Problem] = []
    answers = answers_of(task, problems.append)
    for text in summarise_problems(problems):
        say(text, err=True)
    return answers


def _label(
    task: LabelTask,
    out: Path | None,
    options: RunOptions,
    json: bool,
) -> None:
    import asyncio

    from voirdire.cognibench.labelling.report import labels_document, nothing_labelled
    from voirdire.cognibench.labelling.session import label_answers, new_run_path
    from voirdire.cognibench.labelling.summary import summarise
    from voirdire.runs import open_progress

    path = out or new_run_path(task)
    answers = _answers(task)
    with open_progress(len(answers), unit="answers") as progress:
        stopped = asyncio.run(
            label_answers(
                task,
                path,
                replace(options, progress=progress),
                answers=answers,
            )
        )
    result = summarise(path, stopped)
    answer(result.as_dict(), lambda: labels_document(result), as_json=json, details=False)
    nothing = result.missing_votes == result.votes > 0
    if nothing:
        say(nothing_labelled(result), err=True)
    if stopped is not None or nothing:
        raise typer.Exit(3)
