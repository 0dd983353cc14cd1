from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.ddft.validity._records import (
    MODELS,
    OURS,
    PANEL,
    STILL,
    VARIED,
    around,
    near_copy_of,
    saying,
    sound,
    varied,
    verdicts,
)
from voirdire.ddft.validity.compression_check import compression_effect
from voirdire.ddft.validity.copied_judges import copied_judges
from voirdire.ddft.validity.score_checks import (
    agreement_on_stances,
    hoc_monotone,
    judge_agreement,
    rare_cells,
    stance_agreement,
    unvarying_judges,
)
from voirdire.reason_codes import reason

FIVE = (0.0, 0.25, 0.5, 0.75, 1.0)


def flat(turn):
    return 0.8


def with_scores(record, **changed):
    return replace(record, scores=record.scores.assign(**changed))


def test_far_that_falls_with_the_level_moves():
    found = compression_effect(sound())
    assert found.status == "pass"
    assert found.value == pytest.approx(0.5)


def test_no_model_moving_fails_and_both_readings_are_given():
    found = compression_effect(sound(far=flat))
    assert (found.status, found.value) == ("fail", pytest.approx(0))
    assert any("levels do nothing" in line and "well enough without" in line for line in map(str, found.evidence))


def test_far_that_rises_is_no_effect_of_compression():
    found = compression_effect(sound(far=lambda turn: 0.5 + 0.4 * turn["level"]))
    assert (found.status, found.value) == ("fail", pytest.approx(-0.4))


def test_one_model_of_two_that_does_not_move_warns_and_is_named():
    found = compression_effect(sound(far=lambda turn: 0.8 - 0.4 * turn["level"] * (turn["model"] == MODELS[0])))
    assert found.status == "warn"
    assert any(MODELS[1] in line and "does not move" in line for line in map(str, found.evidence))


@pytest.mark.parametrize(("fall", "moving"), [(0.004, 0), (0.006, 2)])
def test_a_fall_that_is_printed_as_nothing_is_no_effect(fall, moving):
    found = compression_effect(sound(far=lambda turn: 0.8 - fall * turn["level"]))
    assert str(found.evidence[0]).startswith(f"Models that move: {moving} of 2")
    assert (
        "FAR stays the same on every concept, SAS stays the same on every concept; does not move (a fall of FAR by 0.1 "
        in str(found.evidence[1])
    ) == (moving == 0)


def test_scores_about_the_trap_do_not_count():
    found = compression_effect(sound(far=lambda turn: 0.8 - 0.4 * turn["level"] * (turn["turn"] > 3)))
    assert found.status == "fail"


def test_sas_that_falls_is_an_effect_too():
    record = sound(far=flat)
    assert compression_effect(with_scores(record, sas=0.9 - 0.4 * record.scores["level"])).status == "pass"


def test_too_little_to_rule_an_effect_out_leaves_it_undecided():
    rng = np.random.default_rng(0)
    record = sound(concepts=("recursion", "phoneme", "derivative"))
    found = compression_effect(with_scores(record, far=rng.uniform(0, 1, len(record.scores))))
    assert found.status == "undecided" and found.value is not None
    assert any("too little was asked" in line for line in map(str, found.evidence))


def test_an_effect_that_one_model_alone_may_have_is_not_denied_by_the_mean_of_all():
    record = sound()
    last = record.scores["model"] == MODELS[1]
    # One concept falls, one rises, one stays: the mean is 0, and the interval holds much.
    steep = dict(zip(record.scores["concept"].unique(), (0.4, -0.4, 0, 0), strict=True))
    slopes = record.scores["concept"].map(steep)
    found = compression_effect(with_scores(record, far=0.6 - slopes * record.scores["level"] * last))
    assert found.status == "undecided"
    of_model = {dict(each.params)["model"]: each.code for each in found.evidence if "model" in dict(each.params)}
    assert of_model == {MODELS[0]: "model_does_not_move", MODELS[1]: "model_may_move"}
    unmoved, may_move = (str(each) for each in found.evidence if "model" in dict(each.params))
    assert unmoved.endswith("; does not move (a fall of FAR by 0.1 is ruled out).")
    assert may_move.endswith("; may move (a fall of FAR by 0.1 is not ruled out).")
    assert any("No single model's fall" in line for line in map(str, found.evidence))


