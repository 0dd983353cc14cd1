"""A run to draw from."""

import asyncio

import pytest

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyPlan


@pytest.fixture(scope="package")
def run(tmp_path_factory):
    """Two subjects on two concepts at two levels: 40 turns."""
    path = tmp_path_factory.mktemp("ddft") / "run"
    preset = changed_preset(load_preset("sound"), levels=(0.0, 1.0))
    subjects = ("simulated/fading", "simulated/asking")
    asyncio.run(run_study(StudyPlan(subjects, tuple(find_concepts(["recursion", "phoneme"])), preset), path))
    return path
