"""Where variance components come from: the published scores, a pilot run, or an assumed study, drawn on arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from voirdire.data.bounds import as_people_write
from voirdire.ddft.analysis.planning.material import Layout, Material, balanced_turns, material_of
from voirdire.ddft.analysis.runs import read_runs
from voirdire.ddft.concept_sums import Floats
from voirdire.ddft.concepts import packaged_ids
from voirdire.ddft.published import published_scores, published_verdicts
from voirdire.models import SpecError
from voirdire.models.simulated import SENTENCES, SubjectParameters, parse
from voirdire.stats.special import expit, logit
from voirdire.text.counting import counted

TURNS = 5
_ACCEPTED, _QUESTIONED, _REJECTED = 0, 1, 2
_STANCES = np.array(["accepted", "questioned", "rejected"], dtype=object)
_FAR_OF_STANCE = np.array([0.0, 0.5, 1.0])


@dataclass(frozen=True, slots=True)
class Assumption:
    """What is assumed of a model to be compared, or of all, and of their judges."""

    subject: SubjectParameters
    judge_noise: float = 0.0
    """Standard deviation of each judge's error in FAR and SAS, before clipping to [0, 1]."""


class AssumedValue(NamedTuple):
    """What is assumed of a model, and what that makes of a metric."""

    parameters: str
    value: float | None
    """`None` where the metric is undefined."""


class SimulatedScores(NamedTuple):
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
) -> SimulatedScores:
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
    answers = [
        _subject(f"subject {number}", subject, concepts, np.asarray(levels, dtype=np.float64), samples, rng)
        for number, subject in enumerate(subjects, start=1)
    ]
    truth = pd.concat(answers, ignore_index=True)
    by_judge = [_blurred(truth, judge_noise, rng).assign(judge=f"judge {number + 1}") for number in range(judges)]
    scores = truth.assign(**{name: np.mean([each[name] for each in by_judge], axis=0) for name in ("far", "sas")})
    return SimulatedScores(scores, pd.concat(by_judge, ignore_index=True))


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
        value = float(as_people_write(text))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise SpecError(f"judge_noise={text} is not possible: give a number from 0 to 1.")
    return value


PUBLISHED = "published"

_ASSUMED_CONCEPTS = 200
_ASSUMED_SUBJECTS = 6
"""At least, and equally many by each assumption: the mean over all pairs is then the one over pairs of unlike models,
as what independent models vary by adds up."""
_ASSUMED_SAMPLES = 2
_ASSUMED_JUDGES = 3


@dataclass(frozen=True, slots=True)
class Source:
    """A study to plan from."""

    name: str
    """"published", the run's path, or the assumption as it was given."""
    material: Material
    layout: Layout
    """Whose smallest detectable difference is shown: the study's own; of an assumption, the core concepts'."""
    estimated: bool
    """From a sample of concepts, so that the components are uncertain; an assumption is what it is."""
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    """The parameters of each model assumed, where several are; the models of `material` take them in turn."""

    def assumed_values(self, metric: str) -> tuple[AssumedValue, ...]:
        """What each of `assumed` implies of a metric, by the simulation."""
        if not self.assumed:
            return ()
        estimates, _ = self.material.estimates(metric)
        means = estimates.reshape(-1, len(self.assumed)).mean(axis=0)
        return tuple(
            AssumedValue(text, float(mean) if np.isfinite(mean) else None)
            for text, mean in zip(self.assumed, means, strict=True)
        )


@cache
def published_source() -> Source:
    """The packaged scores of the published study: nine models, eight concepts, five levels, three judges."""
    scores, _ = balanced_turns(published_scores())
    material = material_of(scores, published_verdicts())
    return Source(PUBLISHED, material, material.layout, True)


