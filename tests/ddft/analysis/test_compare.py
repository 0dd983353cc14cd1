"""Comparing models: what is paired, what is tested, and what the words say."""

import json
import math
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ddft._scores import refusing, score_tables, simulated, table, unscored
from tests.ddft.analysis._runs import run
from tests.ddft.analysis._runs import runs_of as made
from voirdire.ddft.analysis.comparing.compare import CompareError, _notes, compare
from voirdire.ddft.analysis.comparing.pairs import ModelPair, PairSettings, compare_pair
from voirdire.ddft.analysis.comparing.ranking import RankedModel
from voirdire.ddft.analysis.comparing.shared import difference_under_swaps, read_study, shared_answers
from voirdire.ddft.analysis.comparing.verdicts import findings, sorted_models, with_verdicts
from voirdire.ddft.analysis.runs import Runs
from voirdire.ddft.concept_sums import cells, checked, read_answers
from voirdire.ddft.metrics import BY_NAME, values
from voirdire.ddft.profile import profiles
from voirdire.ddft.published import published_scores
from voirdire.ddft.report.comparison import comparison_document
from voirdire.ddft.validity import Check
from voirdire.reason_codes import reason
from voirdire.reports.formats.terminal import to_terminal
from voirdire.stats import Interval

TWO_CONCEPTS = score_tables(concepts=st.just(2))
BY_CONCEPT = PairSettings("ER", "concept", 0.05, 1000, 0)


def runs_of(*frames, cautions=()):
    return Runs((), pd.concat(frames, ignore_index=True), pd.DataFrame(), tuple(cautions))


def compared(*frames, **options):
    return compare(runs_of(*frames), **options)


def metric_of_rows(rows, metric):
    value = values(cells(read_answers(checked(rows))))[metric].value
    return math.nan if value is None else value


@pytest.fixture(scope="module")
def published():
    return compared(published_scores())


@pytest.fixture(scope="module")
def three():
    """One model that is better than two others, which are alike."""
    return compared(
        simulated(seed=1, model="steady", rejection=0.95),
        simulated(seed=2, model="one", rejection=0.15),
        simulated(seed=3, model="other", rejection=0.15),
    )


# --- the test ---------------------------------------------------------------------------------------------


@given(
    score_tables(concepts=st.just(2)),
    score_tables(concepts=st.just(2)),
    st.sampled_from(["CI_raw", "HOC", "K", "V_E", "ER"]),
)
def test_a_swap_recomputes_the_metric_from_the_exchanged_rows(a, b, metric):
    study = read_study(pd.concat([a, b.assign(model="n")]))
    shared = shared_answers(study, ["m", "n"])
    if shared is None:
        return
    first, second = shared.answers
    grid = np.array(list(product([False, True], repeat=first.asked[..., 0, 0].size)))[::37]
    swaps = grid.reshape(-1, *first.asked.shape[:2])

    found = difference_under_swaps(first, second, swaps, metric)

    in_both = set(study.scored["m"]["cell"]) & set(study.scored["n"]["cell"])
    rows = [frame[frame["cell"].isin(in_both)] for frame in study.scored.values()]
    for swap, difference in zip(swaps, found, strict=True):
        mine, theirs = [], []
        for frame in rows:
            at = swap[
                pd.Index(first.concepts).get_indexer(frame["concept"]), np.searchsorted(first.levels, frame["level"])
            ]
            mine.append(frame[~at] if frame is rows[0] else frame[at])
            theirs.append(frame[at] if frame is rows[0] else frame[~at])
        one, other = (pd.concat(part).assign(model="x") for part in (mine, theirs))
        expected = metric_of_rows(one, metric) - metric_of_rows(other, metric)
        assert difference == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(score_tables(concepts=st.just(4)), score_tables(concepts=st.just(4)), st.sampled_from(["K", "CRI", "V_E", "ER"]))
def test_exchanging_the_two_models_turns_the_difference_and_keeps_p(a, b, metric):
    study = read_study(pd.concat([a, b.assign(model="n")]))
    how = BY_CONCEPT._replace(metric=metric)

    one, other = compare_pair(study, "m", "n", how), compare_pair(study, "n", "m", how)

    if one.difference is None:
        assert other.difference is None
        return
    assert other.difference == pytest.approx(-one.difference)
    assert other.p == pytest.approx(one.p)
    if one.interval is not None:
        assert (other.interval.low, other.interval.high) == pytest.approx((-one.interval.high, -one.interval.low))
    if one.effect_size is not None:
        assert other.effect_size == pytest.approx(-one.effect_size)
    if one.superiority is not None:
        assert other.superiority == pytest.approx(1 - one.superiority)


@pytest.mark.parametrize("unit", ["concept", "dialogue"])
def test_a_model_and_itself_by_another_name_are_copies(unit):
    alike = compared(simulated(model="one"), simulated(model="two"), unit=unit)
    (pair,) = alike.pairs
    assert (pair.copies, pair.difference, pair.interval, pair.p) == (True, 0, None, None)
    assert "one and two have the same scores on all that both were asked (0." in alike.headline


def test_equal_subjects_are_told_apart_in_few_studies():
    apart = 0
    for seed in range(0, 40, 2):
        study = read_study(pd.concat([simulated(seed=seed, model="a"), simulated(seed=seed + 1, model="b")]))
        apart += compare_pair(study, "a", "b", BY_CONCEPT).p <= 0.05
    assert apart <= 4  # of 20 at 5 %: more in less than 1 of 200 such series


def test_a_concept_counts_once_however_many_dialogues_it_has():
    a, b = simulated(model="a"), simulated(model="b", seed=5)
    thrice_a, thrice_b = (pd.concat([frame.assign(sample=sample) for sample in range(3)]) for frame in (a, b))

    once, thrice = compared(a, b, metric="K").pairs[0], compared(thrice_a, thrice_b, metric="K").pairs[0]

    assert (once.n_units, thrice.n_units) == (8, 8)
    assert thrice.p == once.p
    assert (thrice.interval.low, thrice.interval.high) == pytest.approx((once.interval.low, once.interval.high))


