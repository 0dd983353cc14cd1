"""What a provider can do wrong, one fault at a time: what is kept, what is tried again, and what the user is told."""

import asyncio
import itertools
import json
import math
import os
import re
import signal
import sqlite3
import threading
import time
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

from tests.cli.here import voirdire
from tests.support.fake_openai import control, start_fake_server, stats
from tests.support.study import write_study
from voirdire.ddft.published import published_turns
from voirdire.models import ModelOptions, open_model
from voirdire.models.providers import http_recording
from voirdire.records import CallFailure, Message, Reply, Request, Settings, Slot, Usage
from voirdire.runs import Budget, Journal, NullProgress, RetryPolicy, Runner, RunStopped, attempt, rows, session
from voirdire.runs.limits import Limiter

SPEC = "openai-api/subject"
NO_WAIT = RetryPolicy(attempts=2, base=0.0, timeout=5.0)
SHORT = RetryPolicy(attempts=2, base=0.0, timeout=0.2)


@pytest.fixture(scope="module")
def address():
    with start_fake_server() as base_url:
        yield base_url


@pytest.fixture
def server(address):
    control(address, reset=True, plan=[], plans={}, each=False)
    return address


class Told(NullProgress):
    def __init__(self):
        self.said = []

    def say(self, text):
        self.said.append(text)


@dataclass
class Outcome:
    """What came of some requests, one after the other."""

    replies: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    said: list = field(default_factory=list)
    totals: object = None


def ask(server, path, *plan, calls=1, retry=NO_WAIT, price=(1.0, 1.0), budget=None):
    """Ask a model whose price is known, while the server goes through the plan."""
    control(server, plan=list(plan))

    async def play():
        model = open_model(SPEC, ModelOptions(base_url=server, price_per_million=price))
        told, found = Told(), Outcome()
        with Journal.open(path / "journal.sqlite") as journal:
            async with Runner(journal, {SPEC: model}, retry=retry, budget=budget, progress=told) as runner:
                for turn in range(1, calls + 1):
                    request = Request(Slot("d", turn, "subject"), (Message.of("user", "Go on."),), Settings(50))
                    try:
                        found.replies.append(await runner.ask(SPEC, request))
                    except RunStopped as stop:
                        found.replies.append(stop)
            found.said, found.totals = told.said, journal.totals()
        await model.aclose()
        return found

    found = asyncio.run(play())
    with closing(sqlite3.connect(path / "journal.sqlite")) as connection:
        connection.row_factory = sqlite3.Row
        found.rows = connection.execute("SELECT * FROM calls ORDER BY id").fetchall()
    return found


# --- calls that fail ------------------------------------------------------------------------------------

FAILURES = {
    "429": ("rate_limit", r"asks to slow down \(429: fault 429 as planned\)"),
    "500": ("server", r"failed \(500: fault 500 as planned\)"),
    "502": ("server", r"failed \(502: "),
    "503": ("server", r"failed \(503: "),
    "html:502": ("server", r"failed \(502: <html>"),
    "reset": ("connection", r"the connection to http://127\.0\.0\.1:\d+/v1 broke off \("),
    "half": ("connection", r"the connection to http://127\.0\.0\.1:\d+/v1 broke off \("),
    "endless": ("connection", r"broke off \(the response is longer than 1 MB\)"),
    "hang": ("timeout", r"no answer within 0\.2 s"),
    "trickle:60": ("timeout", r"no answer within 0\.2 s"),
    "invalid_json": ("server", r"no reply of a model \(what came is not JSON\)"),
    "body:" + "[" * 100_000: ("server", r"no reply of a model \(what came is not JSON\)"),
    "html": ("server", r"no reply of a model \(text/html; charset=utf-8 came instead of JSON\)"),
    "text": ("server", r"no reply of a model \(text/plain came instead of JSON\)"),
    "body:[]": ("server", r"no reply of a model \(what came is JSON without a choice in it\)"),
    'body:"Hello."': ("server", r"without a choice"),
    "body:null": ("server", r"without a choice"),
    "body:{}": ("server", r"without a choice"),
    "no_choices": ("server", r"without a choice"),
    'body:{"choices": ["a"]}': ("server", r"no reply of a model"),
    "400": ("bad_request", r"refused the request \(400: "),
    "401": ("auth", r"refused the key \(401: "),
    "404": ("not_found", r"there is no model 'subject' at .* or the address is wrong \(404: "),
    "redirect": ("not_found", r"sends callers on to http://.*/elsewhere/v1/chat/completions, and was not followed"),
}
WILL_NOT_PASS = ("auth", "not_found", "bad_request")


