"""`voirdire detectors train KIND`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._detect_options import DEVICE, HISTORY, REQUIRE
from voirdire.cli._output import answer, show
from voirdire.cli.detectors import _options as options
from voirdire.cli.detectors._app import train_app
from voirdire.data.json_values import as_object
from voirdire.detectors.records import History, Require

if TYPE_CHECKING:
    from voirdire.detectors.training.records import Report, Step


@train_app.command(
    "lexical-learned",
    epilog="Example: voirdire detectors train lexical-learned --data labelled.jsonl -o detectors/mine",
)
def lexical_learned(
    data: Path = options.DATA,
    out: Path = options.NEW_FOLDER,
    require: Require = REQUIRE,
    history: History = HISTORY,
    seed: int = options.SEED,
    json: bool = options.JSON,
) -> None:
    """Train the small model over lexical features, in seconds on a CPU."""
    from voirdire.cognibench.formats import read_answers
    from voirdire.detectors.report import learned_document
    from voirdire.detectors.training.card import new_folder
    from voirdire.detectors.training.records import open_trainer

    train = open_trainer("lexical-learned")
    answers = read_answers(data)
    trained = train(answers, new_folder(out), seed=seed, require=require, history=history, source=data.name).as_dict()
    answer(trained, lambda: learned_document(trained), as_json=json)


@train_app.command(
    "encoder",
    epilog="Example: voirdire detectors train encoder --data labelled.jsonl --base answerdotai/ModernBERT-base "
    "-o detectors/encoder",
)
@common_options("data", "base", "out", "epochs", "device", "dry_run", "json")
def encoder(
    data: Path = options.DATA,
    base: str = typer.Option(..., help="Model to start from: an encoder on the hub, or a folder.", metavar="MODEL"),
    out: Path = options.NEW_FOLDER,
    epochs: int = options.EPOCHS,
    batch_size: int = typer.Option(16, help="Batch size: pairs at a time.", min=1, max=100_000),
    lr: float = typer.Option(2e-5, help="Highest learning rate.", min=1e-9, max=1),
    max_length: int = typer.Option(
        512, help="Longest input in tokens: a window and its sentence.", min=16, max=1_000_000
    ),
    stride: int = typer.Option(128, help="Tokens that neighbouring windows share.", min=0, max=1_000_000),
    word_weights: bool = typer.Option(
        False, "--word-weights", help="Weigh a sentence by its words, as the score does."
    ),
    folds: int = typer.Option(
        0, help="Cross-validate with this many trainings, then learn from all; 0: don't.", min=0, max=1000
    ),
    test_share: float = typer.Option(
        0.2, help="Share of statements put aside to judge by, without --folds.", min=0, max=1
    ),
    require: Require = REQUIRE,
    history: History = HISTORY,
    device: str = DEVICE,
    seed: int = options.SEED,
    dry_run: bool = options.DRY_RUN,
    json: bool = options.JSON,
) -> None:
    """Fine-tune an encoder that reads the context and one sentence; a CPU will do for small ones."""
    from voirdire.cognibench.formats import read_answers
    from voirdire.detectors.report import encoder_plan_document, trained_document
    from voirdire.detectors.training.pairs import plan_encoder
    from voirdire.detectors.training.records import EncoderOptions, open_trainer

    asked = EncoderOptions(
        base=base,
        epochs=epochs,
        batch_size=batch_size,
        lr=lr,
        max_length=max_length,
        stride=stride,
        word_weights=word_weights,
        folds=folds,
        test_share=test_share,
        require=require,
        history=history,
        device=device,
        seed=seed,
    )
    answers = read_answers(data)
    plan = plan_encoder(answers, asked)
    if dry_run:
        answer(as_object(plan), lambda: encoder_plan_document(plan, asked), as_json=json)
        return
    train = open_trainer("encoder")
    show(encoder_plan_document(plan, asked), err=True)
    with _steps() as report:
        trained = train(answers, out, asked, report)
    answer(trained.as_dict(), lambda: trained_document(trained), as_json=json)


@train_app.command(
    "cognidet",
    epilog="Example: voirdire detectors train cognidet --data labelled.jsonl -o detectors/cognidet --dry-run",
)
@common_options("data", "base", "out", "method", "epochs", "device", "dry_run", "json")
def cognidet(
    data: Path = options.DATA,
    base: str = typer.Option(
        "meta-llama/Meta-Llama-3-8B-Instruct",
        help="Model to start from: a chat model on the hub, or a folder.",
        metavar="MODEL",
    ),
    out: Path = options.NEW_FOLDER,
    method: Literal["full", "lora"] = typer.Option("lora", help="Train all weights, or an adapter."),
    epochs: int = options.EPOCHS,
    batch_size: int = typer.Option(2, help="Batch size: examples at a time, on each device.", min=1, max=100_000),
    gradient_accumulation: int = typer.Option(1, help="Batches that make one step.", min=1, max=100_000),
    lr: float = typer.Option(5e-5, help="Highest learning rate.", min=1e-9, max=1),
    max_length: int = typer.Option(
        4096, help="Longest input in tokens; longer examples are left out.", min=16, max=10_000_000
    ),
    lora_rank: int = typer.Option(16, help="Rank of the adapter.", min=1, max=10_000),
    lora_alpha: int = typer.Option(32, help="Scale of the adapter.", min=1, max=10_000),
    lora_dropout: float = typer.Option(0.05, help="Dropout of the adapter.", min=0, max=1),
    merge: bool = typer.Option(False, "--merge", help="Add the adapter into the weights in the end."),
    test_share: float = typer.Option(0.1, help="Share of statements put aside to judge by; 0: none.", min=0, max=1),
    require: Require = REQUIRE,
    history: History = HISTORY,
    device: str = DEVICE,
    seed: int = options.SEED,
    dry_run: bool = options.DRY_RUN,
    json: bool = options.JSON,
) -> None:
    """Fine-tune a chat model that lists an answer's hallucinated sentences in one pass (CogniBench A.8.2)."""
    from voirdire.cognibench.formats import read_answers
    from voirdire.detectors.report import cognidet_plan_document, trained_document
    from voirdire.detectors.training.records import CogniDetOptions, open_planner, open_trainer

    asked = CogniDetOptions(
        base=base,
        method=method,
        epochs=epochs,
        batch_size=batch_size,
        gradient_accumulation=gradient_accumulation,
        lr=lr,
        max_length=max_length,
        lora_rank=lora_rank,
        lora_alpha=lora_alpha,
        lora_dropout=lora_dropout,
        merge=merge,
        test_share=test_share,
        require=require,
        history=history,
        device=device,
        seed=seed,
    )
    answers = read_answers(data)
    plan = open_planner("cognidet")(answers, asked)
    if dry_run:
        answer(as_object(plan), lambda: cognidet_plan_document(plan, asked), as_json=json)
        return
    train = open_trainer("cognidet")
    show(cognidet_plan_document(plan, asked), err=True)
    with _steps() as report:
        trained = train(answers, out, asked, report)
    answer(trained.as_dict(), lambda: trained_document(trained), as_json=json)


@contextmanager
def _steps() -> Iterator[Report]:
    """Progress of a training on stderr: a bar in a terminal, a line every so often elsewhere."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        tasks: dict[str, Any] = {}

        def show_step(step: Step) -> None:
            if step.what not in tasks:
                tasks[step.what] = bar.add_task(step.label, total=step.total)
            bar.update(tasks[step.what], description=step.label, completed=step.done, total=step.total)

        yield show_step


def _lines() -> Callable[[Step], None]:
    shown: set[tuple[str, int]] = set()

    def show_step(step: Step) -> None:
        tenth = (step.what, 10 * step.done // max(step.total, 1))
        if tenth not in shown:
            shown.add(tenth)
            sys.stderr.write(f"{step.line}\n")

    return show_step