def test_a_few_dialogues_are_all_swapped_and_many_at_random():
    few = compared(simulated(concepts=2, model="a"), simulated(concepts=2, model="b", seed=9), unit="dialogue").pairs[0]
    many = compared(simulated(model="a"), simulated(model="b", seed=9), unit="dialogue").pairs[0]

    assert (few.n_units, few.swaps, few.exact) == (10, 1024, True)
    assert (many.n_units, many.swaps, many.exact) == (40, 2000, False)


# --- verdicts ---------------------------------------------------------------------------------------------


def test_the_better_model_stands_apart_and_the_alike_do_not(three):
    verdicts = {(pair.a, pair.b): pair.verdict for pair in three.pairs}
    first, *rest = [model.model for model in three.models]

    assert first == "steady"
    assert verdicts["steady", rest[0]] == verdicts["steady", rest[1]] == "A is higher"
    assert verdicts[rest[0], rest[1]] == "indistinguishable"
    pair = next(pair for pair in three.pairs if (pair.a, pair.b) == ("steady", rest[0]))
    lead = f"{pair.difference:.3f} above {rest[0]} (95 % interval {pair.interval.low:.3f} to {pair.interval.high:.3f})"
    assert three.summary.startswith(
        "steady is the most reliable of 3 models: its epistemic reliability (ER, from 0 to 1) is 0."
    )
    assert f", {lead}, and differs from every other model." in three.summary
    assert "Indistinguishable does not mean equal" in " ".join(three.notes)


def test_that_all_models_differ_is_said_once():
    rejecting = {"a": 0.99, "b": 0.5, "c": 0.01}
    found = compared(*(simulated(seed=seed, model=name, rejection=rejecting[name]) for seed, name in enumerate("abc")))
    assert found.summary.count("differ from") == 1 and "All models differ from one another." in found.summary


def test_that_every_p_is_the_smallest_possible_is_said_once_and_only_where_it_is_so(three):
    said = "is the smallest that 8 shared concepts can give, 0.0078: only more concepts could give a smaller one."
    two = compared(simulated(model="a", rejection=0.95), simulated(seed=1, model="b", rejection=0.1))
    assert [note for note in two.notes if "smallest" in note] == [f"p {said}"]
    assert "smallest" not in " ".join(three.notes)


def test_p_is_corrected_for_all_pairs(three):
    assert max(pair.p_holm for pair in three.pairs) >= max(pair.p for pair in three.pairs)
    assert {pair.p_holm for pair in three.pairs if pair.differs} == {3 * 2 / 256}


def test_ranks_follow_the_values(three):
    steady = three.models[0]

    assert steady.rank_probabilities[0] > 0.99
    assert sum(steady.rank_probabilities) == pytest.approx(1)
    assert sum(model.expected_rank for model in three.models) == pytest.approx(1 + 2 + 3)


def test_where_low_is_good_the_lowest_comes_first():
    found = compared(
        simulated(seed=1, model="gullible", rejection=0.1),
        simulated(seed=2, model="wary", rejection=0.95),
        metric="trap_acceptance",
    )

    assert [model.model for model in found.models] == ["wary", "gullible"]
    assert found.models[0].rank_probabilities[0] > 0.99
    assert found.pairs[0].difference < 0
    assert found.pairs[0].verdict == "B is higher"
    assert "wary has the lowest acceptance of fabrications" in found.summary


def test_nine_models_on_eight_concepts_cannot_be_decided_and_why(published):
    assert {pair.verdict for pair in published.pairs} == {"cannot be decided"}
    assert "No pair can be decided: with 8 shared concepts to swap, p cannot fall below 0.0078" in published.summary
    assert "0.28 after Holm's correction for 36 pairs" in published.summary
    assert min(pair.p_holm for pair in published.pairs) == pytest.approx(36 * 2 / 256)
    assert "To decide anything about 36 pairs at alpha 0.05 takes 11 shared concepts." in " ".join(published.notes)
    assert 36 * 2 / 2**11 <= 0.05 < 36 * 2 / 2**10


def test_two_of_the_same_models_on_the_same_concepts_can_be():
    scores = published_scores()

    assert compared(scores.query("model in ['phi-4', 'claude-haiku-4-5']")).pairs[0].verdict == "A is higher"
    assert compared(scores.query("model in ['claude-haiku-4-5', 'gpt-5']")).pairs[0].verdict == "indistinguishable"


def test_swapping_dialogues_decides_more_and_says_that_it_speaks_of_these_concepts_only():
    found = compared(published_scores(), unit="dialogue")

    assert any(pair.differs for pair in found.pairs)
    assert "p and verdicts speak of these concepts only" in " ".join(found.notes)


def test_without_stances_accuracy_is_compared_and_the_second_sentence_says_so(published):
    assert (published.asked, published.metric) == ("ER", "K")
    assert published.as_dict()["asked"] == "ER" and published.as_dict()["metric"] == "K"
    assert published.sentences[1].startswith("ER needs to know who rejected a fabrication")
    assert "accuracy about the subject (K) is compared instead" in published.summary
    assert all(model.reliable for model in published.models)


def test_runs_without_a_trap_lack_trap_metrics_for_the_reason_that_the_run_itself_gives():
    held = run("a", "one", "two", trap="none")
    runs = made(replace(held, scores=held.scores.assign(stance=None)))
    found = compare(runs, metric="trap_acceptance")

    assert [str(model.reason) for model in found.models] == ["no fabrication was set"] * 2
    assert "of one has no value: no fabrication was set" in str(found.pairs[0].reasons[0])
    assert (
        "E needs to know who rejected a fabrication, and no fabrication was set:" in compare(runs, metric="E").summary
    )


