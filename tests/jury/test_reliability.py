import json

import numpy as np
import pandas as pd
import pytest

from voirdire.ddft.published import published_verdicts
from voirdire.jury.reliability import ReliabilityError, reliability

JUDGES = ("openai/gpt-5.1", "anthropic/claude-opus-4-1", "simulated/judge")
SUBJECTS = ("openai/gpt-5", "xai/grok-4", "mistral/mistral-medium")


def a_verdict(subject, concept, turn, judge, far, sas, **given):
    cell = {"model": subject, "concept": concept, "level": 0.0, "sample": 0, "turn": turn, "judge": judge}
    return {**cell, "far": far, "sas": sas, "no_claims": False, "stance": None, "missing": None, **given}


def verdicts(*, error=0.05, favour=0.0, judges=JUDGES, concepts=6, seed=0):
    """Verdicts with independent errors; the first judge favours subjects of its own family by so much."""
    rng = np.random.default_rng(seed)
    rows = []
    for subject in SUBJECTS:
        for concept in range(concepts):
            for turn in range(1, 6):
                truth = rng.uniform(0.2, 0.7) + (0.1 if subject == SUBJECTS[0] else 0.0)
                for place, judge in enumerate(judges):
                    kin = favour if place == 0 and subject == SUBJECTS[0] else 0.0
                    far, sas = np.clip(truth + kin + rng.normal(0, error, 2), 0, 1)
                    rows.append(a_verdict(subject, f"c{concept}", turn, judge, far, sas))
    return pd.DataFrame(rows)


# --- the published panel ---


@pytest.fixture(scope="module")
def published():
    return reliability(published_verdicts())


def test_the_published_panel_agrees_far_less_than_the_paper_says(published):
    far, sas = published.scores["FAR"], published.scores["SAS"]
    assert round(far.intraclass.icc_2_1.value, 2) == 0.31
    assert round(sas.intraclass.icc_2_1.value, 2) == 0.36
    kappas = [pair.kappa["0.7"] for score in (far, sas) for pair in score.pairs]
    assert [round(min(kappas), 2), round(max(kappas), 2)] == [0.15, 0.50]  # DDFT 4.4 prints 0.82 and 0.79


def test_what_the_paper_prints_as_variance_is_the_mean_standard_deviation(published):
    overall = {name: score.spread[0] for name, score in published.scores.items()}
    assert [round(overall[name].sd, 3) for name in ("FAR", "SAS")] == [0.104, 0.145]  # DDFT 4.4
    clear = published.scores["FAR"].spread[1]
    assert (clear.region, round(clear.sd, 3)) == ("above 0.9", 0.022)  # DDFT 4.4: 0.021
    assert sum(region.items for region in published.scores["FAR"].spread[1:]) == overall["FAR"].items


def test_the_three_missing_scores_cost_no_other_score(published):
    assert published.scores["FAR"].intraclass.items == 1800
    assert published.scores["FAR"].intraclass.complete == 1798
    assert {pair.items for pair in published.scores["FAR"].pairs} == {1798, 1799}
    assert any("deepseek-v3.1 2, gpt-5.1 1" in note for note in published.notes)


def test_self_preference_of_the_published_panel_is_estimated_where_it_can_be(published):
    by_judge = {each.judge: each for each in published.self_preference["FAR"]}
    assert by_judge["gpt-5.1"].own == ("gpt-5", "gpt-oss-120b", "o3", "o4-mini")
    assert "claude-haiku-4-5" not in by_judge["gpt-5.1"].others  # kin to another judge
    assert "only subject" in by_judge["claude-opus-4-1"].caution
    assert np.isnan(by_judge["deepseek-v3.1"].shift.value)
    assert "no subject" in by_judge["deepseek-v3.1"].reason


# --- what can be planted can be found ---


def test_a_judges_preference_for_its_own_family_is_found_and_better_answers_are_none():
    fair = reliability(verdicts(), JUDGES).self_preference["FAR"][0].shift
    biased = reliability(verdicts(favour=0.15), JUDGES).self_preference["FAR"][0].shift
    assert fair.low < 0 < fair.high
    assert biased.low < 0.15 < biased.high
    assert biased.low > 0.05


def test_without_judges_of_another_family_self_preference_has_a_reason():
    found = reliability(verdicts(judges=("openai/gpt-5.1", "openai/o3")))
    assert "all judges are of its family" in found.self_preference["FAR"][0].reason
    stranger = reliability(verdicts(), JUDGES).self_preference["SAS"][2]
    assert "unknown" in stranger.reason


def test_agreement_falls_as_judges_err():
    fine, coarse = (reliability(verdicts(error=error)).scores["FAR"] for error in (0.02, 0.3))
    assert fine.intraclass.icc_2_1.low > coarse.intraclass.icc_2_1.high
    assert fine.alpha_interval.low > coarse.alpha_interval.high
    assert fine.gwet_ac["bands"].value > coarse.gwet_ac["bands"].value
    assert fine.mean_absolute_difference < coarse.mean_absolute_difference


