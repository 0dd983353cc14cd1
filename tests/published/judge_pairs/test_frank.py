"""FRANK: human factuality of 2,246 summaries, and automatic metrics as judges."""

import numpy as np
import pytest
from benchmarks.statistics.judge_worth import frank_metrics, frank_runs, frank_truth, measure, rate, read_frank

from tests.published.records import FRANK
from voirdire.jury.worth import judge_worth


@pytest.fixture(scope="module")
def frank():
    return read_frank(FRANK)


DRAWS = 400
"""Of runs of FRANK: they measure a coverage of 95 % to within 2 %."""


def row(frank, metric):
    runs = frank_runs(frank, metric, DRAWS, np.random.default_rng(3))
    found = measure(metric, runs, frank_truth(frank), 40, 3)
    assert 0.93 <= found.chosen <= 0.975
    assert found.widest <= 1.05
    return found


def test_the_record_is_what_it_is_said_to_be(frank):
    assert (len(frank), frank["document"].nunique(), len(frank_metrics(frank))) == (2246, 499, 15)


def test_a_metric_that_follows_people_saves_a_quarter_of_the_ratings(frank):
    found = row(frank, "FactCC")
    assert found.correlation == pytest.approx(0.6, abs=0.02)
    assert found.saved > 0.25
    assert found.leave <= 0.05 and found.correct + found.trust >= 0.95


def test_a_metric_that_follows_nobody_is_left(frank):
    found = row(frank, "BertScore P")
    assert found.leave >= 0.95
    assert found.ratio < 1.02


def test_models_come_in_people_s_order_by_sixty_ratings_each(frank):
    run = next(frank_runs(frank, "FactCC", 1, np.random.default_rng(1)))
    people = rate(run, 540, np.random.default_rng(1), whole=False)
    found = judge_worth("FactCC", run.judge, people, clusters=run.documents, models=run.models)
    true = frank_truth(frank)
    held = [each.corrected.interval.low <= true[each.model] <= each.corrected.interval.high for each in found.models]
    assert sum(held) >= 8
    decided = [each for each in found.differences if each.decided]
    assert len(decided) > 15
    assert all((each.value > 0) == (true[each.first] > true[each.second]) for each in decided)
