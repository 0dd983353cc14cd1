import numpy as np
import pandas as pd
import pytest

from tests.support.table_2 import TABLE_2
from voirdire.ddft.analysis.judges.leave_one_out import (
    RANKED,
    JudgedTurns,
    LeftOut,
    Move,
    PanelSettings,
    RankChange,
    leave_one_judge_out,
    order_changes,
)
from voirdire.ddft.metrics import BY_NAME
from voirdire.ddft.profile import profiles
from voirdire.ddft.published import JUDGES, published_scores, published_verdicts
from voirdire.jury import AS_RUN_WEIGHTS, JuryRules, Weights

NAN = float("nan")
PUBLISHED = PanelSettings(JUDGES, JuryRules(no_claims="scored", consensus=AS_RUN_WEIGHTS))


def scores(models=("good", "bad"), concepts=3):
    """Turns asked; far and sas are for the judges to give."""
    return pd.DataFrame(
        [
            {"model": model, "concept": f"c{concept}", "level": level, "sample": 0, "turn": turn}
            | {"far": np.nan, "sas": np.nan, "no_claims": False, "stance": None, "unscored": "no answer"}
            for model in models
            for concept in range(concepts)
            for level in (0.0, 1.0)
            for turn in range(1, 6)
        ]
    )


def given(frame, judge, far, sas=0.8, stance="rejected"):
    """One judge's verdicts: `far` by model."""
    cells = frame[["model", "concept", "level", "sample", "turn"]]
    stances = [stance if turn >= 4 else None for turn in cells["turn"]]
    verdict = {"judge": judge, "far": cells["model"].map(far), "sas": sas, "no_claims": False, "missing": None}
    return cells.assign(**verdict, stance=stances)


@pytest.fixture(scope="module")
def published_verdict_rows():
    verdicts = published_verdicts()
    missing = verdicts["far"].isna().map({True: "the source has no score", False: None})
    return verdicts.assign(no_claims=False, stance=None, missing=missing)


@pytest.fixture(scope="module")
def published(published_verdict_rows):
    return leave_one_judge_out(published_verdict_rows, published_scores(), PUBLISHED)


def test_the_panels_own_rule_gives_the_published_consensus_back(published_verdict_rows):
    made = JudgedTurns.from_tables(published_verdict_rows, published_scores()).scores_of(PUBLISHED)
    for name in ("far", "sas"):
        difference = (made[name] - published_scores()[name]).abs()
        assert difference.max() < 1e-4
        assert difference.notna().sum() == 1799


def test_with_all_judges_the_metrics_are_those_of_table_2(published):
    for model, (ci, *_) in TABLE_2.items():
        assert published[0].metrics[model]["CI_raw"].panel == pytest.approx(ci, abs=0.0005 + 1e-4)


def test_no_order_of_the_published_models_survives_without_each_judge(published):
    assert [each.judge for each in published] == list(JUDGES)
    for each in published:
        assert 0.8 < each.ranks["CI_raw"].tau < 1
        first, second = each.ranks["CI_raw"].moves[:2]
        assert (first.model, first.panel, first.without) == ("o4-mini", 1, 2)
        assert (second.model, second.panel, second.without) == ("grok-4-fast-non-reasoning", 2, 1)


def test_what_rests_on_stances_has_no_order_and_says_why(published):
    rank = published[0].ranks["ER"]
    assert (rank.tau, rank.models, rank.moves) == (None, 0, ())
    assert rank.reason == "no model has a value of ER with and without the judge"


def test_every_metric_changes_as_a_profile_of_the_remaining_judges_says():
    frame = scores()
    verdicts = pd.concat(
        [
            given(frame, "a", {"good": 0.9, "bad": 0.5}),
            given(frame, "b", {"good": 0.8, "bad": 0.6}),
            given(frame, "c", {"good": 0.4, "bad": 0.7}, sas=0.4, stance="accepted"),
        ]
    )
    left_out = leave_one_judge_out(verdicts, frame, PanelSettings(("a", "b", "c"), JuryRules()))
    without = {each.judge: each for each in left_out}["c"]
    expected = frame.assign(
        far=frame["model"].map({"good": 0.85, "bad": 0.55}),
        sas=0.8,
        stance=["rejected" if turn >= 4 else None for turn in frame["turn"]],
        unscored=None,
    )
    for profile in profiles(expected, draws=0):
        metrics = without.metrics[profile.model]
        assert set(metrics) == {*BY_NAME, "CI_norm"}
        for name, change in metrics.items():
            assert change.without == pytest.approx(profile.metrics[name].value)
    assert without.ranks["ER"].tau == 1
    assert {name: without.metrics["good"][name].change > 0 for name in ("K", "CRI")} == {"K": True, "CRI": True}


