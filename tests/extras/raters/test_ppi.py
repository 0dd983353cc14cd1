"""Our prediction-powered figures beside those of `ppi_py`, where units are independent."""

import math

import numpy as np
import pytest
from benchmarks.statistics.raters_anchor import SCENES, Scene, simulate
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

from voirdire.raters.anchoring.anchored_run import Columns, independent_interval
from voirdire.stats import anchored_mean

LAMS = (0.0, 0.3, 1.0)
SINGLE = Scene("every unit a group", groups=2000, per_group=1)
SCORES = Scene("scores", groups=2000, per_group=1, truth=0.6, scores=True)


def split(run):
    """What `ppi_py` takes: people's and the machine's values of rated units, and the machine's of the others."""
    rated = np.isfinite(run.people)
    return run.people[rated], run.machine[rated], run.machine[~rated]


@pytest.mark.parametrize("scene", [SINGLE, SCORES, SCENES[0]], ids=lambda scene: scene.title)
@pytest.mark.parametrize("lam", LAMS)
def test_with_the_same_lam_the_estimate_is_that_of_ppi_py(scene, lam):
    run = simulate(scene, 60, np.random.default_rng(1))
    ours = anchored_mean(run.people, run.machine, run.groups, lam=lam, top=None)
    assert ours.value == pytest.approx(ppi_mean_pointestimate(*split(run), lam=theirs_of(run, lam)).item())


def theirs_of(run, lam):
    """`ppi_py` counts the machine over the unrated, we over all units."""
    return lam * np.isnan(run.people).mean()


@pytest.mark.parametrize("lam", LAMS)
def test_weights_mean_the_same_in_the_estimate(lam):
    run = simulate(SINGLE, 60, np.random.default_rng(2))
    weights = np.random.default_rng(3).uniform(0.5, 4, run.people.size)
    ours = anchored_mean(run.people, run.machine, run.groups, lam=lam, weights=weights, top=None)
    people, machine, _ = split(run)
    theirs = ppi_mean_pointestimate(people, machine, run.machine, lam=lam, w=weights[np.isfinite(run.people)])
    assert ours.value == pytest.approx(theirs.item())


@pytest.mark.parametrize("scene", [SINGLE, SCORES], ids=lambda scene: scene.title)
@pytest.mark.parametrize("lam", LAMS)
def test_without_clusters_the_variance_is_that_of_ppi_py(scene, lam):
    run = simulate(scene, 100, np.random.default_rng(4))
    ours = anchored_mean(run.people, run.machine, run.groups, lam=lam, top=None)
    low, high = ppi_mean_ci(*split(run), alpha=0.05, lam=theirs_of(run, lam))
    error = (high - low).item() / 2 / 1.959964
    # theirs divides by n, the jackknife by n - 1 of each part
    assert math.sqrt(ours.variance) == pytest.approx(error, rel=0.01)


def test_our_tuning_of_lam_is_near_theirs():
    run = simulate(SINGLE, 200, np.random.default_rng(5))
    ours = anchored_mean(run.people, run.machine, run.groups, top=None)
    assert ours.value == pytest.approx(ppi_mean_pointestimate(*split(run)).item(), abs=0.005)


def columns(run, weights=None):
    ones = np.ones_like(run.people)
    return Columns(
        np.stack([run.people, np.where(np.isnan(run.people), np.nan, ones)]),
        np.stack([run.machine, ones]),
        run.groups.astype(str),
        np.arange(run.people.size).astype(str),
        ones if weights is None else weights,
    )


def test_the_interval_shown_beside_is_that_of_ppi_py():
    run = simulate(SINGLE, 60, np.random.default_rng(6))
    low, high = ppi_mean_ci(*split(run), alpha=0.05)
    shown = independent_interval(columns(run))
    assert (shown.low, shown.high) == pytest.approx((low.item(), high.item()))


def test_ratios_uneven_draws_and_runs_that_are_rated_in_full_have_none():
    run = simulate(SINGLE, 60, np.random.default_rng(7))
    ratio = columns(run)
    ratio.machine[1, :5] = 0
    assert independent_interval(ratio) is None
    uneven = np.random.default_rng(8).uniform(1, 2, run.people.size)
    assert independent_interval(columns(run, uneven)) is None
    assert independent_interval(columns(run._replace(people=run.machine))) is None
