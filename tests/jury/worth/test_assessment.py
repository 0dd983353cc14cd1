"""What a judge is worth: the conclusion, what it rests on, and the metric before and after."""

import math
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.statistics.judge_worth import KINDS, rate, simulate

from voirdire.jury.worth import WorthSettings, judge_worth
from voirdire.jury.worth.assessment import unless_disputed
from voirdire.jury.worth.records import WorthError
from voirdire.jury.worth.report import headline

NAN = float("nan")


def judged(kind, seed=0, rated=40, **options):
    rng = np.random.default_rng(seed)
    run = simulate(kind, rng)
    people = rate(run, rated, rng, whole=False)
    return judge_worth(kind, run.judge, people, clusters=run.documents, models=run.models, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_most_draws_of_forty_ratings_come_to_the_right_conclusion(kind):
    found = [judged(kind, seed).conclusion for seed in range(8)]
    right = {"useless": "leave", "perfect": "trust"}.get(kind, "correct")
    assert found.count(right) >= 7


def test_agreement_bias_and_error_rates_worked_by_hand():
    people = [1] * 20 + [0] * 10 + [NAN] * 70
    verdicts = [1] * 18 + [0] * 2 + [1] * 4 + [0] * 6 + [1] * 50 + [0] * 20
    found = judge_worth("j", verdicts, people)
    assert (found.ratings, found.verdicts, found.clusters) == (30, 100, 30)
    assert found.agreement.value == pytest.approx(24 / 30)
    assert found.kappa.value == pytest.approx((24 / 30 - (20 * 22 + 10 * 8) / 900) / (1 - (20 * 22 + 10 * 8) / 900))
    assert found.bias.value == pytest.approx(2 / 30)
    assert found.counts.sensitivity.value == pytest.approx(18 / 20)
    assert found.counts.specificity.value == pytest.approx(6 / 10)
    assert found.raw == pytest.approx(72 / 100)
    assert found.people.value == pytest.approx(20 / 30)
    # With yes and no, the slope makes the estimate that of each verdict's own share: .72 * 18/22 + .28 * 2/8.
    assert found.powered.value == pytest.approx(0.72 * 18 / 22 + 0.28 * 2 / 8)


def test_verdicts_save_the_ratings_that_would_narrow_people_s_interval_as_much():
    found = judged("noisy", 3)
    width, alone = (each.interval.high - each.interval.low for each in (found.best, found.people))
    assert found.chosen == "powered"
    assert found.saves == round(40 * ((alone / width) ** 2 - 1)) > 10


def test_a_useless_judge_leaves_people_s_figures_as_they_are():
    found = judged("useless")
    assert (found.conclusion, found.chosen, found.saves) == ("leave", "people", 0)
    assert found.why[0].code == "worth_not_shown"
    assert (found.why[0]["low"], found.why[0]["high"]) == found.correlation.interval[:2], "as in the table"
    assert found.best == found.people
    assert all(each.corrected == each.people for each in found.models)


def test_a_judge_that_favours_a_model_is_told_and_corrected():
    rng = np.random.default_rng(1)
    run = simulate("favours a model", rng)
    people = rate(run, 400, rng, whole=False)
    found = judge_worth("j", run.judge, people, clusters=run.documents, models=run.models)
    assert [each.model for each in found.models if each.favoured] == ["d"]
    assert found.why[1]["models"] == ("d",)
    d = found.models[3]
    truth = run.truth[run.models == "d"].mean()
    assert d.judge - truth > 0.2
    assert d.corrected.interval.low < truth < d.corrected.interval.high < d.judge
    gap = next(each for each in found.differences if (each.first, each.second) == ("a", "d"))
    assert gap.interval.low < run.truth[run.models == "a"].mean() - truth < gap.interval.high
    assert gap.decided and abs(gap.judge) < gap.interval.low


@pytest.mark.parametrize("kind", KINDS)
def test_no_model_has_an_interval_that_is_much_wider_than_by_people_alone(kind):
    def ends(estimate):
        return estimate.interval.high - estimate.interval.low

    for seed in range(3):
        found = judged(kind, seed, rated=60)
        assert len(found.models) == 4
        for each in found.models:
            assert ends(each.corrected) <= 1.05 * ends(each.people)


def test_of_many_models_each_is_compared_with_the_best():
    rng = np.random.default_rng(7)
    models = np.repeat([f"m{number:02}" for number in range(12)], 40)
    truth = (rng.random(480) < np.repeat(np.linspace(0.3, 0.8, 12), 40)).astype(float)
    found = judge_worth("j", truth, np.where(np.arange(480) % 2, truth, NAN), models=models)
    assert len(found.differences) == 11
    best = max(found.models, key=lambda each: each.people.value).model
    assert {each.first for each in found.differences} == {best}


def test_a_judge_on_another_scale_is_corrected_and_never_trusted():
    rng = np.random.default_rng(2)
    truth = rng.random(300)
    people = np.where(np.arange(300) < 60, truth, NAN)
    found = judge_worth("j", 20 * truth + 3, people)
    assert found.conclusion == "correct"
    assert [each.code for each in found.why] == ["worth_other_scale"]
    assert found.bias is None and found.raw is None and found.regions == ()
    rated_apart = truth[:60].mean() - truth.mean()
    assert found.powered.value == pytest.approx(truth.mean() + math.sqrt(0.02) * rated_apart)
    assert found.confusions == ()


def test_figures_are_in_the_unit_of_the_scale():
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 6, 300).astype(float)
    judge = np.clip(truth + rng.integers(0, 2, 300), 1, 5)
    people = np.where(np.arange(300) < 60, truth, NAN)
    found = judge_worth("j", judge, people, settings=WorthSettings(low=1, high=5))
    assert found.people.value == pytest.approx(np.nanmean(people))
    assert found.bias.value == pytest.approx((judge - truth)[:60].mean())
    assert found.raw == pytest.approx(judge.mean())
    assert 1 < found.best.interval.low < truth.mean() < found.best.interval.high < 5