def test_an_index_that_rests_on_a_few_turns_leads_nothing_and_says_on_how_many():
    found = compared(published_scores(), metric="CI_raw")

    *reliable, first, second = found.models
    assert (first.model, first.too_few) == ("o4-mini", {"FAR'": 7})
    assert (second.model, second.too_few) == ("grok-4-fast-non-reasoning", {"FAR'": 4})
    assert min(first.value, second.value) > max(model.value for model in reliable)
    assert (
        "Of the 7 models that can be ranked (of 9), whether mistral-medium-2505 and gpt-oss-120b differ in CI index"
        in found.summary
    )
    assert "CI index of o4-mini is not reliable here: FAR' rests on 7 turns and needs 10." in found.summary
    assert (first.expected_rank, second.as_dict()["reliable"]) == (None, False)
    of_the_two = [pair for pair in found.pairs if {pair.a, pair.b} & {first.model, second.model}]
    assert {(pair.difference, pair.p, pair.verdict) for pair in of_the_two} == {(None, None, "cannot be decided")}


def test_no_model_is_put_first_where_every_index_rests_on_a_few_turns():
    found = compared(published_scores().query("model in ['o4-mini', 'grok-4-fast-non-reasoning']"), metric="CI_raw")

    assert found.summary.startswith("No model can be put first. CI index of o4-mini is not reliable here: ")
    assert "FAR' rests on 4 turns" in found.summary and "highest" not in found.summary


def test_a_share_of_fewer_than_ten_turns_takes_no_rank():
    """What a rejecting model still accepts at turn 4 is too little for a share of it."""
    found = compared(
        simulated(model="a", rejection=0.8, seed=3), simulated(model="b", rejection=0.0), metric="entrenchment"
    )
    by_name = {each.model: each for each in found.models}
    assert 0 < by_name["a"].too_few["entrenchment"] < 10 and by_name["a"].unranked == "too few turns"
    assert by_name["b"].unranked is None and "Entrenchment of a is not reliable here" in found.summary


def test_a_first_failing_level_on_some_concepts_alone_takes_no_rank():
    """Failing on one concept at level 0 would come after failing on every concept at level 1."""
    seldom, always = simulated(model="seldom", seed=1), simulated(model="always", seed=2)
    seldom["far"], always["far"] = 0.9, np.where(always["level"] == 1, 0.2, 0.9)
    seldom.loc[(seldom["concept"] == seldom["concept"].iloc[0]) & (seldom["level"] == 0), "far"] = 0.2
    found = compared(seldom, always, metric="first_failing_level")
    by_name = {each.model: each for each in found.models}
    assert by_name["seldom"].fails_on == (1, 8) and by_name["seldom"].unranked == "concepts on which it never fails"
    assert by_name["always"].fails_on is None and by_name["always"].unranked is None
    assert "First failing level of seldom can't be compared: it is of the 1 of 8 concepts on which" in found.summary
    assert {pair.verdict for pair in found.pairs} == {"cannot be decided"}


def test_no_model_is_put_first_by_a_value_without_an_interval():
    found = compared(simulated(concepts=2, model="a", rejection=1.1), simulated(concepts=2, model="b", rejection=0))

    assert found.summary.startswith(
        "No model can be put first: epistemic reliability (ER, from 0 to 1) of a, 0.736, has no interval."
    )


def test_where_no_pair_can_be_decided_no_model_has_chances_of_ranks_in_json_either():
    models = [simulated(concepts=6, model=name, seed=seed) for seed, name in enumerate("abc")]
    found = compared(*models)
    assert {pair.verdict for pair in found.pairs} == {"cannot be decided"}
    given = found.as_dict()
    assert {(each["rank_probabilities"], each["expected_rank"]) for each in given["models"]} == {(None, None)}
    assert "No ranks: no pair can be decided, so that nothing supports an order." in given["notes"]
    assert all(each.rank_probabilities for each in compared(*models[:2]).models)


def test_a_model_without_a_rank_is_not_named_beside_the_best():
    blind = simulated(seed=3, model="blind").assign(stance=None)
    found = compared(simulated(model="a"), simulated(model="b", seed=1), blind)
    assert found.summary.startswith("Of the 2 models that can be ranked (of 3), ") and "blind" not in found.summary


def test_one_model_without_stances_leaves_its_own_pairs_undecided():
    blind = simulated(seed=3, model="blind").assign(stance=None)
    found = compared(simulated(model="a"), simulated(model="b", seed=1), blind)

    assert found.metric == "ER"
    verdicts = {(pair.a, pair.b): pair for pair in found.pairs}
    undecided = [pair for pair in verdicts.values() if "blind" in (pair.a, pair.b)]
    assert [(pair.difference, pair.p_holm, pair.verdict) for pair in undecided] == [
        (None, None, "cannot be decided")
    ] * 2
    assert all(
        "ER of blind has no value" in str(pair.reasons[0]) and "stance" in str(pair.reasons[0]) for pair in undecided
    )
    (tested,) = [pair for pair in found.pairs if pair not in undecided]
    assert tested.p_holm == tested.p  # only what was tested is corrected for
    assert "Ranks leave out what has no value: blind." in found.notes


def test_two_concepts_give_a_difference_without_interval_or_decision():
    (pair,) = compared(
        simulated(concepts=2, model="a", rejection=1.1), simulated(concepts=2, model="b", rejection=0)
    ).pairs

    assert pair.difference > 0
    assert pair.interval is None and pair.effect_size is None
    assert pair.verdict == "cannot be decided"
    assert "with 2 shared concepts to swap, p cannot fall below 0.5" in str(pair.reasons[0])
    assert "3 are needed" in str(pair.reasons[1])


# --- what is paired ---------------------------------------------------------------------------------------


