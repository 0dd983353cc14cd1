import numpy as np

from voirdire.stats.length_adjustment import length_adjusted, length_measure


def test_a_difference_that_length_did_not_make_is_left():
    """Outputs of 90 words and of 40 in the mean, ratings that follow the log of the length, and 0.8 beside that."""
    rng = np.random.default_rng(0)
    means = np.array([[90.0], [40.0]])
    lengths = np.maximum(4, rng.normal(means, 0.35 * means, (2, 1500)))
    ratings = 3 + np.array([[0.4], [-0.4]]) + np.log(lengths / 60) + rng.normal(0, 0.8, lengths.shape)
    found = length_adjusted((np.clip(ratings, 1, 5) - 1) / 4, length_measure(lengths, lengths.mean(axis=0)))
    better, worse = 4 * found.scores.mean(axis=1)
    assert abs(better - worse - 0.8) < 0.06


def test_twice_as_long_and_half_as_long_are_as_far_from_equal_length():
    assert np.allclose(length_measure([200.0, 50.0, 100.0], 100.0), [0.6, -0.6, 0.0])
