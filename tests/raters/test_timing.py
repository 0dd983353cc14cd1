"""Time per trial beside the guide's expectations, trends, and warnings that a handful of items never gives."""

from __future__ import annotations

import pytest

from voirdire.raters.records import Item, Project, Rater, Rating, Settings
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.integrity.task import MIN_SCORES, band_shares
from voirdire.raters.timing import (
    MIN_LABELS,
    Trial,
    clustering,
    duration,
    hasty,
    paces,
    phase_at,
    trends,
    trials,
)


def project(values, task="integrity", minutes=None, **changes):
    """A project in which one rater rated so many items, one after the other."""
    minutes = minutes or [20.0] * len(values)
    ratings = tuple(
        Rating(
            item=f"i{number}",
            rater="r1",
            value=value,
            at=f"2025-01-01T00:00:{number:03}",
            seconds=60 * spent,
            seq=number,
            **changes,
        )
        for number, (value, spent) in enumerate(zip(values, minutes, strict=True), start=1)
    )
    return Project(
        settings=Settings(task=task, title="T"),
        documents={},
        items={each.item: Item(id=each.item, document=each.item) for each in ratings},
        raters={"r1": Rater("r1", "Ann")},
        ratings=ratings[::-1],  # whatever order they come in
        gold={},
        questions=(),
    )


def scored(*scores):
    return [{"score": score} for score in scores]


def kinds(given):
    return [warning.kind for warning in clustering(given)]


def test_trials_are_numbered_by_when_they_were_finished():
    first = trials(project(scored(90, 80, 70), minutes=[30, 29, 28]))["r1"]
    assert first[0] == Trial("r1", 1, "i1", 1800.0, "trials 1-5", (1500.0, 1800.0))
    assert [trial.item for trial in first] == ["i1", "i2", "i3"]


@pytest.mark.parametrize(
    ("number", "phase"),
    [
        (1, "trials 1-5"),
        (5, "trials 1-5"),
        (6, "trials 6-15"),
        (15, "trials 6-15"),
        (16, "trials from 16 on"),
        (30, "trials from 16 on"),
    ],
)
def test_phases_begin_where_the_guide_says(number, phase):
    phases = open_task("integrity").effort("sequential").phases
    assert phases[phase_at(phases, number)].name == phase


def test_each_phase_is_held_beside_the_guide_s_minutes():
    found = paces(project(scored(*[80] * 20), minutes=[27] * 5 + [25] * 10 + [9] * 5))
    assert [(each.phase, each.trials, each.median_minutes) for each in found] == [
        ("trials 1-5", 5, 27.0),
        ("trials 6-15", 10, 25.0),
        ("trials from 16 on", 5, 9.0),
    ]
    assert found[0].interpretation == "Trials 1-5, 5 done: 27.0 minutes each (median), within the guide's 25 to 30."
    assert "slower than the guide's 18 to 22" in found[1].interpretation
    assert "faster than the guide's 15 to 20" in found[2].interpretation


def test_other_tasks_have_times_but_no_expectations():
    given = project([{"label": "faithful"}] * 3, task="cognibench")
    assert paces(given) == []
    assert trials(given)["r1"][0].expected is None


def test_a_rater_who_gets_faster_shows_a_falling_trend():
    found = trends(project(scored(*[80] * 20), minutes=[30 - n for n in range(20)]))[0]
    assert found.per_item == pytest.approx(-60) and found.interval == pytest.approx((-60, -60))
    assert "less and less time" in found.interpretation


def test_one_very_long_item_makes_no_trend():
    minutes = [20, 21, 19, 20, 22, 20, 19, 21, 20, 400] * 2
    found = trends(project(scored(*[80] * 20), minutes=minutes))[0]
    assert found.interval[0] <= 0 <= found.interval[1]
    assert found.interpretation.startswith(
        "Whether items take more or less time as the work goes on can't be told yet: "
    )


def test_few_items_have_no_trend():
    found = trends(project(scored(*[80] * 19), minutes=range(10, 29)))[0]
    assert found.per_item is None and "too few" in found.interpretation


def labels_in(*seconds):
    labels = [{"label": label} for label in ["faithful", "reliable"] * len(seconds)]
    return project(labels[: len(seconds)], "cognibench", [each / 60 for each in seconds])


