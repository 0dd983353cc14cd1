"""The benchmark of stopping early counts what runs would do."""

import numpy as np
import pytest
from benchmarks.statistics import _sequential_studies as studies
from benchmarks.statistics.sequential import Ended, run, summed

from voirdire.ddft.concept_sums import cells
from voirdire.ddft.metrics import values
from voirdire.ddft.stopping import StopRule
from voirdire.ddft.stopping.interim import analysis_at, first_analysis_size, size_after

RULE = StopRule("ER", 0.07)


@pytest.fixture(scope="module")
def model():
    return studies.Many(studies.simulate(studies.Subject(), 3, 12, 1, np.random.default_rng(3)))


@pytest.mark.parametrize("name", ["near ceiling", "gullible"])
@pytest.mark.parametrize("by_concept", [False, True])
def test_its_widths_are_those_that_runs_see(name, by_concept):
    scores = studies.simulate(studies.CALIBRATING[name], 3, 12, 1, np.random.default_rng(2))
    model = studies.Many(scores, by_concept=by_concept)
    assert max(model.agree(size) for size in (30, 45, 60)) < 1e-12


def test_it_stops_where_a_run_would_and_has_the_same_er(model):
    ended = run(model, RULE, truth=0.77)
    for study in range(3):
        first = size = first_analysis_size(RULE, 5, 60)
        while True:
            seen = cells(model._answers(study, size))
            analysis = analysis_at(seen, RULE, size, first)
            if analysis.half_width <= RULE.half_width or size == 60:
                break
            size = size_after(analysis, RULE, 5, 60)
        assert ended.dialogues[study] == size
        assert ended.value[study] == pytest.approx(values(seen)["ER"].value)


def test_a_row_counts_calls_rankings_and_coverage():
    def model(value, dialogues):
        ones = np.ones(2)
        return Ended(np.array(value), np.array([1.0, 0.0]), np.array(dialogues), 2 * ones, ones)

    ended = [model([0.5, 0.5], [30, 50]), model([0.6, 0.4], [40, 40])]
    row = summed(ended, [np.array([0.5, 0.5]), np.array([0.7, 0.6])], [0.5, 0.6], dialogues=100)
    assert (row.share, row.coverage, row.analyses, row.narrow) == (0.4, 0.5, 2, 1)
    assert (row.tau, row.same, row.tau_truth, row.tau_full) == (0, 0.5, 0, 1)