@pytest.mark.parametrize("few", [{"levels": (0.5,)}, {"concepts": ("recursion", "phoneme")}])
def test_one_level_or_two_concepts_can_t_show_an_effect(few):
    found = compression_effect(sound(**few))
    assert found.status == "not measured"
    assert "Can't be measured" in str(found.evidence[0])


def test_a_model_that_claims_nothing_is_left_out_and_named():
    record = sound()
    silent = record.scores["model"] == MODELS[1]
    changed = with_scores(record, far=record.scores["far"].mask(silent), sas=record.scores["sas"].mask(silent))
    found = compression_effect(changed)
    assert found.status == "pass"
    assert any("Too few scores" in line and MODELS[1] in line for line in map(str, found.evidence))


def test_a_model_that_makes_no_claim_is_not_said_to_stay_where_it_is():
    record = sound()
    silent = record.scores["model"] == MODELS[1]
    changed = {"far": record.scores["far"].mask(silent), "no_claims": silent}
    found = compression_effect(with_scores(record, **changed))
    assert found.status == "pass"
    assert f"{MODELS[1]} made no claim in turns 1-3, so nothing can be said of it." in map(str, found.evidence)
    assert not any("does not move" in line for line in map(str, found.evidence))
    alone = sound(models=MODELS[1:])
    found = compression_effect(with_scores(alone, far=np.nan, no_claims=True))
    assert found.status == "not measured"
    assert found.evidence == (reason("model_without_claims", model=MODELS[1]),)


def test_no_fall_is_zero_without_a_sign():
    found = compression_effect(sound(far=flat))
    assert not any("-0.00" in line for line in map(str, found.evidence))
    tilted = compression_effect(sound(far=lambda turn: 0.8 + 1e-6 * turn["level"]))
    assert any("FAR stays the same" in line for line in map(str, tilted.evidence))
    assert not any("-0.00" in line for line in map(str, tilted.evidence))


def panel(errors, seed=0):
    """Judges whose errors have these standard deviations, on answers that differ by 0.15."""
    rng = np.random.default_rng(seed)
    record = sound(far=lambda turn: 0.5 + 0.15 * float(rng.normal()))
    frame = verdicts(record.scores.to_dict("records"), PANEL, errors=(0.0, 0.0, 0.0))
    sds = dict(zip(PANEL, errors, strict=True))
    noise = [rng.normal() * sds[judge] for judge in frame["judge"]]
    given = frame["far"] + noise
    return replace(record, judges=PANEL, verdicts=frame.assign(far=given, sas=given))


@pytest.mark.parametrize(("sd", "status"), [(0.05, "pass"), (0.2, "warn"), (0.6, "fail")])
def test_judges_who_agree_pass_poorly_agreeing_ones_warn_and_noise_fails(sd, status):
    found = judge_agreement(panel((sd, sd, sd)))
    assert found.status == status
    assert found.interval[0] < found.value < found.interval[1]


def test_an_interval_that_begins_below_zero_supports_no_pass():
    record = panel((0.05, 0.05, 0.05))
    third = record.verdicts["concept"].isin(record.verdicts["concept"].unique()[:3]) & (record.verdicts["turn"] == 3)
    found = judge_agreement(replace(record, verdicts=record.verdicts[third]))
    assert found.value > 0.5 and found.interval[0] < 0
    assert found.status == "warn"
    assert "agreement_unsure" in [each.code for each in found.evidence]


def test_agreement_without_an_interval_supports_no_pass():
    record = panel((0.05, 0.05, 0.05))
    one = record.verdicts["concept"] == record.verdicts["concept"].iloc[0]
    found = judge_agreement(replace(record, verdicts=record.verdicts[one & (record.verdicts["turn"] == 3)]))
    assert found.value > 0.5 and found.interval is None
    assert found.status == "warn"
    assert "agreement_without_interval" in [each.code for each in found.evidence]


