import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.gate.examples import checked, figure
from voirdire.adapters.gate import check_limits, suites
from voirdire.adapters.gate_limits import GateError, limits_of
from voirdire.adapters.gate_report import gate_document
from voirdire.instruments.figures import CheckSummary
from voirdire.reports.formats.terminal import to_terminal

NUMBERS = st.floats(-1e6, 1e6)


def held(run, floors=None, ceilings=None, *, bound=False, sound=False, accept=(), models=()):
    limits = limits_of(floors or {}, ceilings or {}, bound=bound, sound=sound, accept=accept)
    return check_limits(limits, [run], models)


@pytest.mark.parametrize(
    ("floors", "ceilings", "bound", "passed"),
    [
        ({"ER": 0.6}, {}, False, True),  # the value itself keeps a floor
        ({"ER": 0.6000001}, {}, False, False),
        ({}, {"ER": 0.6}, False, True),
        ({}, {"ER": 0.5999999}, False, False),
        ({"ER": 0.5}, {}, True, True),  # the interval's lower end
        ({"ER": 0.5000001}, {}, True, False),
        ({}, {"ER": 0.7}, True, True),  # its upper end
        ({}, {"ER": 0.6999999}, True, False),
        ({"ER": 0.5}, {"ER": 0.65}, True, False),  # one of two is not kept
    ],
)
def test_a_limit_is_kept_up_to_the_number_itself(floors, ceilings, bound, passed):
    verdict = held(checked(ER=figure(0.6, 0.5, 0.7)), floors, ceilings, bound=bound)
    assert verdict.passed is passed
    assert bool(verdict.failures) is not passed


def test_rounding_in_the_last_place_fails_nobody():
    assert held(checked(x=figure(0.1 + 0.2)), {}, {"x": 0.3}).passed
    assert held(checked(x=figure(0.7 * 100)), {"x": 70}, {}).passed


def test_a_figure_copied_from_what_was_printed_keeps_itself_and_the_limit_is_shown_in_full():
    value = 0.9232510493547886
    run = checked(ER=figure(value, value, value))
    for bound in (False, True):
        assert held(run, {"ER": value}, bound=bound).passed and held(run, {}, {"ER": value}, bound=bound).passed
    (failure,) = held(run, {"ER": value + 1e-6}).failures
    assert failure == "m: ER is 0.923251, which is not 0.9232520493547887 or more."


def test_a_value_on_too_few_turns_is_not_measured_and_keeps_no_limit():
    verdict = held(
        checked(D=figure(0.9, empty="it rests on 1 turn, and a limit in voirdire gate needs 10")), {"D": 0.8}
    )
    assert verdict.failures == ["m: D is 0.900, but it rests on 1 turn, and a limit in voirdire gate needs 10."]
    limit = verdict.as_dict()["models"][0]["limits"][0]
    assert (limit["measured"], limit["passed"]) == (False, False)
    assert "not measured" in to_terminal(gate_document(verdict))


def test_the_table_shows_n_and_no_interval_beside_what_is_not_measured():
    few = figure(0.9, 0.812, 0.967, empty="it rests on 4 turns, and a limit in voirdire gate needs 10", n=4)
    shown = to_terminal(gate_document(held(checked(D=few, S=figure(0.7, 0.613, 0.795, n=1234)), {"D": 0.8, "S": 0.6})))
    assert "812" not in shown and "0.613 to 0.795" in shown
    assert re.search(r"D >= 0\.8 +0\.900 +4 +not measured", shown) and "1,234" in shown


def test_what_is_missed_by_a_value_that_says_something_is_measured_and_not_kept():
    verdict = held(checked(D=figure(0.9)), {"D": 0.95})
    assert verdict.outcomes[0].measured and "not kept" in to_terminal(gate_document(verdict))


def test_of_a_chosen_model_only_its_own_notes_are_told():
    whole = checked(D=figure(0.9))
    others = [replace(whole.subjects[0], model=name, warnings=(f"{name}: judged so far",)) for name in "ab"]
    run = replace(whole, subjects=tuple(others), warnings=("by rules",))
    assert held(run, {"D": 0.5}, models=("b",)).warnings == ["run: by rules", "run: b: judged so far"]


