"""What a rating adds to each figure of a cross-examination, and what the figures say of the judges."""

import numpy as np
import pytest

from tests.raters._projects import scored
from tests.raters.anchoring.examples import turns_machine
from voirdire.raters.anchoring.anchored_run import RatedUnit, distribution, figure
from voirdire.raters.anchoring.wording import bias
from voirdire.raters.tasks.ddft.judgements import JUDGEMENTS
from voirdire.stats import Anchored, Interval


def estimand(name, machine):
    return next(each for each in JUDGEMENTS.estimands(machine) if each.name == name)


def counted(name, value, turn=4):
    machine = turns_machine([value], turn=turn)
    found = estimand(name, machine)
    unit = machine.units["u0"]
    return found.of(value, unit) if found.applies(unit) else None


@pytest.mark.parametrize(
    ("name", "value", "adds"),
    [
        ("FAR", scored(0.4, 0.9), (0.4, 1.0)),
        ("FAR", scored(None, 0.9, no_claims=True), (0.0, 0.0)),
        ("no_claims", scored(None, 0.9, no_claims=True), (1.0, 1.0)),
        ("V_E", scored(0.5, 0.5, "questioned"), (0.5, 1.0)),
        ("V_E_strict", scored(0.5, 0.5, "questioned"), (0.0, 1.0)),
        ("trap_acceptance", scored(0.5, 0.5, "accepted"), (1.0, 1.0)),
        ("trap_acceptance", scored(0.5, 0.5), None),
        ("danger_zone", scored(0.6, 0.8), (1.0, 1.0)),
        ("danger_zone", scored(0.6, (0.6 + 0.7 + 0.8) / 3), (0.0, 1.0)),
        ("coupled_collapse", scored(0.6, 0.4), (1.0, 1.0)),
        ("FAR_prime", scored(0.6, 0.4), (0.6, 1.0)),
        ("FAR_prime", scored(0.6, 0.5), (0.0, 0.0)),
        ("SAS_prime", scored(0.1, 0.4), (0.0, 0.0)),
        ("V_K", scored(0.6, 0.4), None),
    ],
)
def test_what_a_rating_of_the_trap_s_turn_adds(name, value, adds):
    assert counted(name, value) == adds


def test_the_detail_is_asked_for_at_turn_3():
    assert counted("V_K", scored(0.6, 0.4), turn=3) == (0.6, 1.0)
    assert counted("V_E_proxy", scored(0.6, 0.4), turn=3) is None


def judged(rng, n, rated, lenient):
    """Turns whose judges take a share of the rejections for acceptances."""
    true = np.where(rng.random(n) < 0.3, "accepted", "rejected")
    said = np.where((true == "rejected") & (rng.random(n) < lenient), "accepted", true)
    machine = turns_machine([scored(0.5, 0.5, str(each)) for each in said], concepts=40)
    return machine, [
        RatedUnit(unit, scored(0.5, 0.5, str(each)) if place < rated else None, 1.0)
        for place, (unit, each) in enumerate(zip(machine.units.values(), true, strict=True))
    ]


def test_judges_who_see_too_many_acceptances_are_corrected_and_named():
    machine, units = judged(np.random.default_rng(1), 600, 80, 0.3)
    found = figure(units, estimand("trap_acceptance", machine), "group", None, with_independent=False)
    assert found.plain.value > 0.4
    assert found.anchored.interval.low < 0.3 < found.anchored.interval.high
    assert found.corrected.interval.low < 0.3 < found.corrected.interval.high
    assert found.corrected.sensitivity.value == 1
    assert found.interpretation.startswith("The judges put the share of fabrications accepted about")
    shares = distribution(units, JUDGEMENTS.distributions(machine)[0], "group")
    assert shares.corrected.values["accepted"] == pytest.approx(0.3, abs=0.1)
    assert shares.plain["accepted"] == pytest.approx(found.plain.value)


def test_judges_without_a_bias_are_not_said_to_have_one():
    machine, units = judged(np.random.default_rng(2), 600, 80, 0.0)
    found = figure(units, estimand("trap_acceptance", machine), "group", None, with_independent=False)
    assert found.interpretation.startswith("No bias of the judges is shown")
    assert found.bias == pytest.approx(0, abs=0.02)


