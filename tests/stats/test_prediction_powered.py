"""Prediction-powered means: what they come to, how wide they are, and how often they hold."""

import math
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.statistics.judge_worth import population, rate
from benchmarks.statistics.judge_worth import simulate as judged
from benchmarks.statistics.raters_anchor import SCENES, Scene, coverage, simulate
from hypothesis import given
from hypothesis import strategies as st

from voirdire.stats import anchored_mean, further_ratings

NAN = math.nan
BIASED, LENIENT = SCENES[0], next(scene for scene in SCENES if scene.scores)


def run_of(seed, rated=30, scene=BIASED):
    return simulate(scene, rated, np.random.default_rng(seed))


def figure(run, **options):
    return anchored_mean(run.people, run.machine, run.groups, **options)


def test_the_machine_s_mean_less_what_people_show_it_to_be_wrong_by():
    people, machine = [0.2, 0.4, NAN, NAN, NAN], [0.5, 0.5, 0.6, 0.7, 0.8]
    found = anchored_mean(people, machine, range(5), lam=1.0)
    assert found.value == pytest.approx(0.62 + (-0.3 - 0.1) / 2)
    assert (found.n, found.units, found.groups) == (2, 5, 5)
    half = anchored_mean(people, machine, range(5), lam=0.5)
    assert half.value == pytest.approx(0.31 + (0.2 + 0.4) / 2 - 0.25)


def test_without_the_machine_it_is_the_weighted_mean_of_what_people_say():
    found = anchored_mean([1, 0, NAN], [0, 0, 1], [1, 2, 3], weights=[3, 1, 9], lam=0.0)
    assert found.value == pytest.approx(3 / 4)


def test_a_perfect_machine_gives_the_mean_of_all_units_whoever_rated_them():
    machine = np.random.default_rng(0).random(200)
    people = np.where(np.arange(200) < 40, machine, NAN)
    found = anchored_mean(people, machine, range(200))
    assert abs(found.value - machine.mean()) < 0.3 * abs(machine[:40].mean() - machine.mean())
    assert anchored_mean(people, machine, range(200), lam=1.0).value == pytest.approx(machine.mean())


def test_a_machine_without_an_error_leaves_people_a_fiftieth_of_their_variance_on_any_scale():
    machine = np.random.default_rng(0).random(200)
    people = np.where(np.arange(200) < 40, machine, NAN)
    used = 1 - math.sqrt(0.02)
    assert anchored_mean(people, machine, range(200)).lam == pytest.approx(used)
    assert anchored_mean(people, 20 * machine + 7, range(200)).lam == pytest.approx(used / 20)


def test_a_machine_that_leaves_people_more_than_that_is_used_by_its_slope():
    machine = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5])
    people = np.array([0.1, -0.1, 0.1, -0.1, 1.1, 0.9, 1.1, 0.9, NAN, NAN])  # 0.01 of 0.26 is left
    assert anchored_mean(people, machine, range(10), top=None).lam == pytest.approx(1)
    close = np.where(np.isfinite(people), machine + (people - machine) / 2, NAN)  # 0.0025 of 0.2525, nearly 1 %
    left = 0.02 - 0.0025 / 0.2525
    assert anchored_mean(close, machine, range(10), top=None).lam == pytest.approx(
        1 - math.sqrt(left / (1 - 0.0025 / 0.2525))
    )


@pytest.mark.parametrize("errs", [0.0, 0.01])
def test_the_interval_of_a_judge_that_seldom_errs_is_neither_too_narrow_nor_much_too_wide(errs):
    true, rng, covered = population()[""], np.random.default_rng(7), []
    for _ in range(300):
        run = judged(errs, rng)
        found = anchored_mean(rate(run, 40, rng, whole=False), run.judge, run.documents)
        covered.append(found.interval.low <= true <= found.interval.high)
    assert 0.93 < np.mean(covered) < 0.99  # without the part that is left to people it was 0.998


def test_errors_that_are_rare_are_not_taken_for_none():
    """A judge that misses 5 % of all items as right, which 40 ratings often show none of."""
    scene = Scene("se .98, sp .60; 90 % true", groups=400, truth=0.9, sensitivity=0.98, specificity=0.6)
    assert coverage(scene, 40, 200, seed=2).anchored > 90