@pytest.mark.parametrize("fault", FAILURES, ids=lambda fault: fault[:20])
def test_a_call_that_fails_says_so_in_a_sentence_and_is_tried_again_where_that_may_help(
    server, tmp_path, monkeypatch, fault
):
    monkeypatch.setattr("voirdire.models.providers.http.MOST_BYTES", 2**20)
    kind, words = FAILURES[fault]
    retry = SHORT if kind == "timeout" else NO_WAIT
    passes = kind not in WILL_NOT_PASS
    found = ask(server, tmp_path, fault, "ok", retry=retry)
    (outcome,), (failed, *rest) = found.replies, found.rows
    assert (failed["status"], failed["error_kind"]) == ("error", kind)
    assert re.search(words, failed["error_text"])
    assert failed["error_text"].startswith(f"{SPEC}: ") and "\n" not in failed["error_text"]
    assert len(failed["error_text"]) < 500
    assert isinstance(outcome, Reply) if passes else outcome == CallFailure(kind, failed["error_text"], 1)
    assert [row["status"] for row in rest] == ["ok"] * passes
    assert found.said == ([] if passes else [f"A call failed after an attempt: {failed['error_text']}"])
    assert found.totals.errors == 1
    assert stats(server)["elsewhere"] == 0


def test_a_call_that_fails_to_the_last_attempt_is_told_of_once_and_asked_again_by_the_next_session(server, tmp_path):
    found = ask(server, tmp_path, "503...", calls=3)
    assert [outcome.attempts for outcome in found.replies] == [2, 2, 2]
    assert found.said == [f"A call failed after 2 attempts: {found.rows[0]['error_text']}"]
    again = ask(server, tmp_path, calls=3)
    assert all(isinstance(outcome, Reply) for outcome in again.replies)
    assert again.totals.calls == 9 and again.totals.errors == 6


def test_a_model_that_is_gone_is_not_called_again_after_three_refusals(server, tmp_path):
    found = ask(server, tmp_path, "ok", "404...", calls=9)
    assert stats(server)["total"] == 4
    assert [type(outcome) for outcome in found.replies] == [Reply] + [CallFailure] * 8
    assert [said.partition(":")[0] for said in found.said] == [
        "A call failed after an attempt",
        f"{SPEC} is not called again",
    ]
    assert found.replies[-1].message.startswith("Not tried, after 3 refusals of this model in a row")


# --- waits ----------------------------------------------------------------------------------------------


@pytest.fixture
def pauses(monkeypatch):
    """The waits that a model's calls would have made."""
    asked = []
    monkeypatch.setattr(Limiter, "pause", lambda self, seconds: asked.append(seconds))
    return asked


@pytest.mark.parametrize(
    ("header", "recorded", "waited"),
    [
        ("", None, 0),
        (":2", 2, 2),
        (":0", 0, 0),
        (":-5", None, 0),
        (":nan", None, 0),
        (":inf", None, 0),
        (":soon", None, 0),
        (":1e12", None, 0),
        (":999999999", 999_999_999, 3600),
        (":date:30", 30, 30),
        (":date:-3600", 0, 0),
        (":date:400000000", 400_000_000, 3600),
    ],
)
def test_a_wait_that_makes_sense_is_waited_and_none_is_longer_than_an_hour(
    server, tmp_path, pauses, header, recorded, waited
):
    found = ask(server, tmp_path, f"429{header}", "503" + header, "ok", retry=RetryPolicy(attempts=3, base=0.0))
    assert isinstance(found.replies[0], Reply)
    assert pauses == pytest.approx([waited, waited], abs=1.5)
    for row in found.rows[:2]:
        assert row["retry_after"] is None if recorded is None else abs(row["retry_after"] - recorded) <= 1.5
    told = f"{SPEC}: its provider asks for a wait of "
    assert [said.startswith(told) for said in found.said] == ([True] if waited >= 15 else [])


