"""The same run twice gives the same bytes in every table; what exactness of a local model costs is measured."""

import asyncio
import json

import pytest

from tests.adapters.examples import GULLIBLE, STEADY
from tests.cli.here import voirdire, voirdire_json
from voirdire.cognibench.generation.plan import GenerationPlan
from voirdire.cognibench.labelling.records import LabelTask
from voirdire.integrity.plan import AuditPlan
from voirdire.models import ModelError, ModelOptions
from voirdire.models.registry import exact_cost_async
from voirdire.records import Reply
from voirdire.runs import Journal, repeated_secret


def test_two_runs_that_ask_the_same_have_the_same_bytes_in_every_table(tmp_path):
    models = ("-m", GULLIBLE, "-m", STEADY, "--concepts", "recursion", "--levels", "0.5", "--jury", "simulated/judge")
    for name, connections in (("one", 1), ("two", 20)):
        voirdire("run", *models, "--seed", 3, "--exact", "--connections", connections, "-o", tmp_path / name)
    for table in ("turns", "verdicts", "scores"):
        one, two = ((tmp_path / run / f"{table}.parquet").read_bytes() for run in ("one", "two"))
        assert one == two
    # A local judge reads every letter: also the marks of the fences that answers stand between are the same.
    one, two = (set(judged(tmp_path / run)) for run in ("one", "two"))
    assert one == two
    assert any("<<<BEGIN" in text for text in one)


def judged(run):
    """What judges were sent."""
    calls = Journal.open(run / "journal.sqlite", read_only=True).calls_frame(bodies=True)
    return [json.dumps(sent) for sent in calls.loc[calls["role"] == "judge", "messages"]]


def test_only_exact_runs_have_fences_that_repeat():
    asked = {"seed": 3, "models": ["local/x"], "info": {"time": "now"}}
    exact = asked | {"exact": True}
    assert repeated_secret(asked) is None
    assert repeated_secret(exact) == repeated_secret(exact | {"info": {"time": "later"}})
    assert repeated_secret(exact) != repeated_secret(exact | {"seed": 4})


class Scripted:
    """A model that says which call it is, or something else each time."""

    def __init__(self, options, asked, steady=True):
        self.options, self.asked, self.steady = options, asked, steady

    async def complete(self, messages, settings, *, seed=0, timeout=0.0, **_):
        self.asked.append((self.options.exact, len(messages)))
        said = f"{seed}" if self.steady else f"{len(self.asked)}"
        return Reply(said, "stop")

    async def aclose(self):
        pass


@pytest.mark.parametrize(("steady", "ok", "said"), [(True, True, "and gave"), (False, False, "but did not give")])
def test_a_local_model_is_asked_both_ways_and_exactly_twice(steady, ok, said):
    asked = []
    opener = lambda spec, options: Scripted(options, asked, steady)  # noqa: E731 - as short as it gets
    found = asyncio.run(exact_cost_async("local/any", ModelOptions(), opener))
    assert [exact for exact, _ in asked] == [False] * 4 + [True] * 8
    assert [length for _, length in asked[:4]] == [1, 2, 4, 6]
    assert found.ok is ok
    assert f"{said} the same answers twice" in found.sentence


def test_what_goes_wrong_while_exactness_is_measured_is_a_sentence():
    def opener(spec, options):
        raise ModelError("unexpected", "llama.cpp can't load it.")

    assert asyncio.run(exact_cost_async("local/any", opener=opener)).sentence == "llama.cpp can't load it."


def test_a_hosted_model_has_no_exactness_to_measure():
    done = voirdire("models", "check", "openai/gpt-5.1", "--time-exact", check=False)
    assert done.returncode == 1
    assert "only a model in this process repeats its replies exactly" in done.stdout


@pytest.mark.parametrize("exact", [False, True])
def test_every_instrument_asks_local_models_exactly_where_it_is_told_to(exact, tmp_path):
    generation = GenerationPlan(references=tmp_path, models=("local/smollm2-135m",), exact=exact)
    assert {options.exact for options in generation.options_by_model().values()} == {exact}
    assert LabelTask(data=tmp_path, model="local/x", exact=exact).exact is exact
    assert AuditPlan(responses=tmp_path, exact=exact).exact is exact


def test_a_run_that_was_begun_exactly_is_not_gone_on_with_otherwise(tmp_path):
    (tmp_path / "r.jsonl").write_text(
        json.dumps({"id": "a", "response": "It opened in 1907.", "facts": ["It opened in 1907."]})
    )
    words = ("integrity", "audit", "--responses", tmp_path / "r.jsonl", "-o", tmp_path / "run")
    voirdire(*words, "--exact")
    assert voirdire(*words, check=False).returncode == 1
    assert voirdire_json(*words, "--exact")
    assert json.loads((tmp_path / "run" / "run.json").read_text())["exact"] is True