def test_every_percentage_has_one_decimal():
    verdict = held(checked(hallucinated_pct_grounded=figure(45.652173)), {}, {"hallucinated_pct_grounded": 40})
    assert verdict.failures == ["m: hallucinated_pct_grounded is 45.7, which is not 40 or less."]
    assert "45.652" not in to_terminal(gate_document(verdict))


def test_the_json_of_a_limit_has_n_and_why_there_is_no_interval():
    run = checked(D=figure(0.9, why="fewer than three concepts were asked about", n=1))
    (limit,) = check_limits(limits_of({"D": 0.8}, {}), [run]).as_dict()["models"][0]["limits"]

    assert limit["n"] == 1 and limit["interval"] is None
    why = "fewer than three concepts were asked about"
    assert limit["reason"] == {"code": "tested_why", "text": why, "why": why} and limit["could_be"] is None


LACKING = {"could_be": (0.4, 1), "lacking": "one response has no score"}


def test_a_limit_that_missing_labels_could_break_is_undecided_and_fails():
    verdict = held(checked(D=figure(0.9, **LACKING)), {"D": 0.8})
    said = "m: D is 0.900, but the value could be 0.400, which is not 0.8 or more: one response has no score."
    assert verdict.failures == [said] and verdict.warnings == []
    limit = verdict.as_dict()["models"][0]["limits"][0]
    assert (limit["passed"], limit["undecided"], limit["measured"]) == (False, True, True)
    assert limit["could_be"] == [0.4, 1]
    assert re.search(r"D >= 0\.8 +0\.900 +undecided", to_terminal(gate_document(verdict)))


def test_under_bound_too_a_limit_that_missing_labels_could_break_is_undecided():
    (failure,) = held(checked(D=figure(0.9, 0.85, 0.95, **LACKING)), {"D": 0.8}, bound=True).failures
    assert failure == (
        "m: D is 0.900, and the lower end of its interval is 0.850, but the value could be 0.400, which is not 0.8 or "
        "more: one response has no score."
    )


def test_under_bound_what_could_be_has_an_interval_too():
    bounds = figure(0.9, 0.85, 0.95, **LACKING)
    (failure,) = held(checked(D=bounds), {"D": 0.38}, bound=True).failures
    assert "the value could be 0.400, with an interval as wide as this one, which ends beyond 0.38: one" in failure
    assert held(checked(D=bounds), {"D": 0.34}, bound=True).passed


def test_a_limit_that_no_missing_label_could_break_is_kept():
    assert held(checked(D=figure(0.9, **LACKING)), {"D": 0.4}).passed


def test_a_limit_that_the_interval_breaks_is_not_kept_whatever_is_missing():
    verdict = held(checked(D=figure(0.9, 0.7, 0.95, **LACKING)), {"D": 0.8}, bound=True)
    assert verdict.failures == ["m: D is 0.900, and the lower end of its interval is 0.700, which is not 0.8 or more."]
    assert not verdict.outcomes[0].undecided and verdict.warnings == []


def test_a_value_that_says_nothing_of_the_model_keeps_no_limit():
    run = checked(D=figure(0.99, 0.9, 1.0, empty="it answers nothing"))
    for bound in (False, True):
        assert held(run, {"D": 0.5}, bound=bound).failures == ["m: D is 0.990, but it answers nothing."]


def test_an_undefined_metric_fails_with_its_reason():
    verdict = held(checked(ER=figure(None, why="V_E has no value (no stance is known)")), {"ER": 0.0})
    assert verdict.failures == ["m: ER is undefined, so it is not 0 or more: V_E has no value (no stance is known)."]


def test_without_an_interval_only_bound_fails_and_says_why():
    run = checked(ER=figure(0.9, why="fewer than three concepts were asked about"))
    assert held(run, {"ER": 0.5}).passed
    verdict = held(run, {"ER": 0.5}, bound=True)
    why = "fewer than three concepts were asked about"
    assert verdict.failures == [f"m: ER has no interval, and a limit on its end needs one: {why}."]


