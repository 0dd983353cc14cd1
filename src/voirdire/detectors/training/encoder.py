"""Train an encoder on labelled answers, choose its threshold on others, and leave a folder that can be opened."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.nn.functional import cross_entropy
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup

from voirdire.detectors.base import DetectorOptions, open_detector
from voirdire.detectors.calibration import ScoredSample, score_answers
from voirdire.detectors.neural._folders import check_weights
from voirdire.detectors.neural._loading import LoadedModel, choose_device, load_error_text, longest, quiet
from voirdire.detectors.records import Answer, DetectorError
from voirdire.detectors.training.card import (
    Evaluation,
    fingerprint,
    new_folder,
    pool,
    with_threshold,
    write_card,
    write_settings,
)
from voirdire.detectors.training.pairs import (
    TrainingPair,
    best_window,
    class_weights,
    pairs_of,
    plan_encoder,
    splits_of,
    steps_of,
)
from voirdire.detectors.training.records import EncoderOptions, Report, Step, TrainedDetector, describe_data
from voirdire.detectors.training.splits import Split

_LABELS = {0: "supported", 1: "unsupported"}
_WARM_UP = 0.1
_WEIGHT_DECAY = 0.01
_MAX_NORM = 1.0
"""Three habits of fine-tuning encoders; rate, epochs and batch are the user's."""


class FittedEncoder(NamedTuple):
    """The losses of an encoder's training, and the tokens that it can take in."""

    losses: tuple[float, ...]
    """Mean of each epoch."""
    max_length: int
    """Tokens that it can take in: what was asked for, or its own limit."""


class _Row(NamedTuple):
    inputs: dict[str, list[int]]
    label: int
    weight: float


def fit(
    pairs: Sequence[TrainingPair], folder: Path, options: EncoderOptions, stage: str, report: Report
) -> FittedEncoder:
    """Fine-tune `options.base` on pairs and save model and tokenizer to a folder.

    Equal data, options and seed give equal weights on a CPU with the same number of threads. The state of torch's
    generator is as before afterwards.

    Raises:
        DetectorError: the base can't be loaded, or the pairs are of one kind.
    """
    with torch.random.fork_rng():
        torch.manual_seed(options.seed)
        loaded = _load(options)
        limit = longest(loaded, options.max_length)
        rows = _rows(pairs, loaded.tokenizer, limit, options)
        losses = _learn(loaded, rows, options, stage, report)
    with quiet():
        loaded.network.to("cpu").save_pretrained(folder)
        loaded.tokenizer.save_pretrained(folder)
    return FittedEncoder(losses, limit)


def _load(options: EncoderOptions) -> LoadedModel:
    """The base with a new head of two classes; a head of its own, an NLI model's say, is left behind."""
    device = choose_device(options.device)
    check_weights(options.base)
    with quiet():
        try:
            tokenizer = AutoTokenizer.from_pretrained(options.base, trust_remote_code=False)
            network = AutoModelForSequenceClassification.from_pretrained(
                options.base,
                num_labels=len(_LABELS),
                id2label=_LABELS,
                label2id={name: place for place, name in _LABELS.items()},
                ignore_mismatched_sizes=True,
                trust_remote_code=False,
                use_safetensors=True,
                dtype=torch.float32,
            )
        except Exception as error:  # of many kinds, as in voirdire.detectors.neural._loading
            raise DetectorError(load_error_text(options.base, error)) from error
    return LoadedModel(network.to(device).train(), tokenizer, device)


def _learn(
    loaded: LoadedModel, rows: Sequence[_Row], options: EncoderOptions, stage: str, report: Report
) -> tuple[float, ...]:
    network = loaded.network
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.lr, weight_decay=_WEIGHT_DECAY)
    steps = steps_of(len(rows), options)
    schedule = get_linear_schedule_with_warmup(optimizer, int(_WARM_UP * steps), steps)
    losses: list[float] = []
    done = 0
    for _ in range(options.epochs):
        total = mass = 0.0
        for batch in _batches(rows, options.batch_size):
            loss = _loss(loaded, batch)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), _MAX_NORM)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            weight = sum(row.weight for row in batch)
            total += loss.item() * weight
            mass += weight
            done += 1
            report(Step(stage, done, steps, loss.item()))
        losses.append(total / mass)
    return tuple(losses)


def _loss(loaded: LoadedModel, batch: Sequence[_Row]) -> torch.Tensor:
    inputs = loaded.tokenizer.pad([row.inputs for row in batch], return_tensors="pt").to(loaded.device)
    labels = torch.tensor([row.label for row in batch], device=loaded.device)
    weights = torch.tensor([row.weight for row in batch], device=loaded.device)
    each = cross_entropy(loaded.network(**inputs).logits, labels, reduction="none")
    return (each * weights).sum() / weights.sum()


def _batches(rows: Sequence[_Row], size: int) -> Iterator[list[_Row]]:
    order = torch.randperm(len(rows)).tolist()
    for start in range(0, len(order), size):
        yield [rows[place] for place in order[start : start + size]]


