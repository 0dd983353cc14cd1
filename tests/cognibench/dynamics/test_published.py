import json

import pytest

from tests.cognibench.dynamics.made import four
from tests.cognibench.made_half import half
from voirdire.cognibench.dynamics._estimates import Estimate
from voirdire.cognibench.dynamics.published import baselines, load_paper, replicate
from voirdire.cognibench.dynamics.published.arithmetic import cognitive_weight, f1
from voirdire.cognibench.dynamics.published.paper import Said
from voirdire.cognibench.dynamics.published.verdicts import counted, directed, equal, ranged, sampled
from voirdire.cognibench.dynamics.rows import rows_of
from voirdire.stats.intervals import Interval


@pytest.fixture(scope="module")
def found():
    return replicate(half())


@pytest.fixture(scope="module")
def by_id(found):
    return {claim.said.id: claim for claim in found.claims}


def said(printed):
    return Said("id", "1", "claim", printed)


def estimate(value, low=None, high=None):
    return Estimate(value, 10, 5, None if low is None else Interval(low, high, 0.95, "jackknife-t"))


def test_every_printed_claim_is_gone_through_once(found):
    assert [claim.said.id for claim in found.claims] == list(load_paper().claims)
    assert sum(found.counts.values()) == len(found.claims)


def test_a_number_of_the_papers_own_is_reproduced_at_its_decimals_only():
    assert equal(said("4.7"), 4.66, "").verdict == "reproduced"
    assert equal(said("4.6"), 4.66, "").verdict == "not reproduced"


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [("0.30", "consistent"), ("0.46", "not consistent"), ("0.455", "not consistent"), ("0.5", "consistent")],
)
def test_a_part_of_the_data_is_consistent_with_what_its_interval_holds(printed, verdict):
    # 0.5 may have been printed of anything from 0.45 on.
    assert sampled(said(printed), estimate(0.35, 0.25, 0.45), "", whole=False).verdict == verdict


def test_without_an_interval_a_part_decides_nothing():
    assert sampled(said("0.3"), estimate(0.35), "", whole=False).verdict == "not checkable"
    assert sampled(said("0.3"), Estimate(None, 0, 0), "", whole=False).verdict == "not checkable"


def test_all_of_the_data_must_give_the_printed_number():
    assert sampled(said("35.0"), estimate(0.35, 0.2, 0.5), "", whole=True, percent=True).verdict == "reproduced"
    assert sampled(said("36.0"), estimate(0.35, 0.2, 0.5), "", whole=True, percent=True).verdict == "not reproduced"


@pytest.mark.parametrize(
    ("printed", "ends", "verdict"),
    [
        ("> 0", (0.1, 0.3), "consistent"),
        ("> 0", (-0.1, 0.3), "undecided"),
        ("> 0", (-0.3, -0.1), "not consistent"),
        ("< 0", (-0.3, -0.1), "consistent"),
        ("< 0", (0.1, 0.3), "not consistent"),
    ],
)
def test_a_direction_is_decided_by_the_whole_interval(printed, ends, verdict):
    assert directed(said(printed), estimate(sum(ends) / 2, *ends), "", whole=False).verdict == verdict


def test_a_count_can_only_be_contradicted_by_a_larger_part():
    assert counted(said("264"), 136, "", whole=False).verdict == "not checkable"
    assert counted(said("264"), 300, "", whole=False).verdict == "not consistent"
    assert counted(said("264"), 264, "", whole=True).verdict == "reproduced"


def test_a_part_must_lie_within_the_printed_range():
    assert ranged(said("50 to 432"), 50, 400, "", whole=False).verdict == "consistent"
    assert ranged(said("50 to 432"), 49, 400, "", whole=False).verdict == "not consistent"
    assert ranged(said("50 to 432"), 50, 400, "", whole=True).verdict == "not reproduced"


def test_contradictions_within_the_paper_are_found_whatever_the_data(by_id):
    assert by_id["times-higher"].recomputed == pytest.approx(64.8 / 13.9)
    assert by_id["table-3-macro"].recomputed == 1
    assert by_id["drop-31"].recomputed == pytest.approx(11.64, abs=0.01)
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
    assert by_id["invented"].recomputed == pytest.approx(100 * 12 / 60)
    assert by_id["cognitive-rate"].recomputed == pytest.approx(100 * 26 / 50)
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
