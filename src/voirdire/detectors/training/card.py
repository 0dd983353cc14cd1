"""What stands beside a trained detector: `voirdire.json` for who opens it, a model card for who relies on it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from voirdire import __version__
from voirdire.data.json_values import as_object, as_plain
from voirdire.detectors.calibration import ScoredSample, calibrate
from voirdire.detectors.records import Answer, DetectorError
from voirdire.detectors.scoring import Score, reaches, score_interval
from voirdire.detectors.training.records import TrainedDetector, TrainingOptions
from voirdire.stats.intervals import Interval
from voirdire.text.counting import counted
from voirdire.text.markdown import code

SETTINGS = "voirdire.json"
_LIMITS = """\
- The figures hold for answers like those it learnt from: same kind of context, same language, same labellers.
- Interval: jackknife over groups of answers that share a context. Few groups give wide ones.
- A sentence is judged against the context given. That a statement is true in the world is not what is measured.
- A contradiction of one word or number is hard to see for a detector of this kind; test it before relying on it.
"""


def fingerprint(answers: Sequence[Answer]) -> str:
    """SHA-256 of labelled answers as they were read: equal whatever layout the file had."""
    digest = hashlib.sha256()
    for answer in answers:
        if answer.labelled:
            labels = [(each.start, each.end, each.label) for each in answer.statements]
            row = [answer.id, answer.group, answer.context, answer.history, answer.question, answer.text, labels]
            digest.update(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    return digest.hexdigest()


def new_folder(path: Path) -> Path:
    """Make a folder for a detector.

    Raises:
        DetectorError: something stands there already.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise DetectorError(f"{path} already exists; give a new folder with -o, or remove it first.")
    path.mkdir(parents=True, exist_ok=True)
    return path


def write_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    """Write what the detector needs to be opened as it was trained."""
    body = {**settings, "voirdire": __version__}
    (folder / SETTINGS).write_text(json.dumps(body, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_card(trained: TrainedDetector, options: TrainingOptions, how: Mapping[str, object]) -> Path:
    """Write the model card `README.md`."""
    data = trained.data
    settings: dict[str, object] = {
        "epochs": options.epochs,
        "batch size": options.batch_size,
        "learning rate": f"{options.lr:g}",
        "tokens of an example": options.max_length,
        "seed": options.seed,
        **how,
    }
    parts = [
        f"# Detector of unsupported sentences ({trained.kind})",
        f"Fine-tuned from {code(trained.base)} with voirdire {__version__}. It marks the sentences of an answer that "
        "its context does not support.",
        f"    voirdire detect FILE --detector {trained.kind}:{trained.folder}",
        "## Data",
        f"{counted(data['answers'], 'labelled answer')}, {counted(data['groups'], 'group')}, "
        f"{counted(data['statements'], 'sentence')}; hallucinated under `--require {options.require}`: "
        f"{data['hallucinated']}; learnt from: {data['learnt_from']}. "
        f"Evidence besides the context: {options.history}.\n\n"
        f"SHA-256 of the answers as read: `{data['sha256']}`",
        "## Figures",
        _figures(trained),
        "## Settings",
        "\n".join(f"- {name}: {value}" for name, value in settings.items())
        + f"\n- mean loss of each epoch: {', '.join(f'{loss:.4f}' for loss in trained.losses)}",
        "## Limits",
        _LIMITS,
    ]
    card = trained.folder / "README.md"
    card.write_text("\n\n".join(part.strip("\n") for part in parts) + "\n", encoding="utf-8")
    return card


def _figures(trained: TrainedDetector) -> str:
    figures = trained.figures
    if figures is None:
        return trained.note
    score, interval = figures["score"], figures["interval"]
    lines = [
        f"Counted in words, over {counted(figures['n_statements'], 'sentence')} of "
        f"{counted(figures['n_groups'], 'group')} not learnt from:",
        "| F1 | 95 % interval | precision | recall | threshold |\n|---|---|---|---|---|\n"
        f"| {_number(score['f1'])} | {_ends(interval)} | {_number(score['precision'])} | "
        f"{_number(score['recall'])} | {trained.threshold:.3f} |",
        f"Flagging every sentence has an F1 of {_number(figures['everything']['f1'])}.",
    ]
    return "\n\n".join([*lines, trained.note] if trained.note else lines)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _ends(interval: Mapping[str, float] | None) -> str:
    return "none" if interval is None else f"{interval['low']:.3f} to {interval['high']:.3f}"


class Evaluation(NamedTuple):
    """A threshold, figures for the model card, and what must be known of them."""

    threshold: float
    figures: dict[str, Any] | None
    note: str


def pool(samples: Sequence[ScoredSample]) -> ScoredSample:
    """One sample of several: the folds of a cross-validation."""
    return ScoredSample(*(np.concatenate(columns) for columns in zip(*samples, strict=True)))


def with_threshold(sample: ScoredSample | None, default: float, seed: int) -> Evaluation:
    """Choose the threshold on what was put aside; the figures are cross-validated over its groups."""
    if sample is None:
        return Evaluation(default, None, f"Nothing was put aside, so it was not judged; its threshold is {default:g}.")
    try:
        calibration = calibrate(sample, own_threshold=default, seed=seed)
    except DetectorError as error:
        return Evaluation(default, None, f"It was not judged, and its threshold is {default:g}: {error}")
    figures = _figures_judging(sample, calibration.cross_validated, calibration.interval)
    note = "The threshold was chosen on these sentences; each was judged with one chosen without its group's fold."
    return Evaluation(calibration.threshold, figures, note)


def without_threshold(sample: ScoredSample | None, threshold: float) -> Evaluation:
    """For detectors that say yes or no: nothing is chosen."""
    if sample is None:
        return Evaluation(threshold, None, "Nothing was put aside, so it was not judged.")
    flagged = reaches(sample.scores, threshold)
    figures = _figures_judging(sample, sample.score(flagged), score_interval(sample.counts(flagged)))
    unscored = int((np.isnan(sample.scores) & ~sample.small_talk).sum())
    note = (
        f"Without a score, as what it wrote could not be read: {counted(unscored, 'sentence')}, taken as not flagged."
    )
    return Evaluation(threshold, figures, note if unscored else "")


def _figures_judging(sample: ScoredSample, score: Score, interval: Interval | None) -> dict[str, Any]:
    return {
        "score": as_object(score),
        "interval": as_plain(interval),
        "everything": as_object(sample.score(~sample.small_talk)),
        "n_statements": int(sample.gold.size),
        "n_groups": len(np.unique(sample.groups)),
    }
