import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.detectors import DetectorError
from voirdire.detectors.calibration import ScoredSample
from voirdire.detectors.training.calibrating import METHODS, calibrate_probabilities, fit_probabilities, reliability


def _overconfident(n=900, seed=0):
    """Scores of 0.05 and 0.95 where the truth is 0.3 and 0.7, and some in between."""
    rng = np.random.default_rng(seed)
    true = rng.choice([0.3, 0.5, 0.7], n)
    scores = np.clip(0.5 + 2.25 * (true - 0.5) + rng.normal(0, 0.01, n), 0, 1)
    groups = np.repeat([f"g{i}" for i in range(n // 9)], 9)
    return ScoredSample(scores, rng.random(n) < true, np.full(n, 10), groups, np.zeros(n, bool))


def test_the_table_compares_what_was_said_with_what_was_found():
    table = reliability([0.05, 0.15, 0.15, 0.95, 1.0], [False, False, True, True, False])
    filled = {round(row.low, 1): (row.n, row.predicted, row.observed) for row in table.bins if row.n}
    assert filled[0.1] == (2, 0.15, 0.5)
    assert filled[0.9] == (2, pytest.approx(0.975), 0.5)
    assert table.error == pytest.approx((0.05 + 2 * 0.35 + 2 * 0.475) / 5)
    assert table.bins[3].predicted is None


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_certainty_that_is_right_has_no_error_and_that_is_wrong_has_an_error_of_one(gold):
    assert reliability([float(true) for true in gold], gold).error == 0
    assert reliability([float(not true) for true in gold], gold).error == 1


@pytest.mark.parametrize("method", METHODS)
def test_mapping_corrects_overconfidence_on_groups_that_it_was_not_fitted_on(method):
    found = calibrate_probabilities(_overconfident(), method)
    assert found.before.error > 0.15
    assert found.after.error < 0.07
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False))["map"]["method"] == method


@pytest.mark.parametrize("method", METHODS)
def test_a_map_keeps_the_order_of_scores_and_says_nothing_of_missing_ones(method):
    sample = _overconfident()
    mapped = fit_probabilities(sample.scores, sample.gold, method).apply([0.0, 0.2, 0.5, 0.8, 1.0, np.nan])
    assert (np.diff(mapped[:5]) >= 0).all()
    assert mapped[0] < 0.4 < 0.6 < mapped[4]
    assert np.isnan(mapped[5])


def test_labels_of_one_kind_and_scores_that_point_the_wrong_way_are_refused():
    with pytest.raises(DetectorError, match="one kind only"):
        fit_probabilities([0.1, 0.9], [True, True])
    with pytest.raises(DetectorError, match="fewer hallucinations"):
        fit_probabilities([0.1, 0.2, 0.8, 0.9], [True, True, False, False], "platt")


def test_scores_that_are_no_probabilities_have_no_table():
    with pytest.raises(DetectorError, match="between 0 and 1"):
        reliability([0.5, 1.5], [True, False])


def test_what_a_fold_lacks_is_not_said_of_all_labels():
    sample = _overconfident(45)
    sample.gold[:] = [True, *[False] * 44]
    with pytest.raises(DetectorError, match=r"labelled sentences that are left when .* are of one kind only"):
        calibrate_probabilities(sample)


def test_a_map_that_does_worse_held_out_is_said_to_be_no_better():
    rng = np.random.default_rng(3)
    scores = rng.random(60)
    sample = ScoredSample(
        scores, rng.random(60) < scores, np.full(60, 5), np.repeat(list("abcdef"), 10), np.zeros(60, bool)
    )

    found = calibrate_probabilities(sample, "isotonic")

    assert found.after.error > found.before.error
    assert not found.better and found.as_dict()["better"] is False