def test_judges_with_identical_scores_that_vary_agree_by_more_than_chance():
    record = panel((0.05, 0.05, 0.05))
    same = record.verdicts.assign(far=record.verdicts.groupby(["dialogue", "turn"])["far"].transform("first"))
    found = judge_agreement(replace(record, verdicts=same))
    assert found.status == "warn"
    codes = [each.code for each in found.evidence]
    assert "identical_scores" in codes and "agreement_without_interval" not in codes


def judged(spreads, errors, seed=0):
    """A panel whose FAR and SAS each have this spread between answers, and this error of each judge's."""
    rng = np.random.default_rng(seed)
    record = sound()
    frame = verdicts(record.scores.to_dict("records"), PANEL, errors=(0.0, 0.0, 0.0))
    turns = frame.groupby(["dialogue", "turn"]).ngroup()
    given = {}
    for score in ("far", "sas"):
        true = 0.87 + spreads[score] * rng.uniform(-1, 1, turns.max() + 1)
        given[score] = np.clip(true[turns] + rng.normal(0, errors[score], len(frame)), 0, 1)
    return replace(record, judges=PANEL, verdicts=frame.assign(**given))


def test_answers_that_are_all_equally_coherent_do_not_fail_judges_who_agree_on_their_accuracy():
    found = judge_agreement(judged({"far": 0.6, "sas": 0.0}, {"far": 0.03, "sas": 0.02}))
    assert found.status == "pass"
    assert found.value > 0.9
    assert any(line.startswith("SAS: nearly all answers are equally good") for line in map(str, found.evidence))
    assert any("AC2" in line for line in map(str, found.evidence))


def test_where_all_answers_are_alike_on_both_scales_agreement_is_not_measured():
    found = judge_agreement(judged({"far": 0.0, "sas": 0.0}, {"far": 0.02, "sas": 0.02}))
    assert (found.status, found.value) == ("not measured", None)
    exactly = judge_agreement(judged({"far": 0.0, "sas": 0.0}, {"far": 0.0, "sas": 0.0}))
    assert (exactly.status, exactly.value) == ("not measured", None)


def test_a_lenient_judge_on_answers_that_are_all_alike_still_fails():
    record = judged({"far": 0.0, "sas": 0.0}, {"far": 0.02, "sas": 0.02})
    harsh = record.verdicts["judge"] == PANEL[0]
    frame = record.verdicts.assign(sas=record.verdicts["sas"].mask(harsh, 0.3))
    assert judge_agreement(replace(record, verdicts=frame)).status == "fail"


def test_a_judge_who_alone_sees_some_bad_answers_is_a_warning():
    record = judged({"far": 0.6, "sas": 0.0}, {"far": 0.03, "sas": 0.02})
    bad = (record.verdicts["judge"] == PANEL[0]) & (record.verdicts.groupby("judge").cumcount() % 20 == 0)
    found = judge_agreement(replace(record, verdicts=record.verdicts.assign(sas=record.verdicts["sas"].mask(bad, 0.1))))
    assert found.status == "warn"
    assert any("agree on most answers" in line for line in map(str, found.evidence))


def test_agreement_is_measured_with_scores_missing():
    record = panel((0.05, 0.05, 0.05))
    holes = record.verdicts.assign(far=record.verdicts["far"].mask(record.verdicts.index % 7 == 0))
    assert judge_agreement(replace(record, verdicts=holes)).status == "pass"


def test_where_no_two_judges_give_a_far_it_is_said_that_sas_decides_alone():
    record = panel((0.05, 0.05, 0.05))
    found = judge_agreement(replace(record, verdicts=record.verdicts.assign(far=np.nan)))
    assert found.status == "pass" and str(found.evidence[0]).startswith("SAS: ICC(2,1) 0.88")
    assert str(found.evidence[1]) == (
        "FAR: not measurable, since fewer than two turns have a FAR of two judges. The other score decides alone."
    )


def test_one_judge_has_nobody_to_agree_with_and_that_is_said():
    found = judge_agreement(sound())
    assert (found.status, found.value) == ("not measured", None)
    assert "Fewer than two judges" in str(found.evidence[0])


def test_judges_without_a_common_turn_warn():
    record = replace(sound(), judges=("a", "b"), verdicts=sound().verdicts[:0])
    assert judge_agreement(record).status == "warn"


