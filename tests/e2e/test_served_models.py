"""Whole runs against an OpenAI-compatible server in a process of its own: killed, limited, faulty."""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter

import pandas as pd
import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.support.fake_openai import control, start_fake_server, stats
from tests.support.forked import Forked
from voirdire.runs import Journal, JournalError

CAST = (
    *("--model", "openai-api/subject", "--interviewer", "openai-api/interviewer"),
    *("--jury", "openai-api/judge-a,openai-api/judge-b,openai-api/judge-c"),
    *("--concepts", "recursion,phoneme", "--levels", "0,0.5,1", "--connections", "8"),
)


@pytest.fixture(scope="module")
def address():
    with start_fake_server() as base_url:
        yield base_url


def reset(base_url):
    control(base_url, reset=True, latency=0.0, plan=[], key=None)


@pytest.fixture
def server(address):
    """One server for all, which has forgotten the test before."""
    reset(address)
    return address


@pytest.fixture(scope="module")
def whole(address, tmp_path_factory):
    """A run that nothing happened to: where it is, what it printed, and what the server was asked how often."""
    reset(address)
    path = tmp_path_factory.mktemp("runs") / "whole"
    return path, voirdire_json(*run_arguments(address, path)), stats(address)["requests"]


def run_arguments(base_url, path, *more):
    return ["run", *CAST, "--base-url", base_url, "-o", str(path), *more]


def tables(path):
    return {name: pd.read_parquet(path / f"{name}.parquet") for name in ("turns", "verdicts", "scores")}


def repeated(requests):
    """How many requests the server saw beyond one each."""
    return sum(count - 1 for count in requests.values())


def test_a_run_killed_three_times_ends_with_the_tables_of_one_that_was_not(whole, server, tmp_path):
    once, printed, asked = whole
    assert printed["stopped"] is None
    control(server, latency=0.05)

    chance = random.Random(11)
    path = tmp_path / "killed"
    in_flight = 0
    for _ in range(3):
        child = Forked(lambda: voirdire(*run_arguments(server, path)))
        goal = recorded(path) + chance.randint(20, 40)
        while recorded(path) < goal and child.poll() is None:
            time.sleep(0.02)
        assert child.poll() is None, "the run ended before it could be killed"
        child.kill()
        in_flight += stats(server)["total"] - recorded(path) - in_flight

    finished = voirdire_json(*run_arguments(server, path))
    assert finished["stopped"] is None
    for name, table in tables(path).items():
        pd.testing.assert_frame_equal(table, tables(once)[name])
    assert finished["models"] == printed["models"]
    requests = stats(server)["requests"]
    assert requests.keys() == asked.keys()
    # Two judges may be asked the same where a request names no judge.
    assert repeated(requests) - repeated(asked) <= in_flight


def recorded(path):
    """Attempts on record in a journal that another process may just be making."""
    try:
        with Journal.open(path / "journal.sqlite", read_only=True) as journal:
            return journal.totals().calls
    except (JournalError, ValueError):
        return 0


@pytest.mark.usefixtures("quick_retries")
def test_faults_of_a_server_are_retried_and_the_tables_are_those_of_a_run_without(whole, server, tmp_path):
    control(server, plan=["429:0.2", "500", "ok", "reset", "503", "truncated", "429", "ok", "invalid_json"])
    voirdire(*run_arguments(server, tmp_path / "faulty"), check=False)
    # A reply that is no JSON is not tried again within a session, but by the next one.
    finished = voirdire_json(*run_arguments(server, tmp_path / "faulty"))
    assert finished["totals"]["errors"] >= 6
    for name, table in tables(tmp_path / "faulty").items():
        pd.testing.assert_frame_equal(table, tables(whole[0])[name])


def test_a_judge_that_refuses_is_missing_and_never_a_score(server, tmp_path):
    control(server, plan=["ok", "refusal"] * 400)
    arguments = ("--concepts", "recursion", "--levels", "0,0.5,1", "--connections", "1", "-o", tmp_path / "r")
    voirdire(
        *("run", "-m", "openai-api/subject", "--jury", "openai-api/judge-a", "--base-url", server, *arguments),
        check=False,
    )
    made = tables(tmp_path / "r")
    missing = made["verdicts"][made["verdicts"]["missing"].notna()]
    assert len(missing) > 0
    assert missing["far"].isna().all()
    assert missing["sas"].isna().all()
    assert made["scores"]["unscored"].notna().sum() == len(missing)


def test_a_wrong_key_leaves_unscored_turns_and_a_sentence_and_no_trace_of_the_key(server, tmp_path):
    control(server, key="right")
    done = voirdire(
        *run_arguments(server, tmp_path / "r", "--json"), check=False, env={"OPENAI_API_KEY": "sk-wrong-key-123456"}
    )
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    everything = b"".join(file.read_bytes() for file in (tmp_path / "r").rglob("*") if file.is_file())
    assert b"sk-wrong-key-123456" not in everything + done.stdout.encode() + done.stderr.encode()
    assert stats(server)["total"] <= 30  # a model that refuses everybody is not called for every dialogue


