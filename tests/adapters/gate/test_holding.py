from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.gate.made import checked, figure
from voirdire.adapters.gate import GateError, hold, limits_of

NUMBERS = st.floats(-1e6, 1e6)


def held(run, floors=None, ceilings=None, *, bound=False, sound=False, models=()):
    return hold(limits_of(floors or {}, ceilings or {}, bound=bound, sound=sound), [run], models)


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


def test_an_undefined_metric_fails_with_its_reason():
    verdict = held(checked(ER=figure(None, reason="V_E has no value (no stance is known)")), {"ER": 0.0})
    assert verdict.failures == ["m: ER is undefined, so it is not 0 or more: V_E has no value (no stance is known)."]


def test_without_an_interval_only_bound_fails_and_says_why():
    run = checked(ER=figure(0.9, reason="fewer than three concepts were asked about"))
    assert held(run, {"ER": 0.5}).passed
    verdict = held(run, {"ER": 0.5}, bound=True)
    why = "fewer than three concepts were asked about"
    assert verdict.failures == [f"m: ER has no interval, and --bound needs one: {why}."]


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
    with pytest.raises(GateError, match="--sound is for ddft runs"):
        held(checked(checks=False, instrument="integrity", x=figure(1.0)), {"x": 0}, sound=True)
