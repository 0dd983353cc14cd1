"""Shares corrected for sensitivity and specificity."""

import math

import numpy as np
import pytest
from benchmarks.statistics.raters_anchor import SCENES, coverage
from hypothesis import given
from hypothesis import strategies as st

from voirdire.stats import anchored_mean, corrected_share, corrected_shares

NAN = math.nan


def table(hits, missed, false, right, unrated_positive, unrated_negative):
    """People's and the machine's verdicts, from counts."""
    people = [1.0] * (hits + missed) + [0.0] * (false + right) + [NAN] * (unrated_positive + unrated_negative)
    machine = [1] * hits + [0] * missed + [1] * false + [0] * right + [1] * unrated_positive + [0] * unrated_negative
    return people, machine


def corrected(*counts, **options):
    people, machine = table(*counts)
    return corrected_share(people, machine, np.arange(len(people)), **options)


def test_a_share_is_corrected_by_what_people_show_of_the_judge():
    found = corrected(18, 2, 12, 28, 450, 490)  # of 1,000 units 480 positive; se .9, sp .7
    assert found.sensitivity.value == pytest.approx(0.9)
    assert found.specificity.value == pytest.approx(0.7)
    assert found.value == pytest.approx((0.48 + 0.7 - 1) / 0.6)
    assert found.sensitivity.n == 20
    assert found.sensitivity.interval.low < 0.9 < found.sensitivity.interval.high


def test_where_few_are_rated_the_interval_is_that_of_lang_and_reiczigel():
    # By hand: p' = 48001.9/100003.8, se' = 721/802, sp' = 841/1202; share 0.3001, error 0.0166, shift -0.0007
    found = corrected(720, 80, 360, 840, 46_920, 51_080)
    assert found.interval.low == pytest.approx(0.2670, abs=8e-4)
    assert found.interval.high == pytest.approx(0.3319, abs=8e-4)


def test_where_all_are_rated_the_interval_is_about_as_wide_as_peoples():
    found, few = corrected(180, 20, 90, 210, 0, 0), corrected(18, 2, 9, 21, 162, 288)
    assert found.interval.high - found.interval.low == pytest.approx(2 * 1.965 * math.sqrt(0.4 * 0.6 / 500), rel=0.05)
    assert few.interval.high - few.interval.low > 2 * (found.interval.high - found.interval.low)


def test_where_people_rated_nearly_all_the_interval_is_no_narrower_than_theirs():
    # Ten documents of eight sentences, half of each right: without any of them people's share is still .5. In document
    # k the judge passes k of the first four right ones and 4 - k of the wrong ones, k from 1 to 4 and round again, so
    # that its errors cancel out: 25 of 40 and 15 of 40 passed, share (.5 + .625 - 1)/(.625 + .625 - 1) = .5.
    people, machine = np.tile([1.0] * 4 + [0.0] * 4, 10), np.zeros(80)
    for document, passed in enumerate([1, 2, 3, 4] * 2 + [2, 3]):
        machine[8 * document : 8 * document + passed] = 1
        machine[8 * document + 4 : 8 * document + 8 - passed] = 1
    documents = np.arange(80) // 8
    whole, theirs = corrected_share(people, machine, documents), anchored_mean(people, machine, documents, lam=0.0)
    assert whole.value == pytest.approx(0.5)
    assert whole.interval == theirs.interval
    people[0] = NAN
    nearly = corrected_share(people, machine, documents).interval
    assert nearly.low < 0.45
    assert nearly.high > 0.55


def clustered(rng):
    """Twenty groups of two units, most of them rated; .65 true, se .9, sp .5."""
    true = (rng.random((20, 2)) < rng.beta(1.5, 0.8, 20)[:, None]).ravel()
    machine = np.where(true, rng.random(40) < 0.9, rng.random(40) >= 0.5).astype(float)
    people = np.where(rng.permutation(40) < 32, true, NAN)
    return people, machine, np.arange(40) // 2


def test_the_interval_holds_and_is_of_use_where_most_units_of_few_groups_are_rated():
    rng = np.random.default_rng(3)
    found = [corrected_share(*clustered(rng)).interval for _ in range(120)]
    intervals = [each for each in found if each is not None]
    assert len(intervals) > 110
    assert np.mean([each.low <= 0.652 <= each.high for each in intervals]) > 0.92
    assert np.mean([each.high - each.low for each in intervals]) < 0.7


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 60), st.integers(0, 60))
def test_a_judge_without_error_is_not_corrected(positive, negative, more_positive, more_negative):
    found = corrected(positive, 0, 0, negative, more_positive, more_negative)
    whole = positive + negative + more_positive + more_negative
    assert found.value == pytest.approx((positive + more_positive) / whole)


@given(st.tuples(*[st.integers(0, 30)] * 6))
def test_there_is_a_share_within_range_or_a_reason(counts):
    if sum(counts) == 0:
        return
    found = corrected(*counts)
    assert (found.value is None) == bool(found.why)
    if found.interval is not None:
        assert 0 <= found.value <= 1
        assert 0 <= found.interval.low <= found.interval.high <= 1


def test_a_judge_no_better_than_chance_corrects_nothing():
    assert corrected(10, 10, 10, 10, 5, 5).why == "no_better"
    assert corrected(2, 18, 15, 5, 5, 5)[:2] == (None, None)