def test_a_machine_that_knows_nothing_or_the_contrary_is_not_used():
    run = run_of(1)
    assert figure(run._replace(machine=np.full(400, 0.4))).lam == 0
    assert figure(run._replace(machine=1 - run.machine)).lam == 0
    assert figure(run._replace(machine=np.full(400, NAN))).value == pytest.approx(np.nanmean(run.people))


def test_units_that_the_machine_has_no_value_of_count_as_its_mean():
    run = run_of(2)
    holes = run.machine.copy()
    holes[:50] = NAN
    filled = np.where(np.isnan(holes), np.nanmean(holes), holes)
    assert figure(run._replace(machine=holes)) == figure(run._replace(machine=filled))


@given(st.integers(0, 10_000), st.floats(-3, 3))
def test_a_constant_added_to_all_of_the_machine_s_values_changes_nothing(seed, more):
    run = run_of(seed, scene=LENIENT)
    plain, shifted = figure(run, top=None), figure(run._replace(machine=run.machine + more), top=None)
    assert shifted.value == pytest.approx(plain.value)
    assert shifted.interval.low == pytest.approx(plain.interval.low)


@given(st.integers(0, 10_000), st.sampled_from((5, 20, 60)), st.sampled_from((BIASED, LENIENT)))
def test_figures_stay_in_their_range_and_do_not_depend_on_the_order_of_units(seed, rated, scene):
    run = run_of(seed, rated, scene)
    found = figure(run)
    assert found.lam >= 0
    assert 0 <= found.value <= 1
    if found.interval is not None:
        assert 0 <= found.interval.low < found.interval.high <= 1
        assert 0 <= found.sampling <= found.variance
    order = np.random.default_rng(seed).permutation(run.people.size)
    mixed = anchored_mean(run.people[order], run.machine[order], run.groups[order])
    assert mixed.value == pytest.approx(found.value)
    assert mixed.variance == pytest.approx(found.variance, nan_ok=True)


def test_scores_out_of_a_hundred_are_a_hundred_times_those_out_of_one():
    run = run_of(3, scene=LENIENT)
    of_one, of_hundred = figure(run), figure(run._replace(people=run.people * 100, machine=run.machine * 100), top=100)
    assert of_hundred.value == pytest.approx(100 * of_one.value)
    assert of_hundred.interval.high == pytest.approx(100 * of_one.interval.high)


def test_sizes_of_one_make_a_mean_and_others_a_ratio():
    run = run_of(4)
    ones = np.ones(400)
    assert figure(run, sizes=(ones, ones)) == figure(run)
    words = np.where(np.arange(400) % 2, 30.0, 10.0)
    ratio = figure(run._replace(people=run.people * words, machine=run.machine * words), sizes=(words, words), lam=0.0)
    rated = np.isfinite(run.people)
    assert ratio.value == pytest.approx((run.people * words)[rated].sum() / words[rated].sum())


def test_units_that_say_the_same_within_their_group_count_once():
    once = run_of(5, rated=40, scene=replace(BIASED, groups=80, per_group=1))
    twice = once._replace(
        people=np.repeat(once.people, 3), machine=np.repeat(once.machine, 3), groups=np.repeat(once.groups, 3)
    )
    alone, together = figure(once, lam=0.5), figure(twice, lam=0.5)
    apart = anchored_mean(twice.people, twice.machine, range(240), lam=0.5)
    assert together.value == pytest.approx(alone.value)
    assert together.variance == pytest.approx(alone.variance, rel=0.05)
    assert apart.variance < 0.5 * together.variance


def test_when_people_put_all_at_one_end_the_interval_is_the_exact_one():
    people = np.where(np.arange(100) < 20, 0.0, NAN)
    found = anchored_mean(people, np.arange(100) % 2, range(100))
    assert found.value == 0
    assert found.interval.method == "exact"
    assert found.interval.high == pytest.approx(1 - 0.025 ** (1 / 20))


def test_ratings_that_agree_with_the_machine_throughout_still_leave_doubt():
    machine = (np.arange(2000) % 3 == 0).astype(float)
    people = np.where(np.arange(2000) < 30, machine, NAN)
    found = anchored_mean(people, machine, range(2000), lam=1.0)
    alone = anchored_mean(machine, machine, range(2000), lam=0.0)
    assert found.interval.high - found.interval.low > 1.2 * (alone.interval.high - alone.interval.low)


