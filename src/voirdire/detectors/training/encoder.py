"""Train an encoder on labelled answers, choose its threshold on others, and leave a folder that can be opened."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from voirdire.detectors.base import DetectorOptions, open_detector
from voirdire.detectors.calibration import Sample, score_answers
from voirdire.detectors.records import Answer
from voirdire.detectors.training.card import fingerprint, new_folder, write_card, write_settings
from voirdire.detectors.training.fitting import Fitted, fit
from voirdire.detectors.training.judging import Judged, pool, with_threshold
from voirdire.detectors.training.pairs import pairs_of, plan_encoder, splits_of
from voirdire.detectors.training.records import EncoderOptions, Report, Step, Trained, describe_data
from voirdire.detectors.training.splits import Split

_EVEN = 0.5
"""The threshold of a model that could not be judged."""


def train_encoder(answers: Sequence[Answer], out: Path, options: EncoderOptions, report: Report) -> Trained:
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
    trained = Trained(
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


def _fold(split: Split, folder: Path, options: EncoderOptions, what: str, report: Report) -> Sample:
    _fit(split, folder, options, what, report)
    return _score(split, folder, options, report)


def _fit(split: Split, folder: Path, options: EncoderOptions, what: str, report: Report) -> Fitted:
    """A folder that can be opened, with a threshold that says nothing yet."""
    fitted = fit(pairs_of(split.train, options), folder, options, what, report)
    _settle(folder, fitted, _EVEN, options)
    return fitted


def _score(split: Split, folder: Path, options: EncoderOptions, report: Report) -> Sample:
    """Scores of what was put aside, got as a user gets them."""
    report(Step("scoring", 0, 1))
    asked = DetectorOptions(device=options.device, batch_size=options.batch_size)
    detector = open_detector(f"encoder:{folder}", asked)
    sample = score_answers(detector, split.test, require=options.require, history=options.history)
    report(Step("scoring", 1, 1))
    return sample


def _settle(folder: Path, fitted: Fitted, threshold: float, options: EncoderOptions) -> None:
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


def _note(judged: Judged, options: EncoderOptions) -> str:
    if not options.folds:
        return judged.note
    return f"{judged.note} The model that is kept learnt from all answers; {options.folds} others were judged."