def test_few_turns_behind_far_prime_warn_and_never_fail():
    found = rare_cells(sound())
    assert (found.status, found.value) == ("warn", 0)
    assert any(f"FAR' of {MODELS[0]}" in line for line in map(str, found.evidence))


def test_enough_turns_behind_far_prime_and_sas_prime_pass():
    record = sound()
    low = record.scores["turn"] > 2  # 36 turns of each model
    found = rare_cells(with_scores(record, sas=record.scores["sas"].mask(low, 0.3)))
    assert (found.status, found.value) == ("pass", 36)


@pytest.mark.parametrize(("turns", "status"), [(19, "warn"), (20, "pass")])
def test_twenty_turns_are_enough_behind_far_prime_and_sas_prime(turns, status):
    record = sound()
    low = record.scores.groupby("model").cumcount() < turns
    found = rare_cells(with_scores(record, sas=record.scores["sas"].mask(low, 0.3)))
    assert (found.status, found.value) == (status, turns)


def test_curves_that_fall_once_are_monotone():
    assert hoc_monotone(sound()).status == "pass"


def test_curves_that_rise_again_more_often_than_tosses_would_fail():
    found = hoc_monotone(sound(far=lambda turn: 0.5 if turn["level"] == 0 else 0.9))
    assert (found.status, found.value) == ("fail", 1)
    assert any("HOC 1, HOC_onset 0" in line for line in map(str, found.evidence))


def test_curves_of_one_level_are_not_measured():
    found = hoc_monotone(sound(levels=(1,)))
    assert (found.status, found.value) == ("not measured", None)
    assert str(found.evidence[0]) == "One level was asked: a curve of one level can't come back."


def test_some_curves_that_rise_again_warn_and_chance_is_named():
    def far(turn):
        return 0.5 if turn["concept"] == "phoneme" and turn["level"] == 0.5 else 0.9

    found = hoc_monotone(sound(levels=FIVE, far=far))
    assert (found.status, found.value) == ("warn", 0.25)
    assert any("tosses of a coin at 5 levels do it in 81 %" in line for line in map(str, found.evidence))


@pytest.mark.parametrize(
    ("check", "status"), [(compression_effect, "not measured"), (rare_cells, "warn"), (hoc_monotone, "warn")]
)
def test_a_run_without_scores_does_not_pass(check, status):
    record = sound()
    unscored = replace(record, scores=record.scores[:0], verdicts=pd.DataFrame(record.verdicts[:0]))
    assert check(unscored).status == status


def test_a_judge_without_any_score_leaves_the_others_agreement_as_it_is(recwarn):
    record = panel((0.05, 0.05, 0.05))
    silent = record.verdicts.assign(
        **{name: record.verdicts[name].mask(record.verdicts["judge"] == "c") for name in ("far", "sas")}
    )
    assert judge_agreement(replace(record, verdicts=silent)).status == "pass"
    assert not recwarn.list


def test_curves_without_a_score_are_not_said_to_stay_down():
    record = sound()
    unscored = record.scores.assign(unscored="no verdict", far=float("nan"), sas=float("nan"), no_claims=None)
    without = hoc_monotone(replace(record, scores=unscored))
    assert (without.status, without.value) == ("warn", None)


def with_stances(*said, judges=PANEL, models=MODELS, **far):
    """A run of which every judge says the stance that its function gives of an answer's number."""
    record = sound(models=models, **far)
    frame = verdicts(record.scores.to_dict("records"), judges, errors=[0.01 * place for place in range(len(judges))])
    noise = np.random.default_rng(5).normal(0.0, 0.03, (2, len(frame)))  # no judge is another's near copy
    frame = frame.assign(far=frame["far"] + noise[0], sas=frame["sas"] + noise[1])
    at_4 = frame["turn"] == 4
    places = frame["dialogue"].map({name: place for place, name in enumerate(frame["dialogue"].unique())})
    stances = [
        dict(zip(judges, said, strict=True))[judge](place) if asked else None
        for judge, place, asked in zip(frame["judge"], places, at_4, strict=True)
    ]
    return replace(record, judges=judges, verdicts=frame.assign(stance=stances))


def mostly(usual, other, of=4):
    return lambda place: usual if place % of else other


