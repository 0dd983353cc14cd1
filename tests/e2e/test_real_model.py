"""A dialogue with a real language model, without a network: examined, judged, profiled."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.here import voirdire_json
from tests.support.shared import made_once
from voirdire.models import weights
from voirdire.runs import Journal

pytestmark = pytest.mark.real_model

PRESET = "extends: quick\ndescription: As short as it gets.\nsubject_max_tokens: 6\nlevels: [1.0]\n"


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """The command, but for where its run goes; the weights are fetched once, and checked by their hash."""
    weights.pull("smollm2-135m")
    preset = tmp_path_factory.mktemp("presets") / "short.yaml"
    preset.write_text(PRESET)
    model = ("-m", "local/smollm2-135m", "--exact")
    return ("run", *model, "--concepts", "recursion", "--preset", str(preset), "--json")


@pytest.fixture(scope="module")
def run(asked, tmp_path_factory):
    """The command in a process whose network is cut: where its run is, and what was printed to stdout and stderr."""

    def make(folder):
        command = [sys.executable, "-m", "tests.e2e.cut_off", *asked, "-o", str(folder / "run")]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
        return done.stdout, done.stderr

    folder, printed = made_once(tmp_path_factory, "real-model", make)
    return folder / "run", *printed


def test_a_run_with_a_local_model_needs_no_network(run):
    path, _, stderr = run
    how, state = stderr.split()[:2]
    assert how in ("namespace", "hook")
    assert state == "shut"
    assert json.loads((path / "run.json").read_text())["models"] == ["local/smollm2-135m"]


def test_a_real_model_is_examined_judged_and_profiled(run):
    printed = json.loads(run[1])
    (profile,) = printed["models"]
    assert printed["stopped"] is None
    assert printed["totals"]["calls"] == 5
    assert profile["n"]["turns"] == 5
    assert profile["n"]["unscored"] == 0
    assert 0 < profile["metrics"]["ER"] < 1
    assert profile["metrics"]["K"] is not None


def test_what_it_said_is_on_record_with_the_weights_hash(run):
    with Journal.open(run[0] / "journal.sqlite", read_only=True) as journal:
        calls = journal.calls_frame()
    assert set(calls["sha256"]) == {"b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"}
    assert (calls["output_tokens"] > 0).all()


def test_going_on_with_the_finished_run_asks_nothing(run, asked):
    path, stdout, _ = run
    assert voirdire_json(*asked[:-1], "-o", path) == json.loads(stdout)


def test_what_exactness_costs_is_said_to_be_measured_where(run):
    assert "voirdire models check local/smollm2-135m --time-exact" in run[2]