def test_only_what_both_were_asked_counts_and_the_rest_is_said():
    all_levels, three_levels = simulated(model="a"), simulated(model="b", seed=4).query("level in [0, 0.5, 1]")
    found = compared(all_levels, three_levels, metric="K")
    (pair,) = found.pairs

    assert (pair.n_cells, pair.n_concepts, pair.left_out) == (8 * 3 * 5, 8, 8 * 2 * 5)
    at_three = compared(all_levels.query("level in [0, 0.5, 1]"), three_levels, metric="K").pairs[0]
    assert (pair.difference, pair.p) == (at_three.difference, at_three.p)
    assert "scored for both. That leaves out 80 answers." in " ".join(found.notes)
    several = compared(all_levels, three_levels, simulated(model="c", seed=5), metric="K")
    assert "answers in 2 of 3 pairs: at most 80 answers, in the pair " in " ".join(several.notes)


def test_a_lead_that_is_not_the_difference_of_the_two_values_says_what_it_counts():
    steady = simulated(seed=1, model="steady", rejection=0.95)
    alike = compared(steady, simulated(seed=2, model="weak", rejection=0.15))
    assert "on what both were asked" not in alike.summary
    fewer = simulated(seed=2, model="weak", rejection=0.15).query("level in [0, 0.5, 1]")
    found = compared(steady, fewer)
    values = {model.model: model.value for model in found.models}
    (pair,) = found.pairs
    assert f"{values['steady'] - values['weak']:.3f}" != f"{abs(pair.difference):.3f}"
    assert f"; on what both were asked, {abs(pair.difference):.3f} above weak (" in found.summary


def test_the_summary_says_whether_turn_4_was_asked_judged_or_scored():
    early = [simulated(model=model, seed=seed).query("turn < 3") for seed, model in enumerate("ab")]
    blind = [simulated(model=model, seed=seed).assign(stance=None) for seed, model in enumerate("ab")]

    assert (
        "ER needs to know who rejected a fabrication, and turn 4 was not asked, or is not judged yet:"
        in compared(*early).summary
    )
    assert "and these runs hold no stances:" in compared(*blind).summary
    failed = [
        each.assign(far=np.nan, sas=np.nan, no_claims=False, stance=None, unscored="below the quorum") for each in blind
    ]
    assert "and no answer at turn 4 is scored:" in compared(*failed).summary
    seeing = simulated(model="c", seed=2)
    assert "and turn 4 of a was not asked, or is not judged yet:" in compared(early[0], seeing).summary
    assert "and no stance towards a fabrication at turn 4 is known of a:" in compared(blind[0], seeing).summary


def test_models_that_nothing_ranks_have_no_numbers():
    ranked = compared(simulated(model="a"), simulated(model="b", seed=4))
    unranked = compared(simulated(concepts=2, model="a"), simulated(concepts=2, model="b", seed=4))
    note = "This is no ranking."
    with_numbers, without = (str(to_terminal(comparison_document(each))) for each in (ranked, unranked))
    assert note not in with_numbers and re.search(r"^ 1 [ab] ", with_numbers, re.MULTILINE)
    assert note in without and not re.search(r"^ [12] [ab] ", without, re.MULTILINE)


def test_a_turn_that_is_unscored_for_one_is_left_out_for_both():
    whole, rows = simulated(model="a", seed=1), simulated(model="b", seed=2).to_dict("records")
    rows[7] = unscored(concept="a", level=rows[7]["level"], turn=rows[7]["turn"], model="b")
    (pair,) = compared(whole, table(*rows), metric="CI_raw").pairs

    assert (pair.n_cells, pair.left_out) == (199, 2)


def test_values_and_intervals_are_those_of_the_profiles():
    scores = pd.concat([simulated(model="a"), simulated(model="b", seed=6)])
    found = {model.model: model for model in compared(scores).models}

    for profile in profiles(scores, draws=10):
        assert found[profile.model].value == profile.metrics["ER"].value
        assert found[profile.model].interval == pytest.approx(profile.intervals["ER"])


def test_nothing_shared_is_undecided():
    found = compared(simulated(concepts=3, model="a"), simulated(model="b").query("concept > 'e'"))

    assert found.pairs[0].reasons == (reason("no_shared_turn"),)
    assert "No ranks: there is no scored turn that all models share." in found.notes


def test_without_a_shared_turn_nobody_is_put_first():
    found = compared(simulated(model="a"), simulated(model="b").assign(concept=lambda rows: rows["concept"] + "2"))

    assert found.summary == "No model can be put first: a and b share no scored turn."


def test_a_model_that_alone_has_a_value_is_not_the_highest():
    blind = [simulated(seed=seed, model=f"blind {seed}").assign(far=np.nan, no_claims=True) for seed in (1, 2)]
    found = compared(simulated(model="a"), *blind, metric="K")

    assert found.summary.startswith(
        "Nothing can be compared: of 3 models only a has a value of accuracy about the subject (K, from 0 to 1), 0."
    )


def test_the_headline_says_how_many_models_have_a_value():
    blind = simulated(seed=2, model="blind").assign(far=np.nan, no_claims=True)
    found = compared(simulated(model="a"), simulated(seed=1, model="b"), blind, metric="K")

    assert "f the 2 models that can be ranked (of 3)" in found.headline


def test_no_headline_of_a_difference_where_the_interval_holds_0():
    pair = ModelPair("a", "b", difference=0.2, interval=Interval(-0.1, 0.5, 0.95, ""), verdict="A is higher", n_cells=9)
    pair = replace(pair, p=0.016, p_holm=0.016)
    models = [RankedModel(name, value, Interval(0, 1, 0.95, ""), None, 1.0) for name, value in (("a", 0.7), ("b", 0.5))]
    said = findings(models, [pair], "ER")

    assert "differs from" not in " ".join(said)
    assert said[0].startswith("On these concepts only, by the swap test (p = 0.016), a is the more reliable of 2 ")
    assert said[0].endswith("(95 % interval -0.100 to 0.500); it is not shown to hold for other concepts.")
    assert "Different from a on these concepts only, since the interval over concepts holds 0: b." in said
    clear = replace(pair, interval=Interval(0.1, 0.3, 0.95, ""))
    assert findings(models, [clear], "ER") == (
        "a is the more reliable of 2 models: its epistemic reliability (ER, from 0 to 1) is 0.700, 0.200 above b "
        "(95 % interval 0.100 to 0.300).",
    )