def test_judges_never_see_the_subjects_name(whole):
    with Journal.open(whole[0] / "journal.sqlite", read_only=True) as journal:
        calls = journal.calls_frame(bodies=True)
    roles = Counter(calls["role"])
    assert roles["judge"] >= 3 * roles["subject"] > 0
    for messages in calls.loc[calls["role"] == "judge", "messages"]:
        assert not any("openai-api/subject" in message["content"] for message in messages)


def test_ctrl_c_keeps_what_is_in_flight_and_the_run_goes_on_to_the_same_tables(whole, server, tmp_path):
    control(server, latency=0.05)
    path = tmp_path / "stopped"
    child = subprocess.Popen(
        [sys.executable, "-m", "voirdire", *run_arguments(server, path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while recorded(path) < 30:
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "Stopping" in said
    kept, go_on = said.splitlines()[-2:]
    assert kept == f"Interrupted. Every answer so far is kept in {path}."
    assert go_on.startswith("To go on: voirdire run ") and str(path) in go_on
    assert "Traceback" not in said
    assert stats(server)["total"] == recorded(path)  # nothing that was asked is lost
    voirdire_json(*run_arguments(server, path))
    for name, table in tables(path).items():
        pd.testing.assert_frame_equal(table, tables(whole[0])[name])


@pytest.mark.usefixtures("quick_retries")
def test_a_server_that_hangs_is_given_up_after_the_timeout_and_asked_again(server, tmp_path):
    control(server, plan=["ok", "hang"])
    done = voirdire_json(
        *("run", "-m", "openai-api/subject", "--base-url", server, "--timeout", "1"),
        *("--concepts", "recursion", "--levels", "0", "-o", tmp_path / "r"),
    )
    assert done["stopped"] is None
    assert done["totals"]["errors"] == 1
    with Journal.open(tmp_path / "r" / "journal.sqlite", read_only=True) as journal:
        calls = journal.calls_frame()
    assert calls.loc[calls["status"] == "error", "error_kind"].tolist() == ["timeout"]


def test_a_failed_turn_is_asked_again_by_the_run_also_after_the_jury_judged_the_rest(server, tmp_path):
    call = ("run", "-m", "openai-api/subject", "--base-url", server, "--concepts", "recursion", "--levels", "0")
    control(server, plan=["ok", "400"])
    failed = voirdire(*call, "-o", tmp_path / "r", "--json", check=False)
    assert failed.returncode == 3
    assert "0 of 1 dialogue completed" in json.loads(failed.stdout)["stopped"]
    scored = voirdire("score", tmp_path / "r", "--json", check=False)
    assert json.loads(scored.stdout)["models"][0]["n"] | {"unscored": 1} == json.loads(scored.stdout)["models"][0]["n"]
    other = ("score", tmp_path / "r", "--jury", "simulated/judge")
    voirdire(*other, check=False)
    whole = voirdire_json(*call, "-o", tmp_path / "r")
    assert whole["stopped"] is None
    assert whole["models"][0]["n"]["turns"] == 5
    assert whole["models"][0]["n"]["unscored"] == 0
    again = voirdire_json(*other)  # the other jury has judged the dialogue before it was whole
    assert again["stopped"] is None
    assert again["models"][0]["n"]["turns"] == 5


def test_a_run_can_be_scored_again_without_naming_its_server(whole, server):
    before = stats(server)["total"]
    scored = voirdire_json("score", whole[0])
    assert scored["models"] == whole[1]["models"]
    assert stats(server)["total"] == before


def test_a_limit_on_cost_stops_the_run_and_a_higher_one_goes_on(server, tmp_path):
    preset = tmp_path / "priced.yaml"
    preset.write_text(
        "extends: sound\nconcepts: [recursion]\nlevels: [0, 1]\n"
        f"roles: {{subject: {{base_url: '{server}', price_per_million: [1, 1]}}}}\n"
    )
    call = ("run", "-m", "openai-api/subject", "-p", preset, "-o", tmp_path / "r")
    stopped = voirdire(*call, "--max-cost", "0.001", "--json", check=False)
    assert stopped.returncode == 3
    assert "is spent" in json.loads(stopped.stdout)["stopped"]
    spent = json.loads(stopped.stdout)["totals"]["cost_usd"]
    assert 0.0003 < spent <= 0.001
    whole = voirdire_json(*call, "--max-cost", "1")
    assert whole["stopped"] is None
    assert whole["totals"]["calls"] == 10


def test_every_model_keeps_to_its_own_connections_and_uses_them_again_also_one_that_answers_and_judges(
    server, tmp_path
):
    control(server, latency=0.02)
    voirdire_json(
        *("run", "--model", "openai-api/one", "--model", "openai-api/two"),
        *("--jury", "openai-api/two,openai-api/three", "--concepts", "recursion,phoneme", "--levels", "0,0.5,1"),
        *("--connections", "4", "--base-url", server, "-o", str(tmp_path / "run")),
    )
    seen = stats(server)
    assert {name: model["max_concurrent"] for name, model in seen["models"].items()} == {"one": 4, "two": 4, "three": 4}
    assert seen["connections"] == 12 < seen["total"]