def test_the_other_way_round_is_told():
    rng = np.random.default_rng(2)
    truth = (rng.random(200) < 0.5).astype(float)
    found = judge_worth("j", 1 - truth, np.where(np.arange(200) < 40, truth, NAN))
    assert (found.conclusion, found.why[0].code) == ("opposite", "worth_against")


@pytest.mark.parametrize(
    ("people", "verdicts", "conclusion", "code"),
    [
        ([1, 0, 1, 0, 1], [1, 0, 1, 0, 1], "undecided", "worth_too_few"),
        ([1] * 20, [1, 0] * 10, "undecided", "worth_one_sided"),
        ([1, 0] * 10, [1] * 20, "undecided", "worth_constant"),
        ([1, 0] * 15, [1] * 30, "leave", "worth_constant"),
        ([1, 0] * 6, [1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0], "undecided", "worth_wide_of_all"),
        ([1] + [0] * 10, [0] * 10 + [1], "undecided", "worth_wide_of_all"),
        ([1, 0] * 10, [1, 1, 0, 0] * 5, "undecided", "worth_wide_of_all"),
        ([1, 0] * 20, [1, 1, 0, 0] * 10, "leave", "worth_not_shown"),
    ],
)
def test_what_can_not_be_told_is_said(people, verdicts, conclusion, code):
    found = judge_worth("j", [*verdicts, 1, 0], [*people, NAN, NAN])
    assert (found.conclusion, found.why[0].code) == (conclusion, code)
    if code == "worth_wide_of_all":
        assert (found.why[0]["low"], found.why[0]["high"]) == found.correlation.interval[:2], "as in the table"