def pilot_source(path: Path) -> Source:
    """A run of one's own.

    Raises:
        RunFolderError, StudyError: the folder holds no run.
        PowerError: fewer than three concepts that all its models were examined on.
    """
    runs = read_runs([path])
    scores, left_out = balanced_turns(runs.scores)
    material = material_of(scores, runs.verdicts, runs.thresholds)
    notes = list(runs.cautions)
    if left_out:
        notes.append(f"Left out: {counted(left_out, 'dialogue')} of the pilot, on which not every model was examined.")
    if len(material.models) == 1:
        notes.append("The pilot has one model: the other is taken to vary as it does, independently of it.")
    return Source(str(path), material, material.layout, True, tuple(notes))


def assumed_source(text: str, levels: Sequence[float], seed: int = 0) -> Source:
    """Subjects as assumed, examined on so many concepts that little is left to chance.

    Args:
        text: "accuracy=0.9..0.7&reject=0.7&coherence=0.9&concept_sd=0.5&judge_noise=0.1"; with commas between them,
            each model's own.
        levels: compression levels.
        seed: of the simulation.

    Raises:
        SpecError: an unknown parameter, a value out of range, a model of which nothing is said, or nothing that is
            said of another, or judges with two kinds of noise.
    """
    parts = _by_model(text)
    assumptions = _assumptions(text, parts)
    noise = max(each.judge_noise for each in assumptions)
    judges = _ASSUMED_JUDGES if noise else 1
    study = simulate(
        [each.subject for each in assumptions] * math.ceil(_ASSUMED_SUBJECTS / len(assumptions)),
        concepts=_ASSUMED_CONCEPTS,
        levels=levels,
        samples=_ASSUMED_SAMPLES,
        judges=judges,
        judge_noise=noise,
        rng=np.random.default_rng(seed),
    )
    whose = "The" if len(assumptions) > 2 else "Both"
    notes = [f"{whose} models vary as assumed, each with concepts of its own that it finds hard, independently."]
    if judges == 1:
        notes.append("Judges without error are assumed, so that one is enough: add judge_noise=0.1 for others.")
    scores, _ = balanced_turns(study.scores)
    layout = Layout(len(packaged_ids()), len(levels), 1, judges)
    return Source(
        text, material_of(scores, study.verdicts), layout, False, tuple(notes), parts if len(parts) > 1 else ()
    )


def _by_model(text: str) -> tuple[str, ...]:
    """The parameters of all models, or of each, with commas between them."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and not all(parts):
        raise SpecError(f"{text!r} says nothing of one of {len(parts)} models: leave the comma out, or describe it.")
    for part in parts:
        _check_parameters(text, part.split("&"))
    if not set.intersection(*map(_names, parts)):
        raise SpecError(
            f"{text!r} describes {len(parts)} models, and no parameter is given for all of them: join the parameters "
            f"of one model with & ({','.join(_joined(parts))!r}), or give each model the same ones."
        )
    return tuple(parts)


def _check_parameters(text: str, given: Sequence[str]) -> None:
    """Each has a name of its own and a value."""
    names = [each.partition("=")[0] for each in given]
    if nameless := [each for each in given if "=" not in each]:
        raise SpecError(
            f"{text!r} has {nameless[0]!r} where accuracy=0.9 or the like belongs: numbers have a point, & stands "
            "between the parameters of one model, a comma between models."
        )
    if twice := [name for name in names if names.count(name) > 1]:
        raise SpecError(f"{text!r} gives {twice[0]} twice for one model: put a comma between two models.")


def _names(part: str) -> set[str]:
    """Of the parameters."""
    return {each.partition("=")[0] for each in part.split("&")}


def _joined(parts: Sequence[str]) -> list[str]:
    """The parameters by model, where commas stand between those of one: it ends where a name comes again."""
    models = [parts[0]]
    for part in parts[1:]:
        if _names(part).isdisjoint(_names(models[-1])):
            models[-1] += f"&{part}"
        else:
            models.append(part)
    return models


def _assumptions(text: str, parts: Sequence[str]) -> list[Assumption]:
    assumptions = [parse_assumption(part) for part in parts]
    noises = {each.judge_noise for each in assumptions if each.judge_noise}
    if len(noises) > 1:
        raise SpecError(
            f"judge_noise is of the judges, who score all models: {text!r} gives {len(noises)} values; give it once."
        )
    return assumptions
