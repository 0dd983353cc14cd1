"""With Ray itself: a cluster of two CPUs on this machine, for all tests of this file."""

import json
import os
import signal
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from tests.adapters.ray.examples import entries, write_parquet
from tests.adapters.ray.test_runs import same
from tests.cli.here import voirdire, voirdire_json
from tests.cognibench.made_data import write_data
from tests.support.fake_openai import control
from tests.support.labelling_server import start_labelling_server
from voirdire.adapters.loading import load
from voirdire.adapters.ray import Spread, open_cluster
from voirdire.adapters.ray.workers import Worker


class Fragile(Worker):
    """Dies at its first shard, once."""

    def work(self, task):
        died = Path(task["died"])
        if not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return {"number": task["number"]}


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Later commands find it running, and leave it so."""
    with open_cluster(Spread(workers=2)) as executor:
        yield executor


@pytest.fixture(scope="module")
def server():
    with start_labelling_server() as base_url:
        yield base_url


def test_detect_gives_the_same_rows(tmp_path):
    source = write_parquet(tmp_path / "data.parquet", entries(40))
    said = voirdire("detect", source, "--engine", "ray", "--shard-rows", "9", "-o", tmp_path / "out").stdout
    here = voirdire("detect", source, "-o", tmp_path / "here.parquet").stdout
    assert said.splitlines()[0] == here.splitlines()[0]
    by_id = [("id", "ascending"), ("start", "ascending")]
    there = [pq.read_table(tmp_path / name).sort_by(by_id).to_pylist() for name in ("out", "here.parquet")]
    assert there[0] == there[1]


def test_labelling_gives_the_same_rows(tmp_path, server):
    control(server, reset=True, plan=[])
    data = write_data(tmp_path / "data.jsonl", dialogues=4, labelled=2)
    asked = ("label", data, "--labeller", "openai-api/labeller", "--base-url", server, "--votes", "2")
    found = voirdire_json(*asked, "--engine", "ray", "--shard-rows", "3", "-o", tmp_path / "out")
    assert (found["shards"], found["complete"], found["tables"]["statements"]) == (3, 3, 20)
    voirdire(*asked, "-o", tmp_path / "run")
    for name in ("statements", "answers"):
        assert same(pd.read_parquet(tmp_path / "out" / f"{name}.parquet"), getattr(load(tmp_path / "run"), name))
    again = voirdire_json(*asked, "--engine", "ray", "--shard-rows", "3", "-o", tmp_path / "out")
    assert again == {**found, "skipped": 3}


def test_audits_give_the_same_rows(tmp_path):
    responses = [
        {"id": f"r{year}", "response": f"It opened in {year}.", "facts": ["It opened in 1907."]}
        for year in range(1900, 1920)
    ]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, responses)))
    asked = ("integrity", "audit", "--responses", tmp_path / "r.jsonl")
    said = voirdire(*asked, "--engine", "ray", "--shard-rows", "8", "-o", tmp_path / "out").stdout
    assert "Complete: 3 of 3 shards; before: 0." in said
    voirdire(*asked, "-o", tmp_path / "run")
    for name in ("responses", "violations", "audits"):
        assert same(pd.read_parquet(tmp_path / "out" / f"{name}.parquet"), getattr(load(tmp_path / "run"), name))


def test_a_worker_that_dies_is_replaced(cluster, tmp_path):
    tasks = [{"number": number, "died": str(tmp_path / "died")} for number in range(3)]
    assert sorted(said["number"] for said in cluster.map(Fragile, tasks)) == [0, 1, 2]
