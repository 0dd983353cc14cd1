"""What a study expects of every model, and what is counted while a provider says "too many"."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.fake_openai import start_fake_server, stats
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.results import load_run
from voirdire.ddft.session import run_study, run_study_blocking
from voirdire.ddft.study import plan_study, workloads
from voirdire.models import ModelError, simulated
from voirdire.runs import NullProgress, RunOptions
from voirdire.runs.progress_tally import Tally


class Watching(NullProgress):
    """Keeps a tally, and the rows that it shows after every attempt."""

    def __init__(self, dialogues):
        self.tally = Tally(dialogues)
        self.begin, self.expect = self.tally.begin, self.tally.expect
        self.dialogue_done, self.dialogues_spared = self.tally.dialogue_done, self.tally.dialogues_spared
        self.seen = []

    def call_done(self):
        self.tally.call_done()
        self.seen.append({row.name: row for row in self.tally.rows()})


def small(models, **options):
    preset = changed_preset(load_preset("quick"), concepts=["recursion"], levels=[0, 1])
    return plan_study(models, preset, **options)


@pytest.mark.parametrize("judges", [["reference"], ["simulated/judge", "simulated/noisy", "reference"]])
def test_as_many_calls_are_expected_as_are_made(tmp_path, judges):
    plan = small(["simulated/steady", "simulated/fading as f"], jury=judges)
    watching = Watching(4)
    asyncio.run(run_study(plan, tmp_path / "r", RunOptions(progress=watching)))
    rows = watching.tally.rows()
    assert [row.name for row in rows[:2]] == ["simulated/steady", "f"]
    assert {row.name: row.expected for row in rows} == {row.name: row.answered for row in rows}
    assert watching.seen[0]["f"].expected == 10 and not any(row.estimated for row in rows)
    assert watching.tally.total().expected == 20 + 20 * (len(judges) - 1)


def test_a_jury_that_judges_later_is_not_expected_to_be_called_and_one_that_asks_as_needed_not_exactly():
    plan = small(["a/x", "b/y"], jury=["c/z", "local/qwen2.5-coder-1.5b"], interviewer="a/x")
    first, second = workloads(plan)
    assert (first.queue, first.dialogues, first.calls) == (
        "a/x",
        2,
        {"a/x": 10.0, "c/z": 5.0, "local/qwen2.5-coder-1.5b": 10.0},
    )
    assert second.calls["b/y"] == 5 and second.calls["a/x"] == 5
    assert set(workloads(plan, judge_later=True)[1].calls) == {"a/x", "b/y"}


def test_a_run_that_goes_on_counts_what_it_has(tmp_path):
    plan, path = small(["simulated/steady"], jury=["simulated/judge"]), tmp_path / "r"
    asyncio.run(run_study(plan, path, RunOptions(max_calls=12)))
    watching = Watching(2)
    asyncio.run(run_study(plan, path, RunOptions(progress=watching)))
    first = watching.seen[0]
    assert sum(row.answered for row in first.values()) == 13
    assert watching.tally.total().answered == watching.tally.total().expected == 20


@pytest.mark.usefixtures("quick_retries")
def test_a_provider_that_says_too_many_is_seen_to_be_waited_for_and_its_retries_are_counted(tmp_path):
    with start_fake_server(plans={"busy": ["ok", "429:0.5", "ok", "429:0.5"]}) as url:
        plan = small(["openai-api/busy", "openai-api/free"], base_url=url)
        watching = Watching(4)
        asyncio.run(run_study(plan, tmp_path / "r", RunOptions(progress=watching)))
        refused = stats(url)["total"] - stats(url)["answered"]
    busy, free = (watching.tally.rows()[at] for at in (0, 1))
    assert refused == 2
    assert (busy.answered, busy.expected, busy.retries, busy.failed) == (10, 10, 2, 0)
    assert (free.answered, free.expected, free.retries, free.failed) == (10, 10, 0, 0)
    waits = [row["openai-api/busy"] for row in watching.seen if row["openai-api/busy"].waiting]
    assert waits and all(0 < row.wait_seconds <= 0.5 for row in waits)
    assert not any(row["openai-api/free"].wait_seconds for row in watching.seen)
    assert watching.tally.total().in_flight == watching.tally.total().waiting == 0


@pytest.mark.usefixtures("quick_retries")
def test_the_last_line_of_a_log_has_the_retries_of_such_a_run(tmp_path, capsys):
    with start_fake_server(plans={"busy": ["429:0.1"]}) as url:
        run_study_blocking(small(["openai-api/busy", "openai-api/free"], base_url=url), tmp_path / "r")
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("4 of 4 dialogues done · ") and " · 20 of 20 calls · 1 retry · $0.00 | " in line
    assert "openai-api/busy: 10 of 10 calls, at most 10 at once after 1 rate limit, 1 retry, $0.00 | " in line
    assert "openai-api/free: 10 of 10 calls, $0.00" in line


def test_of_a_run_that_has_dialogues_to_hold_only_completed_ones_are_said_to_lack_a_verdict(tmp_path, monkeypatch):
    said = simulated.SimulatedModel._reply_text

    def failing(self, scene, schema, seed):
        if scene.answer is not None and scene.turn == 2:
            raise ModelError("bad_request", "too long for me")
        return said(self, scene, schema, seed)

    monkeypatch.setattr(simulated.SimulatedModel, "_reply_text", failing)
    plan = small(["simulated/steady"], jury=["simulated/judge"])
    asyncio.run(run_study(plan, tmp_path / "r", RunOptions(max_calls=12, connections=1)))
    assert load_run(tmp_path / "r").stopped == (
        "1 of 2 dialogues completed (voirdire run continues); 1 completed dialogue lacks a verdict."
    )