@pytest.mark.parametrize(
    ("floors", "ceilings", "bound", "sentence"),
    [
        ({"ER": 0.5}, {}, False, "m: ER is 0.493, which is not 0.5 or more."),
        ({"ER": 0.493}, {}, False, "m: ER is 0.492839, which is not 0.493 or more."),
        (
            {},
            {"ER": 0.3},
            True,
            "m: ER is 0.493, and the upper end of its interval is 0.600, which is not 0.3 or less.",
        ),
    ],
)
def test_the_sentence_shows_as_many_decimals_as_it_takes(floors, ceilings, bound, sentence):
    assert held(checked(ER=figure(0.492839, 0.4, 0.6)), floors, ceilings, bound=bound).failures == [sentence]


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.sampled_from(["min", "max"]))
def test_a_gate_that_passes_with_bound_passes_without(value, one, other, limit, side):
    run = checked(x=figure(value, min(one, other), max(one, other)))
    floors, ceilings = ({"x": limit}, {}) if side == "min" else ({}, {"x": limit})
    if held(run, floors, ceilings, bound=True).passed:
        assert held(run, floors, ceilings).passed


@given(NUMBERS, NUMBERS, NUMBERS)
def test_a_lower_floor_never_fails_what_a_higher_one_lets_pass(value, one, other):
    low, high = sorted((one, other))
    run = checked(x=figure(value))
    assert held(run, {"x": low}).passed or not held(run, {"x": high}).passed


def test_failed_checks_fail_only_under_sound():
    run = checked(ER=figure(0.9), failed=[("rare_cells", "2 turns lie behind FAR'.")])
    assert held(run, {"ER": 0.5}).passed
    verdict = held(run, {"ER": 0.5}, sound=True)
    assert verdict.failures == ["run: the validity check rare_cells fails: 2 turns lie behind FAR'."]


def test_of_a_chosen_model_only_the_checks_that_concern_it_count_and_are_named():
    failed = [("truncated_responses", "Cut.", ("other",)), ("judge_agreement", "Apart.")]
    run = checked(ER=figure(0.9), failed=failed, checks=("truncated_responses", "judge_agreement"))
    run = replace(run, subjects=(*run.subjects, replace(run.subjects[0], model="other")))
    assert held(run, {"ER": 0.5}, models=["m"]).warnings == ["run: Validity checks that fail: judge_agreement."]
    assert len(held(run, {"ER": 0.5}, models=["other"], sound=True).failures) == 2
    assert held(run, {"ER": 0.5}, models=["m"], sound=True).failures == [
        "run: the validity check judge_agreement fails: Apart."
    ]


def test_an_incomplete_run_fails_unless_that_is_allowed():
    run = replace(checked(ER=figure(0.9), warnings=["Rules alone."]), missing="The run is not complete: 1 of 2.")

    strict = held(run, {"ER": 0.5})
    assert not strict.passed and strict.failures == ["run: The run is not complete: 1 of 2."]
    assert strict.warnings == ["run: Rules alone."] and strict.as_dict()["runs"][0]["complete"] is False

    loose = check_limits(limits_of({"ER": 0.5}, {}, allow_incomplete=True), [run])
    assert loose.passed and loose.as_dict()["allow_incomplete"]
    assert loose.warnings == ["run: The run is not complete: 1 of 2.", "run: Rules alone."]


@pytest.mark.parametrize(
    ("instrument", "metric", "side", "odd"),
    [
        ("ddft", "danger_zone_pct", "min", True),
        ("ddft", "danger_zone_pct", "max", False),
        ("ddft", "ER", "max", True),
        ("ddft", "ER", "min", False),
        ("ddft", "share_answered", "max", False),  # a refusal may be right
        ("cognibench", "hallucinated_pct", "min", True),
        ("cognibench", "irrefutable_pct", "min", False),
        ("cognibench", "reliable_pct", "min", False),
        ("cognibench", "reliable_pct", "max", False),
        ("integrity", "mean_score", "max", True),
        ("integrity", "severe_per_response", "max", False),
        ("integrity", "unscored_pct", "min", True),
    ],
)
def test_a_limit_on_the_odd_side_is_noted_and_fails_nobody(instrument, metric, side, odd):
    run = checked(instrument=instrument, **{metric: figure(0.5)})
    limit = {metric: 0.5}
    verdict = held(run, limit) if side == "min" else held(run, {}, limit)
    assert verdict.passed and bool(verdict.warnings) is odd
    if odd:
        assert f"was --{'max' if side == 'min' else 'min'} meant?" in verdict.as_dict()["warnings"][0]