@pytest.mark.parametrize(("metric", "most"), [("V_E", 1), ("K", 1), ("danger_zone_pct", 100)])
def test_the_interval_of_a_difference_of_shares_stays_where_differences_can_lie(metric, most):
    good, bad = simulated(concepts=3, rejection=0.8, model="a"), simulated(concepts=3, rejection=0.1, model="b", seed=5)
    low, high, *_ = compared(good, bad, metric=metric).pairs[0].interval

    assert -most <= low <= high <= most


def test_on_three_concepts_there_are_no_chances_of_a_rank():
    found = compared(simulated(concepts=3, model="a"), simulated(concepts=3, model="b", seed=1), metric="K")

    assert [each.rank_probabilities for each in found.models] == [None, None]
    assert "No ranks: all models share 3 concepts, and on fewer than 6 no two can be separated." in found.notes


def test_the_interval_reaches_over_what_concepts_without_variation_hide():
    """All traps rejected by one, none by the other: the jackknife alone would see no uncertainty in V_E."""
    (pair,) = compared(
        simulated(model="a", rejection=1.1), simulated(model="b", rejection=-1, seed=2), metric="V_E"
    ).pairs

    assert pair.difference == 1
    assert pair.interval.low < 0.95


def test_the_interval_of_a_difference_leaves_room_for_what_each_model_alone_may_be():
    """Every trap is rejected by one model, and questioned by the other: no concept differs from another in either."""
    refuser = refusing("refuser", "abcdefgh").assign(far=0.5, no_claims=False)
    good = refusing("good", "abcdefgh").assign(far=0.5, no_claims=False, stance="rejected")
    found = compared(good, refuser, metric="V_E")
    (first, second), (pair,) = (each.interval for each in found.models), found.pairs
    assert pair.interval.high >= pair.difference + second.high - 0.5 > 0.55
    assert pair.interval.low <= pair.difference - (1 - first.low)


def test_a_pair_without_a_test_is_not_decided_and_is_given_no_smallest_p():
    untested = ModelPair("a", "b", difference=0.1)
    assert with_verdicts([untested], PairSettings("ER", "concept", 0.05, 100, 0)) == [untested]


def test_a_dash_in_the_table_of_pairs_is_explained_once():
    refuser = refusing("refuser", "abcdefgh")
    refuser.loc[refuser["turn"] != 4, ["far", "no_claims"]] = [0.5, False]
    found = compared(refuser, refusing("good", "abcdefgh").assign(far=0.5, no_claims=False), metric="V_E_strict")
    assert (found.pairs[0].effect_size, found.pairs[0].superiority) == (None, None)
    assert any(note.startswith("No d_z in 1 of 1 pair: it needs 10 shared concepts, and") for note in found.notes)
    assert any(note.endswith("no shared turn has a score of both (FAR, turn 4).") for note in found.notes)


@pytest.mark.parametrize(
    ("effect", "low", "told"), [(0.9, -0.1, True), (-0.9, -0.1, True), (0.9, 0.1, False), (0.7, -0.1, False)]
)
def test_a_large_effect_beside_an_interval_that_holds_0_is_explained(effect, low, told):
    pair = ModelPair(
        "a",
        "b",
        difference=0.2,
        effect_size=effect,
        interval=Interval(low, 0.5, 0.95, "t"),
        superiority=0.6,
        n_concepts=10,
    )
    said = " ".join(_notes([pair], PairSettings("ER", "concept", 0.05, 100, 0)))
    assert ("A large d_z beside an interval that holds 0 is no contradiction" in said) is told


def test_a_standardised_difference_of_few_concepts_is_not_shown():
    pair = ModelPair("a", "b", difference=0.2, effect_size=11.9, superiority=0.6, n_concepts=9)
    assert (pair.shown_effect, replace(pair, n_concepts=10).shown_effect) == (None, 11.9)
    withheld, enough = pair.as_dict(), replace(pair, n_concepts=10).as_dict()
    assert (withheld["effect_size"], [why["code"] for why in withheld["reasons"]]) == (None, ["pair_few_for_effect"])
    assert (enough["effect_size"], enough["reasons"]) == (11.9, [])
    said = " ".join(_notes([pair], PairSettings("ER", "concept", 0.05, 100, 0)))
    assert "No d_z in 1 of 1 pair: it needs 10 shared concepts" in said


def test_the_superiority_is_that_of_the_turns_the_metric_looks_at():
    good, bad = simulated(model="a", rejection=1.1), simulated(model="b", rejection=-1)
    found = compared(good, bad, metric="V_E")

    assert (found.superiority_of, found.pairs[0].superiority) == ("FAR, turn 4", 1)
    assert compared(good, bad, metric="K").superiority_of == "FAR, turns 1 to 3"
    assert compared(good, bad, metric="CRI").superiority_of == "SAS, turns 1 to 5"


# --- as data, and mistakes --------------------------------------------------------------------------------


def test_every_metric_can_be_compared_and_printed_as_strict_json():
    scores = runs_of(simulated(model="a"), simulated(model="b", seed=1), cautions=["Mind the preset."])
    for metric in BY_NAME:
        found = json.loads(json.dumps(compare(scores, metric, draws=100).as_dict(), allow_nan=False))
        assert found["metric"] == metric
        assert found["cautions"] == ["Mind the preset."]
        assert set(found["pairs"][0]) >= {"a", "b", "difference", "interval", "p", "p_holm", "verdict", "n_cells"}


def test_seeds_make_it_repeatable():
    scores = runs_of(simulated(model="a"), simulated(model="b", seed=1))
    assert compare(scores, unit="dialogue") == compare(scores, unit="dialogue")
    assert compare(scores, unit="dialogue") != compare(scores, unit="dialogue", seed=1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"metric": "IQ"}, "'IQ' is not a metric .* there are HOC, .*ER"),
        ({"metric": "CI_norm"}, "depends on who else is compared; take CI_raw"),
        ({"unit": "turn"}, "swap by concept or by dialogue"),
        ({"alpha": 1.5}, "between 0 and 1; 1.5"),
    ],
)
def test_a_mistake_is_answered_with_a_sentence(options, says):
    with pytest.raises(CompareError, match=says):
        compared(simulated(model="a"), simulated(model="b"), **options)