@pytest.mark.parametrize("leap", [timedelta(hours=1), timedelta(hours=-1), timedelta(days=4000)], ids=str)
def test_a_clock_that_leaps_changes_no_wait_no_time_and_no_limit(server, tmp_path, pauses, monkeypatch, leap):
    begun, looks = datetime.now(UTC), itertools.count()

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return begun + leap * (next(looks) % 2)

    monkeypatch.setattr(attempt, "datetime", Clock)
    monkeypatch.setattr("pydantic_ai.exceptions.datetime", Clock)
    monkeypatch.setattr("time.time", lambda: Clock.now().timestamp())
    found = ask(server, tmp_path, "429:date:30", "ok", "ok", calls=2)
    assert all(isinstance(outcome, Reply) for outcome in found.replies)
    assert pauses == pytest.approx([30.0], abs=1.5)
    assert all(0 <= row["seconds"] < 5 for row in found.rows)
    assert len({row["started_at"] for row in found.rows}) > 1


# --- replies that are replies ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "finish", "text"),
    [
        ("refusal", "refusal", r"^$"),
        ("refusal_field", "refusal", r"can't help"),
        ("empty", "stop", r"^$"),
        ("null", "stop", r"^$"),
        ("cut", "length", r"\w"),
        ("trickle:0.05", "stop", r"\w"),
        ("model:another", "stop", r"\w"),
    ],
)
def test_a_refusal_silence_and_a_cut_reply_are_kept_as_what_they_are(server, tmp_path, fault, finish, text):
    found = ask(server, tmp_path, fault)
    (reply,) = found.replies
    assert reply.finish_reason == finish and re.search(text, reply.text)
    assert found.rows[0]["reported_model"] == ("another" if fault == "model:another" else "subject")
    assert ask(server, tmp_path).replies == [reply]  # on record, and not asked for again
    assert stats(server)["total"] == 1


ABSURD = ("usage:-5", "usage:NaN", "usage:1e308", "usage:Infinity", "usage:99999999999999999999999", "usage:1.5")
ABSURD += ('usage:"many"', "usage:null", "usage:true", "usage:[]")


@pytest.mark.parametrize("fault", [*ABSURD, "no_usage"])
def test_a_count_of_tokens_that_makes_no_sense_costs_neither_the_reply_nor_the_sums(server, tmp_path, fault):
    found = ask(server, tmp_path, "ok", fault, calls=2)
    sound, reply = found.replies
    assert reply.text and reply.usage == Usage()
    assert bool(reply.warnings) == (fault != "no_usage")
    first, second = found.rows
    assert first["price_usd"] > 0 and second["price_usd"] is None  # unknown, which is not free
    assert found.totals[:5] == (2, 0, sound.usage.input_tokens, sound.usage.output_tokens, first["price_usd"])
    assert found.totals.unknown_price == 1


def test_a_free_model_stays_free_when_it_counts_no_tokens(server, tmp_path):
    assert ask(server, tmp_path, "no_usage", price=(0.0, 0.0)).rows[0]["price_usd"] == 0


@pytest.mark.parametrize("fault", ["no_usage", "usage:-1000000"])
def test_a_limit_on_cost_stops_the_run_at_a_call_whose_cost_nobody_knows(server, tmp_path, fault):
    found = ask(server, tmp_path, "ok", fault, calls=4, budget=Budget(max_cost=1.0))
    assert [type(outcome) for outcome in found.replies] == [Reply, Reply, RunStopped, RunStopped]
    assert "without a known price" in str(found.replies[-1])
    assert stats(server)["total"] == 2


# --- whole runs -----------------------------------------------------------------------------------------

RUN = ("--concepts", "recursion", "--levels", "0.5", "--connections", "1", "--json")
JURY = "openai-api/judge-a,openai-api/judge-b,openai-api/judge-c,openai-api/judge-d,openai-api/judge-e"


def run(server, path, *more, models=("subject",), jury=JURY, timeout=1, **options):
    """The command, without waits between attempts, nor the collector's work on a test's large heap."""
    named = [part for model in models for part in ("-m", f"openai-api/{model}")]
    where = ("--base-url", server, "--timeout", timeout, "-o", path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RetryPolicy, "delay", lambda self, attempt, random: 0.0)
        patch.setattr(session, "rare_gc", nullcontext)
        return voirdire("run", *named, "--jury", jury, *RUN, *where, *more, **options)


