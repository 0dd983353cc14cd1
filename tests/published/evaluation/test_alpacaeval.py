"""AlpacaEval 2: what was printed of 32 models follows from their annotations."""

import csv

import pytest

from tests.published.records import ALPACAEVAL
from voirdire.evaluation.checks.aggregates import headline_recomputed
from voirdire.evaluation.checks.length import length_association
from voirdire.evaluation.formats import read_paths
from voirdire.evaluation.headline import headlines
from voirdire.stats.correlation import spearman


@pytest.fixture(scope="module")
def printed():
    with (ALPACAEVAL / "published_leaderboard.csv").open() as file:
        return {row["model"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def weighted():
    found = read_paths([ALPACAEVAL]).evaluations
    return next(each for each in found if each.judges == ("weighted_alpaca_eval_gpt4_turbo",))


def test_all_win_rates_and_standard_errors_are_recomputed_to_a_hundredth(weighted, printed):
    found = headlines(weighted)
    assert len(printed) == 32
    for model, row in printed.items():
        assert 100 * found[model].value == pytest.approx(float(row["win_rate"]), abs=0.01)
        assert 100 * found[model].se == pytest.approx(float(row["standard_error"]), abs=0.01)
        assert found[model].n == int(row["n_total"])


def test_the_check_passes_on_what_was_printed(weighted):
    check = headline_recomputed(weighted)
    assert (check.status, check.n) == ("pass", 32)


def test_length_sways_the_judge_and_equal_length_gives_the_published_order(weighted, printed):
    check = length_association(weighted)
    assert check.status == "fail"
    ours = [check.details["adjusted"][model] for model in printed]
    theirs = [float(row["length_controlled_winrate"]) for row in printed.values()]
    assert spearman(ours, theirs).rho >= 0.97
    lengths = check.details["mean_length_difference"]
    assert lengths["alpaca-7b_verbose"] > lengths["alpaca-7b"] > lengths["alpaca-7b_concise"]
