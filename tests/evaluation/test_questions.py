"""What commands ask of results: limits, differences, power, agreement of judges."""

import json
import math

import numpy as np
import pytest

from tests.evaluation.checks.test_judges import pair_of_judges
from tests.evaluation.examples import evaluation_of, random_scores, scores_of
from voirdire.documents.document import Text
from voirdire.evaluation import questions
from voirdire.evaluation.audit import audit
from voirdire.evaluation.judges import NoJudgesError, agreements
from voirdire.evaluation.planning import planned
from voirdire.evaluation.report.judges import agreement_line, judges_document
from voirdire.instruments import CompareQuestion, PowerQuestion
from voirdire.reason_codes import reason
from voirdire.reports.formats.terminal import to_terminal


@pytest.fixture
def table(tmp_path):
    lines = [f"{item},{model},{int(item % 10 < right)}" for model, right in (("a", 9), ("b", 2)) for item in range(200)]
    path = tmp_path / "results.csv"
    path.write_text("\n".join(["item,model,score", *lines]))
    return path


def judged(**scores):
    """Rows of two items and one model by judge."""
    return evaluation_of(
        {"item": f"i{item}", "judge": judge, "score": score}
        for judge, own in scores.items()
        for item, score in enumerate(own)
    )


def test_a_limit_can_be_set_on_the_score_and_on_the_metrics_own_name(tmp_path, table):
    lines = table.read_text().replace("score", "acc", 1)
    (tmp_path / "named.csv").write_text(lines)
    figures = questions.figures(tmp_path / "named.csv").subjects[0].figures
    assert figures["score"].value == figures["acc"].value == 0.9


def test_items_without_a_score_leave_open_what_the_score_could_be(tmp_path):
    (tmp_path / "r.csv").write_text("item,model,score\n1,a,1\n2,a,1\n3,a,\n4,a,0\n")
    figure = questions.figures(tmp_path / "r.csv").subjects[0].figures["score"]
    assert figure.value == pytest.approx(2 / 3)
    assert figure.could_be == (0.5, 0.75) and figure.lacking == reason("evaluation_items_unscored", items=1)
    assert figure.interval is not None and figure.reason is None


def test_a_score_of_a_single_item_has_no_interval_and_says_why(tmp_path):
    (tmp_path / "r.csv").write_text("item,model,score\n1,a,0.3\n")
    figure = questions.figures(tmp_path / "r.csv").subjects[0].figures["score"]
    assert (figure.value, figure.interval, figure.reason) == (0.3, None, reason("evaluation_few_items"))


def test_compare_keeps_to_named_models_and_corrects_over_their_pairs(tmp_path):
    rows = [
        f"{item},{model},{int(item % 10 < right)}"
        for model, right in zip("abc", (9, 5, 2), strict=True)
        for item in range(50)
    ]
    (tmp_path / "r.csv").write_text("\n".join(["item,model,score", *rows]))
    every = questions.compare([tmp_path / "r.csv"], CompareQuestion())
    two = questions.compare([tmp_path / "r.csv"], CompareQuestion(("a", "c")))
    assert (len(every.frame), len(two.frame)) == (3, 1)
    assert two.headline == "Believe the order of both models."
    (tmp_path / "s.csv").write_text((tmp_path / "r.csv").read_text())
    both = questions.compare([tmp_path / "r.csv", tmp_path / "s.csv"], CompareQuestion())
    assert both.headline == f"r: {every.headline}"
    with pytest.raises(questions.QuestionError, match=r"no model 'x' in these results; there are a, b, c\."):
        questions.compare([tmp_path / "r.csv"], CompareQuestion(("x",)))


def test_compare_believes_no_order_that_the_checks_forbid(tmp_path):
    right = {"a": 9, "b": 5, "c": 2}
    rows = [
        f"{item},{model},{(item % 10 < right[model]) * (100 if model == 'c' else 1)}"
        for model in right
        for item in range(50)
    ]
    (tmp_path / "r.csv").write_text("\n".join(["item,model,score", *rows]))
    every = questions.compare([tmp_path / "r.csv"], CompareQuestion())
    assert every.headline.startswith("Believe no order: c and a are scored on different scales. 1 check fails: ")
    assert every.values["evaluations"]["r"]["failing_checks"] == ["different_scales"]
    assert "The check different_scales fails: c is scored up to 100" in to_terminal(every.document)
    sound = questions.compare([tmp_path / "r.csv"], CompareQuestion(("a", "b")))
    assert sound.headline == "Believe the order of both models."
    assert sound.values["evaluations"]["r"]["failing_checks"] == []


