"""What to rate: how many, which, and when the decision stands."""

import numpy as np
import pytest
from benchmarks.statistics.judge_worth import rate, simulate

from voirdire.jury.worth import WorthSettings, judge_worth
from voirdire.jury.worth.planning import STRICT, Batch, first_batch, next_batch
from voirdire.jury.worth.records import WorthError


def checked(kind, rated, **options):
    """The plan after so many ratings of a simulated run."""
    rng = np.random.default_rng(1)
    run = simulate(kind, rng)
    people = rate(run, rated, rng, whole=False)
    worth, strict = (
        judge_worth(
            kind, run.judge, people, clusters=run.documents, models=run.models, settings=WorthSettings(level=level)
        )
        for level in (0.95, STRICT)
    )
    return next_batch(worth, strict, run.judge, np.isfinite(people), run.models.tolist(), Batch(**options)), people


def test_forty_come_first():
    found = first_batch(np.linspace(0, 1, 200))
    assert (found.more, found.ratings, found.is_decided, found.conclusion) == (40, 0, False, None)
    assert found.minutes == 30
    assert {each.probability for each in found.drawn} == {0.2}
    assert found.reaches["people"] == pytest.approx(1.96 * 0.5 / np.sqrt(40))
    assert found.reaches["good"] == pytest.approx(np.sqrt(1 - 0.36 * 0.8) * found.reaches["people"])


@pytest.mark.parametrize(("items", "good", "very_good"), [(40, 1, 1), (45, 0.9798, 0.9638), (1000, 0.8090, 0.6209)])
def test_a_judge_foretells_only_what_nobody_has_rated(items, good, very_good):
    """By hand, sqrt(1 - r² (1 - n/N)) with r of 0.6 and 0.8, n of 40."""
    reaches = first_batch(np.zeros(items)).reaches
    assert reaches["good"] / reaches["people"] == pytest.approx(good, abs=1e-4)
    assert reaches["very_good"] / reaches["people"] == pytest.approx(very_good, abs=1e-4)


@pytest.mark.parametrize(("items", "more"), [(100_000, 247), (500, 340), (385, 384), (300, 300)])
def test_a_narrow_interval_of_few_verdicts_takes_more_of_them(items, more):
    """People alone would have to rate 384.16: 0.25 (1.96 / 0.05)²."""
    found = first_batch(np.zeros(items), batch=Batch(precision=0.05))
    assert found.more == more
    if items > more:
        assert found.reaches["good"] == pytest.approx(0.05, abs=1e-4)


def test_the_interval_of_the_next_batch_is_that_of_people_alone_once_all_is_rated():
    truth = (np.arange(60) % 4 < 3).astype(float)
    judge = np.where(np.arange(60) % 8 == 1, 1 - truth, truth)
    worth = judge_worth("j", judge, np.where(np.arange(60) < 30, truth, np.nan))
    assert worth.chosen == "powered"
    reaches = next_batch(worth, worth, judge, np.arange(60) < 30, batch=Batch(ratings=30)).reaches
    r2 = worth.correlation.value**2
    assert reaches["then"] == pytest.approx(reaches["now"] * np.sqrt(30 / 60 / (1 - r2 / 2)))


def test_models_that_are_to_be_compared_need_thirty_each():
    models = ["a", "b", "c"] * 100
    found = first_batch(np.zeros(300), models, Batch(by_model=True))
    assert found.more == 90
    drawn = [models[each.place] for each in found.drawn]
    assert [drawn.count(name) for name in "abc"] == [30, 30, 30]


def test_a_narrow_interval_needs_more():
    by_hand = 384.16 * 0.64 / (1 - 384.16 * 0.36 / 2000)
    assert first_batch(np.zeros(2000), batch=Batch(precision=0.05)).more == np.ceil(by_hand) == 265
    assert first_batch(np.zeros(2000), batch=Batch(precision=0.05, ratings=12)).more == 12


def test_the_sample_spreads_over_verdicts_and_is_the_same_for_a_seed():
    scores = np.repeat([0.0, 1.0], [160, 40])
    found = first_batch(scores, batch=Batch(seed=3))
    assert sum(scores[each.place] for each in found.drawn) == 8
    assert (
        found.drawn == first_batch(scores, batch=Batch(seed=3)).drawn != first_batch(scores, batch=Batch(seed=4)).drawn
    )
    places = [each.place for each in found.drawn]
    assert len(set(places)) == 40
    assert places != sorted(places)