def test_a_known_truth_settles_the_number_of_independent_judges():
    frame = verdicts()
    truth = frame.groupby(["model", "concept", "level", "sample", "turn"], as_index=False)[["far", "sas"]].mean()
    shared = frame.assign(far=frame["far"] + 0.2 * (frame["turn"] == 3))  # all err alike on the third turn
    found = reliability(shared, truth=truth).scores["FAR"].effective_raters
    assert found.basis == "truth"
    assert found.raters.value < 1.5


# --- what verdicts may lack ---


def test_a_far_that_is_null_for_want_of_claims_leaves_far_alone_and_is_compared_by_itself():
    frame = verdicts()
    silent = (frame["turn"] == 2) & (frame["judge"] != JUDGES[2])
    frame.loc[silent, "far"] = np.nan
    frame.loc[silent, "no_claims"] = True
    found = reliability(frame, JUDGES)
    assert found.scores["SAS"].intraclass.complete == 90
    assert found.scores["FAR"].intraclass.complete == 72
    assert {kappa.judges: kappa.kappa for kappa in found.no_claims.pairs}[JUDGES[:2]] == pytest.approx(1)
    assert found.no_claims.ac1.value < 0.9
    assert any("Verdicts that find no claims: 36 of 270" in note for note in found.notes)
    assert not any("Missing" in note for note in found.notes)


def test_stances_are_compared_where_two_judges_took_one():
    frame = verdicts()
    frame.loc[frame["turn"] >= 4, "stance"] = "rejected"
    frame.loc[(frame["turn"] == 4) & (frame["judge"] == JUDGES[1]), "stance"] = "accepted"
    found = reliability(frame, JUDGES).stance
    assert found.items == 36
    assert found.alpha.value < 0.5
    assert reliability(verdicts()).stance is None


def test_with_two_concepts_there_are_values_without_intervals():
    found = reliability(verdicts(concepts=2))
    assert found.scores["FAR"].intraclass.icc_2_1.value > 0.5
    assert np.isnan(found.scores["FAR"].intraclass.icc_2_1.low)
    assert any("No intervals" in note for note in found.notes)


def test_undefined_numbers_become_null_in_plain_data():
    frame = verdicts(judges=JUDGES[:2])
    frame["far"] = 1.0
    plain = reliability(frame).as_dict()
    assert plain["scores"]["FAR"]["ICC(2,1)"] == {"value": None, "low": None, "high": None}
    assert plain["scores"]["FAR"]["effective_raters"]["reason"]
    json.dumps(plain, allow_nan=False)


def test_one_judge_or_two_juries_are_refused_with_one_sentence():
    with pytest.raises(ReliabilityError, match="at least two judges"):
        reliability(verdicts(judges=JUDGES[:1]))
    with pytest.raises(ReliabilityError, match="one jury only"):
        reliability(pd.concat([verdicts(), verdicts()]))


# --- a few turns ---


def on_a_few_turns():
    """Three concepts, on which the second judge is now above and now below the others."""
    scores = {"a": (0.9, 0.1, 0.9), "b": (0.5, 0.6, 0.5), "c": (0.2, 0.9, 0.15), "d": (0.6, 0.5, 0.7)}
    return pd.DataFrame(
        [
            a_verdict("m", concept, 1, judge, score, score)
            for concept, each in scores.items()
            for judge, score in zip(JUDGES, each, strict=True)
        ]
    )


def test_no_icc_nor_its_interval_falls_below_minus_1_and_json_says_which_are_cut():
    found = reliability(on_a_few_turns()).scores["FAR"]

    assert found.intraclass.icc_3_1.low > -1
    assert found.intraclass.icc_3_k == (-1, -1, pytest.approx(0.582, abs=0.001))
    cut = json.loads(json.dumps(found.as_dict()))["ICC_cut"]
    assert (cut["code"], cut["coefficients"]) == ("icc_cut", ["ICC(3,k)"])
    assert cut["text"] == "ICC(3,k): values below -1 are shown as -1, since they say no more"


def test_an_icc_within_its_range_is_not_cut(published):
    assert published.scores["FAR"].cut is None
    assert published.scores["FAR"].as_dict()["ICC_cut"] is None


def test_self_preference_knows_the_family_behind_an_alias():
    named = verdicts(favour=0.15)
    spec = named["model"].iloc[0]
    aliased = named.assign(model=named["model"].replace({spec: "mine"}))
    plain, same = (
        reliability(table, JUDGES, specs=specs).self_preference["FAR"]
        for table, specs in ((named, {}), (aliased, {"mine": spec}))
    )
    assert [each.shift for each in same] == [each.shift for each in plain]
    assert [each.shift for each in reliability(aliased, JUDGES).self_preference["FAR"]] != [e.shift for e in plain]