def test_compare_names_the_checks_that_warn(tmp_path):
    rows = [f"{item},{model},{int(item % 10 < right)}" for model, right in (("a", 9), ("b", 5)) for item in range(100)]
    rows[0] = "0,a,"
    (tmp_path / "r.csv").write_text("\n".join(["item,model,score", *rows]))
    found = questions.compare([tmp_path / "r.csv"], CompareQuestion())
    assert found.values["evaluations"]["r"]["warning_checks"] == ["dropped_items"]
    assert "1 check warns: dropped_items." in to_terminal(found.document)


def test_a_difference_that_the_results_show_needs_no_more_items_and_a_smaller_one_does():
    evaluation = scores_of(random_scores(4, 0.7, 0.6, items=300))
    seen = planned(evaluation, PowerQuestion(0.05)).seen
    assert planned(evaluation, PowerQuestion(seen * 1.02)).needed <= 300
    assert planned(evaluation, PowerQuestion(seen / 2)).needed == pytest.approx(4 * 300, rel=0.05)


def test_more_models_take_more_items():
    evaluation = scores_of(random_scores(4, 0.7, 0.6, items=120))
    two, ten = (planned(evaluation, PowerQuestion(0.05, models=models)).needed for models in (2, 10))
    assert ten > two


def test_models_that_never_differ_give_no_plan():
    assert planned(scores_of({"a": [1.0, 0.0], "b": [1.0, 0.0]}), PowerQuestion(0.1)) is None


def test_judges_who_agree_have_an_alpha_of_one_and_no_leniency():
    (panel,) = agreements([judged(x=[0.0, 1.0, 0.5, 1.0], y=[0.0, 1.0, 0.5, 1.0])])
    assert panel.alpha.value == pytest.approx(1.0)
    assert [one.leniency.value for one in panel.judges] == pytest.approx([0.0, 0.0])
    assert (panel.pairs[0].same, panel.pairs[0].difference, panel.pairs[0].n) == (1.0, 0.0, 4)


def test_a_judge_who_gives_more_is_lenient():
    (panel,) = agreements([judged(x=[0.0, 0.5, 0.2, 0.1], y=[0.3, 0.8, 0.5, 0.4])])
    assert [one.leniency.value for one in panel.judges] == pytest.approx([-0.3, 0.3])
    assert panel.pairs[0].correlation == pytest.approx(1.0) and panel.pairs[0].same == 0.0


def test_judges_in_files_of_their_own_are_held_together():
    one, other = (judged(**{judge: scores}) for judge, scores in (("x", [0.0, 1.0, 1.0]), ("y", [0.0, 1.0, 0.0])))
    (panel,) = agreements([one, other])
    assert (panel.outputs, [each.judge for each in panel.judges]) == (3, ["x", "y"])
    assert panel.pairs[0].same == pytest.approx(2 / 3)


def test_one_judge_is_no_panel(table):
    assert agreements([judged(x=[0.0, 1.0])]) == []
    with pytest.raises(NoJudgesError, match="scored by two judges"):
        questions.reliability([table])


def test_constant_judges_leave_agreement_undefined():
    (panel,) = agreements([judged(x=[1.0, 1.0, 1.0], y=[1.0, 1.0, 1.0])])
    assert math.isnan(panel.alpha.value) and panel.pairs[0].correlation is None


def test_a_check_of_results_concerns_the_models_that_it_names(tmp_path):
    rows = "".join(f"{n},good,{n % 2},the answer to number {n}\n{n},bad,{n % 2},always the same\n" for n in range(60))
    (tmp_path / "r.csv").write_text(f"item,model,score,output\n{rows}")
    found = questions.figures(tmp_path / "r.csv")
    assert [check.models for check in found.failed_checks] == [("bad",)]
    assert found.only(["good"]).failed_checks == ()
    assert found.only(["bad"]).failed_checks == found.failed_checks