def test_one_model_has_nothing_to_be_compared_with():
    with pytest.raises(CompareError, match="needs two models, and only m was given"):
        compared(simulated())


def test_runs_of_one_model_are_not_called_models_that_differ():
    one, other = (
        result.scores.assign(model=f"good ({result.path})") for result in (run("a", "good"), run("b", "good"))
    )
    runs = Runs((run("a", "good"), run("b", "good")), pd.concat([one, other.assign(far=0.0)]), pd.DataFrame(), ())
    shown = to_terminal(comparison_document(compare(runs, "K")))
    assert "Runs that differ: 1 of 1 pair" in shown and "Models that differ" not in shown


# --- runs whose test is not sound -------------------------------------------------------------------------


def check(name, status="fail"):
    return Check(name, status, None, None, ())


def test_a_run_that_fails_checks_is_named_after_the_first_line_and_in_the_notes():
    failing = run(
        "runs/a", "good", "liar", checks=[check("question_length"), check("self_judging"), check("x", "warn")]
    )
    found = compare(made(failing, run("runs/b", "other")))
    (said,) = found.unsound
    assert said == (
        "runs/a fails 2 validity checks (question_length, self_judging). Do not rely on the figures, because the test "
        "was not sound: the questions are too long; models were judged by themselves or their own kin. What was seen: "
        "voirdire validate runs/a"
    )
    assert found.as_dict()["notes"][0] == said
    shown = " ".join(to_terminal(comparison_document(found)).replace("│", " ").split())
    brief = "runs/a fails 2 checks (question_length and self_judging), see voirdire validate runs/a"
    assert -1 < shown.find(found.headline) < shown.find(brief)
    assert "runs/a fails 2 validity checks" in shown


def test_levels_without_effect_alone_take_nothing_from_a_comparison_but_compression():
    known = run("runs/a", "good", "liar", checks=[check("compression_effect"), check("context_delivered", "pass")])
    (said,) = compare(made(known)).unsound
    assert "The test was sound but for compression (" in said and "Do not rely" not in said


def test_a_model_in_two_runs_makes_results_that_are_counted_and_no_more_models():
    ends = Interval(0.4, 0.9, 0.95, "")
    models = [RankedModel(name, value, ends, None) for name, value in (("x (a)", 0.8), ("x (b)", 0.7), ("y", None))]
    pairs = [ModelPair(a, b, difference=0.1, verdict="indistinguishable", n_cells=9) for a, b in (("x (a)", "x (b)"),)]

    assert findings(models, pairs, "ER", repeated=True)[0].startswith("Of the 2 results that can be ranked (of 3), ")
    assert findings(models, pairs, "ER")[0].startswith("Of the 2 models that can be ranked (of 3), ")


def test_a_model_that_only_the_second_differs_from_is_not_put_before_one_that_it_can_not_be_told_from():
    ends = Interval(0.1, 0.95, 0.95, "jackknife-t")
    models = [RankedModel(name, value, ends, None) for name, value in (("a", 0.9), ("b", 0.8), ("c", 0.7))]
    sure, unsure = Interval(0.05, 0.15, 0.95, "jackknife-t"), Interval(-0.1, 0.5, 0.95, "jackknife-t")
    pairs = [
        ModelPair("a", "b", 0.1, sure, p=0.001, smallest_p=0.0001, n_cells=90, n_concepts=12, n_units=12),
        ModelPair("a", "c", 0.2, unsure, p=0.2, smallest_p=0.0001, n_cells=90, n_concepts=12, n_units=12),
        ModelPair("b", "c", 0.1, unsure, p=0.4, smallest_p=0.0001, n_cells=90, n_concepts=12, n_units=12),
    ]
    first, *_ = findings(models, with_verdicts(pairs, BY_CONCEPT), "ER")
    assert first == (
        "No difference in epistemic reliability (ER, from 0 to 1) shows between a and c: a has 0.900, 0.200 above c "
        "(95 % interval -0.100 to 0.500)."
    )


def test_models_judged_unevenly_alike_are_named_in_one_sentence():
    models = [RankedModel(name, 0.5, None, None, uneven="turns") for name in ("a", "b")]
    pairs = [ModelPair("a", "b", reasons=(reason("no_shared_turn"),))]

    said = findings(models, pairs, "ER")
    assert said[1:] == ("ER is not reliable yet for a, b: their turns are judged unevenly so far.",)
    assert findings([models[0], RankedModel("c", 0.5, None, None)], pairs, "ER")[-1].startswith(
        "ER of a is not reliable"
    )


def test_the_order_of_models_judged_unevenly_so_far_is_the_one_given():
    early = [RankedModel(name, value, None, None, uneven="turns") for name, value in (("a", 0.2), ("b", 0.9))]
    models = sorted_models([*early, RankedModel("c", 0.1, None, None), RankedModel("d", None, None, None)], "K")
    assert [each.model for each in models] == ["c", "a", "b", "d"]


@pytest.mark.parametrize(("models", "needed"), [(2, 6), (3, 7), (4, 8)])
def test_how_many_shared_concepts_it_takes_is_by_the_number_of_models(models, needed):
    scores = pd.concat([simulated(1, 1, "a"), simulated(2, 2, "b")])
    study = read_study(scores[scores["concept"] == scores["concept"].iloc[0]])
    how = BY_CONCEPT._replace(pairs=math.comb(models, 2))
    few, _ = compare_pair(study, "a", "b", how, doubts=(reason("model_no_evidence", model="a"),)).reasons
    assert (few.code, few["needed"]) == ("pair_shares_few_concepts", needed)


