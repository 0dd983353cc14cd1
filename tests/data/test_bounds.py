"""NaN, infinity and numbers out of bounds are refused wherever they would switch a limit off."""

import pytest

from voirdire.adapters.ray.workers import ScaleError, Spread
from voirdire.cognibench.detector_accuracy.benchmark import parse_threshold
from voirdire.cognibench.records import CognibenchError
from voirdire.data.bounds import check_bounds, in_bounds
from voirdire.detectors import DetectorError, DetectorOptions
from voirdire.detectors.lexical import LexicalDetector
from voirdire.models import ModelOptions, SpecError
from voirdire.runs import Budget, BudgetError

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("value", [NAN, INF, -INF, -0.1, 1.1, True, "1", 10**30])
def test_what_is_no_number_within_bounds_is_named_with_what_is_expected(value):
    assert not in_bounds(value, 0, 1)
    with pytest.raises(ValueError, match=r"share: .* is not a number from 0 to 1") as caught:
        check_bounds("share", value, 0, 1, ValueError)
    assert "\n" not in str(caught.value)


def test_numbers_within_bounds_and_none_pass():
    for value in (0, 1, 0.5, None):
        check_bounds("share", value, 0, 1, ValueError)
    assert in_bounds(3, 1, 5, whole=True) and not in_bounds(3.0, 1, 5, whole=True)


@pytest.mark.parametrize("limits", [(NAN, None), (INF, None), (-1.0, None), (None, 10**30), (None, -1), (None, 2.5)])
def test_a_budget_that_would_limit_nothing_is_refused(limits):
    with pytest.raises(BudgetError, match=r"max_(cost|calls): .* is not a (whole )?number from 0 to"):
        Budget(*limits)


@pytest.mark.parametrize("price", [(NAN, 1.0), (1.0, INF), (-1.0, 0.0)])
def test_a_price_that_is_no_amount_is_refused(price):
    with pytest.raises(SpecError, match="price_per_million"):
        ModelOptions(price_per_million=price)


@pytest.mark.parametrize("threshold", [NAN, INF, -INF, 2.0])
def test_a_threshold_that_no_score_could_reach_or_miss_is_refused(threshold):
    for make in (lambda: DetectorOptions(threshold=threshold), lambda: LexicalDetector(threshold)):
        with pytest.raises(DetectorError, match=r"threshold: .* is not a number from 0 to 1"):
            make()
    with pytest.raises(CognibenchError, match="X from 0 to 1"):
        parse_threshold(f"lexical={threshold}")


@pytest.mark.parametrize("gpus", [NAN, INF, -1.0])
def test_gpus_that_no_machine_has_are_refused(gpus):
    with pytest.raises(ScaleError, match="gpus"):
        Spread(gpus=gpus)
