"""Runs that are different tests or were judged differently are not compared; names and prices make no other test."""

import re
from dataclasses import replace

import pytest

from tests.ddft.analysis._runs import run, runs_of
from voirdire.ddft.analysis.comparability import cautions, different_traps, incomparability_reasons
from voirdire.ddft.analysis.comparing.compare import compare
from voirdire.ddft.analysis.runs import RunsError
from voirdire.ddft.presets import RoleOptions
from voirdire.reason_codes import reason


def codes(one, other, **options):
    return [why.code for why in incomparability_reasons(one, other, **options)]


def said(one, other):
    return " ".join(cautions({"a": one, "b": other}))


def test_a_preset_of_another_name_price_and_address_is_the_same_test():
    roles = {"judge": RoleOptions("http://localhost:1/v1", "A_KEY", (1.0, 2.0))}
    one, other = run("a", "x"), run("b", "y", name="mine", roles=roles, samples=2)
    assert codes(one, other) == []
    assert said(one, other) == ""


@pytest.mark.parametrize(
    "changed", [{"trap": "none"}, {"compression": None}, {"subject_temperature": 0.5}, {"turn5": "on_acceptance"}]
)
def test_a_preset_that_asks_otherwise_is_another_test(changed):
    one, other = run("a", "x"), run("b", "y", **changed)
    assert codes(one, other) == ["different_tests"]
    assert "they are different tests" in said(one, other)
    assert codes(one, other, ignoring=list(changed)) == []


def test_another_interviewer_is_another_test():
    assert codes(run("a", "x"), run("b", "y", interviewer="simulated/interviewer")) == ["different_tests"]


def test_other_levels_are_said_and_leave_the_shared_ones_to_be_compared():
    one, other = run("a", "x"), run("b", "y", levels=(0.0, 0.5, 1.0))
    assert codes(one, other) == []
    assert "held at different levels" in said(one, other)


def test_other_fabrications_are_said_with_how_many_of_the_shared_dialogues_had_another_one():
    one, other = run("a", "x", "y"), run("b", "z", seed=7, levels=(0.0, 0.5, 1.0))
    assert codes(one, other) == []
    assert different_traps({"a": one, "b": other}) == reason("note_different_traps", different=40, shared=40)
    assert said(one, other).startswith(
        "The runs set different fabrications: in 40 of 40 shared dialogues turn 4 named "
    )


def test_the_same_fabrications_of_two_runs_and_a_run_alone_need_no_word():
    one, other = run("a", "x", "y"), run("b", "z")
    assert different_traps({"a": one, "b": other}) is None
    assert different_traps({"a": one}) is None


def test_of_different_tests_it_goes_without_saying_that_their_traps_differ():
    assert "different fabrications" not in said(run("a", "x"), run("b", "y", seed=7, trap="expert"))


def test_juries_count_and_so_does_whether_they_were_shown_the_reference():
    assert codes(run("a", "x"), run("b", "y", jury="j-2")) == ["different_juries"]
    assert codes(run("a", "x"), run("b", "y", judge_reference="never")) == ["different_judge_reference"]


def test_the_same_judges_with_another_rubric_are_told_apart_by_it():
    one, other = run("a", "x"), run("b", "y", jury="j-2", prompts={"judge_far": "FAR: 0 or 1."})
    judged = [replace(each, manifest={**each.manifest, "jury": ["openai/gpt-5.1"]}) for each in (one, other)]
    assert codes(*judged) == ["different_rubrics"]
    assert str(reason("different_rubrics")) == "judged by different rubrics"
    others = replace(judged[1], manifest={**judged[1].manifest, "jury": ["a/b"]})
    assert codes(judged[0], others) == ["different_juries"]


