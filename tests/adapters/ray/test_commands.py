"""The commands with `--engine ray`, with this process in the place of a cluster."""

import json
from contextlib import contextmanager

import pytest

from tests.adapters.ray.examples import entries, write_lines
from tests.cli.here import voirdire, voirdire_json
from tests.cognibench.made_data import write_data
from tests.support.labelling_server import start_labelling_server
from voirdire.adapters import ray
from voirdire.adapters.ray import Here


@pytest.fixture(autouse=True)
def opened(monkeypatch):
    """Over what each command spread its work."""
    spreads = []

    @contextmanager
    def open_cluster(spread):
        spreads.append(spread)
        yield Here()

    monkeypatch.setattr(ray, "check_installed", lambda: None)
    monkeypatch.setattr(ray, "open_cluster", open_cluster)
    return spreads


def test_detect_says_what_one_process_says_and_where_the_shards_are(tmp_path, opened):
    source = write_lines(tmp_path / "data.jsonl")
    asked = ("detect", source, "--engine", "ray", "--shard-rows", "9", "-o", tmp_path / "out")
    done = voirdire(*asked, "--address", "auto", "--workers", "4", "--gpus", "0.5", "--fail-on-flagged", check=False)
    assert done.returncode == 100
    assert done.stdout.splitlines() == [
        *voirdire("detect", source, "-o", tmp_path / "here.jsonl").stdout.splitlines()[:-1],
        f"Every sentence with its score is in {tmp_path / 'out'}, in 3 shards (there before: 0).",
    ]
    *progress, why = done.stderr.splitlines()
    assert progress == ["0 of 3 shards", "1 of 3 shards", "2 of 3 shards", "3 of 3 shards"]
    assert why.startswith("The check fails: ") and why.endswith("--fail-on-flagged allows none.")
    (spread,) = opened
    assert (spread.address, spread.workers, spread.gpus) == ("auto", 4, 0.5)


def test_no_cluster_is_opened_for_shards_that_are_there(tmp_path, opened):
    asked = ("detect", write_lines(tmp_path / "data.jsonl"), "--engine", "ray", "-o", tmp_path / "out")
    voirdire(*asked)
    assert "in 1 shard (there before: 1)." in voirdire(*asked).stdout
    assert len(opened) == 1


def test_a_labelling_that_is_not_complete_says_so_and_goes_on(tmp_path):
    data = write_data(tmp_path / "data.jsonl", dialogues=3)
    with start_labelling_server() as server:
        asked = ("label", data, "--labeller", "openai-api/labeller", "--base-url", server, "--votes", "1")
        spread = (*asked, "--engine", "ray", "--shard-rows", "2", "-o", tmp_path / "out")
        done = voirdire(*spread, "--max-calls", "3", check=False)
        assert done.returncode == 3
        assert "Complete: 0 of 3 shards; before: 0." in done.stdout
        assert "Shard 00000 is not complete: the limit of 1 call is reached." in done.stdout
        assert voirdire_json(*spread) == {
            "out": str(tmp_path / "out"),
            "shards": 3,
            "complete": 3,
            "skipped": 0,
            "stopped": {},
            "tables": {"answers": 6, "statements": 15},
        }


def test_an_audit_names_its_tables(tmp_path):
    lines = [json.dumps({"response": f"It is {n}.", "facts": ["It is 3."]}) for n in range(4)]
    (tmp_path / "r.jsonl").write_text("\n".join(lines))
    asked = ("integrity", "audit", "--responses", tmp_path / "r.jsonl", "--engine", "ray", "--shard-rows", "3")
    said = voirdire(*asked, "-o", tmp_path / "out").stdout
    assert f"{tmp_path / 'out' / 'responses'}.parquet: 4 rows" in said


@pytest.mark.parametrize(
    "command",
    [
        ("detect", "DATA"),
        ("label", "DATA", "--labeller", "openai/gpt-5.1"),
        ("integrity", "audit", "--responses", "DATA"),
    ],
)
def test_a_folder_must_be_named(tmp_path, command):
    data = write_lines(tmp_path / "data.jsonl", entries(2))
    done = voirdire(*[data if each == "DATA" else each for each in command], "--engine", "ray", check=False)
    assert done.returncode == 1
    assert "name it with -o OUT" in done.stderr
