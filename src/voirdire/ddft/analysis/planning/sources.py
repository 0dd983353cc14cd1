"""Where variance components come from: the published scores, a pilot run, or an assumption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from voirdire.ddft.analysis.planning.material import Layout, Material, balanced, material_of
from voirdire.ddft.analysis.planning.simulate import parse_assumption, simulate
from voirdire.ddft.analysis.runs import read_runs
from voirdire.ddft.concepts import packaged_ids
from voirdire.ddft.published import published_scores, published_verdicts
from voirdire.text.counting import counted

PUBLISHED = "published"

_ASSUMED_CONCEPTS = 200
_ASSUMED_SUBJECTS = 6
_ASSUMED_SAMPLES = 2
_ASSUMED_JUDGES = 3


@dataclass(frozen=True, slots=True)
class Source:
    """A study to plan from."""

    name: str
    """"published", the run's path, or the assumption as it was given."""
    material: Material
    layout: Layout
    """Whose smallest detectable difference is told: the study's own; of an assumption, the core concepts'."""
    estimated: bool
    """From a sample of concepts, so that the components are uncertain; an assumption is what it is."""
    notes: tuple[str, ...] = ()


@cache
def published_source() -> Source:
    """The packaged scores of the published study: nine models, eight concepts, five levels, three judges."""
    scores, _ = balanced(published_scores())
    material = material_of(scores, published_verdicts())
    return Source(PUBLISHED, material, material.layout, True)


def pilot_source(path: Path) -> Source:
    """A run of one's own.

    Raises:
        RunFolderError, StudyError: the folder holds no run.
        PowerError: fewer than three concepts that all its models were examined on.
    """
    runs = read_runs([path])
    scores, left_out = balanced(runs.scores)
    material = material_of(scores, runs.verdicts)
    notes = list(runs.cautions)
    if left_out:
        notes.append(f"Left out: {counted(left_out, 'dialogue')} of the pilot, on which not every model was examined.")
    if len(material.models) == 1:
        notes.append("The pilot has one model: the other is taken to vary as it does, independently of it.")
    return Source(str(path), material, material.layout, True, tuple(notes))


def assumed_source(text: str, levels: Sequence[float], seed: int = 0) -> Source:
    """Subjects as assumed, examined on so many concepts that little is left to chance.

    Args:
        text: "accuracy=0.9..0.7&reject=0.7&coherence=0.9&concept_sd=0.5&judge_noise=0.1".
        levels: compression levels.
        seed: of the simulation.

    Raises:
        SpecError: an unknown parameter, or a value out of range.
    """
    assumed = parse_assumption(text)
    judges = _ASSUMED_JUDGES if assumed.judge_noise else 1
    study = simulate(
        [assumed.subject] * _ASSUMED_SUBJECTS,
        concepts=_ASSUMED_CONCEPTS,
        levels=levels,
        samples=_ASSUMED_SAMPLES,
        judges=judges,
        judge_noise=assumed.judge_noise,
        rng=np.random.default_rng(seed),
    )
    notes = ["Both models vary as assumed, each with concepts of its own that it finds hard, independently."]
    if judges == 1:
        notes.append("Judges without error are assumed, so that one is enough: add judge_noise=0.1 for others.")
    scores, _ = balanced(study.scores)
    layout = Layout(len(packaged_ids()), len(levels), 1, judges)
    return Source(text, material_of(scores, study.verdicts), layout, False, tuple(notes))
