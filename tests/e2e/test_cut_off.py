"""A whole run with a real local model and no network; and, as it is exact, the same bytes in every table twice."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from voirdire.models import weights

pytestmark = pytest.mark.real_model

TABLES = ("turns", "verdicts", "scores")
PRESET = "extends: quick\ndescription: As short as it gets.\nsubject_max_tokens: 6\nlevels: [1.0]\n"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs of the same command in processes whose network is cut, and how it was."""
    weights.pull("smollm2-135m")
    folder = tmp_path_factory.mktemp("cut")
    (folder / "short.yaml").write_text(PRESET)
    asked = ["-m", "local/smollm2-135m", "--concepts", "recursion", "--preset", str(folder / "short.yaml"), "--exact"]
    told = []
    for name in ("one", "two"):
        words = ["-m", "tests.e2e.cut_off", "ddft", "run", *asked, "-o", str(folder / name)]
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=Path(__file__).parents[2])
        assert done.returncode == 0, done.stderr
        told.append(done.stderr)
    return folder, told


def test_a_run_with_a_local_model_needs_no_network(runs):
    folder, told = runs
    how, state = told[0].split()[:2]
    assert how in ("namespace", "hook")
    assert state == "shut"
    assert json.loads((folder / "one" / "run.json").read_text())["models"] == ["local/smollm2-135m"]


@pytest.mark.parametrize("name", TABLES)
def test_an_exact_run_gives_the_same_bytes_again(runs, name):
    one, two = ((runs[0] / run / f"{name}.parquet").read_bytes() for run in ("one", "two"))
    assert one == two


def test_what_exactness_costs_is_said_to_be_measured_where(runs):
    assert "voirdire models check local/smollm2-135m --exact" in runs[1][0]