REAL = mostly("accepted", "rejected")


def at_random(place, rng=np.random.default_rng(3)):  # noqa: B008
    return ("accepted", "questioned", "rejected")[rng.integers(3)]


def test_judges_who_tell_the_same_stances_pass():
    found = stance_agreement(with_stances(REAL, REAL, judges=("a", "b")))
    assert (found.status, found.value) == ("pass", 1.0)


def of_stances(verdicts):
    return agreement_on_stances(verdicts, copied_judges(verdicts))


def test_the_stances_of_a_model_in_two_runs_are_those_of_two_models():
    one, other = with_stances(REAL, REAL, judges=("a", "b")), with_stances(REAL, at_random, judges=("a", "b"))
    together = pd.concat([one.verdicts, other.verdicts.assign(model=other.verdicts["model"] + " (again)")])
    assert of_stances(together).value == stance_agreement(other).value
    stuck = with_stances(REAL, lambda place: "rejected", judges=("a", "b")).verdicts
    twice = pd.concat([stuck, stuck.assign(model=stuck["model"] + " (again)")])
    (why,) = [each for each in of_stances(twice).evidence if each.code == "one_stance"]
    assert why["answers"] == 2 * (stuck["judge"].eq("b") & stuck["stance"].notna()).sum()


def test_a_stance_that_some_judge_sees_otherwise_now_and_then_warns():
    found = stance_agreement(with_stances(REAL, mostly("accepted", "questioned"), judges=("a", "b")))
    assert found.status == "warn"
    assert 0.5 < found.value < 0.8


@pytest.mark.parametrize("bad", [lambda place: "rejected", lambda place: "accepted", at_random])
def test_a_constant_or_random_stance_beside_a_real_judge_fails(bad):
    assert stance_agreement(with_stances(REAL, bad, judges=("a", "b"))).status == "fail"


def test_a_judge_with_one_stance_only_is_named_where_every_other_judge_says_otherwise():
    found = stance_agreement(with_stances(REAL, REAL, lambda place: "accepted"))
    assert found.status == "fail" and found.value > 0.5
    assert (found.evidence[0].code, found.evidence[0]["judge"]) == ("one_stance", "c")
    alike = with_stances(mostly("rejected", "accepted", of=20), lambda place: "rejected", judges=("a", "b"))
    assert stance_agreement(alike).status == "pass"


def test_where_no_judge_s_stance_varies_all_are_named():
    found = stance_agreement(with_stances(*[lambda place, said=said: said for said in ("rejected", *["accepted"] * 2)]))
    assert found.status == "fail"
    assert [str(each) for each in found.evidence[:3]] == [
        f"{judge} calls every answer {stance}, and no other judge's stance varies either."
        for judge, stance in zip(PANEL, ("rejected", "accepted", "accepted"), strict=True)
    ]


@pytest.mark.parametrize(("share", "says"), [(1.0, "otherwise of all."), (0.5, "otherwise of 50 % or more.")])
def test_of_how_many_answers_others_say_otherwise(share, says):
    assert str(reason("one_stance", judge="a", stance="accepted", answers=24, share=share)).endswith(says)


def test_the_model_on_whose_stances_judges_differ_most_decides():
    record = with_stances(REAL, REAL, judges=("a", "b"))
    of_last = (record.verdicts["model"] == MODELS[1]) & (record.verdicts["judge"] == "b")
    turned = record.verdicts["stance"].mask(of_last & record.verdicts["stance"].notna(), "questioned")
    found = stance_agreement(replace(record, verdicts=record.verdicts.assign(stance=turned)))
    assert (found.status, found.models) == ("fail", (MODELS[1],))
    assert found.evidence[0]["model"] == MODELS[1]


def test_one_judge_or_a_few_answers_show_no_of_stances():
    assert stance_agreement(with_stances(REAL, judges=("a",))).status == "not measured"
    record = with_stances(REAL, at_random, judges=("a", "b"))
    few = record.verdicts["concept"] == record.verdicts["concept"].iloc[0]
    assert stance_agreement(replace(record, verdicts=record.verdicts[few])).status == "not measured"


