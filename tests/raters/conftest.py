"""The tiny task is known in these tests, and a run that somebody has rated in part."""

import asyncio

import pytest

from tests.adapters.examples import examined
from tests.cli.here import voirdire
from tests.raters._projects import scored
from tests.raters._rated import Imported, take_in
from voirdire.raters.machine_ratings import machine_ratings
from voirdire.raters.project_loader import read_project
from voirdire.raters.store import Store
from voirdire.raters.tasks import MODULES


@pytest.fixture(scope="package", autouse=True)
def tiny_task():
    MODULES["tiny"] = "tests.raters._tiny"
    yield
    del MODULES["tiny"]


@pytest.fixture(scope="session")
def rated_run(tmp_path_factory):
    """A project of which one rater has rated a sample of a run's turns, 0.2 below the jury; and the run."""
    folder = tmp_path_factory.mktemp("rated")
    run, path = examined(folder / "run", "simulated/steady", "simulated/fading"), folder / "p.voirdire"
    voirdire(
        *("rate", "new", path, "--task", "ddft", "--from", run, "--no-practice", "--draw", 40),
        *("--raters-per-item", 1, "--rater", "Ana"),
    )
    project = read_project(path)
    (rater,) = project.raters
    said = machine_ratings(project, run).by_item
    ratings = [Imported(rater, name, {"value": _below(said[name].consensus)}) for name in project.items]
    with Store.open(path) as store:
        asyncio.run(take_in(store, ratings))
    return path, run


def _below(jury):
    far = None if jury["no_claims"] else max(0.0, jury["far"] - 0.2)
    rated = scored(far, jury["sas"], jury["stance"], no_claims=jury["no_claims"])
    return rated | {"comment": "Rated by hand."}
