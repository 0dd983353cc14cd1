import numpy as np
import pytest

from tests.integrity.examples import likert, made_trials, trial
from voirdire.papers.integrity.agreement import agreement

INTEGRITY = "epistemic_integrity"


def test_leniency_costs_agreement_and_not_consistency():
    rows = [trial(n, likert([60 + n] * 3, [70 + n] * 3), scenario=f"s{n % 4}") for n in range(12)]
    found = agreement(made_trials(rows), "likert", INTEGRITY, "missing")
    assert found.two_way.icc_3_1.value == pytest.approx(1.0)
    assert found.two_way.icc_2_1.value < 0.3
    assert found.one_way.icc_1_1 < found.two_way.icc_2_1.value
    assert found.mean_pairwise_pearson == pytest.approx(1.0)


def test_an_unparsed_reply_is_left_out_with_its_judge_kept():
    rows = [trial(n, likert([60 + n] * 3, [60 + n] * 3, [60 + n] * 3), scenario=f"s{n % 4}") for n in range(12)]
    rows[3]["scores"] = likert([63] * 3, [-1] * 3, [63] * 3)
    trials = made_trials(rows, evaluators=("a", "b", "c"))
    missing, published = (agreement(trials, "likert", INTEGRITY, each) for each in ("missing", "published"))
    assert missing.two_way.icc_2_1.value == pytest.approx(1.0)
    assert published.two_way.icc_2_1.value < 0.5
    assert missing.evaluator_means["b"] == pytest.approx(np.mean([60 + n for n in range(12) if n != 3]))
    assert missing.bootstrap_2_1 is None and published.bootstrap_2_1 is not None


def test_a_judge_who_always_gives_the_same_is_named_and_takes_part_in_no_correlation():
    rows = [trial(n, likert([60 + n] * 3, [90] * 3, [60 + n] * 3), scenario=f"s{n % 4}") for n in range(8)]
    found = agreement(made_trials(rows, evaluators=("a", "b", "c")), "likert", INTEGRITY, "missing")
    assert found.constant == ("b",)
    assert (found.pairs_defined, found.mean_pairwise_pearson) == (1, pytest.approx(1.0))


def test_without_a_pair_there_is_no_mean_correlation():
    rows = [trial(n, likert([100] * 3, [60 + n] * 3), scenario=f"s{n % 4}") for n in range(8)]
    found = agreement(made_trials(rows), "likert", INTEGRITY, "missing")
    assert (found.pairs_defined, found.mean_pairwise_pearson) == (0, None)