def test_fewer_than_three_rated_groups_have_no_interval():
    found = anchored_mean([1, 0, NAN, NAN], [1, 0, 1, 0], ["a", "b", "c", "d"])
    assert found.interval is None
    assert further_ratings(found) is None


def test_fewer_than_three_rated_groups_are_too_few_to_use_the_machine_by():
    people = [0.95, 0.95, 0.85, NAN, NAN]
    machine = [1, 1, 0.978, 0.9, 0.9]
    powered = anchored_mean(people, machine, ["a", "a", "b", "c", "d"])
    assert (powered.lam, powered.value) == (0, pytest.approx(2.75 / 3))
    assert anchored_mean(people, machine, range(5)).lam > 1


def test_counts_have_an_interval_above_zero():
    rng = np.random.default_rng(6)
    true = rng.poisson(1.5, 300).astype(float)
    people = np.where(np.arange(300) < 40, true, NAN)
    found = anchored_mean(people, true + rng.poisson(1, 300), range(300), top=None)
    assert 0 < found.interval.low < found.value < found.interval.high
    assert found.value == pytest.approx(1.5, abs=0.5)


@pytest.mark.parametrize(
    ("people", "machine", "more", "says"),
    [
        ([NAN, NAN], [1, 0], {}, "rated no unit"),
        ([1, NAN], [1, 0, 1], {}, "one length"),
        ([1, NAN], [1, 0], {"weights": [0, 1]}, "positive"),
    ],
)
def test_what_can_not_be_is_said(people, machine, more, says):
    with pytest.raises(ValueError, match=says):
        anchored_mean(people, machine, range(len(people)), **more)


def test_so_many_more_ratings_leave_half_of_the_width():
    found = figure(run_of(7, rated=30, scene=replace(BIASED, groups=2000, per_group=1)))
    more = further_ratings(found)
    n = found.n + more.ratings
    now = found.sampling / (1 / found.n - 1 / found.units)
    left = found.variance - found.sampling + now * (1 / n - 1 / found.units)
    assert left == pytest.approx(found.variance / 4, rel=0.02)
    assert more.groups is None
    assert 60 < more.ratings < 150


def test_where_the_groups_are_the_limit_no_number_of_ratings_is_promised():
    rng = np.random.default_rng(12)
    groups = np.repeat(np.arange(8), 12)
    truth = (rng.random(96) < np.repeat(np.linspace(0.1, 0.9, 8), 12)).astype(float)
    machine = np.where(rng.random(96) < 0.1, 1 - truth, truth)
    people = np.where(np.arange(96) % 8 == 0, truth, NAN)
    found, rated = anchored_mean(people, machine, groups), anchored_mean(truth, machine, groups)
    alone = anchored_mean(machine, machine, groups, lam=0.0)
    width, best = (each.interval.high - each.interval.low for each in (found, rated))
    assert best > 0.5 * width  # with every unit rated
    assert further_ratings(found).ratings == 23  # by the ratings alone, of twelve units
    assert further_ratings(found, whole=alone).ratings is None


def test_where_the_set_is_the_limit_it_must_grow():
    run = run_of(8, rated=380)
    found = figure(run)
    more = further_ratings(found)
    assert more.ratings is None
    assert more.remains > 0.5
    assert more.groups == math.ceil(80 * (4 * more.remains**2 - 1))
    whole = figure(run._replace(people=run.machine), lam=0.0)
    assert further_ratings(whole) == (None, 240, 1.0)


@pytest.mark.parametrize(
    ("scene", "rated"),
    [(BIASED, 30), (LENIENT, 50), (Scene("whole groups", whole=True), 50), (Scene("uneven", uneven=True), 100)],
    ids=lambda each: getattr(each, "title", each),
)
def test_anchored_intervals_hold_where_judges_are_biased_and_plain_ones_do_not(scene, rated):
    found = coverage(scene, rated, 150, seed=1)
    assert found.plain < 30
    assert found.anchored > 89  # 95 % less three and a half standard errors of 150 runs
    assert found.width < 1.05 * found.people_width
