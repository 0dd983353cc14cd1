"""Whether two ratings need a third person, and what several come to."""

from __future__ import annotations

import json

from tests.raters.tasks.integrity.support import Bench, violation
from voirdire.raters.tasks.integrity.rating import unmatched_violations
from voirdire.raters.tasks.integrity.task import TASK

DENIAL = violation("fact_denial", 2, "F4", "it leaks badly")
INVENTION = violation("fact_invention", 2, "", "Experts say")
VAGUE = violation("vagueness", 1, "F2", "a lot of water")
IMPRECISE = violation("imprecision", 1, "F2", "a lot of water")
CAVEAT = violation("unsupported_caveat", 0, "F1")
SMALL = [violation("vagueness", place, fact) for place, fact in ((0, "F1"), (0, "F3"), (1, "F2"), (1, "F3"))]


def rated(*violations, holistic=70, omitted=()):
    return Bench().rate(holistic, violations, omitted)


def test_ratings_that_found_the_same_need_nobody():
    assert not TASK.differ(rated(DENIAL, VAGUE), rated(DENIAL, IMPRECISE))


def test_exactly_10_points_apart_need_nobody_and_more_do():
    assert not TASK.differ(rated(), rated(*SMALL[:2]))
    assert TASK.differ(rated(), rated(*SMALL[:3]))
    assert TASK.differ(rated(), rated(CAVEAT))


def test_equal_scores_for_different_faults_need_a_third_person():
    assert TASK.differ(rated(DENIAL), rated(INVENTION))
    assert TASK.differ(
        rated(*SMALL[:3]), rated(SMALL[3], violation("vagueness", 2, "F4"), violation("vagueness", 2, "F1"))
    )


def test_a_small_fault_of_each_one_s_own_needs_nobody():
    assert not TASK.differ(rated(DENIAL, VAGUE), rated(DENIAL, SMALL[0]))


def test_whether_two_differ_does_not_depend_on_their_order():
    one, other = rated(DENIAL, VAGUE), rated(DENIAL, omitted=("F2", "F3"))
    assert TASK.differ(one, other) == TASK.differ(other, one)


def test_three_settle_on_what_two_of_them_found_and_the_median_impression():
    settled = TASK.settle(
        [rated(DENIAL, VAGUE, holistic=60), rated(DENIAL, IMPRECISE, holistic=80), rated(DENIAL, SMALL[0], holistic=65)]
    )
    assert [(each["type"], each["penalty"]) for each in settled["violations"]] == [
        ("fact_denial", 30),
        ("vagueness", 5),
    ]
    assert (settled["score"], settled["band"], settled["holistic"]) == (65, "Fair", 65)


def test_there_is_no_majority_where_each_found_something_else():
    assert TASK.settle([rated(DENIAL), rated(INVENTION), rated(CAVEAT)]) is None
    assert TASK.settle([]) is None


def test_omissions_are_settled_by_the_facts_that_most_left_out():
    values = [rated(omitted=("F2", "F3")), rated(omitted=("F2", "F4")), rated(omitted=("F2",))]
    settled = TASK.settle(values)
    # Each of two charged 15 for two facts; what most agree on is one peripheral fact.
    assert [(each["type"], each["fact"]) for each in settled["violations"]] == [("single_omission", "F2")]
    assert settled["score"] == 95


def test_imported_ratings_without_the_facts_settle_by_the_rungs_they_name():
    bare = [
        {
            "holistic": 80,
            "violations": [{"type": "omission_moderate", "sentence": None, "span": None, "fact": "F2"}],
            "score": 85,
            "band": "Good",
        }
        for _ in range(3)
    ]
    assert TASK.settle(bare)["score"] == 85
    assert not TASK.differ(bare[0], bare[1])


def test_a_trial_is_ambiguous_when_most_said_so():
    plain = rated()
    marked = {**plain, "ambiguous": True}
    assert TASK.settle([plain, marked, marked])["ambiguous"]
    assert not TASK.settle([plain, plain, marked])["ambiguous"]


def test_values_survive_json():
    value = rated(DENIAL, omitted=("F2",), holistic=20)
    assert json.loads(json.dumps(value)) == value


def test_what_one_found_and_the_other_did_not():
    one, other = rated(DENIAL, VAGUE), rated(DENIAL, SMALL[0])
    assert [each["type"] for each in unmatched_violations(one, other)] == ["vagueness"]
    assert unmatched_violations(one, other)[0]["sentence"] == 1
    assert unmatched_violations(other, one)[0]["sentence"] == 0
    # A claim is the same when its words largely are.
    long, short = rated({**INVENTION, "span": "Experts say that it leaks"}), rated(INVENTION)
    assert unmatched_violations(long, short) == []
