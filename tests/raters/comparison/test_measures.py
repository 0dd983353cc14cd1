"""Intervals of differences; the coefficients themselves are tested where they are made."""

import numpy as np
import pytest

from voirdire.raters.agreement.measures import Figure, percent, within
from voirdire.raters.comparison.measures import closeness
from voirdire.stats.jackknife import jackknife_estimate


def test_a_difference_of_shares_does_not_leave_what_is_possible():
    people = np.array([[0, 0], [0, 0], [0, 0], [0, 1], [0, 0]], dtype=float)
    machine = np.array([1, 1, 1, 0, 1], dtype=float)
    groups = np.array([f"g{n}" for n in range(5)], dtype=object)
    found = closeness(("m", True, "label", "percent"), percent, people, machine, groups)
    gaps = np.array([-1, -1, -1, 0.5, -1])
    raw = jackknife_estimate(lambda kept: float(gaps[kept].mean()), groups)
    assert found.difference.value == pytest.approx(raw.value) and raw.low < -1
    assert found.difference.low == -1
    assert found.difference.high == pytest.approx(raw.high)


def test_a_figure_without_an_interval_stays_as_it_is():
    alone = Figure(0.4, reason="An interval needs 5 groups, and there are 2.")
    assert within(alone, 1.0) == alone
    assert within(Figure(0.4, -1.2, 1.5), 1.0) == Figure(0.4, -1.0, 1.0)