def test_an_estimate_that_no_share_can_be_is_withheld_with_what_it_was():
    found = corrected(1, 2, 3, 10, 3, 1)  # of 20 units 7 positive; se 1/3, sp 10/13
    assert found[:2] == (None, None)
    assert (found.why, found.outside) == ("out_of_range", pytest.approx((7 / 20 - 3 / 13) / (1 / 3 - 3 / 13)))


def test_classes_with_an_estimate_below_0_are_withheld():
    people = ["a"] * 10 + ["b"] * 10 + [None] * 60
    machine = ["a"] * 6 + ["b"] * 4 + ["b"] * 9 + ["a"] + ["b"] * 60
    found = corrected_shares(people, machine, range(80), ("a", "b"))
    assert (found.values, found.why, found.about) == (None, "classes_out_of_range", ("a", "b"))


def test_without_positives_or_negatives_among_the_rated_it_is_said():
    nothing = corrected(0, 0, 5, 25, 10, 60)
    assert nothing.why == "no_positives"
    assert nothing.sensitivity is None
    assert nothing.specificity.value == pytest.approx(25 / 30)
    assert corrected(20, 2, 0, 0, 10, 60).why == "no_negatives"


def test_errors_that_come_in_groups_widen_the_interval():
    people, machine = table(18, 2, 12, 28, 450, 490)
    groups = np.array(np.arange(1000) // 10)
    by_group, by_unit = (corrected_share(people, machine, each) for each in (groups, np.arange(1000)))
    assert by_group.value == by_unit.value
    assert by_group.interval.high - by_group.interval.low > by_unit.interval.high - by_unit.interval.low


def test_a_rating_that_stands_for_more_units_weighs_more():
    people, machine = table(1, 1, 1, 1, 3, 3)
    found = corrected_share(people, machine, range(10), weights=[3, 1, 1, 3, *[9] * 6])
    assert found.sensitivity.value == pytest.approx(0.75)
    assert found.specificity.value == pytest.approx(0.75)


def test_weights_that_add_up_to_a_hair_more_than_one_do_no_harm():
    people, machine = table(10, 0, 0, 3, 20, 30)
    found = corrected_share(people, machine, range(63), weights=[1.1, *[0.7] * 62])
    assert found.sensitivity.value == 1


def test_units_without_a_machine_value_are_left_out_and_none_at_all_is_an_error():
    people, machine = table(18, 2, 12, 28, 450, 490)
    some = corrected_share([*people, 1.0], [*machine, NAN], range(1001))
    assert some == corrected_share(people, machine, range(1000))
    with pytest.raises(ValueError, match="no value of any unit"):
        corrected_share([1.0, NAN], [NAN, NAN], range(2))


def confused(rng, n, rated):
    """Three classes with known shares .5, .3, .2, and a judge who confuses them."""
    classes = ("rejected", "questioned", "accepted")
    confusion = np.array([[0.8, 0.15, 0.05], [0.2, 0.6, 0.2], [0.05, 0.1, 0.85]])
    true = rng.choice(3, n, p=(0.5, 0.3, 0.2))
    machine = [classes[rng.choice(3, p=confusion[each])] for each in true]
    return [classes[each] if place < rated else None for place, each in enumerate(true)], machine, classes


def test_three_classes_are_corrected_by_their_whole_confusion():
    people, machine, classes = confused(np.random.default_rng(1), 4000, 800)
    found = corrected_shares(people, machine, range(4000), classes)
    assert [found.values[name] for name in classes] == pytest.approx([0.5, 0.3, 0.2], abs=0.06)
    assert all(
        found.intervals[name].low < true < found.intervals[name].high
        for name, true in zip(classes, (0.5, 0.3, 0.2), strict=True)
    )
    assert found.confusion["accepted"]["accepted"] == pytest.approx(0.85, abs=0.08)


def test_two_classes_give_the_share_of_one():
    people, machine = table(18, 2, 12, 28, 450, 490)
    said, given = (
        [None if math.isnan(each) else "no yes".split()[int(each)] for each in side] for side in (people, machine)
    )
    found = corrected_shares(said, given, range(1000), ("yes", "no", "unused"))
    assert found.values == pytest.approx({"yes": 0.3, "no": 0.7})
    one = corrected_share(people, machine, range(1000)).interval
    assert found.intervals["yes"][:2] == pytest.approx(one[:2])
    assert found.intervals["no"][:2] == pytest.approx((1 - one.high, 1 - one.low))


def test_classes_that_people_did_not_meet_or_the_machine_can_not_tell_apart_are_said():
    met = corrected_shares(["a", "a", None], ["a", "b", "b"], range(3), ("a", "b"))
    assert met.values is None
    assert (met.why, met.about) == ("unmet_classes", ("b",))
    blind = corrected_shares(["a", "b"] * 10, ["a", "a", "b", "b"] * 5, range(20), ("a", "b"))
    assert blind.values is None
    assert (blind.why, blind.about) == ("confused_classes", ())
    told = corrected_shares(["a", "b", "c"] * 10, ["a", "b", "a"] * 10, range(30), ("a", "b", "c"))
    assert (told.values, told.why, told.about) == (None, "unsaid_classes", ("c",)), "a and b are told apart"


def test_corrected_intervals_hold_where_judges_are_biased():
    found = coverage(SCENES[0], 100, 60, seed=2)
    assert found.corrected > 88
    assert found.plain < 30
