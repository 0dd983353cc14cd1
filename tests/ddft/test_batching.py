"""Judging by batch, from a run's dialogues to its scores, against a server in a process of its own."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fake_batches import control, start_fake_batches, stats
from tests.support.forked import Forked
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.results import Result
from voirdire.ddft.session import run_study, score_run
from voirdire.ddft.study import StudyPlan
from voirdire.models import Pace, SpecError
from voirdire.runs import BudgetError, Interrupted, Journal, RunFolderError, RunOptions

QUICK = Pace(quiet=0.05, first=0.02, most=0.1)
JURY = ("openai-api/one", "openai-api/two")
TURNS = 5


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with start_fake_batches() as root:
        yield root


@pytest.fixture(autouse=True)
def calm(server: str) -> None:
    control(server, hold=False, missing=False, batches=[], requests=[])


def plan(server: str, jury: tuple[str, ...] = ("reference",)) -> StudyPlan:
    preset = changed_preset(load_preset("quick"), concepts=["recursion"], levels=["0", "1"])
    concepts = tuple(find_concepts(preset.concepts))
    return StudyPlan(("simulated/steady",), concepts, preset, jury=jury, base_url=f"{server}/v1")


def dialogues(study: StudyPlan) -> int:
    return len(study.concepts) * len(study.preset.levels)


@pytest.fixture(scope="module")
def template(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("batching") / "run"
    asyncio.run(run_study(plan(server), path))
    return path


@pytest.fixture
def held(template: Path, tmp_path: Path) -> Path:
    """A run whose dialogues are held, judged by the reference panel. Its secret, and so its requests, are its own."""
    path = Path(shutil.copytree(template, tmp_path / "run"))
    with sqlite3.connect(path / "journal.sqlite") as journal:
        journal.execute("UPDATE meta SET value = ? WHERE key = 'secret'", (secrets.token_hex(32),))
    return path


def score(path: Path, server: str, batch: Pace | None = QUICK) -> Result:
    return asyncio.run(score_run(path, JURY, base_url=f"{server}/v1", options=RunOptions(batch=batch)))


def calls_of(path: Path, role: str = "judge"):
    with Journal.open(path / "journal.sqlite", read_only=True) as journal:
        return journal.calls_frame(bodies=True).query("role == @role")


def test_a_run_is_judged_in_one_batch_a_judge_and_its_calls_say_by_which(server: str, held: Path) -> None:
    before = len(stats(server)["batches"])
    result = score(held, server)
    assert result.stopped is None
    batches = stats(server)["batches"][before:]
    assert [batch["requests"] for batch in batches] == [TURNS * dialogues(plan(server))] * len(JURY)
    calls = calls_of(held)
    assert set(calls["status"]) == {"ok"}
    said = " ".join(calls["warnings"])
    assert all(f"By batch {batch['id']}." in said for batch in batches)
    assert calls["warnings"].str.contains("By batch").all()
    # A reply by batch answers the same call: without --batch nothing is left to ask.
    assert score(held, server, batch=None).stopped is None
    assert stats(server)["calls"] == 0
    assert len(calls_of(held)) == len(calls)


@pytest.mark.usefixtures("quick_retries")
def test_requests_that_fail_go_off_again_in_a_later_batch(server: str, held: Path) -> None:
    before = len(stats(server)["batches"])
    control(server, requests=["ok", "500", "none", "expired"])
    assert score(held, server).stopped is None
    sizes = [batch["requests"] for batch in stats(server)["batches"][before:]]
    assert sum(sizes) == TURNS * dialogues(plan(server)) * len(JURY) + 3
    assert list(calls_of(held)["status"]).count("error") == 3


def test_killed_while_it_waits_a_run_pays_for_nothing_twice(server: str, held: Path) -> None:
    control(server, hold=True)
    before = stats(server)["submitted"]
    wanted = TURNS * dialogues(plan(server)) * len(JURY)
    child = Forked(lambda: score(held, server))
    while sum(stats(server)["submitted"].values()) - sum(before.values()) < wanted:
        assert child.poll() is None, "judging ended before it was killed"
        time.sleep(0.1)
    child.kill()
    control(server, hold=False)
    assert score(held, server).stopped is None
    submitted = stats(server)["submitted"]
    assert sum(submitted.values()) - sum(before.values()) == wanted
    assert {count for request, count in submitted.items() if request not in before} == {1}


def test_interrupted_it_leaves_the_batches_and_goes_on_later(
    server: str, held: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    control(server, hold=True)
    before = len(stats(server)["batches"])

    async def interrupted() -> Result:
        judging = asyncio.create_task(score_run(held, JURY, base_url=f"{server}/v1", options=RunOptions(batch=QUICK)))
        while len(stats(server)["batches"]) < before + len(JURY):
            await asyncio.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)
        return await judging

    with pytest.raises(Interrupted):
        asyncio.run(interrupted())
    assert "batches go on at the provider" in capsys.readouterr().err
    assert calls_of(held).empty
    control(server, hold=False)
    assert score(held, server).stopped is None
    assert len(stats(server)["batches"]) == before + len(JURY)


def test_a_run_by_batch_holds_its_dialogues_first_and_follows_the_reference_panel(server: str, tmp_path: Path) -> None:
    before = len(stats(server)["batches"])
    study = plan(server, JURY)
    result = asyncio.run(run_study(study, tmp_path / "run", options=RunOptions(batch=QUICK)))
    assert result.stopped is None
    assert len(result.scores) == TURNS * dialogues(study)
    assert len(stats(server)["batches"]) == before + len(JURY)
    with Journal.open(tmp_path / "run" / "journal.sqlite", read_only=True) as journal:
        stances = [note.body["basis"] for note in journal.notes() if note.kind == "stance"]
    assert stances == ["reference panel"] * dialogues(study)
    again = asyncio.run(run_study(study, tmp_path / "run", options=RunOptions(batch=QUICK)))
    assert again.totals["calls"] == result.totals["calls"]
    with pytest.raises(RunFolderError, match="judging"):
        asyncio.run(run_study(study, tmp_path / "run"))


def test_what_batches_cannot_keep_is_refused_before_anything_is_asked(server: str, tmp_path: Path) -> None:
    with pytest.raises(BudgetError, match="leave out --max-cost"):
        asyncio.run(run_study(plan(server, JURY), tmp_path / "run", options=RunOptions(batch=QUICK, max_cost=1.0)))
    with pytest.raises(SpecError, match="simulated/lenient can't be asked by batch"):
        asyncio.run(run_study(plan(server, ("simulated/lenient",)), tmp_path / "run", options=RunOptions(batch=QUICK)))
    assert not (tmp_path / "run").exists()
