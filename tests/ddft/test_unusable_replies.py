"""Replies of judges that can't be used are counted, once each, and told while a run goes on."""

import asyncio
import json

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.support import refuser
from voirdire.ddft.unusable_replies import MonitoredJury, unusable_replies
from voirdire.jury import Decision
from voirdire.models import simulated
from voirdire.records import Consensus, Verdict
from voirdire.runs import NullProgress, RunFolder

MENDED = Verdict("a", 0.5, 0.5, repairs=1)
MISSING = Verdict("b", None, None, missing="no usable verdict after 2 repairs: no JSON", repairs=2)
FAILED = Verdict("c", None, None, missing="the call failed", call_failed=True, repairs=1)
NO_SCORE = Consensus(None, None, False, None, 0, unscored="too few")


class Told(NullProgress):
    def __init__(self):
        self.replies, self.said = 0, []

    def replies_unusable(self, number):
        self.replies += number

    def say(self, text):
        self.said.append(text)


class Jury:
    jury_id = "j"

    async def decide(self, task):
        return Decision((MENDED, MISSING, FAILED), NO_SCORE)

    async def decide_dialogue(self, tasks):
        return [await self.decide(task) for task in tasks]


@pytest.mark.parametrize(("granularity", "replies"), [("turn", 2 * (1 + 3 + 1)), ("dialogue", 1 + 3 + 1)])
def test_a_reply_on_several_turns_counts_once_and_the_first_reason_is_told_once(granularity, replies):
    told, stopped = Told(), []
    asyncio.run(MonitoredJury(Jury(), told, granularity, stopped.append, "").decide_dialogue([None, None]))
    assert told.replies == replies
    assert told.said == ["A judge's replies can't be used. b: no usable verdict after 2 repairs: no JSON."]
    assert stopped == []


@pytest.mark.parametrize(
    ("granularity", "turns", "stops"), [("turn", 12, True), ("turn", 11, False), ("dialogue", 60, False)]
)
def test_a_judge_who_never_gives_a_verdict_stops_the_run(granularity, turns, stops):
    """Not one who is unreachable, whose calls are made again, nor one who gave a verdict once."""
    stopped = []
    asyncio.run(MonitoredJury(Jury(), Told(), granularity, stopped.append, "").decide_dialogue([None] * turns))
    assert [each.split(" can ")[0].split()[-1] for each in stopped] == (["b"] if stops else [])


@pytest.fixture
def held(tmp_path, monkeypatch):
    """Two concepts at one level; the second judge of two never writes a verdict."""
    said = simulated.SimulatedModel._reply_text

    def unusable(self, scene, schema, seed):
        return (
            "Quite good."
            if scene.answer is not None and "noisy" in self.identity.spec
            else said(self, scene, schema, seed)
        )

    monkeypatch.setattr(simulated.SimulatedModel, "_reply_text", unusable)
    options = ("--concepts", "recursion,phoneme", "--levels", "0", "--jury", "simulated/judge,simulated/noisy")
    return voirdire("run", "-m", "simulated/steady", *options, "-o", tmp_path / "r", check=False), tmp_path / "r"


def test_the_end_of_a_run_the_json_and_the_progress_say_how_many_and_why(held):
    done, path = held
    printed = " ".join(done.stdout.split())
    assert done.returncode == 3
    assert "10 turns asked, 0 with a score, 10 unscored; 50 calls (0 failed, 30 replies of judges unusable)" in printed
    first = "simulated/noisy: no usable verdict after 2 repairs: the reply must be one JSON object"
    assert f"The first that could not be used: {first}" in printed
    assert "30 replies unusable" in done.stderr and f"A judge's replies can't be used. {first}" in done.stderr
    found = voirdire_json("show", path)["unusable_replies"]
    assert found["replies"] == 30 and found["first"].startswith(first)


def test_a_judge_whose_verdicts_are_missing_is_named_with_counts_where_no_turn_has_a_score(held):
    done, path = held
    said = "No turn has a score of the panel. Missing verdicts: simulated/noisy on 10 of 10 turns."
    assert said in " ".join(done.stdout.split())
    assert said in " ".join(voirdire("show", path).stdout.split())
    found = voirdire_json("show", path)["judges_missing"]
    assert found["code"] == "note_no_panel_score"
    assert [(each["judge"], each["missing"], each["turns"]) for each in found["judges"]] == [
        ("simulated/noisy", 10, 10)
    ]
    report = voirdire("report", path, "--to", "md").stdout
    assert said in report
    assert "No turn has a score of the panel (simulated/judge and simulated/noisy)" in report
    assert "No turn is scored, so that nothing is measured." in report and "intervals need three" not in report


