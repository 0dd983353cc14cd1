"""Runs that the tests of this folder look at, made once."""

import pytest

from tests.ddft.report.examples import FADING, PANEL, held
from tests.support.refuser import JUDGE, register_refuser
from tests.support.refuser import SUBJECT as REFUSER
from voirdire.ddft.report.material import read_material

SHY = "simulated/subject?asks=0.7&reject=1"

THREE = ("recursion", "phoneme", "derivative")


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    return tmp_path_factory.mktemp("reported")


@pytest.fixture(scope="session")
def one_path(runs):
    return held(runs / "one", (FADING,), THREE)


@pytest.fixture(scope="session")
def one(one_path):
    """One model, three concepts, two levels, three judges."""
    return read_material([one_path])


@pytest.fixture(scope="session")
def two_concepts(runs):
    """One model on two concepts, judged by the reference panel."""
    return read_material([held(runs / "two", (FADING,), THREE[:2], jury=("reference",), levels=(1.0,))])


@pytest.fixture(scope="session")
def study_path(runs):
    models = ("simulated/steady", "simulated/gullible", "simulated/steady?name=other")
    concepts = (*THREE, "impressionism", "modus-ponens", "natural-selection", "harm-principle", "newtons-second-law")
    return held(runs / "study", models, concepts, jury=PANEL[:1], levels=(0.5,))


@pytest.fixture(scope="session")
def study(study_path):
    """Three models, two of them the same under two names."""
    return read_material([study_path])


@pytest.fixture(scope="session")
def untrapped_path(runs):
    return held(runs / "untrapped", (FADING,), THREE, jury=PANEL[:1], levels=(0.0,), trap="none")


@pytest.fixture(scope="session")
def untrapped(untrapped_path):
    """One model at one level, that no fabrication was set for."""
    return read_material([untrapped_path])


@pytest.fixture(scope="session")
def refuser(runs):
    """A model that refuses every question, alone."""
    register_refuser()
    return read_material([held(runs / "refuser", (REFUSER,), THREE, jury=(JUDGE,))])


@pytest.fixture(scope="session")
def beside_refuser(runs):
    """The same beside two models that answer."""
    register_refuser()
    models = ("simulated/steady", "simulated/gullible", REFUSER)
    return read_material([held(runs / "beside-refuser", models, THREE, jury=(JUDGE,))])


@pytest.fixture(scope="session")
def beside_shy(runs):
    """A model that asks back more often than it answers, and rejects every trap, beside one that answers."""
    register_refuser()
    return read_material([held(runs / "beside-shy", ("simulated/gullible", SHY), THREE, jury=(JUDGE,))])


@pytest.fixture(scope="session")
def unlike(one_path, untrapped_path):
    """The same model in two tests, with different judges."""
    return read_material([untrapped_path, one_path])


@pytest.fixture(scope="session")
def unfinished(runs):
    """One model that was asked three questions of each dialogue, and no more."""
    return read_material([held(runs / "unfinished", (FADING,), THREE, jury=("reference",), calls=18)])
