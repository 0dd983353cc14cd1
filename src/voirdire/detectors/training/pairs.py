"""What an encoder learns from: a context, one sentence of an answer, and whether the context carries it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from voirdire.detectors.records import Answer, DetectorError, hallucinated, passage_of
from voirdire.detectors.training.records import EncoderOptions, split_labelled
from voirdire.detectors.training.splits import Split, group_folds
from voirdire.text.counting import counted
from voirdire.text.overlap import content_words


class TrainingPair(NamedTuple):
    """One example."""

    context: str
    sentence: str
    unsupported: bool
    words: int
    """Length of the sentence."""


class EncoderPlan(NamedTuple):
    """What a training of an encoder will do."""

    pairs: int
    unsupported: int
    groups: int
    train_pairs: int
    """That the model that is kept learns from."""
    held_out_pairs: int
    """That it, or with folds one of its siblings, is judged by."""
    trainings: int
    """One, and one more for each fold."""
    steps: int
    """Of all trainings."""


def pairs_of(answers: Sequence[Answer], options: EncoderOptions) -> list[TrainingPair]:
    """One pair for each labelled statement, in order."""
    return [
        TrainingPair(passage.context, statement.text, hallucinated(statement.label, options.require), statement.words)
        for answer, passage in ((answer, passage_of(answer, options.history)) for answer in answers if answer.labelled)
        for statement in answer.statements
        if statement.label is not None
    ]


def splits_of(answers: Sequence[Answer], options: EncoderOptions) -> list[Split]:
    """What to train on and judge by: each fold, and last what is kept.

    With folds the last one puts nothing aside: the others tell what it is worth.

    Raises:
        DetectorError: too few groups for that.
    """
    if not options.folds:
        return [split_labelled(answers, options)]
    labelled = [answer for answer in answers if answer.labelled]
    return [*group_folds(labelled, options.folds, options.seed), Split(labelled, [])]


def plan_encoder(answers: Sequence[Answer], options: EncoderOptions) -> EncoderPlan:
    """Say what a training would do, without any model.

    Raises:
        DetectorError: no labels, too few groups, or one kind of sentence only.
    """
    splits = splits_of(answers, options)
    sizes = [len(pairs_of(split.train, options)) for split in splits]
    everything = pairs_of(answers, options)
    unsupported = sum(pair.unsupported for pair in everything)
    if not 0 < unsupported < len(everything):
        raise DetectorError(
            f"Hallucinated under {options.require!r}: {unsupported} of {counted(len(everything), 'labelled sentence')}"
            "; a detector learns from sentences of both kinds."
        )
    return EncoderPlan(
        pairs=len(everything),
        unsupported=unsupported,
        groups=len({answer.group for answer in answers if answer.labelled}),
        train_pairs=sizes[-1],
        held_out_pairs=sum(len(pairs_of(split.test, options)) for split in splits),
        trainings=len(splits),
        steps=sum(steps_of(size, options) for size in sizes),
    )


def steps_of(pairs: int, options: EncoderOptions) -> int:
    """Batches that a training goes through."""
    return -(-pairs // options.batch_size) * options.epochs


def class_weights(pairs: Sequence[TrainingPair], options: EncoderOptions) -> tuple[float, float]:
    """Weights of supported and unsupported pairs that make both kinds count the same, mean 1 over all pairs.

    Raises:
        DetectorError: one kind is missing.
    """
    mass = [0.0, 0.0]
    for pair in pairs:
        mass[pair.unsupported] += pair.words if options.word_weights else 1
    if not all(mass):
        raise DetectorError("The part to learn from holds sentences of one kind only; label more answers.")
    total = sum(mass)
    return total / (2 * mass[0]), total / (2 * mass[1])


def best_window(sentence: str, windows: Sequence[str]) -> int:
    """Which window shares most content words with a sentence; the first of equals."""
    mine = set(content_words(sentence))
    shared = [len(mine & set(content_words(window))) for window in windows]
    return shared.index(max(shared))
