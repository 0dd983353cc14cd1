"""One weight for several models, what it foretells, and differences between models."""

import math

import numpy as np
import pytest
from benchmarks.statistics.judge_worth import population, rate, simulate

from voirdire.stats import anchored_mean
from voirdire.stats.prediction_powered_models import powered_difference, tuned_weight

NAN = math.nan


def test_the_weight_is_the_slope_among_rated_items():
    people, machine = [0.0, 1.0, 1.0, 0.0, NAN], [0.2, 0.8, 0.6, 0.4, 0.5]
    found = tuned_weight(people, machine, range(5))
    assert found.lam == pytest.approx(0.4 / 0.2)  # sum of products 0.3 + 0.1, sum of squares 2 * (0.09 + 0.01)


def test_errors_are_those_of_items_that_took_no_part():
    people, machine = np.array([0.0, 1.0, 1.0, 0.0, NAN]), np.array([0.2, 0.8, 0.6, 0.4, 0.5])
    found = tuned_weight(people, machine, range(5))
    without, with_machine = [], []
    for out in range(4):
        rest = [place for place in range(4) if place != out]
        slope = np.polyfit(machine[rest], people[rest], 1)[0]
        mean = people[rest].mean()
        without.append((people[out] - mean) ** 2)
        with_machine.append((people[out] - mean - slope * (machine[out] - machine[rest].mean())) ** 2)
    assert found.without == pytest.approx(np.mean(without))
    assert found.with_machine == pytest.approx(np.mean(with_machine))
    assert found.helps and found.explained == pytest.approx(1 - np.mean(with_machine) / np.mean(without))


def test_with_two_groups_nothing_is_known_of_errors():
    found = tuned_weight([0.0, 1.0, NAN], [0.0, 1.0, 0.5], range(3))
    assert math.isnan(found.without) and not found.helps


def test_a_machine_that_only_tells_models_apart_has_no_weight_within_them():
    people = np.tile([0.0, 1.0, NAN], 20)
    models = np.repeat(["a", "b"], 30)
    people[30:] = np.where(np.isnan(people[30:]), NAN, 1.0)
    machine = np.where(models == "a", 0.2, 0.9)
    assert tuned_weight(people, machine, range(60)).lam > 0.5
    assert tuned_weight(people, machine, range(60), within=models).lam == 0


def test_a_difference_is_that_of_two_means_with_one_weight():
    rng = np.random.default_rng(3)
    truth = (rng.random(200) < 0.6).astype(float)
    machine = np.where(rng.random(200) < 0.8, truth, 1 - truth)
    people = np.where(np.arange(200) % 4 == 0, truth, NAN)
    first = np.arange(200) < 100
    found = powered_difference(people, machine, range(200), first, ~first, lam=0.5)
    one = anchored_mean(people[:100], machine[:100], range(100), lam=0.5)
    other = anchored_mean(people[100:], machine[100:], range(100), lam=0.5)
    assert found.value == pytest.approx(one.value - other.value)
    below = math.hypot(one.value - one.interval.low, other.interval.high - other.value)
    assert found.interval.low == pytest.approx(found.value - below, abs=0.02)


def test_models_that_rise_and_fall_together_differ_more_surely():
    rng = np.random.default_rng(4)
    groups = np.tile(np.arange(40), 2)
    hard = rng.random(40)
    truth = np.concatenate([hard, np.clip(hard - 0.1, 0, 1)])
    first = np.arange(80) < 40
    together = powered_difference(truth, truth, groups, first, ~first)
    apart = powered_difference(truth, truth, range(80), first, ~first)
    assert together.value == pytest.approx(apart.value)
    assert together.interval.high - together.interval.low < 0.5 * (apart.interval.high - apart.interval.low)


def test_without_an_interval_of_one_side_there_is_none_of_the_difference():
    people = [1.0, 0.0, 1.0, 1.0, NAN]
    found = powered_difference(people, people, range(5), [1, 1, 1, 0, 0], [0, 0, 0, 1, 1])
    assert found.value == pytest.approx(2 / 3 - 1)
    assert found.interval is None


def test_differences_hold_though_the_judge_favours_a_model():
    true, hits = population(), []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        run = simulate("favours a model", rng)
        people = rate(run, 80, rng, whole=False)
        lam = tuned_weight(people, run.judge, run.documents, within=run.models).lam
        sides = run.models == "d", run.models == "a"
        interval = powered_difference(people, run.judge, run.documents, *sides, lam=lam).interval
        hits.append(interval.low <= true["d"] - true["a"] <= interval.high)
    assert np.mean(hits) > 0.85