def test_a_gate_on_results_without_items_has_nothing_to_judge_and_names_failed_checks(tmp_path):
    log = {"status": "success", "eval": {"task": "t", "model": "m"}, "results": {"total_samples": 9, "scores": []}}
    (tmp_path / "log.json").write_text(json.dumps(log))
    assert questions.figures(tmp_path).subjects[0].figures["score"].reason == reason("evaluation_nothing_scored")
    (tmp_path / "r.csv").write_text("item,model,score\n" + "".join(f"{n},a,{n % 2 or ''}\n" for n in range(40)))
    assert "dropped_items" in [check.id for check in questions.figures(tmp_path / "r.csv").failed_checks]


def test_judges_who_scored_different_numbers_are_not_said_to_have_scored_the_same():
    same = {"a": [1.0, 0.0, 1.0, 0.0], "b": [1.0, 0.0, 0.0, 0.0]}
    (panel,) = agreements([judged(**same)])
    assert agreement_line(panel).startswith("2 judges of the same 4 outputs agree")
    (panel,) = agreements([judged(**same, c=[1.0, 1.0])])
    assert agreement_line(panel).endswith("on 4 outputs that two or more of them scored; each scored 2 to 4 of these.")


def test_evaluations_that_share_a_judge_are_panels_of_their_own(tmp_path):
    one, other = judged(x=[0.0, 1.0, 1.0], y=[0.0, 1.0, 1.0]), judged(x=[1.0, 0.0, 0.0], y=[1.0, 1.0, 0.0])
    assert [panel.pairs[0].same for panel in agreements([one, other])] == pytest.approx([1.0, 2 / 3])
    for name, second in (("one", 1), ("two", 0)):
        rows = "".join(f"i{n},m,x,{n % 2}\ni{n},m,y,{n % 2 * second}\n" for n in range(40))
        (tmp_path / f"{name}.csv").write_text(f"item,model,judge,score\n{rows}")
    assert questions.reliability([tmp_path]).headline.startswith("one: 2 judges of the same 40 outputs")


def test_a_judge_of_another_evaluation_is_no_copy_of_one_here(tmp_path):
    """The first file's judges are independent; the second's repeat one of them under the other's name."""
    for name, copied in (("one", 0), ("two", 1)):
        rows = "".join(f"i{n},m,x,{n % 2}\ni{n},m,y,{n % 2 if copied else n % 3 % 2}\n" for n in range(90))
        (tmp_path / f"{name}.csv").write_text(f"item,model,judge,score\n{rows}")
    found = {check.evaluation: check for check in audit([tmp_path]).checks if check.id == "copied_judge"}
    assert (found["one"].status, found["two"].status) == ("pass", "fail")


def test_agreement_with_a_copied_judge_is_said_to_be_no_evidence():
    scores = [float(n * 7 % 11) for n in range(60)]
    near = [*scores[:55], *(score + 1 for score in scores[55:])]
    other = [float(n * 5 % 11) for n in range(60)]
    (copied,), (apart,) = agreements([judged(x=scores, y=near)]), agreements([judged(x=scores, y=other)])
    shown = [text.text for text in judges_document([copied]).sections[0].blocks if isinstance(text, Text)]
    assert shown[1].startswith("This agreement may be no evidence: x and y give the same score to 91.7 % of 60 outputs")
    assert copied.as_dict()["copied"]["code"] == "evaluation_copied_scores"
    assert apart.copied is None


def test_a_judge_who_repeats_another_counts_once_in_agreement():
    scores, other, third = ([float(n * step % 11) for n in range(60)] for step in (7, 5, 3))
    near = [*scores[:55], *(score + 1 for score in scores[55:])]
    (panel,) = agreements([judged(a=scores, b=other, c=near)])
    (alone,) = agreements([judged(a=scores, b=other)])
    assert (panel.alpha, panel.single, panel.mean_of_all) == (alone.alpha, alone.single, alone.mean_of_all)
    assert [(each.judge, each.repeats, each.why.code) for each in panel.left_out] == [
        ("c", "a", "evaluation_copied_scores")
    ]
    assert panel.copied is None
    assert [each.judge for each in panel.judges] == ["a", "b", "c"] and len(panel.pairs) == 3
    assert panel.judges[:2] == alone.judges
    shown = [text.text for text in judges_document([panel]).sections[0].blocks if isinstance(text, Text)]
    assert shown[0].startswith("2 judges of the same 60 outputs, without c, which repeats a, agree to Krippendorff's")
    assert shown[1].startswith("They count as one judge: a and c give the same score to 91.7 % of 60 outputs")
    (several,) = agreements([judged(a=scores, b=other, c=near, d=scores, e=third)])
    assert agreement_line(several).startswith(
        "3 judges of the same 60 outputs, without c, which repeats a, or d, which repeats a, agree"
    )


