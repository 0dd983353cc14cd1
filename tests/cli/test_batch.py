"""`--batch` on the command line."""

from __future__ import annotations

import asyncio

import pandas as pd
import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.support.fake_batches import start_fake_batches, stats
from voirdire import models
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyPlan
from voirdire.models import Pace


@pytest.fixture(autouse=True)
def _quick_pace(monkeypatch):
    monkeypatch.setattr(models, "Pace", lambda: Pace(quiet=0.2, first=0.01, most=0.05))


def test_score_judges_by_batch(tmp_path):
    preset = changed_preset(load_preset("quick"), levels=["0"])
    study = StudyPlan(("simulated/steady",), tuple(find_concepts(preset.concepts)), preset)
    asyncio.run(run_study(study, tmp_path / "run"))
    with start_fake_batches() as root:
        jury = ("--jury", "openai-api/judge", "--base-url", f"{root}/v1")
        assert voirdire_json("score", tmp_path / "run", *jury, "--batch")["complete"]
        assert [batch["requests"] for batch in stats(root)["batches"]] == [10]
        assert stats(root)["calls"] == 0


def test_half_an_emoji_in_a_batch_costs_no_verdict(tmp_path):
    with start_fake_batches(requests=["half_emoji"] * 5) as root:
        asked = ("run", "-m", "simulated/steady", "--jury", "openai-api/judge", "--base-url", f"{root}/v1")
        told = voirdire_json(*asked, "--concepts", "recursion", "--levels", "0", "--batch", "-o", tmp_path / "run")
        assert told["complete"] and [batch["requests"] for batch in stats(root)["batches"]] == [5]
    verdicts = pd.read_parquet(tmp_path / "run" / "verdicts.parquet")
    assert len(verdicts) == 5 and verdicts["justification"].str.endswith(" \ufffd").all()
    voirdire("verify", tmp_path / "run")


def test_a_judge_without_batches_is_refused_before_anything_is_asked(tmp_path):
    asked = ("run", "-m", "simulated/steady", "-p", "quick", "--jury", "simulated/judge", "--batch")
    done = voirdire(*asked, "-o", tmp_path / "run", check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("voirdire: simulated/judge can't be asked by batch")
    assert not (tmp_path / "run").exists()