@pytest.fixture(scope="module")
def whole(address, tmp_path_factory):
    """The verdicts of a run that nothing happened to."""
    control(address, reset=True, plan=[], plans={})
    path = tmp_path_factory.mktemp("runs") / "whole"
    run(address, path)
    return tables(path)


def tables(path):
    return {name: pd.read_parquet(path / f"{name}.parquet") for name in ("turns", "verdicts", "scores")}


def test_a_run_through_every_fault_that_passes_ends_with_the_tables_of_one_without(server, whole, tmp_path):
    plans = {
        "subject": ["429:0", "500", "hang", "ok", "reset", "half", "ok", "invalid_json", "html", "body:[]"],
        "judge-a": ["502", "503", "ok", "no_choices", "text", "html:504"],
        "judge-b": ["usage:NaN", "no_usage", "trickle:0.02", "model:another"],
        "judge-c": ["429:soon", "429:nan", "429:-1"],
    }
    control(server, plans=plans)
    printed = json.loads(run(server, tmp_path / "r").stdout)
    assert printed["stopped"] is None
    assert printed["totals"]["errors"] == 16
    assert math.isfinite(printed["totals"]["cost_usd"])
    for name, table in tables(tmp_path / "r").items():
        pd.testing.assert_frame_equal(table, whole[name])


def test_what_never_passes_is_a_missing_verdict_with_its_reason_and_only_what_failed_is_asked_again(
    server, whole, tmp_path
):
    wrong = ["number:1.7", "number:-3", 'number:"0.8"', "number:1e999", "number:NaN", "other_schema", "prose", "empty"]
    control(server, plans={"judge-a": ["ok", "401..."], "judge-b": wrong * 2, "judge-c": ["refusal..."]})
    done = run(server, tmp_path / "r", check=False)
    assert done.returncode == 3
    assert "openai-api/judge-a is not called again: " in done.stderr and "refused the key (401" in done.stderr
    assert "Traceback" not in done.stderr
    made = tables(tmp_path / "r")
    verdicts, scores = made["verdicts"], made["scores"]
    missing = {judge: list(rows["missing"].dropna()) for judge, rows in verdicts.groupby("judge")}
    assert [len(reasons) for reasons in missing.values()] == [4, 5, 5, 0, 0]
    assert all("the call failed (auth)" in reason for reason in missing["openai-api/judge-a"])
    assert all("no usable verdict after 2 repairs" in reason for reason in missing["openai-api/judge-b"])
    assert set(missing["openai-api/judge-c"]) == {"the judge refused"}
    assert verdicts.loc[verdicts["missing"].notna(), ["far", "sas"]].isna().all(axis=None)
    assert list(scores["unscored"].notna()) == [False, True, True, True, True]  # three of five judges are the quorum

    control(server, reset=True, plans={})
    again = run(server, tmp_path / "r", check=False)
    assert again.returncode == 3
    assert {model: seen["calls"] for model, seen in stats(server)["models"].items()} == {"judge-a": 4}
    stopped = json.loads(again.stdout)["stopped"]
    silent = "openai-api/judge-b and openai-api/judge-c gave none"
    assert stopped.startswith(f"1 dialogue lacks a verdict that no further call brings: {silent}")
    assert tables(tmp_path / "r")["scores"]["unscored"].isna().all()
    answers = tables(tmp_path / "r")["turns"]["answer"]
    assert list(answers[:4]) == list(whole["turns"]["answer"][:4])  # the fifth follows the stance that a jury heard


def test_a_model_that_vanishes_stops_no_other_model_of_the_study(server, tmp_path):
    control(server, plans={"gone": ["ok", "ok", "404..."]})
    call = {"models": ("stays", "gone"), "jury": "reference"}
    done = run(server, tmp_path / "r", **call, check=False)
    assert done.returncode == 3
    assert "there is no model 'gone'" in done.stderr
    assert json.loads(done.stdout)["stopped"].startswith("1 of 2 dialogues completed")
    turns = tables(tmp_path / "r")["turns"]
    assert turns.groupby("model")["answer"].count().to_dict() == {"openai-api/gone": 2, "openai-api/stays": 5}

    control(server, reset=True, plans={})
    assert json.loads(run(server, tmp_path / "r", **call).stdout)["stopped"] is None
    assert {model: seen["calls"] for model, seen in stats(server)["models"].items()} == {"gone": 3}