def some_correlation(ratings, same, **options):
    """Yes and no in turn; of ten neighbouring pairs, the judge says the same of so many."""
    people = np.arange(ratings) % 2
    judge = np.where(np.arange(ratings) // 2 % 10 < same, people, 1 - people)
    return judge_worth("j", judge.astype(float), people.astype(float), **options)


def test_an_interval_that_holds_zero_and_a_useful_correlation_is_too_few_ratings_to_tell():
    found = some_correlation(20, 6)
    assert found.correlation.value == pytest.approx(0.2) and found.correlation.interval.high > 0.5
    assert (found.conclusion, found.why[0].code) == ("undecided", "worth_wide_of_all")
    needed = found.why[0]["needed"]
    assert 30 <= needed <= 100 and needed % 10 == 0
    later = some_correlation(needed, 6).correlation.interval
    assert later.low > 0 or later.high < 0.6, "so many ratings tell"


def test_a_correlation_that_rests_on_one_item_does_not_choose_the_judge():
    """Its interval is above 0, and yet the ratings left out one by one are predicted worse with its verdicts."""
    judge, people = [1.0] * 5 + [0.0] * 35, [1.0] + [0.0] * 39
    found = judge_worth("j", judge * 5, people + [NAN] * 160, models=list("ab" * 20) * 5)
    assert found.correlation.interval.low > 0.1 and found.explained < 0
    assert (found.conclusion, found.chosen, found.why[0].code) == ("undecided", "people", "worth_no_gain")
    assert all(each.corrected == each.people for each in found.models)
    one_more = judge_worth("j", judge * 5, [1.0, 1.0, *people[2:]] + [NAN] * 160)
    assert one_more.explained > 0 and one_more.conclusion == "correct"


def test_a_judge_that_tells_models_apart_and_rests_on_one_item_within_them_corrects_neither():
    models = ["a"] * 20 + ["b"] * 20
    judge, people = [1.0] * 25 + [0.0] * 15, [1.0] * 21 + [0.0] * 19
    found = judge_worth("j", judge * 5, people + [NAN] * 160, models=models * 5)
    assert found.chosen == "powered" and found.explained > 0.5
    assert all(each.corrected == each.people for each in found.models)


def test_how_many_ratings_would_tell_rests_on_the_correlation_that_is_seen():
    people = [0.1, 0.3, 0.4, 0.2, 0.5, 0.6, 0.5, 0.7, 0.6, 0.8, 0.7, 0.9]
    judge = [0.9, 0.2, 0.3, 0.2, 0.4, 0.6, 0.5, 0.6, 0.7, 0.9, 0.8, 1.0]
    found = judge_worth("j", judge, people)
    assert found.correlation.value > 0.5 and found.correlation.interval.low < -0.8
    assert (found.conclusion, found.why[0].code) == ("undecided", "worth_wide_of_all")
    assert found.why[0]["needed"] in (30, 40)
    needed = found.why[0]["needed"]
    says = f"; some {needed} ratings would show that it does, if the correlation stays there"
    assert f"{says}, but 12 verdicts are too few for that." in headline(found)
    more = judge_worth("j", [*judge, *judge * 3], [*people, *[NAN] * 36])
    assert (more.why[0].code, more.why[0]["needed"]) == ("worth_wide", needed)
    assert headline(more).endswith(f"{says}.")
    assert judge_worth("j", judge * 2, people * 2).conclusion == "undecided"
    assert judge_worth("j", judge * 3, people * 3).conclusion == "undecided"
    assert judge_worth("j", judge * 4, people * 4).conclusion == "correct"


@pytest.mark.parametrize("seed", range(40))
def test_as_many_ratings_as_it_says_decide_as_it_says_if_they_are_like_these(seed):
    rng = np.random.default_rng(seed)
    n = 10 * rng.integers(1, 6)
    groups = rng.integers(n // 2, n + 1)
    people, clusters = rng.random(n) < 0.5, np.arange(n) % groups
    judge = np.where(rng.random(n) < rng.uniform(0.5, 0.8), people, ~people)
    found = judge_worth("j", judge, people, clusters=clusters)
    if found.needed is None:
        return
    times = -(-found.needed // n)
    each_time = np.arange(times * n) // n * groups
    more = judge_worth(
        "j", np.tile(judge, times), np.tile(people, times), clusters=np.tile(clusters, times) + each_time
    )
    if found.why[0]["shows"].code == "worth_would":
        assert more.conclusion in ("correct", "trust")
    elif found.needed == times * n:
        assert more.conclusion == "leave"


def test_ratings_that_are_in_dispute_and_too_few_are_said_to_be_both():
    people = np.where(np.arange(60) < 29, np.arange(60) % 2, np.nan)
    worth = judge_worth("j", np.arange(60) % 2, people)
    few, enough = (unless_disputed(replace(worth, ratings=ratings), 2) for ratings in (27, 28))
    assert [each.code for each in few.why] == ["worth_disputed", "worth_few_then"] and few.is_withheld
    assert headline(few).endswith(
        "; have an adjudicator decide them and have more items rated, as even 29 ratings are too few to tell; it takes "
        "30."
    )
    assert [each.code for each in enough.why] == ["worth_disputed"]
    assert unless_disputed(worth, 1) is worth, "few in dispute are only left out"


def test_it_says_at_once_that_it_takes_thirty():
    found = judge_worth("j", [1, 0, 1, 0, 1], [1, 0, 1, 0, 1])
    assert headline(found).endswith("5 ratings are too few to tell; it takes 30.")


@pytest.mark.parametrize("seed", range(20))
def test_below_thirty_ratings_no_judge_is_called_worthless(seed):
    rng = np.random.default_rng(seed)
    found = judge_worth("j", rng.random(12), rng.random(12))
    assert found.conclusion != "leave" and "worthless" not in headline(found)


def test_few_groups_are_too_few_to_tell_however_many_ratings_there_are():
    clusters = [f"c{place // 10}" for place in range(60)]
    found = some_correlation(60, 6, clusters=clusters)
    assert found.correlation.interval.low < 0 and found.correlation.interval.high > 0.6
    assert (found.conclusion, found.why[0].code) == ("undecided", "worth_wide_of_all")


@pytest.mark.parametrize(("ratings", "same"), [(40, 6), (100, 5)])
def test_worthless_is_only_what_can_not_follow_people_well_enough_to_help(ratings, same):
    found = some_correlation(ratings, same)
    assert (found.conclusion, found.why[0].code, found.why[0]["useful"]) == ("leave", "worth_not_shown", 0.6)
    assert found.correlation.interval.high < 0.6


def test_a_judge_runs_against_people_only_where_that_is_sure():
    found = some_correlation(40, 3)
    assert found.correlation.interval.high < 0
    assert (found.conclusion, found.why[0].code) == ("leave", "worth_not_shown"), "one in fifty useless judges is so"
    assert some_correlation(40, 2).conclusion == "opposite"


def test_what_runs_against_people_is_not_called_worthless_and_what_would_turn_it_is_said():
    truth = (np.arange(200) % 2).astype(float)
    settings = WorthSettings(turn=("--good-verdict low", "--good-rating low"))
    found = judge_worth("j", 1 - truth, np.where(np.arange(200) < 40, truth, NAN), settings=settings)
    said = headline(found)
    assert said.startswith("Opposite ways: j and people run against each other; it is high where people are low (")
    assert "turn it with --good-verdict low or --good-rating low" in said and "worthless" not in said
    assert found.chosen == "people"


def test_a_model_is_called_favoured_only_with_thirty_ratings_of_it():
    rng = np.random.default_rng(3)
    models = np.array(["one", "two"] * 400)
    truth = (rng.random(800) < 0.5).astype(float)
    judge = np.where((models == "one") & (rng.random(800) < 0.8), 1.0, truth)
    few, enough = (judge_worth("j", judge, np.where(np.arange(800) < n, truth, NAN), models=models) for n in (40, 120))
    assert "favours" not in headline(few) and not any(each.favoured for each in few.models)
    assert "it favours one" in headline(enough)


def test_few_groups_are_said_and_their_intervals_are_wide():
    truth, judge = np.tile([1.0, 1.0, 0.0, 1.0], 12), np.tile([1.0, 0.0, 0.0, 1.0], 12)
    apart = judge_worth("j", judge, truth)
    together = judge_worth("j", judge, truth, clusters=[str(place % 3) for place in range(48)])
    assert "worth_few_groups" in {each.code for each in together.cautions}
    assert "worth_few_groups" not in {each.code for each in apart.cautions}
    widths = [each.people.interval.high - each.people.interval.low for each in (apart, together)]
    assert widths[1] > 2 * widths[0]
    two = judge_worth("j", judge, truth, clusters=[str(place % 2) for place in range(48)])
    assert (two.conclusion, two.why[0].code) == ("undecided", "worth_too_few_groups")


def test_thirty_ratings_are_needed_for_a_decision():
    truth = np.arange(100) % 2
    for right, conclusion in ((truth, "trust"), (np.where(np.arange(100) % 8 == 1, 1 - truth, truth), "correct")):
        few, enough = (judge_worth("j", right, np.where(np.arange(100) < n, truth, NAN)) for n in (29, 90))
        assert (few.conclusion, few.why[0].code) == ("undecided", "worth_too_few")
        assert headline(few).endswith("29 ratings are too few to tell; it takes 30.")
        assert few.saves and "worth_few" not in {each.code for each in few.cautions}, "said once"
        assert enough.conclusion == conclusion


def test_fewer_than_thirty_ratings_of_a_model_are_said():
    codes = {each.code: each for each in judged("noisy", rated=40).cautions}
    assert set(codes) == {"worth_few_by_model"}
    assert codes["worth_few_by_model"]["models"] == ("a", "b", "c", "d")
    assert judged("noisy", rated=400).cautions == ()


def test_regions_hold_what_people_say_where_the_judge_gives_a_score():
    found = judged("likes length", rated=100)
    assert len(found.regions) == 4
    assert sum(each.items for each in found.regions) == 1000
    assert sum(each.people.n for each in found.regions) == 100
    values = [each.people.value for each in found.regions]
    assert values[0] < values[-1]
    assert [(each.low, each.high) for each in judged("lenient").regions] == [(0, 0), (1, 1)]


def test_scores_that_nobody_rated_count_in_the_region_beside_them():
    judge = [0.1, *[0.2] * 10, *[0.5] * 10, 0.9]
    people = [np.nan, *[0.0] * 10, *[1.0] * 10, np.nan]
    found = judge_worth("j", judge, people)
    assert [(each.low, each.high, each.items) for each in found.regions] == [(0.1, 0.2, 11), (0.5, 0.9, 11)]


def test_the_items_that_they_differ_on_most_are_quoted():
    people = [1.0] * 15 + [0.0] * 15 + [NAN] * 10
    judge = [0.9] * 14 + [0.1] + [0.2] * 14 + [0.7] + [0.5] * 10
    texts = [(f"text {n}", f"judge {n}", f"person {n}") for n in range(40)]
    found = judge_worth(
        "j",
        judge,
        people,
        items=[f"i{n}" for n in range(40)],
        texts=texts,
        beside=[{"question": f"why {n}?"} for n in range(40)],
    )
    first, second = found.confusions[:2]
    assert (first.item, first.judge, first.people) == ("i14", pytest.approx(0.1), 1.0)
    assert (first.text, first.judge_reason, first.people_reason) == ("text 14", "judge 14", "person 14")
    assert first.beside == {"question": "why 14?"}
    assert second.item == "i29"


def test_items_without_a_verdict_do_not_shift_the_names_of_those_quoted():
    people = [1.0, 1.0, 0.0] + [1.0] * 10
    verdicts = [np.nan, 1.0, 1.0] + [1.0] * 10
    names = [f"item-{place}" for place in range(13)]
    texts = [(f"text {place}", f"judge {place}", f"people {place}") for place in range(13)]
    (apart,) = judge_worth("j", verdicts, people, items=names, texts=texts).confusions
    assert (apart.item, apart.text) == ("item-2", "text 2")
    assert (apart.judge_reason, apart.people_reason) == ("judge 2", "people 2")
    (unnamed,) = judge_worth("j", verdicts, people).confusions
    assert unnamed.item == "3", "counted as they were given"


def test_weights_make_up_for_how_items_were_drawn():
    truth = np.array([1.0] * 300 + [0.0] * 100)
    judge = np.where(np.arange(400) % 10 == 0, 1 - truth, truth)
    people, weights = np.full(400, NAN), np.ones(400)
    people[:30], weights[:30] = truth[:30], 10.0
    people[300:350], weights[300:350] = truth[300:350], 2.0
    found = judge_worth("j", judge, people, weights=weights)
    assert found.people.value == pytest.approx(0.75)
    assert found.bias.value == pytest.approx((0.75 * -0.1) + (0.25 * 0.1))


def test_a_rating_outside_the_scale_is_refused():
    with pytest.raises(WorthError, match="--scale 1,4"):
        judge_worth("j", [1, 2, 3], [1, 2, 4])
    with pytest.raises(WorthError, match="no item that j gave a verdict on"):
        judge_worth("j", [1, NAN], [NAN, 1])


def test_everything_goes_into_json():
    found = judged("noisy").as_dict()
    assert found["conclusion"] == "correct"
    assert found["why"][0]["code"].startswith("worth_")
    assert found["metric"]["chosen"] == "powered"
    assert found["models"][0]["few"] is True
    assert found["sensitivity"]["value"] > 0.5


def test_ratings_that_were_picked_by_the_verdicts_are_noticed_and_drawn_ones_hardly_ever():
    random, verdicts = np.random.default_rng(8), (np.arange(100) % 5 > 1).astype(float)

    def noticed(places):
        people = np.full(100, NAN)
        people[places] = verdicts[places]
        people[places[0]] = 1 - people[places[0]]
        return [each for each in judge_worth("j", verdicts, people).cautions if each.code == "worth_not_random"]

    (caution,) = noticed(np.r_[np.flatnonzero(verdicts == 0)[:22], np.flatnonzero(verdicts == 1)[:12]])
    assert "the judge's mean is 0.35 on the rated items and 0.73 on the others" in str(caution)
    assert "p < 0.05" in str(caution)
    times = sum(bool(noticed(random.choice(100, 40, replace=False))) for _ in range(200))
    assert times <= 16, "5 % are expected"


def test_fifteen_of_forty_that_were_picked_are_noticed():
    verdicts = np.repeat([1.0, 0.0], [25, 15])
    people = np.full(40, NAN)
    people[np.r_[:6, 25:34]] = verdicts[np.r_[:6, 25:34]]
    people[0] = 0
    (caution,) = [each for each in judge_worth("j", verdicts, people).cautions if each.code == "worth_not_random"]
    assert "0.40 on the rated items and 0.76 on the others" in str(caution)
