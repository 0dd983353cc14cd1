import math

import pytest

from tests.detectors.training.examples import answer, answers
from voirdire.detectors import DetectorError
from voirdire.detectors.training.splits import Point, fit_log, group_sizes, learning_curve


def _log_linear(train, test):
    return 0.4 + 0.1 * math.log10(sum(group_sizes(train).values()))


def test_a_log_linear_gain_is_found_again():
    curve = learning_curve(_log_linear, answers(60), seed=3, repeats=2)
    assert curve.fit.slope == pytest.approx(0.1)
    assert curve.fit.intercept == pytest.approx(0.4)
    assert curve.fit.interval.low == pytest.approx(0.1)


def test_within_a_repeat_what_judges_stays_and_larger_shares_hold_smaller_ones():
    seen = []
    learning_curve(lambda train, test: seen.append((train, test)) or 0.5, answers(30), (0.2, 0.5, 1.0), repeats=2)
    for start in (0, 3):
        trains, tests = zip(*seen[start : start + 3], strict=True)
        names = [{a.group for a in train} for train in trains]
        assert tests[0] == tests[1] == tests[2]
        assert names[0] < names[1] < names[2]
        assert not names[2] & {a.group for a in tests[0]}
    assert seen[0][1] != seen[3][1]


def test_answers_without_labels_are_left_out_and_the_counts_are_of_statements():
    made = [*answers(12), *[answer(99, (None,))]]
    curve = learning_curve(_log_linear, made, (1.0,), repeats=1)
    assert curve.points[0].statements + 2 * round(12 * 0.3) == pytest.approx(24, abs=2)
    assert curve.fit is None  # one size


def test_a_repeat_with_easier_held_out_groups_does_not_tilt_the_line():
    points = [
        Point(1, 1, size, level + 0.2 * math.log10(size), repeat)
        for repeat, (level, sizes) in enumerate([(0.1, (10, 100, 1000)), (0.5, (10, 20, 40))])
        for size in sizes
    ]
    assert fit_log(points).slope == pytest.approx(0.2)


def test_undefined_points_are_left_out_and_two_points_are_no_curve():
    points = [Point(1, 1, 10, 0.4, 0), Point(1, 1, 100, 0.5, 0), Point(1, 1, 1000, None, 0)]
    assert fit_log(points) is None
    assert fit_log([*points, Point(1, 1, 1000, 0.6, 0)]).slope == pytest.approx(0.1)


@pytest.mark.parametrize("bad", [{"shares": (0, 1)}, {"shares": ()}, {"repeats": 0}])
def test_a_curve_needs_shares_and_a_repeat(bad):
    with pytest.raises(DetectorError, match="learning curve"):
        learning_curve(_log_linear, answers(10), **bad)