def test_two_good_judges_of_right_and_wrong_both_count_beside_bad_ones():
    chance = np.random.default_rng(3)
    true = chance.random(120) < 0.6
    errors = {"a": 0.02, "b": 0.02, "c": 0.5, "d": 0.5}
    verdicts = {judge: true ^ (chance.random(120) < error) for judge, error in errors.items()}
    (panel,) = agreements([judged(**{judge: each.astype(float).tolist() for judge, each in verdicts.items()})])
    assert panel.left_out == ()
    assert panel.copied is None or "both are better than the rest" in panel.copied.sentence


def test_a_copy_in_a_file_of_its_own_counts_once_too():
    scores, other = ([float(n * step % 11) for n in range(60)] for step in (7, 5))
    (panel,) = agreements([judged(a=scores, b=other), judged(z=scores)])
    assert [(each.judge, each.repeats) for each in panel.left_out] == [("z", "a")]


def test_a_copy_counts_where_no_two_others_judged_the_same():
    scores = [float(n * 7 % 11) for n in range(60)]
    (panel,) = agreements([judged(a=scores, b=scores, c=[math.nan] * 60 + [1.0])])
    assert (panel.left_out, panel.outputs, panel.copied.code) == ((), 60, "evaluation_copied_scores")


def test_a_near_copy_stays_in_agreement_with_a_caution():
    near = pair_of_judges(1, 300, 0, noise=0.007, steps=1000)
    rows = near.rows[["item", "judge", "score"]].to_dict("records")
    rows += [{"item": f"i{n}", "judge": "c", "score": float(n * 7 % 301)} for n in range(300)]
    (panel,) = agreements([evaluation_of(rows)])
    assert panel.left_out == () and panel.copied.code == "evaluation_near_copy"


@pytest.mark.parametrize("slip", [7.5, -6.0])
def test_one_score_far_outside_all_others_of_its_judge_is_named(slip):
    scores, other = ([float(n * step % 11) / 10 for n in range(30)] for step in (7, 5))
    (panel,) = agreements([judged(a=[*scores[:4], slip, *scores[5:]], b=other)])
    (found,) = panel.far_off
    assert str(
        found
    ) == f"the score {slip:g} of a (item i4, m) lies far outside all its others (0 to 1); if it is a " + (
        "slip, correct it"
    )
    assert "The score" in to_terminal(judges_document([panel]))
    (panel,) = agreements([judged(a=scores, b=other)])
    assert panel.far_off == ()


def ratings(tmp_path, *, slip=False):
    """Three models rated 1 to 5 on 40 items, which few items can't tell apart; a slip of the pen, if asked for."""
    rows = [
        f"{item},{model},{44 if slip and item == 3 and model == 'a' else 1 + (item * 7 + shift * item // 3) % 5}"
        for model, shift in (("a", 1), ("b", 2), ("c", 5))
        for item in range(40)
    ]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["item,model,score", *rows]))
    return path


def test_a_floor_below_all_scores_of_a_scale_that_is_not_known_can_be_told(tmp_path):
    assert questions.figures(ratings(tmp_path)).subjects[0].figures["score"].ends == (1.0, 5.0)


def test_checks_of_differences_speak_against_no_limit(tmp_path):
    right = random_scores(3, 0.6, 0.55, items=40)
    lines = [f"{item},{model},{score:.0f}" for model, own in right.items() for item, score in enumerate(own)]
    (tmp_path / "few.csv").write_text("\n".join(["item,model,score", *lines]))
    found = questions.figures(tmp_path / "few.csv")
    assert "power" in found.checks and not found.failed_checks
    assert any("on which no limit rests: power" in each for each in found.warnings)


def test_a_plan_says_first_that_checks_of_its_scores_fail(tmp_path):
    clean, slipped = (questions.power([ratings(tmp_path, slip=slip)], PowerQuestion(0.5)) for slip in (False, True))
    assert "checks fail" not in clean.headline and clean.values["failing_checks"] == []
    assert slipped.headline.endswith("Don't rely on it: it rests on scores of which checks fail (different_scales).")
    assert slipped.values["failing_checks"] == ["different_scales"]
    assert to_terminal(slipped.document).splitlines()[2].startswith("The check different_scales fails")