@pytest.mark.parametrize(
    ("own", "says"), [(False, "(--preset lite has eight)"), (True, "(add concepts to your own pack)")]
)
def test_more_concepts_come_from_where_those_compared_came(own, says):
    names = ("suez-canal", "recursion") if own else ("natural-selection", "recursion")
    models = [simulated(concepts=2, model=name, rejection=rate) for name, rate in (("a", 1.1), ("b", 0))]
    renamed = [
        each.assign(concept=each["concept"].map(dict(zip(sorted(set(each["concept"])), names, strict=True))))
        for each in models
    ]
    (pair,) = compared(*renamed).pairs
    assert str(pair.reasons[0]).endswith(f"a run on more concepts can decide {says}")
    scores = pd.concat(renamed)
    one = read_study(scores[scores["concept"] == names[0]])
    how = BY_CONCEPT._replace(own_concepts=own)
    few, _ = compare_pair(one, "a", "b", how, doubts=(reason("model_no_evidence", model="a"),)).reasons
    assert str(few).endswith(says)


def repeated(*results):
    """Runs of the same models, named by their runs as they are when read."""
    frames = [each.scores.assign(model=each.scores["model"] + f" ({each.path})") for each in results]
    return Runs(results, pd.concat(frames, ignore_index=True), pd.DataFrame(), ())


@pytest.fixture(scope="module")
def with_a_copy():
    return compare(repeated(run("runs/a", "good", "liar"), run("runs/b", "good", "liar")))


def test_copies_are_named_and_have_neither_an_interval_nor_a_test(with_a_copy):
    copies = [pair for pair in with_a_copy.pairs if pair.copies]
    assert {frozenset((pair.a, pair.b)) for pair in copies} == {
        frozenset(("good (runs/a)", "good (runs/b)")),
        frozenset(("liar (runs/a)", "liar (runs/b)")),
    }
    for pair in copies:
        assert (pair.difference, pair.interval, pair.p, pair.p_holm) == (0, None, None, None)
        assert [why.code for why in pair.reasons] == ["pair_of_copies"]
    assert any("good (runs/b) holds the same scores as good (runs/a)" in note for note in with_a_copy.notes)
    assert any("Holm's correction counts each test of copies once: 1 in all." in note for note in with_a_copy.notes)


def test_a_copy_of_a_run_changes_nothing_in_what_is_decided(with_a_copy):
    (alone,) = compare(repeated(run("runs/a", "good", "liar"))).pairs
    tested = [pair for pair in with_a_copy.pairs if pair.p is not None]
    assert len(tested) == 4
    assert {(pair.p, pair.p_holm, pair.verdict) for pair in tested} == {(alone.p, alone.p_holm, alone.verdict)}
    first, *others = tested
    assert first.repeats is None and {pair.repeats for pair in others} == {(first.a, first.b)}


def test_tests_of_a_copy_that_lacks_turns_are_tests_of_their_own():
    whole, part = run("runs/a", "good", "liar"), run("runs/b", "good", "liar")
    first = part.scores["concept"].iloc[0]
    part = replace(part, scores=part.scores[part.scores["concept"] != first])
    tested = [pair for pair in compare(repeated(whole, part)).pairs if pair.p is not None]
    of_whole = [pair for pair in tested if pair.n_concepts == max(each.n_concepts for each in tested)]
    assert len(of_whole) == 1 and of_whole[0].repeats is None
    assert sum(pair.repeats is None for pair in tested) == 2


def test_an_er_without_any_rejected_fabrication_has_its_caution_beside_it_unless_another_metric_is_compared():
    frames = [simulated(3, seed, name, rejection=0.0) for seed, name in enumerate(("one", "other"))]
    frames.append(simulated(3, 7, "good"))
    found = compared(*frames)
    said = "one and other: None of 15 fabrications rejected: this ER rests on E's smoothing"
    assert said in " ".join(found.sentences[1:])
    assert {each.model: each.note and each.note.code for each in found.models} == {
        "one": "note_none_rejected",
        "other": "note_none_rejected",
        "good": None,
    }
    assert "note_none_rejected" in json.dumps(found.as_dict()["models"])
    assert "smoothing" not in compared(*frames, metric="K").summary


def test_of_copies_at_the_top_neither_is_put_first(with_a_copy):
    value = r"0\.\d{3}"
    first = (
        r"No result can be put first in epistemic reliability \(ER, from 0 to 1\): good \(runs/a\) and "
        rf"good \(runs/b\) have the same scores on all that both were asked \({value} and {value}\)\."
    )
    assert re.match(first, with_a_copy.headline)
    assert re.match(r"No result can be put first in epistemic reliability \(ER\): ", with_a_copy.brief)
    assert "With the same scores as good (runs/a): good (runs/b)." in with_a_copy.summary


def test_copies_share_a_place(with_a_copy):
    shown = str(to_terminal(comparison_document(with_a_copy)))
    places = re.findall(r"^ (\d) (\w+) \(runs/[ab]\)  +0", shown, re.MULTILINE)
    assert places == [("1", "good"), ("1", "good"), ("3", "liar"), ("3", "liar")]


@pytest.mark.parametrize("first", ["solid", "steady"])
def test_a_copy_by_another_name_changes_nothing_in_what_is_decided_whichever_is_given_first(first):
    others = [simulated(seed, seed, name) for seed, name in ((2, "fading"), (3, "gullible"))]
    steady, solid = simulated(1, 1, "steady"), simulated(1, 1, "solid")
    without = compared(steady, *others)
    found = compared(*((solid, *others, steady) if first == "solid" else (steady, *others, solid)))
    decided = {(frozenset((pair.a, pair.b)), pair.p, pair.p_holm) for pair in without.pairs}
    assert len(decided) == 3
    assert decided < {(frozenset((pair.a, pair.b)), pair.p, pair.p_holm) for pair in found.pairs}
    assert "Holm's correction counts each test of copies once: 3 in all." in " ".join(found.notes)