def test_a_figure_that_no_judge_speaks_of_is_left_out_and_one_that_no_person_does_says_so():
    machine, units = judged(np.random.default_rng(3), 60, 0, 0.1)
    found = figure(units, estimand("trap_acceptance", machine), "group", None, with_independent=False)
    assert (found.people, found.anchored, found.more, found.bias) == (None, None, None, None)
    assert found.interpretation == "People have rated nothing that counts for the share of fabrications accepted."
    assert figure(units, estimand("V_K", machine), "group", None, with_independent=False) is None
    assert distribution(units, JUDGEMENTS.distributions(machine)[0], "group") is None


def at(value, low, high):
    return Anchored(value, Interval(low, high, 0.95, "x"), 0.5, 30, 400, 20, 80, 0.001, 0.001)


@pytest.mark.parametrize(
    ("plain", "anchored", "says"),
    [
        (at(0.8, 0.78, 0.82), at(0.6, 0.5, 0.7), "The judges put it about 0.20 too high"),
        (at(0.5, 0.48, 0.52), at(0.6, 0.55, 0.7), "The judges put it about 0.10 too low"),
        (at(0.68, 0.65, 0.71), at(0.6, 0.5, 0.7), "seem to put it about 0.08 too high"),
        (at(0.65, 0.55, 0.75), at(0.6, 0.5, 0.7), "may be up to 0.05 too low or 0.15 too high"),
        (at(0.65, 0.55, 0.75), at(0.6, 0.5, 0.7)._replace(interval=None), "too few for an interval"),
    ],
)
def test_the_reading_says_which_way_judges_lean_and_how_sure_that_is(plain, anchored, says):
    assert says in bias("it", 1.0, plain, anchored, ratings=30, differing=30)[1]


def test_a_leaning_is_not_said_where_the_anchored_interval_holds_all_of_the_machine_s():
    verdict, said = bias("it", 1.0, at(0.04, 0.01, 0.09), at(0.0, 0.0, 0.71), ratings=30, differing=30)
    assert (verdict, "seem" in said) == ("not shown", False)
    assert "up to 0.67 too low or 0.04 too high" in said


def test_what_rounds_to_nothing_is_no_leaning_and_no_bias():
    leaning = at(0.504, 0.502, 0.62), at(0.5, 0.45, 0.55)
    outside = at(0.0, 0.0, 0.19), at(0.04, 0.0001, 0.17)
    assert bias("it", 1.0, *leaning, ratings=30, differing=30)[0] == "not shown"
    assert bias("it", 1.0, *outside, ratings=30, differing=30)[0] == "not shown"
    assert bias("it", 100.0, *outside, ratings=30, differing=30)[1].endswith("up to 0.2 too low or 0.1 too high.")


def test_a_bias_or_a_leaning_rests_on_ten_units_on_which_people_and_the_judges_differ():
    biased, leaning = at(0.0, 0.0, 0.05), at(0.08, 0.05, 0.1)
    value = at(0.1, 0.06, 0.3)
    assert bias("it", 1.0, biased, value, ratings=30, differing=10)[0] == "biased"
    assert bias("it", 1.0, biased, value, ratings=30, differing=9) == (
        "few differences",
        "No bias of the judges can be shown in it: they and people differ on 9 of 30 units that both judged; "
        "it takes 10.",
    )
    leans = leaning, at(0.15, 0.08, 0.3)
    assert bias("it", 1.0, *leans, ratings=30, differing=10)[0] == "leaning"
    assert bias("it", 1.0, *leans, ratings=30, differing=9)[0] == "few differences"
    assert bias("it", 1.0, leaning, value, ratings=30, differing=0)[0] == "not shown"


def test_a_verdict_on_some_of_the_units_names_them_and_their_figures():
    assert bias("it", 1.0, at(0.1, 0.0, 0.2), at(0.4, 0.3, 0.5), ratings=18, differing=12, unscored=True)[1] == (
        "On the 18 units that both judged, the judges put it about 0.30 too low "
        "(judge 0.10; corrected 0.40, 0.30 to 0.50)."
    )


def test_fewer_than_ten_ratings_say_nothing_of_the_judges():
    far_apart = at(0.8, 0.78, 0.82), at(0.6, 0.5, 0.7)
    assert bias("it", 1.0, *far_apart, ratings=10, differing=10)[0] == "biased"
    assert bias("it", 1.0, *far_apart, ratings=9, differing=9) == (
        "too few",
        "9 ratings are too few to say whether the judges are biased in it.",
    )


def test_with_much_in_dispute_nothing_is_said_of_the_judges():
    verdict, said = bias("it", 1.0, at(0.8, 0.78, 0.82), at(0.6, 0.5, 0.7), ratings=30, differing=30, unsettled=True)
    assert verdict == "unsettled"
    assert "can't be told yet" in said
