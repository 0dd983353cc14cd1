"""AUROC and balanced accuracy by sentence, by hand and beside scikit-learn."""

import math

import numpy as np
import pytest

from tests.cognibench.labelled import answer
from voirdire.cognibench.detector_accuracy.separation import separation
from voirdire.cognibench.scoring import truth_of
from voirdire.stats.auroc import auroc


def labelled(*labels, group="c"):
    return answer(f"a{group}", *labels, words=[5] * len(labels), group=group, dialogue=group)


def test_auroc_by_hand_with_a_tie():
    gold = np.array([True, True, False, False])
    assert auroc(np.array([0.9, 0.5, 0.5, 0.1]), gold) == (1 + 1 + 0.5 + 1) / 4
    assert auroc(np.array([0.1, 0.2]), np.array([True, True])) is None


def test_both_figures_are_those_of_a_known_library():
    from sklearn.metrics import balanced_accuracy_score, roc_auc_score

    rng = np.random.default_rng(4)
    data = [labelled(*rng.choice(["faithful", "invented"], 12), group=f"c{place}") for place in range(8)]
    truth = truth_of(data)
    scores = np.round(0.4 * truth.gold + rng.random(truth.gold.size), 1)
    found = separation(truth, scores, (scores >= 0.7).astype(float))
    assert found.auroc == pytest.approx(roc_auc_score(truth.gold, scores))
    assert found.balanced_accuracy == pytest.approx(balanced_accuracy_score(truth.gold, scores >= 0.7))
    assert found.auroc_interval.low < found.auroc < found.auroc_interval.high < 1


def test_yes_and_no_have_no_auroc_and_one_context_has_no_interval():
    truth = truth_of([labelled("faithful", "invented", "invented", "faithful")])
    flags = np.array([0.0, 1.0, 0.0, 0.0])
    assert separation(truth, flags, flags) == (None, None, 0.75)
    found = separation(truth, np.array([0.1, 0.9, 0.4, 0.6]), flags)
    assert (found.auroc, found.auroc_interval) == (0.75, None)


def test_what_has_no_score_counts_as_not_flagged_and_not_for_the_ranking():
    truth = truth_of([labelled("faithful", "invented", "invented", "faithful")])
    found = separation(truth, np.array([0.1, 0.9, math.nan, 0.6]), np.array([0.0, 1.0, 0.0, 0.0]))
    assert (found.auroc, found.balanced_accuracy) == (1.0, 0.75)