def _rows(pairs: Sequence[TrainingPair], tokenizer: Any, limit: int, options: EncoderOptions) -> list[_Row]:
    """Each pair as the model's inputs: the sentence beside the window of the context that matches it best.

    The windows are those in which the detector will later read the context.
    """
    weights = class_weights(pairs, options)
    return [
        _Row(
            _best_inputs(pair, tokenizer, limit, options.stride),
            int(pair.unsupported),
            weights[pair.unsupported] * (pair.words if options.word_weights else 1),
        )
        for pair in pairs
    ]


def _best_inputs(pair: TrainingPair, tokenizer: Any, limit: int, stride: int) -> dict[str, list[int]]:
    encoded = tokenizer(
        pair.context,
        _beginning(pair.sentence, tokenizer, limit // 2),
        truncation="only_first",
        max_length=limit,
        stride=min(stride, limit // 4),
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
    )
    encoded.pop("overflow_to_sample_mapping")
    offsets = encoded.pop("offset_mapping")
    texts = [_text_of(pair.context, encoded.sequence_ids(place), spans) for place, spans in enumerate(offsets)]
    best = best_window(pair.sentence, texts)
    return {name: rows[best] for name, rows in encoded.items()}


def _text_of(context: str, sides: Sequence[int | None], spans: Sequence[tuple[int, int]]) -> str:
    inside = [span for side, span in zip(sides, spans, strict=True) if side == 0]
    return context[inside[0][0] : inside[-1][1]] if inside else ""


def _beginning(sentence: str, tokenizer: Any, limit: int) -> str:
    """As much of a sentence as half a window holds."""
    spans = tokenizer(
        sentence, add_special_tokens=False, truncation=True, max_length=limit, return_offsets_mapping=True
    )["offset_mapping"]
    return sentence[: spans[-1][1]] if spans else sentence


_EVEN = 0.5
"""The threshold of a model that could not be judged."""


def train_encoder(answers: Sequence[Answer], out: Path, options: EncoderOptions, report: Report) -> TrainedDetector:
    """Train an encoder and save it as `encoder:FOLDER`.

    With `options.folds` one model per fold is trained first, judged on its fold, and thrown away; the threshold is
    chosen on all of that, and the model that is kept learns from every answer. Otherwise it learns from all but
    `options.test_share`, on which the threshold is chosen.

    Args:
        answers: labelled ones; the others are left out.
        out: a new folder.
        options: of the training.
        report: is told of each step.

    Raises:
        DetectorError: too little data, a base that can't be loaded, or a folder that is there already.
    """
    began = time.monotonic()
    plan_encoder(answers, options)
    folder = new_folder(out)
    *folds, last = splits_of(answers, options)
    with tempfile.TemporaryDirectory() as scratch:
        samples = [
            _fold(split, Path(scratch) / str(place), options, f"fold {place} of {len(folds)}", report)
            for place, split in enumerate(folds, 1)
        ]
    fitted = _fit(last, folder, options, "training", report)
    if last.test:
        samples.append(_score(last, folder, options, report))
    judged = with_threshold(pool(samples) if samples else None, _EVEN, options.seed)
    _settle(folder, fitted, judged.threshold, options)
    trained = TrainedDetector(
        kind="encoder",
        folder=folder,
        base=options.base,
        threshold=judged.threshold,
        figures=judged.figures,
        losses=fitted.losses,
        data=_data(answers, last, options),
        seconds=time.monotonic() - began,
        note=_note(judged, options),
    )
    write_card(
        trained,
        options,
        {
            "tokens that windows share": options.stride,
            "a pair weighs": "as its sentence has words" if options.word_weights else "as any other of its kind",
            "folds": options.folds or "none",
        },
    )
    return trained


def _fold(split: Split, folder: Path, options: EncoderOptions, stage: str, report: Report) -> ScoredSample:
    _fit(split, folder, options, stage, report)
    return _score(split, folder, options, report)


def _fit(split: Split, folder: Path, options: EncoderOptions, stage: str, report: Report) -> FittedEncoder:
    """A folder that can be opened, with a threshold that says nothing yet."""
    fitted = fit(pairs_of(split.train, options), folder, options, stage, report)
    _settle(folder, fitted, _EVEN, options)
    return fitted


def _score(split: Split, folder: Path, options: EncoderOptions, report: Report) -> ScoredSample:
    """Scores of what was put aside, got as a user gets them."""
    report(Step("scoring", 0, 1))
    detector_options = DetectorOptions(device=options.device, batch_size=options.batch_size)
    detector = open_detector(f"encoder:{folder}", detector_options)
    sample = score_answers(detector, split.test, require=options.require, history=options.history)
    report(Step("scoring", 1, 1))
    return sample


def _settle(folder: Path, fitted: FittedEncoder, threshold: float, options: EncoderOptions) -> None:
    write_settings(
        folder,
        {
            "kind": "encoder",
            "threshold": threshold,
            "max_length": fitted.max_length,
            "stride": options.stride,
            "base": options.base,
            "require": options.require,
            "history": options.history,
        },
    )


def _data(answers: Sequence[Answer], last: Split, options: EncoderOptions) -> dict[str, object]:
    return {
        **describe_data(answers, options.require),
        "learnt_from": len(pairs_of(last.train, options)),
        "sha256": fingerprint(answers),
    }


def _note(judged: Evaluation, options: EncoderOptions) -> str:
    if not options.folds:
        return judged.note
    return f"{judged.note} The model that is kept learnt from all answers; {options.folds} others were judged."
