"""`voirdire cognibench bench`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._detect_options import BATCH_SIZE, DEVICE, HISTORY, NOT_ENTAILED, REQUIRE
from voirdire.cli._output import answer, say
from voirdire.cli._run_options import CALLS
from voirdire.cli._values import ALL, ANSWERS, BASE_URL
from voirdire.cli.cognibench._app import app
from voirdire.detectors.records import History, Require


@app.command(epilog="Example: voirdire cognibench bench labelled.jsonl --detector lexical")
@common_options("detector", "labelled", "cross_validate", "interval", "json")
def bench(
    data: Path = typer.Argument(..., help=f"Labelled answers: {ANSWERS}", metavar="DATA"),
    detector: list[str] = typer.Option(
        ["lexical", "lexical-learned"],
        help="Detector by name; may be repeated. The baselines come with it.",
        metavar="NAME",
    ),
    labelled: list[Path] = typer.Option([], help="Labelling run over DATA to measure too; repeatable.", metavar="RUN"),
    require: Require = REQUIRE,
    history: History = HISTORY,
    detector_threshold: list[str] = typer.Option([], help="Threshold in place of a detector's own.", metavar="NAME=X"),
    cross_validate: bool = typer.Option(
        False, "--cross-validate", help="Score lexical-learned and type by models of DATA's other folds."
    ),
    exclude: list[str] = typer.Option([], help="Group to leave out, because a prompt shows it.", metavar="GROUP"),
    suite: bool = typer.Option(True, "--contradiction-suite/--no-contradiction-suite", help="Run it or leave it out."),
    suite_limit: int | None = typer.Option(None, help="Contradictions of a kind, at most; all without it.", min=1),
    interval: Literal["jackknife-t", "percentile", "bca"] = typer.Option("jackknife-t", help="Of F1, over groups."),
    resamples: int = typer.Option(2000, help="Bootstrap resamples of percentile and bca.", min=100, max=100_000),
    seed: int = typer.Option(0, help="Seed: of the contradiction suite, folds and resamples."),
    not_entailed: bool = NOT_ENTAILED,
    device: str = DEVICE,
    batch_size: int = BATCH_SIZE,
    base_url: str | None = BASE_URL,
    run: Path | None = CALLS,
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Measure detectors on labelled answers, beside baselines that look at nothing."""
    from voirdire.cognibench.detector_accuracy.benchmark import BenchTask, parse_threshold, run_bench
    from voirdire.cognibench.detector_accuracy.records import BenchSettings
    from voirdire.cognibench.detector_accuracy.report import bench_document
    from voirdire.detectors import DetectorOptions
    from voirdire.detectors.base import check_run_folder
    from voirdire.documents.messages import under_way

    check_run_folder(detector, run)
    settings = BenchSettings(
        require=require,
        history=history,
        seed=seed,
        method=interval,
        draws=resamples,
        contradictions=suite,
        suite_limit=suite_limit,
        exclude=frozenset(exclude),
    )
    options = DetectorOptions(
        device=device, batch_size=batch_size, not_entailed=not_entailed, base_url=base_url, folder=run
    )
    task = BenchTask(
        data=data,
        detectors=tuple(detector),
        options=options,
        thresholds=dict(parse_threshold(each) for each in detector_threshold),
        labelled=tuple(labelled),
        cross_validate=cross_validate,
        settings=settings,
    )
    result = run_bench(task, progress=lambda name: say(under_way(name), err=True))
    answer(result.as_dict(), lambda: bench_document(result), as_json=json, details=all)
