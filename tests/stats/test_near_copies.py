import numpy as np
import pytest

from voirdire.stats.near_copies import near_copy


def ratings(seed, items=100, noise=0.05, step=0.1, easy=0.5):
    """Of three independent raters, shape (items, 2): items are right in all, or in a share that each reads with an
    error, and rounds."""
    rng = np.random.default_rng(seed)
    true = np.where(rng.random((items, 1)) < easy, 1.0, rng.uniform(0.1, 0.9, (items, 2)))
    read = [true + noise * rng.normal(size=true.shape) * (true < 1) for _ in range(3)]
    return [np.clip(np.round(each / step) * step, 0, 1) for each in read]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("easy", [0.0, 0.5, 0.9])
def test_independent_raters_who_agree_well_are_no_near_copies(seed, easy):
    for items in (60, 400):
        first, second, _ = ratings(seed, items, 0.03, easy=easy)
        assert near_copy(first, second) is None


@pytest.mark.parametrize("shift", [0.0, 0.01, -0.01])
def test_a_rater_who_repeats_another_with_or_without_a_constant_is_one(shift):
    first, second, _ = ratings(1)
    second[:97] = np.clip(first[:97] + np.array([shift, 0.0]), 0, 1)
    found = near_copy(first, second)
    assert found is not None and found.hits >= 0.9 * found.of and found.of < len(first)
    assert not (found.alike & ~found.rare).any()


@pytest.mark.parametrize("noise", [0.0001, 0.01])
@pytest.mark.parametrize("step", [0.1, 0.0001])
def test_a_rater_who_repeats_another_with_a_little_noise_is_one(noise, step):
    first, second, _ = ratings(3, 400, step=step)
    copy = np.clip(first + np.random.default_rng(4).normal(0, noise, first.shape), 0, 1)
    assert near_copy(first, copy) is not None
    assert near_copy(first, second) is None


def test_what_most_items_get_shows_nothing():
    first = np.where(np.arange(100) < 90, 1.0, np.arange(100) / 100)[:, None]
    assert near_copy(first, first) is None  # 10 items of 100 leave room
    steps = (np.arange(400) % 5 / 4)[:, None]
    assert near_copy(steps, steps) is None  # a scale of five steps
    assert near_copy(first[:0], first[:0]) is None


def test_by_hand_seventeen_rare_ratings_alike_are_the_fewest_that_show_it():
    """0.75 ** 17 = 0.0075, and 0.75 ** 16 = 0.0100226."""
    for items, shown in ((18, False), (19, True)):  # two of them are the ends of the scale
        first = np.arange(items, dtype=float)[:, None]
        assert (near_copy(first, first) is not None) == shown