def test_ratings_that_nobody_can_have_read_the_items_for_are_told_to_the_organiser():
    (warning,) = clustering(labels_in(*[0.2, 0.6, 1.0] * 20))
    assert warning.kind == "too fast"
    assert warning.text.startswith("60 of 60 ratings with a known time took less than 2 seconds each: too short")


def test_ratings_whose_time_is_not_known_are_said_to_be_left_out():
    (warning,) = clustering(labels_in(*[0.5] * 35, *[0.0] * 5))
    assert warning.text.startswith("35 of 35 ratings with a known time took less than 2 seconds each")


@pytest.mark.parametrize("seconds", [[0.5] * 7, [0.5] * 10 + [8] * 41, [8.0] * 60, [0.0] * 60])
def test_some_fast_ratings_and_those_without_a_time_give_no_warning(seconds):
    assert clustering(labels_in(*seconds)) == []


def test_a_median_far_below_the_guides_time_is_told_to_the_organiser():
    (warning,) = clustering(labels_in(*[4, 5, 6, 90] * 5))
    assert warning.kind == "far below the guide"
    assert warning.text.startswith(
        "20 ratings took 5.5 s each (median), where the guide reckons with 30 s to 75 s. Ask how they were made"
    )
    assert clustering(labels_in(*[4] * 7)) == [], "too few to tell"


@pytest.mark.parametrize("seconds", [[0.5] * 20, [4, 5, 6, 90] * 5])
def test_what_the_organiser_is_told_of_speed_is_said_beside_figures_too(seconds):
    rated = labels_in(*seconds)
    (warning,), (told,) = clustering(rated), hasty(rated)
    assert told.sentence == f"{rated.raters[warning.rater].name}: {warning.text}"


def test_a_time_under_ten_seconds_is_the_same_to_a_tenth_wherever_it_stands():
    (warning,) = clustering(labels_in(*[3.3, 3.45, 3.6] * 10))
    assert warning.text.startswith(f"30 ratings took {duration(3.45)} each (median)") and duration(3.45) == "3.5 s"
    assert [duration(each) for each in (1.5, 8.0, 9.96, 12.3)] == ["1.5 s", "8 s", "10 s", "12 s"]


def test_an_adjudicator_who_rates_faster_than_reading_is_told_as_a_rater_is():
    given = project([{"label": "faithful"}] * 19, "cognibench", [1.2 / 60] * 17 + [0.1] * 2, role="adjudicator")
    (warning,) = clustering(given)
    assert warning.text.startswith("17 of 19 ratings with a known time took less than 2 seconds each")


def test_the_guides_time_is_that_of_a_raters_experience():
    def is_told(minutes):
        warnings = clustering(project(scored(*[80] * 12), minutes=[minutes] * 12))
        return "far below the guide" in [each.kind for each in warnings]

    assert is_told(4.0), "of 18 and more"
    assert not is_told(5.0), "12 ratings: a quarter of 25 minutes at the first five, and of 18 since"


@pytest.mark.parametrize("changes", [{"role": "adjudicator"}, {"pool": "practice"}])
def test_adjudications_and_practice_are_left_out(changes):
    given = project(scored(*[92] * 30), **changes)
    assert trials(given) == {} and clustering(given) == []


def test_scores_from_90_to_95_are_said_to_be_under_penalised():
    warnings = clustering(project(scored(*[92, 95, 90, 94] * 5)))
    assert warnings[0].kind == "under-penalising"
    assert "20 of 20 scores lie from 90 to 95, where the guide expects 30 to 40 %" in warnings[0].text


def test_scores_from_50_to_70_are_said_to_be_over_penalised():
    assert "over-penalising" in kinds(project(scored(*[55, 60, 70, 65] * 5)))


def test_a_spread_as_the_guide_expects_it_gives_no_warning():
    as_expected = [95] * 4 + [100] * 7 + [75] * 5 + [85] * 6 + [60] * 5 + [40] * 2 + [10]
    assert kinds(project(scored(*as_expected))) == []


def test_a_band_far_off_its_share_is_named():
    warning = next(each for each in clustering(project(scored(*[10] * 20 + [95] * 10))) if each.kind == "distribution")
    assert "Very Poor 67 % (0 to 5 % expected)" in warning.text


def test_bands_are_counted_beside_the_guide_s_shares():
    shares = {each.band: each for each in band_shares([95, 90, 75, 40])}
    assert (shares["Excellent"].trials, shares["Excellent"].pct) == (2, 50.0)
    assert shares["Excellent"].target_pct == (30, 40)
    assert not shares["Poor"].off  # one of four says nothing


