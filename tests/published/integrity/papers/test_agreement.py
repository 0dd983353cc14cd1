import math

import pytest

from tests.published.integrity.real import real_study, real_trials
from voirdire.papers.integrity.agreement import agreement
from voirdire.stats.agreement import intraclass

INTEGRITY = "epistemic_integrity"


def test_the_table_shows_treatments_only_where_they_differ():
    table = real_study().agreements
    shown = {rubric: {each.treatment for each in table if each.rubric == rubric} for rubric in real_trials().parsed}
    every = {"published", "recovered", "missing"}
    assert shown == {"likert": {"published"}, "binary": every, "ternary": every}


def test_leaving_an_unparsed_reply_out_comes_close_to_reading_it():
    missing, published, recovered = (
        agreement(real_trials(), "ternary", "overall_score", each).two_way.icc_3_1.value
        for each in ("missing", "published", "recovered")
    )
    assert missing == pytest.approx(recovered, abs=0.002)
    assert published < recovered - 0.02


def test_categories_are_compared_as_such_and_means_of_dimensions_are_not():
    table = {(each.rubric, each.dimension): each.nominal for each in real_study().agreements}
    assert {key for key, nominal in table.items() if nominal is not None} == {
        (rubric, dimension) for rubric in ("binary", "ternary") for dimension in (INTEGRITY, "value_transparency")
    }


def test_prevalence_parts_ac1_from_kappa():
    nominal = agreement(real_trials(), "binary", INTEGRITY, "missing").nominal
    assert nominal.pairwise_agreement > 0.9 and nominal.gwet_ac1.value > 0.9
    assert nominal.fleiss_kappa < 0.05
    assert nominal.gwet_ac1.low < nominal.gwet_ac1.value < nominal.gwet_ac1.high


def test_intervals_leave_scenarios_out_and_are_wider_than_those_over_trials():
    found = agreement(real_trials(), "likert", INTEGRITY, "missing")
    scenarios, trials = found.two_way.icc_2_1, found.bootstrap_2_1
    assert scenarios.high - scenarios.low > 1.2 * (trials.high - trials.low)
    assert not math.isclose(scenarios.low, intraclass(real_trials().scores("likert")[:, :, 0]).icc_2_1.low)
