"""A training, as text: what it will do, how far it is, what came of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.detectors.training.chats import CogniDetPlan
    from voirdire.detectors.training.pairs import EncoderPlan
    from voirdire.detectors.training.records import CogniDetOptions, EncoderOptions, Report, Step, Trained


def encoder_plan(plan: EncoderPlan, options: EncoderOptions) -> str:
    """What a training of an encoder will do."""
    judged = (
        f"{options.folds} trainings to judge it by {options.folds}-fold cross-validation, then one on everything"
        if options.folds
        else f"one training on {counted(plan.train_pairs, 'pair')}, judged on {plan.held_out_pairs:,} of other groups"
    )
    return render(
        f"{counted(plan.pairs, 'pair')} of context and sentence, {plan.unsupported:,} of them unsupported, in "
        f"{counted(plan.groups, 'group')}: {judged}.",
        f"{counted(plan.steps, 'step')} of {counted(options.batch_size, 'pair')}, {counted(options.epochs, 'epoch')}, "
        f"base {options.base}.",
    )


def cognidet_plan(plan: CogniDetPlan, options: CogniDetOptions) -> str:
    """What a training of a generative detector will do."""
    left = {"a sentence without a label": plan.incomplete, f"over {options.max_length:,} tokens": plan.too_long}
    left_out = [f"{number:,} ({reason})" for reason, number in left.items() if number]
    learns = "all of them" if options.method == "full" else f"{plan.trainable:,} of an adapter"
    return render(
        f"{counted(plan.examples, 'answer')} to learn from, {plan.clean:,} of them without a hallucination; "
        f"{plan.held_out:,} put aside to judge by. Left out: {'; '.join(left_out) or 'none'}.",
        f"{plan.tokens:,} tokens an epoch, {plan.longest:,} in the longest example. {counted(plan.steps, 'step')} of "
        f"{counted(options.batch_size * options.gradient_accumulation, 'answer')} in "
        f"{counted(options.epochs, 'epoch')}, on one device.",
        f"{plan.parameters:,} parameters of {options.base}; {learns} learn.",
        f"About {plan.gigabytes:,.1f} GB of memory for weights, gradients, optimizer and checkpointed activations; "
        "frameworks take some more.",
    )


def trained(done: Trained) -> str:
    """A detector that was trained."""
    parts: list[RenderableType] = []
    if done.figures is not None:
        table = new_table("judged on", "sentences", "precision", "recall", "F1", "95 % interval", "threshold")
        interval = done.figures["interval"]
        table.add_row(
            counted(done.figures["n_groups"], "other group"),
            f"{done.figures['n_statements']:,}",
            *_three(done.figures["score"]),
            "" if interval is None else f"{interval['low']:.3f} to {interval['high']:.3f}",
            f"{done.threshold:.3f}",
        )
        table.add_row("flagging all of them", "", *_three(done.figures["everything"]), "", "")
        parts.append(table)
    losses = ", ".join(f"{loss:.3f}" for loss in done.losses)
    parts += [
        f"Mean loss of each epoch: {losses}. {done.seconds:,.0f} s.",
        f"{done.kind}:{done.folder} can be named wherever a detector is; its model card is {done.folder}/README.md.",
    ]
    return render(*parts, *remarks([done.note] if done.note else []))


def _three(score: Mapping[str, float | None]) -> list[str]:
    values = [score[name] for name in ("precision", "recall", "f1")]
    return ["" if value is None else f"{value:.3f}" for value in values]


@contextmanager
def steps() -> Iterator[Report]:
    """Progress of a training on stderr: a bar in a terminal, a line every so often elsewhere."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        tasks: dict[str, Any] = {}

        def tell(step: Step) -> None:
            said = step.what if step.loss is None else f"{step.what}, loss {step.loss:.3f}"
            if step.what not in tasks:
                tasks[step.what] = bar.add_task(said, total=step.total)
            bar.update(tasks[step.what], description=said, completed=step.done, total=step.total)

        yield tell


def _lines() -> Callable[[Step], None]:
    told: set[tuple[str, int]] = set()

    def tell(step: Step) -> None:
        tenth = (step.what, 10 * step.done // max(step.total, 1))
        if tenth not in told:
            told.add(tenth)
            loss = "" if step.loss is None else f", loss {step.loss:.3f}"
            sys.stderr.write(f"{step.what}: {step.done:,} of {step.total:,}{loss}\n")

    return tell


def learned(trained: Mapping[str, Any]) -> str:
    """What came of training the small model."""
    figures, data = trained["figures"], trained["data"]
    interval = figures["interval"]
    ends = "undefined" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
    return render(
        f"Trained in {trained['seconds']:.0f} s on {counted(data['statements'], 'labelled sentence')} of "
        f"{counted(data['answers'], 'answer')} about {data['groups']:,} contexts, {data['hallucinated']:,} of them "
        f"hallucinated ({data['require']}).",
        f"F1, in words, on contexts it was not trained on: {figures['f1_mean_of_folds']:.3f}, the mean of "
        f"{figures['folds']} folds ({figures['f1_lowest_dealing']:.3f} to {figures['f1_highest_dealing']:.3f} as the "
        f"folds are dealt anew {figures['dealings']} times). Pooled {figures['f1_pooled']:.3f}, 95 % interval {ends}.",
        f"Threshold {trained['threshold']:.3f}. The model card is {trained['folder']}/README.md; "
        f"use it: voirdire detect FILE --detector {trained['kind']}:{trained['folder']}",
    )
