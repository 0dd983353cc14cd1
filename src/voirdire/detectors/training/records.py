"""What is asked of a training, what it will do, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from voirdire.data.json_values import as_object
from voirdire.detectors.base import import_function
from voirdire.detectors.records import Answer, DetectorError, History, Require, hallucinated
from voirdire.detectors.training.splits import Split, labelled_statements, split_groups
from voirdire.text.counting import counted

Method = Literal["full", "lora"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """What every training of a neural detector is told."""

    base: str
    """A model on the hub, or a folder."""
    epochs: int = 3
    batch_size: int
    lr: float
    """The highest learning rate, reached after the warm-up."""
    max_length: int
    """Tokens of an example."""
    device: str = "auto"
    seed: int = 0
    require: Require = "grounded"
    history: History = "none"
    test_share: float
    """Of the labelled statements, put aside in whole groups to judge by; 0 puts none aside."""

    def __post_init__(self) -> None:
        if self.epochs < 1 or self.batch_size < 1 or not self.lr > 0 or not 0 <= self.test_share < 1:
            raise DetectorError("A training needs epochs and a batch of 1 or more, lr above 0, a test share in [0, 1).")


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderOptions(TrainingOptions):
    """An encoder that reads a window of the context and one sentence."""

    batch_size: int = 16
    lr: float = 2e-5
    max_length: int = 512
    stride: int = 128
    """Tokens that neighbouring windows of a long context share."""
    test_share: float = 0.2
    folds: int = 0
    """2 or more: cross-validated on all answers, and the model that is kept learns from all of them."""
    word_weights: bool = False
    """Whether a pair counts as many times as its sentence has words, as in the score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CogniDetOptions(TrainingOptions):
    """A generative detector. Epochs, batch and rate are the paper's (A.8.2); it gives no others."""

    base: str = "meta-llama/Meta-Llama-3-8B-Instruct"
    batch_size: int = 2
    lr: float = 5e-5
    max_length: int = 4096
    test_share: float = 0.1
    method: Method = "lora"
    merge: bool = False
    """Whether a LoRA adapter is added into the weights in the end, so that the folder needs no base."""
    lora_rank: int = 16
    lora_alpha: int = 32
    lora_dropout: float = 0.05
    gradient_accumulation: int = 1


class Step(NamedTuple):
    """How far a training is."""

    what: str
    """"fold 2 of 5", "training", "scoring" …"""
    done: int
    total: int
    loss: float | None = None

    @property
    def label(self) -> str:
        """What is done, beside a bar that shows how far it is."""
        return f"{self.what}{self._loss}"

    @property
    def line(self) -> str:
        """What is done, and how far it is."""
        return f"{self.what}: {self.done:,} of {self.total:,}{self._loss}"

    @property
    def _loss(self) -> str:
        return "" if self.loss is None else f", loss {self.loss:.3f}"


Report = Callable[[Step], None]
"""Is told of each step."""


@dataclass(frozen=True, slots=True)
class TrainedDetector:
    """A trained detector: its folder, its figures, and what it was trained on."""

    kind: str
    folder: Path
    base: str
    threshold: float
    figures: dict[str, Any] | None
    """How it does on groups it did not learn from; `None` where none were put aside, or too few: see `note`."""
    losses: tuple[float, ...]
    """Mean loss of each epoch of the model that is kept."""
    data: dict[str, Any]
    """What it learnt from: counts and the answers' SHA-256."""
    seconds: float
    note: str = ""
    """What must be known of the figures."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return as_object(self)


def split_labelled(answers: Sequence[Answer], options: TrainingOptions) -> Split:
    """The answers with a label, and of these what is put aside to judge by.

    Raises:
        DetectorError: none has a label, or there are too few groups to put any aside.
    """
    labelled = [answer for answer in answers if answer.labelled]
    if not labelled:
        raise DetectorError(
            f"None of {counted(len(answers), 'answer')} has a label, so there is nothing to learn from."
        )
    if not options.test_share:
        return Split(labelled, [])
    return split_groups(labelled, options.test_share, options.seed)


def describe_data(answers: Sequence[Answer], require: Require) -> dict[str, Any]:
    """Counts of labelled answers and statements, for the model card."""
    labels = [statement.label for answer in answers for statement in answer.statements if statement.label is not None]
    return {
        "answers": sum(answer.labelled for answer in answers),
        "groups": len({answer.group for answer in answers if answer.labelled}),
        "statements": sum(map(labelled_statements, answers)),
        "hallucinated": sum(hallucinated(label, require) for label in labels),
    }


_TRAINERS = {
    "lexical-learned": "voirdire.detectors.learning:train",
    "encoder": "voirdire.detectors.training.encoder:train_encoder",
    "cognidet": "voirdire.detectors.training.generative:train_cognidet",
}
_PLANNERS = {"cognidet": "voirdire.detectors.training.chats:plan_cognidet"}
KINDS = tuple(_TRAINERS)


def open_trainer(kind: str) -> Any:
    """The function that trains a kind of detector: its first arguments are the answers and the new folder.

    Raises:
        DetectorError: there is none for this kind, or what it needs is not installed.
    """
    if kind not in _TRAINERS:
        raise DetectorError(f"{kind!r} can't be trained; {', '.join(KINDS)} can.")
    return _open(_TRAINERS[kind], kind)


def open_planner(kind: str) -> Any:
    """The function that says what a training would do, where even that takes a tokenizer.

    Raises:
        DetectorError: what it needs is not installed.
    """
    return _open(_PLANNERS[kind], kind)


def _open(place: str, kind: str) -> Any:
    return import_function(place, f"Training a {kind} detector", "train")
