"""`voirdire cognibench bench`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer

from voirdire.cli._output import answer, say
from voirdire.cli._values import ANSWERS, BASE_URL
from voirdire.cli.cognibench._app import app
from voirdire.detectors.records import History, Require


@app.command(epilog="Example: voirdire cognibench bench labelled.jsonl --detector lexical")
def bench(
    data: Path = typer.Argument(..., help=f"Labelled answers: {ANSWERS}", metavar="DATA"),
    detector: list[str] = typer.Option(
        ["lexical", "lexical-learned"], help="Detector by name; repeatable. The baselines come with it.", metavar="NAME"
    ),
    labelled: list[Path] = typer.Option([], help="Labelling run over DATA to measure too; repeatable.", metavar="RUN"),
    require: Require = typer.Option("grounded", help="What a cognitive statement must be."),
    history: History = typer.Option("none", help="Earlier turns that count as evidence beside the context."),
    threshold: list[str] = typer.Option([], help="Threshold in place of a detector's own.", metavar="NAME=X"),
    cross_validate: bool = typer.Option(
        False, "--cross-validate", help="Score lexical-learned and type by models of DATA's other folds."
    ),
    exclude: list[str] = typer.Option([], help="Group to leave out, because a prompt shows it.", metavar="GROUP"),
    suite: bool = typer.Option(True, "--contradiction-suite/--no-contradiction-suite", help="Run it or leave it out."),
    suite_limit: int | None = typer.Option(None, help="Contradictions of a kind, at most; all without it.", min=1),
    interval: Literal["jackknife-t", "percentile", "bca"] = typer.Option("jackknife-t", help="Of F1, over groups."),
    draws: int = typer.Option(2000, help="Bootstrap draws of percentile and bca.", min=100, max=100_000),
    seed: int = typer.Option(0, help="Of the contradiction suite, folds and draws."),
    not_entailed: bool = typer.Option(
        False, "--not-entailed", help="nli: flag what is not entailed, not only what is contradicted."
    ),
    device: str = typer.Option("auto", help="For torch: auto, cpu, cuda, mps."),
    batch_size: int = typer.Option(16, "--batch-size", help="For torch.", min=1, max=100_000),
    base_url: str | None = BASE_URL,
    out: Path | None = typer.Option(None, "-o", "--out", help="Run folder of llm: detectors.", metavar="RUN"),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Measure detectors on labelled answers, beside baselines that look at nothing."""
    from voirdire.cognibench.detector_accuracy.benchmark import BenchTask, parse_threshold, run_bench
    from voirdire.cognibench.detector_accuracy.records import BenchSettings
    from voirdire.cognibench.detector_accuracy.report import bench_document
    from voirdire.cognibench.records import CognibenchError
    from voirdire.detectors import DetectorOptions

    if out is not None and not any(each.startswith("llm:") for each in detector):
        raise CognibenchError(
            f"-o names the run folder of llm: detectors, and none is measured: leave out -o {out}. "
            "--json prints the figures, for a file of yours."
        )
    settings = BenchSettings(
        require=require,
        history=history,
        seed=seed,
        method=interval,
        draws=draws,
        contradictions=suite,
        suite_limit=suite_limit,
        exclude=frozenset(exclude),
    )
    options = DetectorOptions(
        device=device, batch_size=batch_size, not_entailed=not_entailed, base_url=base_url, folder=out
    )
    task = BenchTask(
        data=data,
        detectors=tuple(detector),
        options=options,
        thresholds=dict(parse_threshold(each) for each in threshold),
        labelled=tuple(labelled),
        cross_validate=cross_validate,
        settings=settings,
    )
    found = run_bench(task, progress=lambda name: say(f"{name} …", err=True))
    answer(found.as_dict(), lambda: bench_document(found), as_json=json)