def test_two_limits_that_make_a_band_are_not_odd():
    assert held(checked(ER=figure(0.6)), {"ER": 0.5}, {"ER": 0.7}).warnings == []


def test_an_odd_limit_is_noted_once_for_all_runs():
    runs = [checked("one", ER=figure(0.6)), checked("two", ER=figure(0.6))]
    (note,) = check_limits(limits_of({}, {"ER": 0.9}), runs).warnings
    assert note == "ER <= 0.9 asks for low values, and of ER high ones are good: was --min meant?"


@pytest.mark.parametrize(
    ("instrument", "metric", "limit", "sentence"),
    [
        ("ddft", "ER", 2, "ER is from 0 to 1; the limit ER <= 2 can't be meant."),
        ("ddft", "danger_zone_pct", 101, "danger_zone_pct is from 0 to 100; the limit danger_zone_pct <= 101 can't be"),
        ("ddft", "CI_raw", -1, "CI_raw is 0 or more; the limit CI_raw <= -1 can't be meant."),
        ("cognibench", "hallucinated_pct", -0.1, "hallucinated_pct is from 0 to 100"),
        ("integrity", "mean_score", 101, "mean_score is from 0 to 100"),
    ],
)
def test_a_limit_outside_a_metrics_values_is_refused(instrument, metric, limit, sentence):
    with pytest.raises(GateError) as error:
        held(checked(instrument=instrument, **{metric: figure(0.5)}), {}, {metric: limit})
    assert sentence in str(error.value)


def test_limits_at_the_ends_of_a_scale_and_beyond_1_where_there_is_no_highest_value_are_held():
    assert held(checked(ER=figure(1.0), CI_raw=figure(7.0)), {"ER": 1, "CI_raw": 5}).passed
    run = checked(instrument="integrity", violations_per_response=figure(3.0), checks=())
    assert held(run, {}, {"violations_per_response": 400}).passed


def test_every_model_must_pass_unless_one_is_named():
    good, bad = checked(model="good", ER=figure(0.9)), checked(model="bad", ER=figure(0.1))
    both = replace(good, subjects=(*good.subjects, *bad.subjects))
    assert not held(both, {"ER": 0.5}).passed
    assert held(both, {"ER": 0.5}, models=["good"]).passed


@pytest.mark.parametrize(
    ("run", "floors", "options", "sentence"),
    [
        ({"ER": 1}, {"er": 0}, {}, "'er' is no metric of a run of ddft (run); did you mean ER?"),
        ({"ER": 1, "K": 1}, {"speed": 0}, {}, "'speed' is no metric of a run of ddft (run); there are ER, K."),
        ({"ER": 1}, {"ER": 0}, {"models": ["n"]}, "No run has a model 'n'; there are m."),
        ({"ER": 1}, {}, {}, "A gate needs a limit: --min ER=0.5, --max danger_zone_pct=10, or a file with --limits."),
        ({"ER": 1}, {"ER": float("nan")}, {}, "A limit is a finite number; \"min={'ER': nan}\" was given."),
        ({"ER": 1}, {"ER": True}, {}, "A limit is a finite number; \"min={'ER': True}\" was given."),
    ],
)
def test_what_cannot_be_held_is_refused_and_the_near_name_given(run, floors, options, sentence):
    with pytest.raises(GateError) as error:
        held(checked(**{name: figure(value) for name, value in run.items()}), floors, **options)
    assert str(error.value) == sentence