def test_models_of_different_juries_get_no_verdict_no_test_and_no_rank():
    found = compare(runs_of(run("a", "good"), run("b", "liar", jury="j-2")))
    (pair,) = found.pairs
    assert (pair.verdict, pair.reasons) == ("cannot be decided", (reason("different_juries"),))
    assert pair.p is None and pair.difference is None and pair.interval is None
    assert (
        found.summary == "No model can be put first: good and liar were judged by different juries, and not compared."
    )
    assert all(model.rank_probabilities is None for model in found.models)
    assert found.as_dict()["pairs"][0]["unlike"] == [{"code": "different_juries", "text": "judged by different juries"}]


def test_models_of_one_jury_are_still_told_apart_beside_another_jury_s():
    found = compare(runs_of(run("a", "good", "liar"), run("b", "other", jury="j-2")))
    verdicts = {frozenset((pair.a, pair.b)): pair.verdict for pair in found.pairs}
    assert verdicts.pop(frozenset(("good", "liar"))) == "A is higher"
    assert set(verdicts.values()) == {"cannot be decided"}
    first = "No model can be put first: the models of 2 pairs were judged by different juries"
    assert f"{first}, and not compared." in found.summary
    assert "These differ on what both were asked: good and liar." in found.summary


def test_models_of_different_tests_cannot_be_decided_and_the_setting_is_named():
    (pair,) = compare(runs_of(run("a", "good"), run("b", "liar", compression=None))).pairs
    assert [str(each) for each in pair.reasons] == ["held as different tests (compression)"]


def test_comparability_runs_are_no_one_study():
    runs_of(run("a", "x"), run("b", "y", name="mine")).check_comparable()
    with pytest.raises(RunsError, match=r"a and b can't be taken as one study, .* judged by different juries: name"):
        runs_of(run("a", "x"), run("b", "y", jury="j-2")).check_comparable()


def test_runs_of_different_levels_have_no_first_model_and_their_pairs_still_differ():
    found = compare(runs_of(run("a", "good"), run("b", "liar", levels=(0.0, 0.5, 1.0))))
    value = r"0\.\d{3}"
    assert re.fullmatch(
        "No model can be put first: the runs were held at different levels; on what both were asked, good is "
        rf"{value} above liar \(95 % interval {value} to {value}\)\. "
        r"These differ on what both were asked: good and liar\.",
        found.summary,
    )
    assert all(model.rank_probabilities is None for model in found.models)
    third = compare(runs_of(run("a", "good", "fair"), run("b", "liar", levels=(0.0, 0.5, 1.0))))
    assert third.headline == (
        "No model can be put first: the runs were held at different levels, so each two are compared only on what "
        "both were asked."
    )


def test_of_runs_of_different_levels_that_share_no_turn_the_turns_are_named_first():
    other = run("b", "liar", levels=(0.0, 0.5, 1.0))
    apart = replace(other, scores=other.scores.assign(concept=lambda rows: rows["concept"] + "2"))
    found = compare(runs_of(run("a", "good"), apart))
    assert found.summary == "No model can be put first: good and liar share no scored turn."


def test_a_model_without_a_value_leaves_the_runs_as_unlike_as_they_are():
    found = compare(runs_of(run("a", "good", "liar"), run("b", "other", trap="none")))
    assert found.metric == "ER"
    assert found.summary.startswith("No model can be put first: the models of 2 pairs were held as different tests")


def test_a_model_in_two_runs_is_one_model_of_two_results():
    found = runs_of(run("a", "x", "y"), run("b", "x", "y"))
    names = list(found.result_by_model)
    assert len(names) == 4
    assert found.count_models(names) == "2 models in 2 runs"
    assert found.count_models(["x (a)", "y (b)"]) == "2 models"


def test_of_a_model_in_two_runs_figures_across_models_say_that_it_counts_twice():
    (said,) = runs_of(run("a", "x", "y"), run("b", "x")).repetition
    assert said.startswith("These are 2 models in 2 runs, and each model counts once for each of its runs: as 3 models")
    assert runs_of(run("a", "x"), run("b", "y")).repetition == ()
