"""Intervals of agreement on categories: they hold for few items, and where nearly all are of one category."""

import numpy as np
import pytest

from voirdire.stats.agreement import krippendorff_alpha
from voirdire.stats.agreement_draws import alphas, crossed_table, drawn_agreement, kappas, pair_tables


def kappa_of(cells, level=0.95):
    """With its interval, of how many items two raters put where."""
    tables = np.repeat(np.eye(4), cells, axis=0).reshape(-1, 2, 2)
    value = float(kappas(tables.sum(axis=0), np.eye(2)))
    return drawn_agreement(value, tables, np.arange(len(tables)), lambda drawn: kappas(drawn, np.eye(2)), level=level)


def test_one_disagreement_in_fifteen_leaves_no_room_for_kappas_below_chance():
    found = kappa_of([12, 1, 0, 2])
    assert found.value == pytest.approx(0.76, abs=0.01)
    assert 0.05 < found.low < 0.3 and 0.9 < found.high < 1


def test_perfect_agreement_has_an_interval_that_ends_at_one():
    found = kappa_of([10, 0, 0, 5])
    assert found.high == found.value == 1 and 0.4 < found.low < 0.8


@pytest.mark.parametrize(("share", "kappa"), [(0.8, 0.2), (0.93, 0.5), (0.5, 0.8)])
def test_the_interval_of_fifteen_items_holds(share, kappa):
    both = share * (1 - share) * kappa
    odd = share * (1 - share) * (1 - kappa)
    random, held = np.random.default_rng(3), []
    for cells in random.multinomial(15, [share**2 + both, odd, odd, (1 - share) ** 2 + both], size=150):
        found = kappa_of(cells)
        if np.isfinite(found.value):
            held.append(found.low <= kappa <= found.high)
    assert np.mean(held) >= 0.93


def test_too_few_groups_have_no_interval():
    tables = np.repeat(np.eye(4), [4, 1, 0, 3], axis=0).reshape(-1, 2, 2)
    found = drawn_agreement(0.7, tables, [0] * 4 + [1] * 4, lambda drawn: kappas(drawn, np.eye(2)))
    assert np.isnan(found.low) and found.value == 0.7


@pytest.mark.parametrize("measured", ["nominal", "ordinal"])
def test_alpha_of_tables_is_that_of_ratings_but_for_their_number(measured):
    values = np.random.default_rng(4).integers(0, 3, size=(4000, 3)).astype(float)
    values[:, 1] = np.where(np.arange(4000) % 2, values[:, 0], values[:, 1])
    whole = float(alphas(pair_tables(values, 3).sum(axis=0), ordinal=measured == "ordinal"))
    assert whole == pytest.approx(krippendorff_alpha(values, measured, np.zeros(4000)).value, abs=1e-3)


def test_an_item_that_one_of_two_has_not_rated_adds_nothing():
    assert crossed_table(np.array([0.0, np.nan]), np.array([1.0, 1.0]), 2).tolist() == [
        [[0, 1], [0, 0]],
        [[0, 0], [0, 0]],
    ]


def test_no_interval_depends_on_how_the_groups_are_called():
    rng = np.random.default_rng(4)
    one = rng.integers(0, 2, 40).astype(float)
    other = np.where(rng.random(40) < 0.8, one, 1 - one)
    groups = np.repeat(np.arange(12), [4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3])
    renamed = rng.permutation(12)[groups]
    tables = crossed_table(one, other, 2)
    intervals = [
        drawn_agreement(0.6, tables, each, lambda drawn: kappas(drawn, np.eye(2))) for each in (groups, renamed)
    ]
    assert intervals[0] == pytest.approx(intervals[1], abs=1e-12)