def test_a_handful_of_items_never_warns():
    assert clustering(project(scored(*[92] * (MIN_SCORES - 1)))) == []
    assert clustering(project([{"label": "faithful"}] * (MIN_LABELS - 1), task="cognibench")) == []
    turns = [{"far": 1.0, "sas": 1.0, "stance": "rejected"}] * (MIN_LABELS - 1)
    assert clustering(project(turns, task="ddft")) == []


def test_one_label_on_nearly_all_statements_is_said():
    labels = [{"label": "faithful"}] * 48 + [{"label": "misleading"}] * 2
    (warning,) = clustering(project(labels, task="cognibench"))
    assert (warning.kind, warning.text) == ("one label", "48 of 50 statements are labelled faithful.")
    assert clustering(project(labels[:-2] + [{"label": "misleading"}] * 5, task="cognibench")) == []


def test_one_score_or_stance_on_nearly_all_turns_is_said():
    turns = [{"far": 1.0, "sas": 0.1 * (n % 10), "stance": "accepted"} for n in range(60)]
    found = clustering(project(turns, task="ddft"))
    assert [each.kind for each in found] == ["one score", "one stance"]
    assert found[0].text == "60 of 60 turns have FAR 1."
    unscored = [{"far": None, "sas": 0.1 * (n % 10), "stance": None} for n in range(60)]
    assert clustering(project(unscored, task="ddft")) == []


@pytest.mark.parametrize(("items", "says"), [(1, "1 item is too few for a trend"), (2, "2 items are too few")])
def test_too_few_items_for_a_trend_are_counted_in_plain_english(items, says):
    (found,) = trends(project(scored(*[80] * items)))
    assert found.interpretation.startswith(says)


def test_a_time_that_was_not_measured_is_no_time_of_zero():
    made = project(scored(*[80] * 4), minutes=[27.0, 0.0, 0.0, 0.0])
    assert [each.number for each in trials(made)["r1"]] == [1]
    (pace,) = paces(made)
    assert pace.median_minutes == 27.0 and "within" in pace.interpretation
    assert trials(project(scored(80, 80), minutes=[0.0, 0.0])) == {}
    assert trends(project(scored(80, 80), minutes=[0.0, 0.0])) == []


def trend_of(seconds):
    (result,) = trends(project(scored(*[80] * len(seconds)), minutes=[each / 60 for each in seconds]))
    return result


def test_times_that_stay_the_same_are_said_to():
    result = trend_of([20] * 20)
    assert result.interpretation == (
        "Items take neither more nor less time as the work goes on: the first ten took 20 s each (median), the last "
        "ten 20 s."
    )


def test_times_of_a_second_that_fall_by_half_are_said_to_fall():
    """As measured: times in tenths of a second, many of them equal, so that the interval of the slope ends at 0."""
    first = [1.8, 1.4, 1.6, 1.7, 1.8, 2.0, 3.6, 1.0, 0.7, 0.9, 0.8, 2.6, 0.8, 1.7, 1.7]
    last = [0.7, 1.1, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.7, 0.8, 0.7, 0.8, 0.8, 0.8, 0.8]
    result = trend_of([*first, *last])
    assert result.interval[1] == pytest.approx(0)
    assert result.interpretation == (
        "Items take less and less time: the first ten took 1.6 s each (median), the last ten 0.8 s (Kendall's test, "
        "p < 0.001)."
    )


def test_a_sure_trend_that_ends_where_it_began_is_told_without_a_p():
    assert trend_of([20 + place / 200 for place in range(20)]).interpretation == (
        "The time for an item hardly changes as the work goes on: the first ten took 20 s each (median), the last ten "
        "20 s."
    )


def test_a_trend_that_may_be_chance_can_not_be_told_and_shows_why():
    times = [1.3, 2.3, 1.2, 2.7, 1.2, 3.4, 2.1, 3.0, 2.0, 2.2, 2.1, 2.0, 2.2, 2.1, 1.2, 1.3, 2.0, 2.6, 2.0, 2.0]
    assert trend_of(times).interpretation == (
        "Whether items take more or less time as the work goes on can't be told yet: the first ten took 2.2 s each "
        "(median), the last ten 2 s (Kendall's test, p = 0.55)."
    )
