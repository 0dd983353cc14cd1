"""Audits by models on an OpenAI-compatible server in a process of its own."""

import json

import pytest

from tests.cli.here import voirdire
from tests.support.fake_openai import control, start_fake_server, stats

FACTS = "The bridge opened on 4 May 1907.\nIt cost 310,000 pounds.\n"
RESPONSES = [
    {"id": f"r{number}", "response": f"The bridge opened on {number} May 1907. It cost 310,000 pounds."}
    for number in range(1, 7)
]
PANEL = "rules,openai-api/auditor-a,openai-api/auditor-b"


@pytest.fixture(scope="module")
def address():
    with start_fake_server() as base_url:
        yield base_url


@pytest.fixture
def server(address):
    """One server for all, which has forgotten the test before."""
    control(address, reset=True, plan=[])
    return address


@pytest.fixture
def files(tmp_path):
    (tmp_path / "facts.txt").write_text(FACTS)
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, RESPONSES)))
    return tmp_path


def audit(server, files, run, *more, check=True):
    asked = ("--facts", files / "facts.txt", "--responses", files / "answers.jsonl", "--auditor", PANEL)
    done = voirdire("integrity", "audit", *asked, "--base-url", server, "-o", files / run, "--json", *more, check=check)
    return done, [json.loads(line) for line in done.stdout.splitlines()]


def test_a_panel_of_rules_and_models_audits_and_what_cannot_be_verified_is_void(server, files):
    _, found = audit(server, files, "run")

    assert [each["id"] for each in found] == [each["id"] for each in RESPONSES]
    auditors = found[0]["auditors"]
    assert [each["auditor"] for each in auditors] == PANEL.split(",")
    # The server's models quote what is not there: nothing of that stands.
    assert all(each["voided"] and each["missing"] is None for each in auditors[1:])
    assert not any(each["provisional"] for each in found)


def test_the_same_audit_again_asks_nobody_and_prints_the_same(server, files):
    _, first = audit(server, files, "run")
    before = stats(server)["total"]

    _, again = audit(server, files, "run")

    assert again == first and stats(server)["total"] == before


@pytest.mark.usefixtures("quick_retries")
def test_faults_of_a_server_are_retried_and_the_audits_are_those_of_a_run_without(server, files):
    _, whole = audit(server, files, "whole")
    control(server, reset=True, plan=["429:0.2", "500", "ok", "reset", "503", "truncated", "ok", "invalid_json"])

    audit(server, files, "faulty", check=False)
    _, finished = audit(server, files, "faulty")

    assert finished == whole


def test_an_auditor_that_refuses_is_missing_and_the_command_says_that_it_is_not_complete(server, files):
    control(server, plan=["refusal"] * 200)

    done, found = audit(server, files, "run", check=False)

    assert done.returncode == 3
    assert "openai-api/auditor-a gave no audit of 6 responses, and no further call brings one" in done.stderr
    assert all(each["score"] is None and each["unscored"] == "few_auditors" for each in found)


def test_a_limit_on_calls_stops_the_audit_and_a_higher_one_goes_on(server, files):
    done, found = audit(server, files, "run", "--max-calls", 4, "--connections", 1, check=False)
    assert done.returncode == 3 and len(found) < len(RESPONSES)

    _, finished = audit(server, files, "run")

    assert len(finished) == len(RESPONSES)


def test_what_a_model_proposes_for_facts_is_on_record_and_stands_only_if_it_changes_nothing(server, files):
    asked = ("integrity", "facts", files / "facts.txt", "--proposer", "openai-api/splitter", "--base-url", server)

    done = voirdire(*asked, "--run", files / "proposed", "--json")

    # The server's model says nothing of these facts: they stay as the rules have them.
    assert [fact["text"] for fact in json.loads(done.stdout)] == FACTS.splitlines()
    assert "F1: nothing was proposed. Split by rule instead." in done.stderr
    before = stats(server)["total"]
    voirdire(*asked, "--run", files / "proposed", "--json")
    assert before >= 1 and stats(server)["total"] == before
