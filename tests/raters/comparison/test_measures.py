"""Intervals of differences; the coefficients themselves are tested where they are made."""

import numpy as np
import pytest

from voirdire.raters.agreement.measures import AgreementFigure, estimated, kappa, percent, within
from voirdire.raters.comparison.measures import Clustering, Sides, closeness, compare_scores
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


def test_a_bias_and_a_gap_count_items_alike():
    groups = np.array([f"g{n}" for n in range(6)], dtype=object)
    clustering = Clustering(groups, groups, np.array([1.0, 1, 1, 1, 1, 5]))
    people, machine = np.array([0.5, 0.5, 0.4, 0.3, 0.2, 0.1]), np.array([0.6, 0.6, 0.5, 0.4, 0.3, 0.4])
    lenient = compare_scores(Sides("m", False, "", "SAS"), people, machine, clustering, (0, 1))
    assert lenient.bias.value == pytest.approx(0.2), "five times 0.1, and 0.3 which counts five times"
    assert lenient.mean_absolute.value == pytest.approx(lenient.bias.value)


def test_people_with_each_other_have_the_interval_that_their_agreement_has():
    rng = np.random.default_rng(1)
    people = (rng.random((26, 2)) < 0.5).astype(float)
    people[:18, 1] = people[:18, 0]
    groups = np.array([f"g{n % 9}" for n in range(26)], dtype=object)
    beside = closeness(("m", True, "label", "kappa"), kappa(2), people, people[:, 0], groups)
    alone = estimated("kappa", kappa(2), people, groups)
    assert (beside.people.value, beside.people.low, beside.people.high) == pytest.approx(tuple(alone))


def test_a_figure_without_an_interval_stays_as_it_is():
    alone = AgreementFigure(0.4, reason="An interval needs 5 groups, and there are 2.")
    assert within(alone, 1.0) == alone
    assert within(AgreementFigure(0.4, -1.2, 1.5), 1.0) == AgreementFigure(0.4, -1.0, 1.0)
