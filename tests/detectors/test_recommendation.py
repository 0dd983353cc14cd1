import json

from voirdire.detectors.calibration import recommend
from voirdire.detectors.scoring import WordCounts, score_difference

WEAK, STRONG = WordCounts(5, 10, 10), WordCounts(9, 10, 10)


def test_the_default_is_kept_where_a_chosen_threshold_gains_nothing_beyond_noise():
    own = [WEAK, STRONG] * 6
    found = recommend(own, list(reversed(own)), (0.61, 0.64))

    assert (found.which, found.threshold, found.floor_reached) == ("own", 0.61, None)
    said = "The default does as well: keep it. Held out, F1 is 0.700 with a threshold chosen anew, and 0.700 with the "
    assert str(found.reasons[0]).startswith(said)


def test_the_default_is_kept_where_the_chosen_threshold_does_worse_held_out():
    found = recommend([STRONG] * 6, [WEAK] * 6, (0.61, 0.64))

    assert found.which == "own"
    assert str(found.reasons[0]).startswith("The default does better: keep it. Held out, F1 is 0.500 ")


def test_a_gain_in_every_group_is_a_gain():
    found = recommend([WEAK] * 6, [STRONG] * 6, (0.61, 0.64))

    assert (found.which, found.threshold) == ("chosen", 0.64)
    assert score_difference([STRONG] * 6, [WEAK] * 6) == (0.4, 0.4)


def test_a_precision_that_was_asked_and_is_not_kept_held_out_is_said_with_its_interval():
    held_out = [WordCounts(8, 10, 12), WordCounts(9, 10, 12), WordCounts(7, 10, 12)] * 3
    found = recommend([WEAK] * 9, held_out, (0.5, 0.7), "precision", 0.9)

    (said,) = map(str, found.reasons)
    assert said.startswith("Not kept: precision 0.90 was asked, and on answers that the threshold was not chosen on it")
    assert "is 0.80 (0.7" in said
    assert (found.threshold, found.which, found.floor_reached) == (None, None, False), (
        "none is recommended that does not keep"
    )
    assert found.worthless == found.reasons[0]
    json.dumps(found.as_dict(), allow_nan=False)


def test_a_default_that_keeps_the_floor_is_preferred_to_a_choice_that_does_not():
    own = [WordCounts(19, 20, 40), WordCounts(39, 40, 60), WordCounts(28, 30, 50)] * 3
    found = recommend(own, [WordCounts(8, 10, 12)] * 9, (0.5, 0.4), "precision", 0.9)

    assert (found.which, found.floor_reached) == ("own", False)
    assert "The default keeps precision 0.90: here it has 0.96 (0.9" in str(found.reasons[1])
    assert found.doubt is None


def test_a_default_that_keeps_the_floor_by_chance_alone_is_no_promise_either():
    own = [WordCounts(20, 20, 40), WordCounts(16, 20, 40), WordCounts(20, 20, 40)]
    found = recommend(own, [WordCounts(8, 10, 12)] * 3, (0.5, 0.4), "precision", 0.9)

    assert (found.which, found.threshold) == ("own", 0.5)
    said = "These answers are too few to show that the default keeps precision 0.90 on others: here it has 0.93 ("
    assert str(found.doubt).startswith(said) and found.as_dict()["doubt"]["code"] == "default_floor_unsure"


def test_a_floor_that_is_missed_within_the_interval_is_not_called_missed():
    held_out = [WordCounts(10, 10, 12), WordCounts(6, 10, 12), WordCounts(10, 10, 12)]
    found = recommend([WEAK] * 3, held_out, (0.5, 0.7), "precision", 0.9)

    assert found.threshold is None
    assert str(found.worthless).startswith("These answers are too few to tell whether precision 0.90 is kept: on")


def test_a_floor_that_is_kept_gives_the_choice_with_more_of_the_other_figure():
    found = recommend([WordCounts(10, 10, 40)] * 9, [WordCounts(28, 30, 40)] * 9, (0.9, 0.6), "precision", 0.9)

    assert (found.which, found.floor_reached) == ("chosen", True)
    assert str(found.reasons[1]).startswith("Held out, recall is 0.700 with a threshold chosen anew, and 0.250 with")


def test_a_floor_that_is_kept_by_chance_alone_is_no_promise():
    held_out = [WordCounts(10, 10, 12), WordCounts(8, 10, 12), WordCounts(10, 10, 12)]
    found = recommend([WEAK] * 3, held_out, (0.5, 0.7), "precision", 0.9)

    assert found.floor_reached and found.doubt == found.reasons[0]
    assert str(found.doubt).startswith("These answers are too few to show that precision 0.90 is kept on others: held")


def test_nothing_flagged_held_out_keeps_no_precision():
    found = recommend([WEAK] * 3, [WordCounts(0, 0, 10)] * 3, (0.5, 0.99), "precision", 0.9)

    assert found.threshold is None
    assert str(found.reasons[0]).startswith("Not kept: precision 0.90 was asked, and on answers that the threshold was")
    assert str(found.reasons[0]).endswith("nothing is flagged")


def test_no_difference_of_two_shares_is_wider_than_from_minus_one_to_one():
    best, worst = [WordCounts(10, 10, 10)] * 3, [WordCounts(0, 10, 10), WordCounts(1, 10, 10), WordCounts(6, 10, 10)]
    assert score_difference(best, worst).high == 1.0
    assert score_difference(worst, best).low == -1.0


def test_where_only_the_choice_is_shown_to_beat_flagging_everything_it_is_recommended():
    own = [WordCounts(10, 10, 10), WordCounts(2, 2, 10)] * 6
    held_out = [WordCounts(8, 8, 10)] * 12
    found = recommend(own, held_out, (0.61, 0.48), everything=[WordCounts(10, 20, 10)] * 12)

    assert (found.which, found.threshold, found.worthless) == ("chosen", 0.48, None)
    (said,) = map(str, found.reasons)
    assert said.startswith("Only a threshold chosen anew is shown to beat flagging every sentence, which has F1 0.667:")
    assert "keep it" not in said


def test_where_only_the_default_is_shown_to_beat_it_the_default_stays():
    found = recommend([WordCounts(9, 10, 10)] * 12, [WEAK] * 12, (0.61, 0.48), everything=[WordCounts(10, 20, 10)] * 12)

    assert (found.which, found.worthless) == ("own", None)
    assert str(found.reasons[0]).startswith("The default does better: keep it.")


def test_a_better_figure_that_rests_on_too_few_groups_is_not_called_worthless():
    perfect = [WordCounts(10, 10, 10)] * 3
    found = recommend(perfect, perfect, (0.61, 0.48), everything=[WordCounts(10, 30, 10), *[WordCounts(0, 9, 0)] * 2])

    assert str(found.worthless).startswith("These answers are too few to show that a threshold is worth using")


def test_where_neither_is_shown_to_beat_it_none_is_recommended():
    found = recommend([WEAK, STRONG] * 6, [STRONG, WEAK] * 6, (0.61, 0.48), everything=[WordCounts(10, 14, 10)] * 12)

    assert (found.which, found.threshold) == (None, None)
    assert str(found.worthless).startswith("No threshold is worth using here: held out, F1 is 0.700 with a threshold")
    assert found.reasons == (found.worthless,)