def test_no_output_blames_too_few_concepts_where_no_turn_has_a_score(held):
    gated = json.loads(voirdire("gate", held[1], "--min", "ER=0.5", "--sound", "--json", check=False).stdout)
    assert gated["runs"][0]["reservations"] == [] and gated["runs"][0]["failed_checks"] == ["missing_verdicts"]


def test_the_first_reason_is_given_where_a_repair_mended_every_reply(tmp_path, monkeypatch):
    said, replies = simulated.SimulatedModel._reply_text, []

    def mended(self, scene, schema, seed):
        if scene.answer is None:
            return said(self, scene, schema, seed)
        replies.append(scene)
        return "Quite good." if len(replies) == 1 else said(self, scene, schema, seed)

    monkeypatch.setattr(simulated.SimulatedModel, "_reply_text", mended)
    options = ("--concepts", "recursion", "--levels", "0", "--jury", "simulated/judge")
    done = voirdire("run", "-m", "simulated/steady", *options, "-o", tmp_path / "r")
    first = "simulated/judge: the reply must be one JSON object and nothing else, with no text before or after it"
    assert f"The first that could not be used: {first} (asked again)." in " ".join(done.stdout.split())
    assert "can't be used" not in done.stderr
    assert voirdire_json("show", tmp_path / "r")["unusable_replies"] == {
        "replies": 1,
        "first": f"{first} (asked again)",
    }


def test_nothing_is_said_of_a_jury_whose_replies_can_all_be_used(held):
    path = held[1]
    done = voirdire("score", path, "--jury", "simulated/judge")
    assert "unusable" not in done.stdout + done.stderr and "can't be used" not in done.stdout
    with RunFolder.open(path, read_only=True) as folder:
        assert unusable_replies(folder.journal, "nobody", "turn") == (0, None)


def test_a_run_stops_before_all_of_it_is_judged_in_vain_and_says_what_can_be_done(tmp_path):
    refuser.register_refuser()
    path = tmp_path / "r"
    options = ("-m", "simulated/steady", "--concepts", "recursion,phoneme,derivative", "--levels", "0,0.5,1")
    done = voirdire("run", *options, "--jury", refuser.MUTE, "-o", path, check=False)
    assert done.returncode == 3
    stop = f"No verdict of {refuser.MUTE} can be used, and no answer gets a score without one. This run can't continue"
    assert stop in " ".join(done.stdout.split())
    shown = " ".join(voirdire("show", path).stdout.split())
    assert f"(no verdict of {refuser.MUTE} can be used: start a new run with other judges, in another folder)" in shown
    assert "voirdire run continues" not in shown
    calls = voirdire_json("show", path)["totals"]["calls"]
    assert calls < 4 * 45, "45 turns, each judged in three tries"
    voirdire("score", path, "--jury", "simulated/judge", check=False)
    assert voirdire_json("show", path, "--jury", "simulated/judge")["models"][0]["n"]["unscored"] == 0
    refused = voirdire("run", *options, "--jury", "simulated/judge", "-o", path, check=False)
    assert refused.returncode == 1
    said = f"No verdict of {refuser.MUTE} can be used, so the run in {path} can't go on, and a run keeps its judges"
    assert said in " ".join(refused.stderr.split())


def test_a_judge_in_vain_whom_the_others_can_spare_stops_nothing_and_is_named(tmp_path):
    refuser.register_refuser()
    path, jury = tmp_path / "r", f"simulated/judge,simulated/noisy,{refuser.MUTE}"
    options = ("-m", "simulated/steady", "--concepts", "recursion,phoneme,derivative", "--levels", "0,0.5,1")
    done = voirdire("run", *options, "--jury", jury, "-o", path, check=False)
    assert done.stderr.count(f"No verdict of {refuser.MUTE} can be used: the other judges decide.") == 1
    found = voirdire_json("show", path)
    assert found["finished"] and found["dialogues"] == 9
    without = "simulated/judge,simulated/noisy"
    assert f"(voirdire score {path} --jury {without} goes on without, and asks nobody again; " in found["stopped"]
    assert found["models"][0]["n"]["unscored"] == 0 and found["models"][0]["metrics"]["ER"] is not None
    assert found["validity"]["failed"] == [] and "missing_verdicts" in found["validity"]["warned"]
    named = f"{refuser.MUTE} on 45 of 45 turns"
    assert named in " ".join(voirdire("show", path).stdout.split())
    assert named in voirdire("report", path, "--to", "md").stdout
    checks = voirdire("validate", path, "--all").stdout
    assert f"{refuser.MUTE}: 45 of 45 missing" in " ".join(checks.split())
    brief = " ".join(voirdire("validate", path).stdout.split())
    assert f"missing_verdicts warns: {refuser.MUTE} gave no verdict, and the others decide" in brief
    assert "the mean of 2" in " ".join(checks.split())
    assert "not judged yet" not in checks