def test_a_judge_who_decides_the_order_alone_is_exposed():
    frame = scores()
    verdicts = pd.concat(
        [
            given(frame, "a", {"good": 0.8, "bad": 0.7}),
            given(frame, "b", {"good": 0.8, "bad": 0.7}),
            given(frame, "c", {"good": 0.1, "bad": 0.9}),
        ]
    )
    left_out = {
        each.judge: each for each in leave_one_judge_out(verdicts, frame, PanelSettings(tuple("abc"), JuryRules()))
    }
    rank = left_out["c"].ranks["ER"]
    assert rank.tau == -1
    assert rank.moves == (("bad", 1, 2, False), ("good", 2, 1, False))
    assert left_out["a"].ranks["ER"].moves == ()


def test_a_model_that_claims_nothing_takes_no_place_in_the_order():
    frame = scores(models=("good", "bad", "silent"))
    far = {"good": 0.8, "bad": 0.7, "silent": NAN}
    verdicts = pd.concat([given(frame, judge, far, sas=0.3) for judge in "abc"])
    verdicts.loc[verdicts["model"] == "silent", "no_claims"] = True
    for each in leave_one_judge_out(verdicts, frame, PanelSettings(tuple("abc"), JuryRules())):
        rank = each.ranks["CI_raw"]
        assert rank.models == 2
        assert rank.seldom == ("silent",)
        assert "left out, since silence can win it: silent" in rank.in_words


def test_a_part_of_a_panel_keeps_its_weights_and_a_quorum_it_can_reach():
    panel = PanelSettings(("a", "b", "c"), JuryRules(consensus=Weights((1, 2, 3), (3, 2, 1)), quorum=3)).without("b")
    assert panel.judges == ("a", "c")
    assert panel.rules.consensus == Weights((1, 3), (3, 1))
    assert panel.rules.quorum == 2


def test_turns_without_an_answer_and_missing_verdicts_are_never_given_a_score():
    frame = scores(models=("m",))
    judged = frame[frame["turn"] < 5]
    verdicts = pd.concat([given(judged, "a", {"m": 0.9}), given(judged, "b", {"m": 0.5})])
    verdicts.loc[(verdicts["judge"] == "b") & (verdicts["turn"] == 1), ["far", "sas", "missing"]] = [
        NAN,
        NAN,
        "refused",
    ]
    made = JudgedTurns.from_tables(verdicts, frame).scores_of(PanelSettings(("a", "b"), JuryRules()).without("a"))
    assert set(made.loc[made["turn"] == 5, "unscored"]) == {"no answer"}
    assert made.loc[made["turn"] == 1, "unscored"].str.contains("0 of 1 judge gave a verdict, and 1 is needed").all()
    assert set(made.loc[made["turn"] == 2, "far"]) == {0.5}


def test_nobody_is_left_without_a_single_judge():
    frame = scores(models=("m",))
    assert leave_one_judge_out(given(frame, "a", {"m": 1.0}), frame, PanelSettings(("a",), JuryRules())) == []
    assert RANKED == ("CI_raw", "ER")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (RankChange(1.0, None, 2, ()), "the order of the models stays the same"),
        (
            RankChange(-1.0, None, 2, (Move("a", 1, 2), Move("b", 2, 1))),
            "places change: a from place 1 to 2, b from place 2 to 1 (Kendall's tau -1.00; 1 is the same order, -1 the "
            "reverse)",
        ),
        (
            RankChange(0.8, None, 3, (Move("b", 2, 1, tied=True),)),
            "places change: b from place 2 to a tie at 1 (Kendall's tau 0.80; 1 is the same order, -1 the reverse)",
        ),
        (RankChange(None, "all models tie on ER", 2, ()), "there is no order to compare: all models tie on ER"),
    ],
)
def test_what_becomes_of_the_order_without_a_judge_is_said_in_words(change, said):
    assert change.in_words == said
    without = [LeftOut(judge, {}, {"ER": change}) for judge in "xy"]
    assert order_changes(without, "ER") == [f"Whichever judge is left out, {said}."]


def test_where_judges_differ_in_what_they_do_to_the_order_each_is_named():
    same, other = RankChange(1.0, None, 2, ()), RankChange(-1.0, None, 2, (Move("a", 1, 2), Move("b", 2, 1)))
    without = [LeftOut("X", {}, {"ER": same}), LeftOut("Y", {}, {"ER": other})]
    first, second = order_changes(without, "ER")
    assert first == "Without X, the order of the models stays the same."
    assert second.startswith("Without Y, places change: a from place 1 to 2")
