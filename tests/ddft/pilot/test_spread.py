import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from voirdire.ddft.pilot.spread import between_models, fall_over_levels
from voirdire.stats import one_way_anova

SCORES = arrays(np.float64, (3, 3, 2), elements=st.floats(0, 1).map(lambda value: round(value, 3)))


def test_a_case_worked_by_hand():
    # One level, two models, three samples: means 0.2 and 0.8; MSB = 3 * 0.18 = 0.54, MSE = (0.02 + 0.02)/4 = 0.01.
    far = np.array([[[0.1, 0.2, 0.3]], [[0.7, 0.8, 0.9]]])
    found = between_models(far)
    assert found.sd_within == pytest.approx(0.1)
    assert found.sd_between == pytest.approx(math.sqrt((0.54 - 0.01) / 3))
    assert found.share == pytest.approx((54 - 1) / (54 + 2))
    assert found.interval.low < found.share < found.interval.high


@given(SCORES)
@settings(max_examples=40, deadline=None)
def test_at_one_level_f_is_that_of_the_one_way_analysis(far):
    one = far[:, :1, :]
    found = between_models(one)
    if found is None or found.share == 0:
        return
    f = one_way_anova(one.ravel(), np.repeat([0, 1, 2], 2)).F
    assert found.share == pytest.approx((f - 1) / (f + 1))


@given(SCORES, st.lists(st.floats(-1, 1), min_size=3, max_size=3))
@settings(max_examples=40, deadline=None)
def test_what_a_level_adds_for_every_model_changes_nothing(far, shifts):
    plain, shifted = between_models(far), between_models(far + np.array(shifts)[None, :, None])
    if plain is None or shifted is None or plain.sd_within < 1e-3:
        return
    assert shifted.share == pytest.approx(plain.share, abs=1e-6)
    assert 0 <= plain.interval.low <= plain.share + 1e-9 and plain.share - 1e-9 <= plain.interval.high <= 1


def test_the_interval_covers_the_true_share():
    rng = np.random.default_rng(1)
    true, covered = 0.5, 0
    for _ in range(400):
        models = rng.normal(0, 1, (4, 1, 1))
        found = between_models(models + rng.normal(0, 1, (4, 3, 3)) + np.array([0, 2, 5])[None, :, None])
        covered += found.interval.low <= true <= found.interval.high
    assert 0.92 <= covered / 400 <= 0.98


def test_without_two_models_or_without_noise_nothing_is_said():
    assert between_models(np.full((1, 3, 3), 0.5)) is None
    assert between_models(np.full((2, 1, 1), 0.5)) is None
    assert between_models(np.full((2, 3, 2), 0.5)) is None


def test_dialogues_without_a_score_are_left_out():
    far = np.random.default_rng(0).random((3, 3, 2))
    gone = np.concatenate([far, np.full((1, 3, 2), np.nan)])
    assert between_models(gone) == between_models(far)


def test_a_fall_is_taken_in_pairs():
    far = np.array([[[0.9, 0.8, 0.7], [0.5, 0.5, np.nan]], [[0.9, 0.9, 0.9], [0.9, 0.7, 0.8]]])
    fall = fall_over_levels(far)
    assert (fall.mean, fall.pairs) == (pytest.approx((0.4 + 0.3 + 0.0 + 0.2 + 0.1) / 5), 5)
    assert fall.interval.low < fall.mean < fall.interval.high
    assert fall_over_levels(far[:, :1]) is None
    assert fall_over_levels(far[:1, :, :2]).interval is None


def test_the_interval_of_a_fall_ends_where_scores_do():
    fall = fall_over_levels(np.array([[[1.0], [0.1]], [[1.0], [0.0]], [[0.3], [0.3]]]))

    assert fall.interval.high == 1.0
