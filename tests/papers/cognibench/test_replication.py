import json

import pytest

from tests.cognibench.dynamics.examples import four
from tests.cognibench.made_half import half
from voirdire.cognibench.dynamics.estimates import DynamicsEstimate, rows_of
from voirdire.papers.claims import compare
from voirdire.papers.cognibench.arithmetic import cognitive_weight, f1
from voirdire.papers.cognibench.labelled import estimated
from voirdire.papers.cognibench.replication import baselines, replicate
from voirdire.papers.cognibench.study import load_paper
from voirdire.stats.intervals import Interval


@pytest.fixture(scope="module")
def found():
    return replicate(half())


@pytest.fixture(scope="module")
def by_id(found):
    return {claim.claim.id: claim for claim in found.claims}


def test_every_printed_claim_is_gone_through_once(found):
    assert [claim.claim.id for claim in found.claims] == list(load_paper().claims)
    assert sum(found.counts.values()) == len(found.claims)


def test_a_share_is_estimated_in_per_cent_and_from_a_part():
    result = estimated(
        DynamicsEstimate(0.35, 10, 5, Interval(0.25, 0.45, 0.95, "jackknife-t")), whole=False, percent=True
    )

    assert (result.value, result.n, result.part) == (35.0, 10, True)
    assert result.interval[:2] == pytest.approx((25.0, 45.0))


def test_data_without_any_of_it_say_so():
    outcome = compare(load_paper().claims["speculative"], estimated(DynamicsEstimate(None, 0, 0), whole=False))

    assert (outcome.verdict, outcome.value) == ("not checkable", None)
    assert "hold nothing" in outcome.note


def test_all_of_the_data_must_give_the_printed_number():
    whole = estimated(DynamicsEstimate(0.35, 10, 5, Interval(0.2, 0.9, 0.95, "jackknife-t")), whole=True, percent=True)

    assert compare(load_paper().claims["speculative"], whole).verdict == "not reproduced"


def test_contradictions_within_the_paper_are_found_whatever_the_data(by_id):
    assert by_id["times-higher"].value == pytest.approx(64.8 / 13.9)
    assert by_id["table-3-macro"].value == 1
    assert by_id["drop-31"].value == pytest.approx(11.64, abs=0.01)
    for name in ("times-higher", "table-3-macro", "drop-31", "harder", "table-5-weights", "l-larger", "auto-factual"):
        assert by_id[name].verdict == "not reproduced", name


def test_what_the_paper_adds_up_rightly_is_reproduced(by_id):
    for name in (
        "cognitive-rate-sum",
        "qa-reduction",
        "qa-multiclass",
        "qa-sequential",
        "gpt-4-shares",
        "auto-overall",
    ):
        assert by_id[name].verdict == "reproduced", name
    assert by_id["auto-cognitive"].verdict == "reproduced under another definition"


def test_the_overall_recalls_of_table_5_ask_for_different_mixes():
    assert f1(75.88, 89.63) == pytest.approx(82.18, abs=0.01)
    assert cognitive_weight(75.88, 72.72, 76.43) == pytest.approx(0.852, abs=0.001)
    assert cognitive_weight(67.72, 67.98, 66.76) == pytest.approx(0.213, abs=0.001)


def test_what_is_recomputed_is_that_of_the_data(by_id):
    assert by_id["invented"].value == pytest.approx(100 * 12 / 60)
    assert by_id["cognitive-rate"].value == pytest.approx(100 * 26 / 50)
    assert by_id["sentences"].verdict == "not checkable"


def test_baselines_count_words():
    # Four words each: everything flags 48 words, of which 1 invented, 2 speculative and 1 misleading are right.
    everything = baselines(rows_of(four()))[0]

    assert everything.overall.value == pytest.approx(2 * 16 / (48 + 16))
    assert everything.factual.value == pytest.approx(2 * 4 / (24 + 4))


def test_the_replication_is_strict_json(found):
    data = json.loads(json.dumps(found.as_dict(), allow_nan=False))

    assert data["labelled_responses"] == 24
    assert {"id", "section", "claim", "published", "recomputed", "interval", "verdict", "note"} <= set(
        data["claims"][0]
    )