def test_ctrl_c_twice_leaves_at_once_with_a_sentence_and_the_run_goes_on(server, tmp_path):
    control(server, plan=["ok", "ok", "hang"])
    call = {"jury": "reference"}

    def interrupt():
        for _ in range(3000):
            if stats(server)["total"] == 3:
                break
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    done = run(server, tmp_path / "r", timeout=60, check=False, **call)
    other.join()
    assert done.returncode == 130
    assert "Stopping: calls in flight are awaited and kept." in done.stderr
    assert done.stderr.splitlines()[-2] == f"Interrupted. Every answer so far is kept in {tmp_path / 'r'}."
    assert "Traceback" not in done.stderr
    assert "Broken off: 1 call at a provider, which may bill it all the same." in done.stderr
    totals = json.loads(run(server, tmp_path / "r", **call).stdout)["totals"]
    assert (totals["calls"], totals["errors"], totals["interrupted"]) == (6, 1, 1)
    assert stats(server)["total"] == 6  # what was in flight was asked again, and nothing else


# --- half an emoji, from everyone who can reply ----------------------------------------------------------

HALVED = "half_emoji..."
"""Every sentence ends in half of a surrogate pair; where JSON was asked for, as its escape, which is plain ASCII."""


@pytest.mark.parametrize("options", [(), ("--granularity", "dialogue"), ("--preset", "published")], ids=str)
def test_half_an_emoji_from_every_role_of_a_run_costs_no_verdict_and_no_command(server, tmp_path, options):
    control(server, plan=[HALVED])
    path, judges = tmp_path / "r", "openai-api/judge-a,logprob:openai-api/judge-b"
    run(server, path, *("--interviewer", "openai-api/asker", *options), jury=judges, check=False)
    made = tables(path)
    asked = made["verdicts"][made["verdicts"]["judge"].str.contains("judge-a")]
    assert asked["missing"].isna().all() and asked["justification"].str.contains(" \ufffd", regex=False).all()
    assert made["turns"]["answer"].str.endswith(" \ufffd").all()

    for command in (("show",), ("validate",), ("verify",)):
        voirdire(*command, path, check=command[-1] != "validate")
    voirdire("export", path, "--to", "parquet", "-o", tmp_path / "tables")
    voirdire("report", path, "-o", tmp_path / "report.md", "--to", "md")
    voirdire("score", path, "--jury", "openai-api/judge-c", "--base-url", server, "--connections", "1")
    assert tables(path)["verdicts"]["justification"].notna().all()


def test_half_an_emoji_from_a_labeller_an_auditor_or_a_judge_on_the_stand_stops_no_command(server, tmp_path):
    control(server, plan=[HALVED])
    answers, items, facts = (tmp_path / name for name in ("answers.jsonl", "items.jsonl", "facts.txt"))
    said = "It rained on Monday. The river rose."
    answers.write_text(json.dumps({"id": "x", "context": said, "response": said}))
    items.write_text(json.dumps({"id": "x", "response": said}))
    facts.write_text("It rained on Monday.\nThe river rose by two metres.")
    asked = ("--base-url", server)
    labelled = voirdire(
        "label", answers, "--labeller", "openai-api/labeller", *asked, "-o", tmp_path / "labels", check=False
    )
    assert labelled.returncode == 3  # the labeller said no label, and that is told
    audit = ("--responses", items, "--facts", facts, "--auditor", "openai-api/auditor")
    voirdire("integrity", "audit", *audit, *asked, "-o", tmp_path / "audit")
    pilot = ("--pilot-models", "openai-api/subject", "--jury", "openai-api/judge", "--samples", "1")
    piloted = voirdire("concepts", "check", "recursion", *pilot, *asked, "-o", tmp_path / "pilot", check=False)
    assert piloted.returncode in (0, 3, 100)
    stand = ("--judge", "openai-api/judge", "--limit", "1", "--without-defence")
    voirdire("jury", "injection", *stand, *asked, "-o", tmp_path / "stand")
    for path in (tmp_path / name for name in ("labels", "audit", "pilot", "stand")):
        voirdire("verify", path)


