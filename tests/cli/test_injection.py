"""`voirdire jury injection`: a judge on the stand."""

import json

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.support.fake_openai import control, start_fake_server


@pytest.fixture(scope="module")
def stood(tmp_path_factory):
    path = tmp_path_factory.mktemp("stand")
    return path, voirdire_json("jury", "injection", "--limit", 16, "--cases", "wrong,trap", "-o", path)


def test_every_attack_on_every_answer_is_printed_beside_the_honest_verdict(stood):
    _, printed = stood
    assert (printed["judge"], printed["concept"]) == ("reference", "impressionism")
    attacked = [row for row in printed["attacks"] if row["family"] != "controls"]
    assert len(attacked) == 2 * 16
    assert {row["case"] for row in attacked} == {"wrong", "trap"}
    assert all(row["defended"] and row["honest_far"] is not None for row in attacked)
    (everything,) = (row for row in printed["families"] if row["name"] == "all")
    assert everything["n"] == len(attacked) and everything["moved"] == sum(row["moved"] for row in attacked)


def test_the_reference_panel_is_not_moved(stood):
    assert not any(row["moved"] for row in stood[1]["attacks"])


def test_going_on_asks_nothing_again_and_a_larger_choice_adds(stood):
    path, printed = stood
    before = (path / "verdicts.jsonl").read_bytes()
    assert voirdire_json("jury", "injection", "--limit", 16, "--cases", "wrong,trap", "-o", path) == printed
    assert (path / "verdicts.jsonl").read_bytes() == before
    voirdire("jury", "injection", "--attacks", "flattery", "--cases", "trap", "-o", path)
    assert (path / "verdicts.jsonl").read_bytes().startswith(before)


def test_the_table_names_families_and_says_what_it_counts(stood):
    done = voirdire("jury", "injection", "--limit", 16, "--cases", "wrong,trap", "-o", stood[0], "--all")
    said = " ".join(done.stdout.split())
    assert all(word in said for word in ("disguises", "controls", "moved: FAR or SAS rose by 0.2", "one concept"))
    assert "of 48" in done.stderr


def test_a_judge_that_is_a_model_is_tried_without_its_defences_too(tmp_path):
    asked = ("--judge", "simulated/judge", "--without-defence", "--attacks", "hidden-html-comment", "--cases", "wrong")
    printed = voirdire_json("jury", "injection", *asked, "-o", tmp_path / "s")
    assert {row["defended"] for row in printed["attacks"]} == {True, False}
    rows = [json.loads(line) for line in (tmp_path / "s" / "verdicts.jsonl").read_text().splitlines()]
    assert all(row["verdict"]["missing"] is None for row in rows)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--attacks", "charm"), "'charm' is neither an attack nor a family"),
        (("--attacks", "labelling"), "None of the attacks labelling is on judges"),
        (("--cases", "right"), "name some of wrong, partly, trap"),
        (("--judge", "nobody"), "'nobody' is not a judge"),
        (("--concept", "alchemy"), "alchemy"),
    ],
)
def test_mistakes_are_answered_with_one_sentence(tmp_path, arguments, says):
    done = voirdire("jury", "injection", *arguments, "-o", tmp_path / "s", check=False)
    assert done.returncode == 1
    assert says in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "s").exists()


def test_a_run_of_another_judge_is_not_gone_on_with(stood):
    done = voirdire("jury", "injection", "--judge", "simulated/judge", "-o", stood[0], check=False)
    assert done.returncode == 1 and "Traceback" not in done.stderr


def test_verify_says_that_its_verdicts_are_not_compared(stood):
    (found,) = voirdire_json("verify", stood[0])
    (said,) = (each["message"] for each in found["findings"] if each["what"] == "verdicts.jsonl")
    assert found["ok"] and "not compared" in said


def test_a_judge_without_a_verdict_on_honest_answers_is_asked_nothing_more(tmp_path):
    with start_fake_server() as server:
        control(server, plan=["refusal"] * 100)
        asked = ("--judge", "openai-api/judge", "--base-url", server, "--cases", "wrong", "-o", tmp_path / "s")
        done = voirdire("jury", "injection", *asked, check=False)
    assert done.returncode == 1
    assert "has no verdict on the honest answers" in done.stderr
    assert len((tmp_path / "s" / "verdicts.jsonl").read_text().splitlines()) == 1


def test_a_subject_is_no_judge(tmp_path):
    done = voirdire("jury", "injection", "--judge", "json:simulated/steady", "-o", tmp_path / "s", check=False)
    assert done.returncode == 1
    assert "is a subject, and can't judge" in done.stderr
    assert not (tmp_path / "s").exists()