@pytest.mark.parametrize("stratified", [True, False])
def test_every_item_has_the_same_chance(stratified):
    scores = np.repeat([0.0, 0.3, 1.0], [7, 2, 11])
    counts = np.zeros(20)
    for seed in range(2000):
        for each in first_batch(scores, batch=Batch(ratings=5, stratified=stratified, seed=seed)).drawn:
            counts[each.place] += 1
    assert abs(counts / 2000 - 0.25).max() < 0.05  # five standard errors


def test_a_decision_that_is_the_same_at_99_percent_stands():
    found, _ = checked("noisy", 60)
    assert (found.is_decided, found.more, found.drawn) == (True, 0, ())
    assert list(map(str, found.why)) == ["the decision is the same at 99 % confidence"]


def test_trust_by_forty_ratings_does_not_stand_yet_and_by_eighty_does():
    first, _ = checked("perfect", 40)
    assert (first.conclusion, first.is_decided) == ("trust", False)
    assert str(first.why[0]) == (
        "the decision could still change, as it does not hold yet at 99 % confidence, which allows for looking at "
        "the ratings several times"
    )
    assert first.more >= 10
    assert checked("perfect", 80)[0].is_decided


def test_where_there_is_no_decision_none_is_said_to_be_another():
    people = np.where(np.arange(200) < 30, np.arange(200) % 2, np.nan)
    verdicts = np.where(np.arange(200) % 30 < 10, 1 - np.arange(200) % 2, np.arange(200) % 2)
    worth, strict = (judge_worth("j", verdicts, people, settings=WorthSettings(level=each)) for each in (0.95, STRICT))
    assert worth.conclusion == strict.conclusion == "undecided"
    (why,) = map(str, next_batch(worth, strict, verdicts, np.isfinite(people)).why)
    assert why == "there is no decision yet"


def test_the_plan_draws_as_many_ratings_as_the_verdict_says_would_tell():
    people = np.where(np.arange(400) < 36, np.arange(400) % 2, np.nan)
    verdicts = np.where(np.arange(400) % 36 < 12, 1 - np.arange(400) % 2, np.arange(400) % 2)
    groups = (np.arange(400) // 2).astype(str)
    worth, strict = (
        judge_worth("j", verdicts, people, clusters=groups, settings=WorthSettings(level=each))
        for each in (0.95, STRICT)
    )
    (why,) = worth.why
    assert why.code == "worth_wide"
    plan = next_batch(worth, strict, verdicts, np.isfinite(people))
    assert plan.ratings + plan.more == why["needed"]


def test_below_thirty_no_decision_stands():
    found, people = checked("noisy", 20)
    assert found.why[0].code == "plan_few"
    assert found.more >= 10
    assert not any(np.isfinite(people[each.place]) for each in found.drawn)


def test_models_and_precision_may_ask_for_more_than_the_decision():
    found, _ = checked("noisy", 60, by_model=True)
    assert [each.code for each in found.why] == ["plan_models"]
    wide, _ = checked("noisy", 60, precision=0.05)
    assert [each.code for each in wide.why] == ["plan_wide"]
    assert wide.more > 100
    assert wide.reaches["then"] <= 0.05


def test_what_is_left_is_the_limit():
    found = first_batch(np.zeros(25))
    assert found.more == 25


def test_once_all_is_rated_the_plan_says_so_and_what_was_reached():
    run = np.arange(40.0) % 2
    worth = judge_worth("j", run, run)
    found = next_batch(worth, worth, run, np.ones(40, dtype=bool))
    assert (found.is_decided, found.more, found.drawn) == (True, 0, ())
    (why,) = map(str, found.why)
    assert why.startswith("people have rated all 40 items with a verdict, which give a mean of 0.50 (0.3")
    assert "99 %" not in why
    run = (np.arange(40) < 27).astype(float)
    (why,) = map(str, next_batch(judge_worth("j", run, run), worth, run, np.ones(40, dtype=bool)).why)
    assert "a mean of 0.68 (" in why, "as jury worth and rate anchor round it"
    with pytest.raises(WorthError, match="nothing left"):
        next_batch(worth, worth, run, np.ones(40, dtype=bool), batch=Batch(ratings=10))


def test_without_a_verdict_nothing_is_said_to_be_rated():
    with pytest.raises(WorthError, match="No item has a verdict"):
        first_batch([np.nan, np.nan])
