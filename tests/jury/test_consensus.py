import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from voirdire.jury import AS_RUN_WEIGHTS, JuryError, JuryRules, consensus
from voirdire.jury.settings import Weights
from voirdire.records import STANCES, Verdict

SOUND = JuryRules()
SCORED = JuryRules(no_claims="scored")
WEIGHTED = JuryRules(no_claims="scored", consensus=AS_RUN_WEIGHTS)


def said(far=0.5, sas=0.5, no_claims=False, stance=None):
    return Verdict("j", None if no_claims and far is None else far, sas, no_claims, stance)


def missing():
    return Verdict("j", None, None, missing="the judge refused to judge")


def decide(*verdicts, rules=SOUND):
    return consensus(verdicts, panel_size=len(verdicts), rules=rules)


scores = st.floats(0, 1)
verdicts = st.builds(said, far=scores, sas=scores, no_claims=st.booleans(), stance=st.none() | st.sampled_from(STANCES))
panels = st.lists(verdicts | st.builds(missing), min_size=1, max_size=7)


def test_the_mean_of_three_judges():
    found = decide(said(0.6, 0.9), said(0.9, 0.6), said(0.9, 0.3))
    assert found.far == pytest.approx(0.8) and found.sas == pytest.approx(0.6)
    assert (found.judges, found.unscored, found.no_claims, found.stance) == (3, None, False, None)


def test_a_mean_that_is_a_threshold_lies_on_it_to_the_last_digit():
    assert math.fsum((0.1, 0.1, 0.4)) / 3 > 0.2  # in floating point
    found = decide(said(0.1, 0.6), said(0.1, 0.7), said(0.4, 0.8))
    assert (found.far, found.sas) == (0.2, 0.7)


def test_the_median_is_not_moved_by_one_judge_far_off():
    rules = JuryRules(consensus="median")
    found = decide(said(0.8, 0.9), said(0.7, 0.6), said(0.0, 0.0), rules=rules)
    assert (found.far, found.sas) == (0.7, 0.6)
    found = decide(said(0.8, 0.9), missing(), said(0.4, 0.5), rules=rules)
    assert (found.far, found.sas, found.judges) == (0.6, 0.7, 2)


def test_the_published_weights_reproduce_a_hand_worked_consensus():
    found = decide(said(0.2, 0.2), said(0.4, 0.4), said(1.0, 1.0), rules=WEIGHTED)
    assert found.far == pytest.approx(0.25 * 0.2 + 0.35 * 0.4 + 0.40 * 1.0)
    assert found.sas == pytest.approx(0.40 * 0.2 + 0.35 * 0.4 + 0.25 * 1.0)


def test_weights_are_renormalised_over_those_present():
    found = decide(said(0.2, 0.2), missing(), said(1.0, 1.0), rules=WEIGHTED)
    assert found.far == pytest.approx((0.25 * 0.2 + 0.40 * 1.0) / 0.65)
    assert found.sas == pytest.approx((0.40 * 0.2 + 0.25 * 1.0) / 0.65)
    assert found.judges == 2


def test_a_judge_who_sits_alone_decides_alone_under_weights_too():
    assert decide(said(0.3, 0.4), rules=WEIGHTED).far == pytest.approx(0.3)


def test_weights_for_another_number_of_judges_are_refused():
    with pytest.raises(JuryError, match="3 judges, but the jury has 2"):
        decide(said(), said(), rules=WEIGHTED)


def test_a_missing_judge_lowers_nothing():
    assert decide(said(0.9, 0.9), said(0.7, 0.7), missing()).far == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("size", "present", "scored"),
    [(1, 1, True), (2, 1, False), (3, 2, True), (3, 1, False), (4, 2, False), (5, 3, True)],
)
def test_the_default_quorum_is_more_than_half(size, present, scored):
    found = decide(*[said()] * present, *[missing()] * (size - present))
    assert (found.unscored is None) is scored
    assert found.judges == present
    assert (found.far is not None) is scored and (found.sas is not None) is scored


def test_below_quorum_the_reason_counts_judges():
    assert decide(said(), missing(), missing()).unscored == "1 of 3 judges gave a verdict, and 2 are needed"


def test_a_quorum_can_be_set():
    rules = JuryRules(quorum=3)
    assert decide(said(), said(), missing(), rules=rules).unscored is not None
    assert decide(said(), missing(), missing(), rules=JuryRules(quorum=1)).far == 0.5


def test_judges_who_are_not_even_listed_count_as_absent():
    assert consensus([said()], panel_size=3, rules=SOUND).unscored is not None


def test_a_majority_for_no_claims_makes_far_null_but_not_sas():
    found = decide(said(None, 0.4, no_claims=True), said(None, 0.6, no_claims=True), said(0.9, 0.8))
    assert found.no_claims and found.far is None and found.unscored is None
    assert found.sas == pytest.approx(0.6)


def test_where_the_majority_finds_claims_the_others_give_no_far():
    found = decide(said(0.0, 0.5, no_claims=True), said(0.8), said(0.6))
    assert not found.no_claims and found.far == pytest.approx(0.7)


