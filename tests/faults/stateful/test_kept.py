"""Replies that are kept although they are no answer: what they change in a run's tables, and nothing else."""

from __future__ import annotations

from io import BytesIO

import pandas as pd
import pytest

from tests.faults.stateful.machine import plain_run
from tests.faults.stateful.sequence import JUDGE_HALF, JUDGE_KEEPS, SUBJECT_KEEPS, Kept, World
from tests.faults.stateful.study import JUDGES, JURY, dialogues

DIALOGUE, OTHER = dialogues(1, "turn")
TURN = 2


def tables(*kept: Kept, granularity: str = "turn") -> dict[str, pd.DataFrame]:
    outcome = plain_run(World(granularity=granularity, kept=kept), ())
    return {name: pd.read_parquet(BytesIO(table)) for name, table in outcome.tables.items()}


def cell(table: pd.DataFrame) -> pd.Series:
    return (table["dialogue"] == DIALOGUE) & (table["turn"] == TURN)


@pytest.mark.parametrize("kind", JUDGE_KEEPS)
def test_an_unusable_verdict_is_missing_with_its_reason_and_touches_no_other(kind: str) -> None:
    plain, now = tables(), tables(Kept("judge", 0, 0, TURN, kind, repairs=3))
    concerned = cell(plain["verdicts"]) & (plain["verdicts"]["judge"] == JUDGES[0])
    verdict = now["verdicts"][concerned].iloc[0]
    score = now["scores"][cell(now["scores"])].iloc[0]

    assert now["turns"].equals(plain["turns"])
    assert now["verdicts"][~concerned].equals(plain["verdicts"][~concerned])
    assert now["scores"][~cell(now["scores"])].equals(plain["scores"][~cell(plain["scores"])])
    assert verdict["missing"] and pd.isna([verdict["far"], verdict["sas"], verdict["stance"]]).all()
    assert score["judges"] == len(JURY) - 1


@pytest.mark.parametrize("kind", [kind for kind in JUDGE_KEEPS if kind not in ("refusal", "length")])
def test_a_verdict_that_was_mended_counts_and_says_how_often_it_was(kind: str) -> None:
    plain, now = tables(), tables(Kept("judge", 0, 0, TURN, kind, repairs=2))
    concerned = cell(plain["verdicts"]) & (plain["verdicts"]["judge"] == JUDGES[0])
    verdict = now["verdicts"][concerned].iloc[0]

    assert now["verdicts"][~concerned].equals(plain["verdicts"][~concerned])
    assert verdict["repairs"] == 2 and pd.isna(verdict["missing"]) and 0 <= verdict["sas"] <= 1
    assert now["scores"][cell(now["scores"])].iloc[0]["judges"] == len(JURY)


@pytest.mark.parametrize("granularity", ["turn", "dialogue"])
def test_half_a_character_in_a_judges_reason_becomes_a_mark_and_its_scores_count(granularity: str) -> None:
    plain = tables(granularity=granularity)["verdicts"]
    kept = Kept("judge", 0, 0, TURN if granularity == "turn" else 0, JUDGE_HALF)
    now = tables(kept, granularity=granularity)["verdicts"]
    changed = now["justification"] != plain["justification"]

    assert changed.sum() == (1 if granularity == "turn" else 5)
    assert set(now[changed]["judge"]) == {JUDGES[0]}
    assert list(now["justification"].where(~changed, now["justification"].str.removesuffix(" \ufffd"))) == list(
        plain["justification"]
    )
    assert now.drop(columns="justification").equals(plain.drop(columns="justification"))


@pytest.mark.parametrize("kind", SUBJECT_KEEPS)
def test_a_subjects_odd_answer_is_kept_and_concerns_its_own_dialogue_from_there_on(kind: str) -> None:
    plain, now = tables(), tables(Kept("subject", 0, 0, TURN, kind))
    for name in plain:
        for table in (now, plain):
            untouched = (table[name]["dialogue"] == OTHER) | (table[name]["turn"] < TURN)
            table[name] = table[name].assign(untouched=untouched)
        before, after = (table[name][table[name]["untouched"]].reset_index(drop=True) for table in (plain, now))
        assert after.equals(before) and len(after)
    turn = now["turns"][cell(now["turns"])].iloc[0]
    assert turn["answer"] != plain["turns"][cell(plain["turns"])].iloc[0]["answer"]
    assert turn["finish_reason"] == {"refusal": "refusal", "length": "length"}.get(kind, "stop")
    assert len(now["turns"]) == len(plain["turns"]), "the dialogue went on"