@pytest.mark.parametrize(
    ("metric", "values", "difference", "says"),
    [
        ("ER", (0.8, 0.8), 0.0, "both have 0.800 (difference 0.000, 95 % interval -0.050 to 0.060)."),
        (
            "ER",
            (0.8, 0.79),
            -0.02,
            "a has 0.800; on what both were asked, 0.020 below b (95 % interval -0.060 to 0.050).",
        ),
        (
            "trap_acceptance",
            (0.2, 0.2),
            0.03,
            "both have 0.200; on what both were asked, a is 0.030 above b (95 % interval -0.050 to 0.060).",
        ),
        ("danger_zone_pct", (2.0, 2.0), 0.01, "both have 2.0 % (difference 0.0 points, 95 % interval -0.1 to 0.1)."),
    ],
)
def test_of_models_that_are_level_the_first_sentence_has_the_difference_and_its_interval_too(
    metric, values, difference, says
):
    interval = Interval(-0.05, 0.06, 0.95, "jackknife-t")
    one = ModelPair("a", "b", difference, interval, 0.5, 0.001, n_cells=90, n_concepts=12, n_units=12)
    models = [
        RankedModel(name, value, Interval(0.1, 0.95, 0.95, "jackknife-t"), None)
        for name, value in zip("ab", values, strict=True)
    ]
    first, *_ = findings(models, with_verdicts([one], PairSettings(metric, "concept", 0.05, 100, 0)), metric)
    assert first.endswith(says)


def test_the_runs_of_one_model_that_answer_differently_are_no_copies():
    changed = run("runs/b", "good")
    changed = replace(changed, scores=changed.scores.assign(far=changed.scores["far"] * 0.9))
    (pair,) = compare(repeated(run("runs/a", "good"), changed)).pairs
    assert not pair.copies
    assert pair.p is not None


def test_an_interval_without_0_beside_no_difference_is_explained_in_the_same_sentence():
    settings = PairSettings("ER", "concept", 0.05, 100, 0)
    (pair,) = with_verdicts(
        [
            ModelPair(
                "steady",
                "gullible",
                difference=0.335,
                interval=Interval(0.032, 0.637, 0.95, "jackknife-t"),
                p=0.0625,
                smallest_p=0.03125,
                n_cells=90,
                n_concepts=6,
                n_units=6,
            )
        ],
        settings,
    )
    models = [
        RankedModel(name, value, Interval(0.1, 0.95, 0.95, "jackknife-t"), None)
        for name, value in (("steady", 0.8), ("gullible", 0.465))
    ]
    first, *others = findings(models, [pair], "ER")
    assert first.endswith(", but the swap test decides: p = 0.062, and with 6 concepts no p can be below 0.031.")
    assert others[0] == "How many concepts would settle it: voirdire plan --pilot RUN --detect 0.34."


def test_an_interval_without_0_beside_a_pair_that_cannot_be_decided_is_explained_in_the_same_sentence():
    settings = PairSettings("ER", "concept", 0.05, 100, 0)
    interval = Interval(0.184, 0.936, 0.95, "jackknife-t")
    one = ModelPair("steady", "gullible", 0.479, interval, 0.25, 0.25, n_cells=45, n_concepts=3, n_units=3)
    models = [
        RankedModel(name, value, Interval(0.1, 0.95, 0.95, "jackknife-t"), None)
        for name, value in (("steady", 0.935), ("gullible", 0.456))
    ]
    first, *_ = findings(models, with_verdicts([one], settings), "ER")
    assert first.endswith(
        " can't be decided: steady has 0.935, 0.479 above gullible (95 % interval 0.184 to 0.936), but the "
        "swap test decides, and 3 concepts are too few for it."
    )


def test_an_unsound_run_s_headline_says_that_it_is_no_evidence():
    unsound = run("runs/a", "good", "liar", checks=[check("concept_named")])
    sound = run("runs/a", "good", "liar")
    clause = "because the test was not sound: the questions do not say which concept is meant."
    found = compare(made(unsound))
    assert found.headline.startswith(f"Do not rely on the figures, {clause} By these figures: good is the more ")
    assert clause in found.brief and clause in found.as_dict()["summary"]
    assert "not sound" not in compare(made(sound)).summary


@pytest.mark.parametrize("other", [{"levels": (0.0,)}, {"trap": "none"}, {"seed": 1}])
def test_of_runs_that_are_not_alike_nothing_is_said_to_be_reliable_beside_that_the_comparison_is_unsafe(other):
    checks = [check("compression_effect"), check("context_delivered", "pass")]
    runs = made(run("runs/a", "good", checks=checks), run("runs/b", "fair", checks=checks, **other))
    found = compare(runs)
    assert found.caution_in_brief.startswith("This comparison is unsafe: ")
    assert "you can rely" not in found.summary + found.brief
    assert "you can rely" in compare(made(runs.results[0], run("runs/b", "fair", checks=checks))).headline


def test_of_several_runs_the_headline_says_in_how_many_the_test_was_not_sound():
    unsound = run("runs/a", "good", "liar", checks=[check("concept_named")])
    found = compare(made(unsound, run("runs/b", "fair")))
    said = "Do not rely on the figures, because the test was not sound in 1 of 2 runs (a): the questions do not say"
    assert said in found.headline


def test_a_lone_judge_and_judges_without_any_verdict_are_told_after_the_headline():
    lone = Check("judge_agreement", "not measured", None, None, (reason("too_few_judges"),))
    found = compare(made(run("runs/a", "good", "liar", checks=[lone])))
    assert found.caution_in_brief == "Read this with care: one judge scored alone in runs/a."
    stopped = replace(
        run("runs/a", "good", "liar"),
        stopped="Some dialogues lack a verdict.",
        missing_of_judges={"a/silent": (9, 9), "a/late": (1, 9)},
    )
    care = "Read this with care: runs/a is not complete; a/silent gave no verdict in runs/a."
    assert compare(made(stopped)).caution_in_brief == care