def test_half_of_the_judges_are_no_majority_for_no_claims():
    found = decide(said(None, 0.5, no_claims=True), said(0.8))
    assert not found.no_claims and found.far == pytest.approx(0.8)


def test_under_the_scored_rule_no_claims_changes_no_far():
    found = decide(said(0.2, 0.5, no_claims=True), said(0.4, 0.5, no_claims=True), said(0.9), rules=SCORED)
    assert found.no_claims and found.far == pytest.approx(0.5)


def test_under_the_scored_rule_far_is_null_only_where_nobody_gave_one():
    found = decide(said(None, 0.5, no_claims=True), rules=SCORED)
    assert found.far is None and found.no_claims and found.unscored is None


def test_a_verdict_without_a_score_it_should_have_is_not_present():
    assert decide(said(far=None), said(0.4), said(sas=None)).unscored is not None


@pytest.mark.parametrize(
    ("votes", "panel"),
    [
        ("rra", "rejected"),
        ("aaq", "accepted"),
        ("ra", "questioned"),
        ("raq", "questioned"),
        ("rraaq", "questioned"),
        ("rraq", "rejected"),
        ("q", "questioned"),
        ("r-a", "questioned"),
        ("rr-", "rejected"),
    ],
)
def test_the_stance_is_that_of_most_and_a_tie_is_questioned(votes, panel):
    names = {"r": "rejected", "q": "questioned", "a": "accepted"}
    found = decide(*(missing() if vote == "-" else said(stance=names[vote]) for vote in votes))
    assert found.stance == panel


def test_more_verdicts_than_judges_are_refused():
    with pytest.raises(ValueError, match="panel of 1"):
        consensus([said(), said()], panel_size=1, rules=SOUND)


def test_weights_need_every_judges_place():
    with pytest.raises(ValueError, match="panel's order"):
        consensus([said(), said()], panel_size=3, rules=WEIGHTED)


def test_weights_must_be_positive_and_as_many_for_both():
    with pytest.raises(JuryError):
        Weights((0.5, 0.0), (0.5, 0.5))
    with pytest.raises(JuryError):
        Weights((0.5,), (0.5, 0.5))


@given(st.integers(1, 7), st.sampled_from([SOUND, SCORED]))
def test_without_any_judge_a_turn_is_unscored(size, rules):
    found = decide(*[missing()] * size, rules=rules)
    assert found.unscored and (found.far, found.sas, found.stance, found.judges) == (None, None, None, 0)


@given(
    panels.flatmap(lambda panel: st.tuples(st.just(panel), st.permutations(panel))), st.sampled_from([SOUND, SCORED])
)
def test_the_order_of_judges_does_not_matter_to_the_mean(pair, rules):
    panel, shuffled = pair
    assert decide(*panel, rules=rules) == decide(*shuffled, rules=rules)


@given(st.lists(verdicts, min_size=3, max_size=3), st.permutations([0, 1, 2]))
def test_the_order_of_judges_does_not_matter_when_their_weights_move_along(panel, order):
    moved = Weights(
        tuple(AS_RUN_WEIGHTS.far[place] for place in order), tuple(AS_RUN_WEIGHTS.sas[place] for place in order)
    )
    found = decide(*panel, rules=WEIGHTED)
    again = decide(*(panel[place] for place in order), rules=JuryRules(no_claims="scored", consensus=moved))
    assert again.far == pytest.approx(found.far) and again.sas == pytest.approx(found.sas)


@given(panels, st.sampled_from([SOUND, SCORED]))
def test_scores_lie_between_the_judges_scores(panel, rules):
    found = decide(*panel, rules=rules)
    for name in ("far", "sas"):
        given_scores = [getattr(verdict, name) for verdict in panel if verdict.missing is None]
        if getattr(found, name) is not None:
            assert round(min(given_scores), 9) <= getattr(found, name) <= round(max(given_scores), 9)


@given(panels)
def test_a_judge_who_agrees_changes_nothing(panel):
    found = decide(*panel)
    assume(found.unscored is None)
    agreeing = said(found.far, found.sas, found.no_claims, found.stance)
    again = decide(*panel, agreeing)
    assert again.far == pytest.approx(found.far) and again.sas == pytest.approx(found.sas)
    assert (again.no_claims, again.stance) == (found.no_claims, found.stance)


@given(panels)
def test_a_missing_verdict_is_never_counted_as_a_score(panel):
    present = [verdict for verdict in panel if verdict.missing is None]
    with_absent = consensus(panel, panel_size=len(panel), rules=JuryRules(quorum=1))
    without = consensus(present, panel_size=len(panel), rules=JuryRules(quorum=1))
    assert with_absent == without


@pytest.mark.parametrize(
    "wrong",
    [
        {"no_claims": None},
        {"consensus": "mode"},
        {"granularity": "sentence"},
        {"quorum": 0},
        {"quorum": True},
        {"max_tokens": 0},
        {"separate_calls": "yes"},
    ],
)
def test_rules_with_a_value_that_is_not_allowed_are_refused_by_name(wrong):
    with pytest.raises(JuryError, match=next(iter(wrong))):
        JuryRules(**wrong)