def test_sound_needs_validity_checks():
    with pytest.raises(GateError, match="--sound is for runs with validity checks"):
        held(checked(checks=(), instrument="integrity", x=figure(1.0)), {"x": 0}, sound=True)


def test_a_model_goes_by_its_own_name_where_one_evaluation_has_it():
    (subject,) = checked(ER=figure(0.6)).subjects
    names = (("a (exam)", "a"), ("b (exam)", "b"), ("b (essay)", "b"))
    run = replace(checked(), subjects=tuple(replace(subject, model=full, plain=plain) for full, plain in names))
    assert [each.subject.model for each in held(run, {"ER": 0.5}, models=("a",)).outcomes] == ["a (exam)"]
    assert [each.subject.model for each in held(run, {"ER": 0.5}, models=("b (essay)",)).outcomes] == ["b (essay)"]
    with pytest.raises(GateError, match=re.escape("'b' is in several evaluations; name one of these: 'b (exam)', ")):
        held(run, {"ER": 0.5}, models=("b",))


def test_a_check_that_fails_is_named_once_whether_it_counts_is_accepted_or_neither():
    failed = (("power", "too few"), ("unparsed", "misread"))
    run = replace(checked(S=figure(0.9), failed=failed, checks=("power", "unparsed")), validate="look")
    loose = check_limits(limits_of({"S": 0.1}, {}), [run])
    assert loose.warnings == ["run: Validity checks that fail: power and unparsed (look)."]
    strict = check_limits(limits_of({"S": 0.1}, {}, sound=True, accept=["power"]), [run])
    assert strict.warnings == ["The check power fails in run, and is accepted."]
    assert strict.failures == ["run: the validity check unparsed fails: misread"]


@pytest.mark.parametrize(("floors", "ceilings", "noted"), [({"x": 1}, {}, 1), ({}, {"x": 5}, 1), ({"x": 1.1}, {}, 0)])
def test_a_limit_that_no_score_can_miss_is_noted(floors, ceilings, noted):
    run = checked(x=replace(figure(3.0), ends=(1.0, 5.0)))
    notes = held(run, floors, ceilings).notes
    assert len(notes) == noted and all("can't be missed: no item in " in note for note in notes)


@pytest.mark.parametrize(
    ("floors", "ceilings", "note"),
    [
        ({"ER": 0}, {}, "ER >= 0 can't be missed: ER is never less."),
        ({}, {"danger_zone_pct": 100}, "danger_zone_pct <= 100 can't be missed: danger_zone_pct is never more."),
        ({"ER": 0.01}, {}, None),
        ({"unknown": 0}, {}, None),
    ],
)
def test_a_limit_at_the_end_of_a_metrics_scale_is_noted(floors, ceilings, note):
    run = checked(**dict.fromkeys((*floors, *ceilings), figure(0.5)))
    assert held(run, floors, ceilings).notes == (() if note is None else (note,))


RESERVED = CheckSummary("constant_judge", "Do not rely on the figures: x gave every answer the same scores.")


def reserved(**changes):
    run = checked(ER=figure(0.9), checks=("truncated_responses", "constant_judge"))
    return replace(run, reservations=(RESERVED,), **changes)


def test_a_conclusion_not_to_rely_on_the_figures_fails_a_sound_gate_with_its_sentence():
    verdict = held(reserved(), {"ER": 0.5}, sound=True)
    assert verdict.failures == [f"run: {RESERVED.finding}"]
    assert held(reserved(), {"ER": 0.5}).passed
    assert verdict.as_dict()["runs"][0]["reservations"] == ["constant_judge"]
    (case,) = [each for suite in suites(verdict) for each in suite.cases if each.failure]
    assert (case.name, case.failure) == ("constant_judge", RESERVED.finding)


def test_what_forbids_to_rely_on_the_figures_can_be_accepted_by_its_name_and_is_told_then():
    verdict = held(reserved(), {"ER": 0.5}, sound=True, accept=("constant_judge",))
    assert verdict.passed
    assert verdict.warnings == [f"run: {RESERVED.finding} This is accepted."]
