import asyncio
import json

import pandas as pd
import pytest

from tests.cognibench.made_data import write_data
from tests.support.fake_openai import control
from tests.support.labelling_server import start_labelling_server
from voirdire.adapters.loading import load
from voirdire.adapters.ray import Here, ScaleError, audit_shards, label_shards
from voirdire.cognibench.labelling.records import LabelTask
from voirdire.cognibench.labelling.session import label_answers
from voirdire.detectors.labelling import LabelPlan
from voirdire.integrity.plan import AuditPlan
from voirdire.integrity.session import audit_responses
from voirdire.runs import RunOptions

RESPONSES = [
    {"id": f"r{year}", "response": f"The bridge opened in {year}.", "facts": ["The bridge opened in 1907."]}
    for year in range(1901, 1912)
]


class Watched(Here):
    """Keeps what workers are told; `workers` is what it says of itself."""

    def __init__(self, workers=1):
        self.workers, self.told = workers, []

    def map(self, worker, tasks):
        self.told.extend(tasks)
        return super().map(worker, tasks)


def same(one, other):
    """Whether two tables hold the same, whatever their columns' types are called."""
    plain = [json.loads(each.to_json(orient="records")) for each in (one, other)]
    return plain[0] == plain[1]


@pytest.fixture(scope="module")
def server():
    with start_labelling_server() as base_url:
        yield base_url


@pytest.fixture
def task(tmp_path, server):
    control(server, reset=True, plan=[])
    data = write_data(tmp_path / "data.jsonl", dialogues=4, labelled=2)
    how = LabelPlan(votes=2, types="model")
    return LabelTask(data=data, model="openai-api/labeller", base_url=server, plan=how, seed=3)


def spread(task, out, executor=None, options=None, rows=3):
    return label_shards(task, out, lambda: executor or Here(), shard_rows=rows, options=options or RunOptions())


def test_labels_of_shards_are_the_labels_of_one_run(task, tmp_path):
    found = spread(task, tmp_path / "out")
    assert asyncio.run(label_answers(task, tmp_path / "run")) is None
    assert (found.shards, found.stopped) == (3, {})
    assert found.tables == {"answers": 8, "statements": 20}
    for name in found.tables:
        assert same(pd.read_parquet(tmp_path / "out" / f"{name}.parquet"), getattr(load(tmp_path / "run"), name))
    assert load(tmp_path / "out" / "shards" / "00001").instrument == "cognibench"


def test_a_shard_that_is_complete_is_not_held_again_and_one_that_is_not_goes_on(task, tmp_path):
    first = spread(task, tmp_path / "out", options=RunOptions(max_calls=24))
    assert first.stopped and all("the limit of" in why for why in first.stopped.values())
    again = Watched()
    second = spread(task, tmp_path / "out", again)
    assert [each["shard"] for each in again.told] == list(first.stopped)
    assert (second.stopped, second.skipped) == ({}, 3 - len(first.stopped))
    assert second.tables["statements"] == 20


def test_bounds_are_divided_and_no_key_is_told(task, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    watched = Watched(workers=2)
    spread(task, tmp_path / "out", watched, RunOptions(max_calls=400, connections=9, timeout=7))
    assert [each["options"] for each in watched.told] == [
        {"max_cost": None, "max_calls": 150, "connections": 4, "timeout": 7},
        {"max_cost": None, "max_calls": 150, "connections": 4, "timeout": 7},
        {"max_cost": None, "max_calls": 100, "connections": 4, "timeout": 7},
    ]
    assert "sk-secret" not in json.dumps(watched.told)


@pytest.mark.parametrize(
    ("workers", "options", "says"),
    [
        (3, RunOptions(connections=2), "2 connections can't be divided among 3 workers"),
        (1, RunOptions(max_calls=2), "2 calls can't be divided among 3 shards"),
    ],
)
def test_bounds_that_cannot_be_divided_are_refused_before_anything_is_asked(task, tmp_path, workers, options, says):
    with pytest.raises(ScaleError, match=says):
        spread(task, tmp_path / "out", Watched(workers), options)
    assert not list((tmp_path / "out").glob("shards/*/run.json"))


def test_other_data_or_another_model_are_refused(task, tmp_path):
    spread(task, tmp_path / "out")
    write_data(task.data, dialogues=5)
    with pytest.raises(ScaleError, match="data_sha256"):
        spread(task, tmp_path / "out")


def test_a_fault_in_the_data_is_met_before_anything_is_asked(task, tmp_path):
    with task.data.open("a") as file:
        file.write('\n{"context": "c"}\n')
    with pytest.raises(ValueError, match="line 5: it has no answer"):
        spread(task, tmp_path / "out")
    assert not list((tmp_path / "out").glob("shards/*/run.json"))


def test_audits_of_shards_are_the_audits_of_one_run(tmp_path):
    facts = tmp_path / "facts.txt"
    facts.write_text("The tower is 300 metres tall.\n")
    lone = {"response": "The tower is 200 metres tall."}
    (tmp_path / "r.jsonl").write_text("\n".join(json.dumps(each) for each in [*RESPONSES, lone]))
    plan = AuditPlan(tmp_path / "r.jsonl", facts=facts)
    found = audit_shards(plan, tmp_path / "out", lambda: Watched(50), shard_rows=5, options=RunOptions())
    assert asyncio.run(audit_responses(plan, tmp_path / "run")) is None
    assert found.shards == 3
    assert found.tables["responses"] == 12
    for name in ("responses", "violations", "audits"):
        assert same(pd.read_parquet(tmp_path / "out" / f"{name}.parquet"), getattr(load(tmp_path / "run"), name))


def test_an_id_that_stands_in_two_shards_of_an_audit_is_refused_before_anything_is_done(tmp_path):
    (tmp_path / "r.jsonl").write_text("\n".join(json.dumps(each) for each in [*RESPONSES, RESPONSES[0]]))
    with pytest.raises(ValueError, match="the id 'r1901' appears twice"):
        audit_shards(AuditPlan(tmp_path / "r.jsonl"), tmp_path / "out", Here, shard_rows=5, options=RunOptions())