def test_half_an_emoji_from_a_judge_on_the_bench_costs_no_verdict(server, tmp_path):
    control(server, plan=[HALVED])
    turns = write_study(tmp_path / "turns.jsonl", published_turns().head(10))
    bench = ("jury", "bench", turns, "--judge", "openai-api/judge", "--base-url", server, "-o", tmp_path / "bench")
    told = json.loads(voirdire(*bench, "--json").stdout)
    assert (told["turns"], told["missing"]) == (10, 0)
    lines = (tmp_path / "bench" / "verdicts.jsonl").read_text().splitlines()
    assert all(json.loads(line)["verdict"]["justification"].endswith(" \ufffd") for line in lines)
    assert json.loads(voirdire(*bench, "--json").stdout) == told
    voirdire("verify", tmp_path / "bench")


# --- replies that can't be written, from everyone who can reply ------------------------------------------


UNWRITABLE = "model:half \ud83d"
"""The name that the model gives itself, which the journal keeps."""


@pytest.fixture
def unguarded(monkeypatch):
    """Half a surrogate pair gets as far as the journal's rows; `undo` puts the guards back."""
    monkeypatch.setattr(http_recording, "_without_halves", lambda body: body)
    for module in (attempt, rows):
        monkeypatch.setattr(module, "storable", lambda reply: reply)
    return monkeypatch


@pytest.mark.parametrize(("who", "asked_again"), [("judge-a", {"judge-a": 1}), ("subject", None), ("asker", None)])
def test_a_reply_that_can_not_be_written_is_missing_and_is_asked_for_again(
    server, tmp_path, unguarded, who, asked_again
):
    call = {"jury": "openai-api/judge-a,openai-api/judge-b", "check": False}
    control(server, plans={who: ["ok", "ok", UNWRITABLE]})
    done = run(server, tmp_path / "r", "--interviewer", "openai-api/asker", **call)
    assert done.returncode == 3 and "Traceback" not in done.stderr
    assert f"openai-api/{who}: its reply was left out. The journal can't take a row" in done.stderr
    assert json.loads(done.stdout)["totals"]["errors"] == 1
    verdicts = tables(tmp_path / "r")["verdicts"]
    assert verdicts["missing"].notna().sum() == (who == "judge-a")

    unguarded.undo()
    control(server, reset=True, plans={})
    again = run(server, tmp_path / "r", "--interviewer", "openai-api/asker", **call)
    assert again.returncode == 0 and json.loads(again.stdout)["stopped"] is None
    asked = {model: seen["calls"] for model, seen in stats(server)["models"].items()}
    assert asked_again is None or asked == asked_again
    voirdire("verify", tmp_path / "r")


@pytest.mark.parametrize("role", ["labeller", "auditor"])
def test_a_reply_that_can_not_be_written_ends_neither_a_labelling_nor_an_audit(server, tmp_path, unguarded, role):
    control(server, plan=["ok", UNWRITABLE])
    lines = [{"id": name, "context": "It rained.", "response": "It rained. It was cold."} for name in "ab"]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (tmp_path / "facts.txt").write_text("It rained.")
    command = {
        "labeller": ("label", tmp_path / "a.jsonl", "--labeller", "openai-api/labeller"),
        "auditor": (
            *("integrity", "audit", "--responses", tmp_path / "a.jsonl", "--facts", tmp_path / "facts.txt"),
            *("--auditor", "openai-api/auditor"),
        ),
    }[role]
    done = voirdire(*command, "--base-url", server, "-o", tmp_path / "run", check=False)
    assert done.returncode == 3 and "its reply was left out" in done.stderr and "Traceback" not in done.stderr

    unguarded.undo()
    control(server, reset=True, plan=[])
    again = voirdire(*command, "--base-url", server, "-o", tmp_path / "run", check=False)
    assert again.returncode == (3 if role == "labeller" else 0)  # this labeller says no label either time
    assert "its reply was left out" not in again.stderr
    voirdire("verify", tmp_path / "run")
