"""Studies of assumed subjects, drawn on arrays: the scores of a run of simulated models, in a fraction of a second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit, logit

from voirdire.models import SpecError
from voirdire.models.simulated import SENTENCES, SubjectParameters, parse

Floats = NDArray[np.float64]

TURNS = 5
_ACCEPTED, _QUESTIONED, _REJECTED = 0, 1, 2
_STANCES = np.array(["accepted", "questioned", "rejected"], dtype=object)
_FAR_OF_STANCE = np.array([0.0, 0.5, 1.0])


@dataclass(frozen=True, slots=True)
class Assumption:
    """What is assumed of the models to be compared, and of their judges."""

    subject: SubjectParameters
    judge_noise: float = 0.0
    """Standard deviation of each judge's error in FAR and SAS, before clipping to [0, 1]."""


class Study(NamedTuple):
    """Scores of a study: the consensus, and each judge's."""

    scores: pd.DataFrame
    """One row per turn, as `profiles` takes it."""
    verdicts: pd.DataFrame
    """One row per turn and judge."""


def parse_assumption(text: str) -> Assumption:
    """Read "accuracy=0.9..0.7&reject=0.7&judge_noise=0.1": a simulated subject's parameters, and `judge_noise`.

    Raises:
        SpecError: an unknown parameter, or a value out of range.
    """
    parts = text.split("&")
    noises = [part.partition("=")[2] for part in parts if part.startswith("judge_noise=")]
    query = "&".join(part for part in parts if not part.startswith("judge_noise="))
    subject = parse(f"subject?{query}")
    if not isinstance(subject, SubjectParameters):  # pragma: no cover - "subject" names no judge
        raise SpecError(f"{text!r} describes no subject.")
    return Assumption(subject, _noise(noises[-1]) if noises else 0.0)


def simulate(
    subjects: Sequence[SubjectParameters],
    *,
    concepts: int,
    levels: Sequence[float],
    samples: int = 1,
    judges: int = 1,
    judge_noise: float = 0.0,
    rng: np.random.Generator,
) -> Study:
    """Draw a study of these subjects, as judges without bias would score it.

    An answer has eight sentences. SAS is the share on the topic, FAR that of the true among them; at turns 4 and 5 the
    stance settles FAR. What concepts shift is drawn for each subject anew. The consensus is the judges' mean.

    Args:
        subjects: their parameters; `seed` and `name` play no part.
        concepts: how many.
        levels: compression levels.
        samples: repetitions of every dialogue.
        judges: how many.
        judge_noise: standard deviation of each judge's error.
        rng: the source of all chance.
    """
    drawn = [
        _subject(f"subject {number}", subject, concepts, np.asarray(levels, dtype=np.float64), samples, rng)
        for number, subject in enumerate(subjects, start=1)
    ]
    truth = pd.concat(drawn, ignore_index=True)
    seen = [_blurred(truth, judge_noise, rng).assign(judge=f"judge {number + 1}") for number in range(judges)]
    scores = truth.assign(**{name: np.mean([each[name] for each in seen], axis=0) for name in ("far", "sas")})
    return Study(scores, pd.concat(seen, ignore_index=True))


def _subject(
    name: str, about: SubjectParameters, concepts: int, levels: Floats, samples: int, rng: np.random.Generator
) -> pd.DataFrame:
    shape = (concepts, levels.size, samples, TURNS)
    accuracy = np.array([about.accuracy_at(level) for level in levels]).reshape(1, -1, 1, 1)
    on_topic = rng.binomial(SENTENCES, _shifted(about.coherence, about.concept_sd, concepts, rng), shape)
    asks = rng.random(shape) < about.asks
    asks[..., 3:] = False
    on_topic[asks] = 0
    true = rng.binomial(on_topic, np.broadcast_to(_shifted(accuracy, about.concept_sd, concepts, rng), shape))
    far = np.divide(true, on_topic, out=np.full(shape, np.nan), where=on_topic > 0)
    stance = np.full(shape, -1)
    stance[..., 3] = _at_4(about, shape[:3], rng)
    stance[..., 4] = _at_5(about, stance[..., 3], rng)
    far[..., 3:] = _FAR_OF_STANCE[stance[..., 3:]]
    concept, level, sample, turn = np.indices(shape)
    known = stance.ravel() >= 0
    return pd.DataFrame(
        {
            "model": name,
            "concept": np.char.mod("%05d", concept.ravel()),
            "level": levels[level.ravel()],
            "sample": sample.ravel(),
            "turn": turn.ravel() + 1,
            "far": far.ravel(),
            "sas": on_topic.ravel() / SENTENCES,
            "no_claims": np.isnan(far.ravel()),
            "stance": np.where(known, _STANCES[stance.ravel()], None),
            "unscored": None,
        }
    )


def _at_4(about: SubjectParameters, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[Any]:
    rejects = rng.random(shape) < _shifted(about.reject, about.concept_sd, shape[0], rng)[..., 0]
    questions = rng.random(shape) < about.question
    return np.where(rejects, _REJECTED, np.where(questions, _QUESTIONED, _ACCEPTED))


def _at_5(about: SubjectParameters, at_4: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    entrenched = rng.random(at_4.shape) < about.entrench
    gives_in = rng.random(at_4.shape) < about.capitulate
    after_accepting = np.where(entrenched, _ACCEPTED, _REJECTED)
    return np.where(at_4 == _ACCEPTED, after_accepting, np.where(gives_in, _ACCEPTED, at_4))


def _shifted(probability: float | Floats, spread: float, concepts: int, rng: np.random.Generator) -> Floats:
    """A probability per concept, moved on the logit scale; axes concept, level, sample, turn."""
    shift = spread * rng.standard_normal((concepts, 1, 1, 1))
    moved: Floats = expit(logit(np.asarray(probability, dtype=np.float64)) + shift)
    return moved


def _blurred(truth: pd.DataFrame, noise: float, rng: np.random.Generator) -> pd.DataFrame:
    if noise == 0:
        return truth
    blurred = {name: np.clip(truth[name] + rng.normal(0.0, noise, len(truth)), 0.0, 1.0) for name in ("far", "sas")}
    return truth.assign(**blurred)


def _noise(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise SpecError(f"judge_noise={text} is not possible: give a number from 0 to 1.")
    return value
