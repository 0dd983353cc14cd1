import pytest

from tests.ddft.validity._records import OURS, STILL, VARIED, near_copy_of, saying, varied
from voirdire.ddft.validity.copied_judges import copied_judges, without_copies


def near(given):
    return copied_judges(given).near


@pytest.mark.parametrize(("alike", "shift", "hits", "of"), [(39, 0.0, 38, 39), (40, 0.01, 40, 40)])
def test_a_judge_who_nearly_repeats_another_is_named_with_how_often(alike, shift, hits, of):
    given = saying(OURS, VARIED, near_copy_of(*OURS, alike, shift))
    (why,) = copied_judges(given).reasons
    assert (why.code, dict(why.params)) == (
        "near_copy",
        {"judges": ("a", "c"), "hits": hits, "of": of, "left_out": ("c",)},
    )
    assert set(without_copies(given, [why])["judge"]) == {"a", "b"}


def test_of_three_near_copies_the_one_between_two_others_is_left_out():
    between = (lambda place: min(1.0, varied(place) + 0.02), OURS[1])
    beyond = (lambda place: min(1.0, varied(place) + 0.04), OURS[1])
    assert {why["left_out"] for why in near(saying(OURS, between, beyond))} == {()}  # all one judge
    other = (lambda place: (varied(place) + 0.3) % 1 if place in (3, 4, 5) else varied(place), OURS[1])
    pairs = {why["judges"]: why["left_out"] for why in near(saying(near_copy_of(*OURS, 37), OURS, other))}
    assert pairs == {("a", "b"): ("b",), ("b", "c"): ("b",)}


def test_judges_who_agree_since_answers_are_easy_are_no_near():
    easy = (lambda place: 1.0 if place % 10 else place / 40, lambda place: 0.9)
    assert not near(saying(easy, near_copy_of(*easy, 38)))
    assert not near(saying(VARIED, near_copy_of(*VARIED, 30)))  # alike on three quarters


def test_judges_who_say_the_same_are_named_whoever_is_listed_first():
    given = saying(OURS, VARIED, OURS)
    (copy,) = copied_judges(given).reasons
    assert str(copy) == (
        "a and c gave the same verdicts on all 40 answers that each of them judged: they are one judge, whom the "
        "scores count more than once."
    )
    assert copied_judges(given.iloc[::-1]).whole == (copy,)


def test_hardly_any_different_scores_make_no_copy():
    assert not copied_judges(saying(STILL, STILL)).whole  # others may well give them, too


def test_of_copies_the_judge_with_the_most_verdicts_is_left():
    given = saying(OURS, OURS)
    fewer = given.assign(missing=given["missing"].mask((given["judge"] == "a") & (given["dialogue"] < 3), "no reply"))
    (copy,) = copied_judges(fewer).whole
    assert (copy["answers"], copy["left_out"]) == (37, ("a",))


def test_a_score_that_both_lack_is_the_same_and_one_that_only_one_lacks_is_not():
    given = saying(OURS, OURS).astype({"far": float})
    first = given["dialogue"] == 0
    assert copied_judges(given.assign(far=given["far"].mask(first))).whole
    assert not copied_judges(given.assign(far=given["far"].mask(first & (given["judge"] == "b")))).whole


def test_other_stances_make_another_judge():
    given = saying(OURS, OURS).assign(stance="rejected")
    assert copied_judges(given).whole
    assert not copied_judges(given.assign(stance=given["stance"].mask(given.index == 3, "accepted"))).whole