@pytest.mark.parametrize("judges", [("a",), ("a", "b")])
def test_one_stance_of_all_judges_warns_and_both_readings_are_given(judges):
    found = stance_agreement(with_stances(*[lambda place: "rejected"] * len(judges), judges=judges))
    assert found.status == "warn"
    assert str(found.evidence[0]) == (
        "The judges' stance is “rejected” on all 24 answers to a fabrication: either the models always answer so, or "
        "these judges can't tell. Nothing here shows which, and ER rests on it."
    )


def at_trap(score, *, otherwise=0.9):
    """FAR of a model that scores this at a third of the fabrications."""
    return lambda turn: score if turn["turn"] == 4 and turn["level"] == 0.5 else otherwise


@pytest.mark.parametrize("judges", [("a",), ("a", "b")])
@pytest.mark.parametrize(
    ("stance", "far", "code"),
    [
        ("rejected", at_trap(0.2), "rejected_though_false"),
        ("accepted", at_trap(0.95, otherwise=0.5), "accepted_though_right"),
    ],
)
def test_one_stance_that_the_judges_own_far_denies_fails(judges, stance, far, code):
    found = stance_agreement(with_stances(*[lambda place: stance] * len(judges), judges=judges, far=far))
    assert (found.status, found.models) == ("fail", ())
    assert (found.evidence[0].code, dict(found.evidence[0].params)) == (code, {"answers": 24, "hits": 8, "of": 24})


@pytest.mark.parametrize(
    ("stance", "far"),
    [
        ("rejected", at_trap(0.2, otherwise=0.3)),  # a model that is wrong at every turn
        ("rejected", at_trap(0.5)),
        ("accepted", at_trap(0.8, otherwise=0.3)),
        ("questioned", at_trap(0.2)),
        ("questioned", at_trap(0.95, otherwise=0.5)),
    ],
)
def test_one_stance_that_the_rubric_allows_with_this_far_warns(stance, far):
    found = stance_agreement(with_stances(lambda place: stance, judges=("a",), far=far))
    assert (found.status, found.evidence[0].code) == ("warn", "one_stance_of_all")


def unvarying(*given):
    return {why.code: dict(why.params) for why in unvarying_judges(saying(*given))}


NEARLY = {"nearly_constant_judge": {"judges": "a"}}


def test_a_judge_whose_scores_hardly_move_is_nearly_constant_where_another_s_do():
    assert unvarying(STILL, VARIED) == NEARLY
    assert unvarying((around(0.8, stray=3), around(0.89)), VARIED) == NEARLY
    assert unvarying((flat, flat), VARIED) == {"constant_judge": {"judges": "a"}}


def test_a_judge_whose_scores_wobble_around_one_value_is_nearly_constant():
    rng = np.random.default_rng(1)
    assert unvarying([lambda place: 0.8 + rng.uniform(-0.05, 0.05)] * 2, VARIED) == NEARLY


def test_a_judge_on_a_narrow_scale_who_ranks_answers_as_others_do_is_not_nearly_constant():
    assert unvarying([lambda place: 0.8 + 0.1 * varied(place)] * 2, VARIED) == {}


def test_scores_that_hardly_move_say_nothing_of_a_judge_where_no_other_s_do_or_one_score_does():
    assert unvarying(STILL, (around(0.9), around(0.85))) == {}
    assert unvarying(STILL) == {}
    assert unvarying(STILL, (around(0.9), around(0.85)), VARIED) == {}  # the third may be noisy
    assert unvarying((varied, around(0.89)), VARIED) == {}


def test_a_judge_with_one_score_that_never_varies_is_named_with_it():
    assert unvarying((flat, varied)) == {"constant_score": {"judges": "a", "score": "FAR"}}
    assert unvarying((varied, flat), VARIED) == {"constant_score": {"judges": "a", "score": "SAS"}}
    assert unvarying((varied, flat)) == {}  # all answers may read well


