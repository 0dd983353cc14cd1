"""What the tests of Inspect share: no network, logs in a folder of their own, runs to be exported."""

import asyncio
import fcntl
import os
import sys
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval

from tests.cli.here import voirdire
from tests.extras.inspect.offline import sitecustomize
from tests.extras.inspect.scripted import open_ours
from tests.support.study import write_study
from voirdire.adapters.inspect.export import write_eval
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.session import run_study, score_run
from voirdire.ddft.study import StudyPlan
from voirdire.models import register
from voirdire.runs import run_blocking

OFFLINE = Path(sitecustomize.__file__).parent  # importing it has counted words in this process, too


@pytest.fixture(scope="session")
def environment():
    """For commands in processes of their own."""
    path = os.pathsep.join(filter(None, [str(OFFLINE), os.environ.get("PYTHONPATH", "")]))
    bin_first = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return os.environ | {"PYTHONPATH": path, "PATH": bin_first}


@pytest.fixture
def evaluate(tmp_path):
    """Run a task; its one log."""

    def run(task, model, **options):
        (log,) = inspect_eval(
            task, model=model, log_dir=str(tmp_path / "logs"), display="none", log_realtime=False, **options
        )
        return log

    return run


@pytest.fixture(scope="session")
def ours():
    """The scripted models as `scripted/…`."""
    register("scripted", open_ours)


CONCEPTS = ("recursion", "impressionism", "natural-selection")


def hold(path, models, *, jury=("reference",), concepts=CONCEPTS, preset=None, **changes):
    """A run of ours."""
    preset = changed_preset(preset or load_preset("lite"), concepts=concepts, **changes)
    plan = StudyPlan(tuple(models), tuple(find_concepts(preset.concepts)), preset, jury=tuple(jury))
    return run_blocking(run_study(plan, path))  # a browser of Playwright has a loop running


@pytest.fixture(scope="session")
def simulated(tmp_path_factory):
    """A run with two subjects, held with the reference panel and judged again by simulated judges."""
    path = tmp_path_factory.mktemp("runs") / "simulated"
    hold(path, ["simulated/steady", "simulated/gullible"])
    asyncio.run(score_run(path, ["simulated/judge", "simulated/noisy"]))
    return path


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """The published study as a run, and its logs; made once for all processes of the tests."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    run, logs = shared / "published", shared / "published-logs"
    with (shared / "published.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not logs.exists():
            voirdire("ddft", "import", write_study(shared / "turns.jsonl"), "-o", run)
            write_eval(run, logs)
    return run, sorted(logs.iterdir())
