"""Intervals of what is jackknifed from sums over concepts are those of leaving each concept's turns out."""

import numpy as np
import pytest

from voirdire.ddft.published import JUDGES, published_turns
from voirdire.papers.claims import ends
from voirdire.papers.ddft import replication
from voirdire.stats import jackknife_t
from voirdire.stats.agreement import cohen_kappa, intraclass, item_spread, pairwise


@pytest.fixture(scope="module")
def found():
    return replication.replicate()


def judged(turns, score):
    return turns[[f"{score}_{judge}" for judge in JUDGES]].to_numpy()


def pairs(turns, score, function):
    return float(np.mean(pairwise(judged(turns, score), function)[np.triu_indices(3, k=1)]))


def kappa(a, b):
    return cohen_kappa(a, b, cuts=(0.7,), weights=None)


def apart(a, b):
    return float(np.abs(a - b).mean())


def change(turns, score):
    means = turns.groupby("level")[score].mean()
    return float(means[1.0] - means[0.0])


STATISTICS = {
    "sd-sas": lambda turns: float(turns["sas"].std()),
    "kappa-far": lambda turns: pairs(turns, "far", kappa),
    "kappa-sas": lambda turns: pairs(turns, "sas", kappa),
    "judge-deviation-far": lambda turns: pairs(turns, "far", apart),
    "judge-variance-far": lambda turns: float(np.mean(item_spread(judged(turns, "far")).sd)),
    "judge-variance-edge": lambda turns: float(
        np.mean(item_spread(judged(turns[(turns["far"] > 0.4) & (turns["far"] < 0.6)], "far")).sd)
    ),
    "p2-far-falls": lambda turns: change(turns, "far"),
    "p2-verifier-first": lambda turns: change(turns, "far") - change(turns, "sas"),
}


@pytest.mark.parametrize("claim", STATISTICS)
def test_an_interval_is_that_of_leaving_each_concept_out(claim, found):
    turns, statistic = published_turns(), STATISTICS[claim]
    left_out = [statistic(turns[turns["concept"] != concept]) for concept in sorted(turns["concept"].unique())]

    recomputed = found.claim(claim)

    assert recomputed.value == pytest.approx(statistic(turns), rel=1e-12)
    assert recomputed.interval == pytest.approx(ends(jackknife_t(recomputed.value, left_out)), rel=1e-9)


def test_an_icc_leaves_each_concept_out():
    turns = published_turns()
    scores, concepts = judged(turns, "far"), turns["concept"].to_numpy()

    whole = intraclass(scores, clusters=concepts)

    values = [intraclass(scores[concepts != concept]).icc_2_1.value for concept in np.unique(concepts)]
    z = [np.log((1 + 2 * value) / (1 - value)) for value in (whole.icc_2_1.value, *values)]
    low, high = ends(jackknife_t(z[0], z[1:]))
    back = [(np.exp(end) - 1) / (np.exp(end) + 2) for end in (low, high)]
    assert (whole.icc_2_1.low, whole.icc_2_1.high) == pytest.approx(back, rel=1e-9)