@pytest.mark.parametrize(("alike", "shift", "hits", "of"), [(39, 0.0, 38, 39), (40, 0.01, 40, 40)])
def test_a_judge_who_nearly_repeats_another_is_named_and_takes_no_part_in_the_agreement(alike, shift, hits, of):
    given = saying(OURS, VARIED, near_copy_of(*OURS, alike, shift)).assign(concept="x", echoes=False)
    (near,) = copied_judges(given).reasons
    counted = {"judges": ("a", "c"), "hits": hits, "of": of, "left_out": ("c",)}
    assert (near.code, dict(near.params)) == ("near_copy", counted)
    assert str(near).endswith("take the two for one judge. Agreement between judges is computed without c.")
    found, alone = beside_without_the_third(given)
    assert (found.value, found.status) == (alone.value, alone.status)
    assert list(map(str, found.evidence)) == [str(near), *map(str, alone.evidence)]


def beside_without_the_third(given):
    record = replace(panel((0.05, 0.05, 0.05)), verdicts=given)
    return judge_agreement(record), judge_agreement(replace(record, verdicts=given[given["judge"] != "c"]))


def test_agreement_that_would_pass_without_a_near_copy_warns_beside_it():
    given = panel((0.05, 0.05, 0.05)).verdicts
    first, third = (given[given["judge"] == judge] for judge in ("a", "c"))
    nearly = third.assign(**{score: first[score].to_numpy() + 0.001 for score in ("far", "sas")})
    found, alone = beside_without_the_third(pd.concat([given[given["judge"] != "c"], nearly]))
    assert (found.value, found.interval, alone.status) == (alone.value, alone.interval, "pass")
    assert found.status == "warn" and found.evidence[0]["left_out"] == ("c",)


def test_near_copies_of_whom_no_judge_is_independent_are_compared_and_the_checks_do_not_pass():
    given = saying(OURS, near_copy_of(*OURS, 39)).assign(concept="x", echoes=False, turn=4, stance="rejected")
    given.loc[given["dialogue"] == given["dialogue"].iloc[0], "stance"] = "accepted"
    (near,) = copied_judges(given).near
    assert (near.code, near["left_out"]) == ("near_copies_alone", ())
    assert str(near).endswith("No other judge is independent of them, so that their agreement shows nothing.")
    record = replace(sound(), judges=("a", "b"), verdicts=given)
    agreement, stances = judge_agreement(record), stance_agreement(record)
    assert agreement.value > 0.9 and agreement.status == "warn" and agreement.evidence[0] == near
    assert stances.value == 1 and stances.status == "warn" and near in stances.evidence


def test_the_stance_of_a_near_copy_counts_where_it_differs_from_its_twins():
    given = saying(OURS, VARIED, near_copy_of(*OURS, 39)).assign(concept="x", turn=4, stance="rejected")
    odd = given["dialogue"].isin(given["dialogue"].unique()[::2])
    agreed = given.assign(stance=given["stance"].mask(odd, "accepted"))
    apart = agreed.assign(stance=agreed["stance"].mask(agreed["judge"] == "c", "questioned"))
    assert of_stances(agreed).status == "pass"
    assert of_stances(apart).status == "fail"
    differing = agreed.assign(stance=agreed["stance"].mask((agreed["judge"] == "b") & odd, "rejected"))
    alone = of_stances(differing[differing["judge"] != "c"])
    assert of_stances(differing).value == alone.value


def test_a_judge_whose_far_alone_hardly_moves_is_named_with_it():
    far_alone = {"nearly_constant_score": {"judges": "a", "score": "FAR"}}
    assert unvarying((around(0.8), varied), VARIED) == far_alone
    assert unvarying((around(0.8, stray=3), varied), VARIED, VARIED) == far_alone
    assert unvarying((around(0.8), varied), (around(0.9), varied)) == {}  # nobody's FAR moves
    assert unvarying((around(0.8), varied), (around(0.9), varied), VARIED) == {}  # the third may be noisy
    assert unvarying((lambda place: 0.8 + 0.1 * varied(place), varied), VARIED) == {}  # a narrow scale


def test_a_judge_and_its_copy_count_as_one():
    record = panel((0.05, 0.05, 0.05))
    first = record.verdicts[record.verdicts["judge"] == "a"]
    found = judge_agreement(replace(record, verdicts=pd.concat([first, first.assign(judge="b")])))
    assert (found.status, found.value) == ("warn", None)
    assert [why.code for why in found.evidence] == ["copied_judge", "too_few_judges"]
