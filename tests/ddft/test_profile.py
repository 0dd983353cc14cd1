"""Profiles: intervals, notes, JSON, and the published Table 2."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.ddft._scores import refusing, row, simulated, table
from tests.support.table_2 import TABLE_2
from voirdire.data.json_values import as_plain
from voirdire.ddft.paper_index import PaperIndex, explanation, phenotype, relative_label
from voirdire.ddft.profile import OF_CONCEPTS, best_first, profiles
from voirdire.ddft.published import published_scores
from voirdire.reason_codes import reason
from voirdire.stats import Interval, special


@pytest.fixture(scope="module")
def published_profiles():
    return {found.model: found for found in profiles(published_scores())}


@pytest.fixture(scope="module")
def one():
    return profiles(simulated())[0]


def test_what_has_no_value_rests_on_nothing():
    (found,) = profiles(refusing())

    undefined = {name: value for name, value in found.metrics.items() if value.value is None}
    assert {"ER", "K", "CI_raw", "CI_norm"} <= set(undefined)
    assert {value.n for value in undefined.values()} == {0} == {found.n[name] for name in undefined}
    assert found.metrics["D"].n == 60


def test_how_little_a_model_answers_is_said_with_what_silence_can_win():
    scores = simulated(3)
    (none,), (all_answered,) = profiles(refusing()), profiles(scores)
    half = scores["turn"] > 2
    (few,) = profiles(scores.assign(far=scores["far"].where(half), no_claims=~half))

    (said,) = [note for note in none.notes if note.code == "note_none_answered"]
    assert said["metrics"][:5] == ("E", "S", "D", "CRI", "danger_zone_pct")
    assert str(said) == "Its 60 answers claim nothing. Silence can win some figures: those say nothing of it."
    (said,) = [note for note in few.notes if note.code == "note_few_answered"]
    assert said["metrics"][:5] == ("ER", "K", "E", "S", "D")
    assert str(said).startswith("Only 45 of its 75 answers claim anything. Silence can win some figures: read those")
    assert not {"note_none_answered", "note_few_answered"} & {note.code for note in all_answered.notes}


NONE_REJECTED = "None of 15 fabrications rejected: this ER rests on E's smoothing, and falls with more dialogues."


def test_an_er_without_any_rejected_fabrication_says_that_it_falls_with_the_number_of_dialogues():
    (none,), (some,) = (profiles(simulated(3, rejection=rejection)) for rejection in (0.0, 0.7))
    (note,) = [note for note in none.notes if note.code == "note_none_rejected"]
    assert str(note) == NONE_REJECTED
    assert as_plain(note) in none.as_dict()["notes"]
    assert not [note for note in some.notes if note.code == "note_none_rejected"]
    (more,) = profiles(simulated(6, rejection=0.0))
    assert more.metrics["E"].value < none.metrics["E"].value


def begun(turns):
    """A run whose dialogues have these turns judged so far."""
    scores = simulated(concepts=3)
    (found,) = profiles(scores[scores["turn"].isin(turns)], awaited=range(1, 6))
    return found


@pytest.mark.parametrize(
    ("turns", "said"), [((1,), "turn 1"), ((1, 2), "turns 1 and 2"), ((1, 2, 3), "turns 1 to 3"), (range(1, 6), None)]
)
def test_the_turns_behind_k_are_those_judged_so_far(turns, said):
    assert begun(turns).first_turns == (said or "turns 1 to 3")


def test_few_turns_are_said_of_a_value_of_a_run_that_has_just_begun():
    (one_dialogue,) = profiles(simulated(concepts=1).query("level == 0"))
    early = simulated(concepts=2).query("turn == 1 or (turn == 4 and level == 0)")
    (begun,) = profiles(early)

    assert one_dialogue.few_turns("K") and begun.few_turns("V_E") and begun.few_turns("HOC")
    assert begun.metrics["K"].n == 10 and not begun.few_turns("K")
    assert begun.metrics["entrenchment"].value is None and not begun.few_turns("entrenchment")


def test_of_a_whole_run_few_turns_are_said_of_what_rests_on_them_and_not_of_what_counts_concepts():
    (whole,) = profiles(simulated(concepts=3))

    few = {name for name, value in whole.metrics.items() if value.value is not None and value.n < 10}
    assert "HOC" in few and {name for name in whole.metrics if whole.few_turns(name)} == few - set(OF_CONCEPTS)


def test_without_intervals_the_traps_behind_v_e_are_said():
    (one_concept,) = profiles(simulated(concepts=1))

    assert one_concept.metrics["V_E"].n == 5
    assert one_concept.few_turns("V_E") and not one_concept.few_turns("K")


def test_er_on_few_turns_of_k_has_its_caution():
    few, enough = (profiles(simulated(concepts=1).query(which))[0] for which in ("level < 0.6", "level < 2"))

    assert str(few.few_turns_behind_er) == "ER is not reliable here: K rests on 9 turns and needs 10."
    assert few.few_turns_behind_er in few.notes
    assert enough.few_turns_behind_er is None


@pytest.mark.parametrize(("late", "uneven"), [(0, True), (35, True), (36, False), (40, False)])
def test_a_turn_judged_for_less_than_nine_tenths_of_turn_1_is_said_while_it_is_awaited(late, uneven):
    scores = simulated()
    last = scores["turn"] == 5
    partial = scores[~last | (last.cumsum() <= late)]
    (found,), (finished,) = profiles(partial, awaited=range(1, 6)), profiles(partial)
    (without_turn_5,) = profiles(partial, awaited=range(1, 5))

    assert (found.uneven is not None) == uneven
    assert finished.uneven is None and without_turn_5.uneven is None
    if uneven:
        assert found.notes[0] == found.uneven
        assert str(found.uneven) == (
            f"Judged so far: 40 answers at turn 1, 40 at turn 2, 40 at turn 3, 40 at turn 4, {late} at turn 5. "
            "Early turns weigh more than in a whole run, so the figures will change."
        )


def test_an_answer_without_a_score_is_not_counted_as_judged():
    scores = simulated()
    lost = (scores["turn"] == 4) & (scores["concept"] > "b")
    scores.loc[lost, ["far", "sas", "stance", "unscored"]] = [None, None, None, "below the quorum"]
    (found,) = profiles(scores, awaited=range(1, 6))

    assert "40 at turn 3, 10 at turn 4, 40 at turn 5. " in str(found.uneven)


@pytest.mark.parametrize(("concepts", "uneven"), [(5, True), (6, False), (8, False)])
def test_a_level_scored_for_less_than_three_quarters_of_another_is_said_while_the_run_goes_on(concepts, uneven):
    scores = simulated()
    names = sorted(scores["concept"].unique())[:concepts]
    partial = scores[(scores["level"] < 1) | scores["concept"].isin(names)]
    levels = sorted(scores["level"].unique())
    (found,), (finished,) = profiles(partial, awaited=range(1, 6), levels=levels), profiles(partial)

    assert found.unevenness == ("levels" if uneven else None) and finished.uneven is None
    assert found.first_turns == "turns 1 to 3"
    if uneven:
        assert found.notes[0] == found.uneven
        assert str(found.uneven) == (
            "Scored so far: 40 answers on 8 concepts at level 0, 40 answers on 8 concepts at level 0.25, 40 answers on "
            "8 concepts at level 0.5, 40 answers on 8 concepts at level 0.75, 25 answers on 5 concepts at level 1. "
            "Some levels weigh more than in a whole run, so the figures will change."
        )


def seen(every, levels=(0.0, 0.25, 0.5, 0.75, 1.0)):
    """Ten concepts of which each was asked at some of its five levels, and every level of as many concepts."""
    scores = simulated(10)
    place = scores["concept"].map("abcdefghij".index) + scores["level"].map(levels.index)
    return scores[place % 5 < every]


@pytest.mark.parametrize(("every", "uneven"), [(2, "concepts"), (3, "concepts"), (4, None), (5, None)])
def test_concepts_asked_at_few_of_their_levels_are_uneven_while_the_others_are_awaited(every, uneven):
    levels = (0.0, 0.25, 0.5, 0.75, 1.0)
    (found,), (finished,) = (profiles(seen(every), awaited=range(1, 6), levels=each) for each in (levels, ()))

    assert found.unevenness == uneven and finished.unevenness is None
    assert uneven is None or str(found.uneven).startswith(
        f"Scored so far: {10 * every} of the 50 pairs of level and concept, for 10 concepts."
    )


def test_a_level_without_any_answer_makes_a_run_uneven_while_it_is_awaited():
    scores = simulated()
    (found,) = profiles(scores[scores["level"] < 1], awaited=range(1, 6), levels=(0.0, 0.25, 0.5, 0.75, 1.0))

    assert "0 answers on 0 concepts at level 1" in str(found.uneven)


def test_a_model_judged_unevenly_comes_after_those_that_are_not():
    scores = simulated(3, accuracy=1.0, rejection=1.0)
    (early,), (whole,) = profiles(scores[scores["turn"] < 5], awaited=range(1, 6)), profiles(simulated(3))
    assert early.er is None and early.metrics["ER"].withheld and early.curves[0].far is None
    assert best_first([early, whole]) == [whole, early]


@pytest.mark.parametrize("model", TABLE_2)
def test_the_published_scores_give_table_2_to_three_decimals(model, published_profiles):
    ci, hoc, cri, far_prime, sas_prime, label, danger = TABLE_2[model]
    found = published_profiles[model]

    # gpt-oss-120b's HOC is 0.8125 and mistral's 0.9375: the paper rounds half to even, as Python does.
    assert {
        name: round(found.metrics[name].value, 3) for name in ("CI_raw", "HOC", "CRI", "FAR_prime", "SAS_prime")
    } == {
        "CI_raw": ci,
        "HOC": hoc,
        "CRI": cri,
        "FAR_prime": far_prime,
        "SAS_prime": sas_prime,
    }
    of_asked = found.n["scored"] / found.n["turns"]  # as the paper counts
    assert round(found.danger_zone_pct * of_asked, 1) == danger
    assert found.paper_index.phenotype_relative == label
    assert found.ci_score == found.metrics["CI_raw"].value


def test_the_one_missing_consensus_is_unscored_and_counts_nowhere(published_profiles):
    o3 = published_profiles["o3"]

    assert (o3.n["turns"], o3.n["unscored"], o3.n["scored"]) == (200, 1, 199)
    assert o3.n["danger_zone_pct"] == o3.n["D"] == 199
    assert sum(found.n["unscored"] for found in published_profiles.values()) == 1


def test_the_published_labels_by_ci_raw_differ_from_those_printed(published_profiles):
    labels = {found.model: found.paper_index.phenotype for found in published_profiles.values()}

    assert "Brittle" not in labels.values()
    assert sum(label == "Robust" for label in labels.values()) == 5


def test_o4_minis_far_prime_rests_on_seven_turns_and_its_interval_shows_it(published_profiles):
    o4_mini = published_profiles["o4-mini"]

    assert o4_mini.n["FAR_prime"] == 7
    assert o4_mini.paper_index.doubts == ("few incoherent turns",)
    low, high, *_ = o4_mini.intervals["FAR_prime"]
    assert high - low > 0.7


def test_the_published_data_have_no_stance_so_er_is_null_and_the_notes_say_why(published_profiles):
    for found in published_profiles.values():
        assert found.metrics["ER"].value is None
        assert "ER" not in found.intervals
        assert found.metrics["V_E_proxy"].n in (39, 40)
        assert any(str(note).startswith("ER is undefined: E has no value (no stance") for note in found.notes)
        assert any(note.code == "note_stand_in" for note in found.notes)


# --- intervals ------------------------------------------------------------------------------------------


def test_every_metric_with_a_value_has_an_interval_that_holds_it(one):
    for name, value in one.metrics.items():
        if value.value is None:
            continue
        low, high, level, method = one.intervals[name]
        assert low <= value.value <= high, name
        assert (level, method) in ((0.95, "jackknife-t"), (0.95, "binomial-t"), (0.95, "exact")), name


def test_the_interval_of_er_follows_from_the_scores_as_the_documentation_says(one):
    """coverage.md, "How the intervals are made"."""
    scores = simulated()

    def er(own):
        curves = own[own["turn"] <= 3].groupby("level")[["far", "sas"]].mean()
        levels = curves.index.to_numpy()
        k, s = (np.trapezoid(curves[each], levels) / np.ptp(levels) for each in ("far", "sas"))
        rejected = own.loc[own["turn"] == 4, "stance"].map({"rejected": 1.0, "questioned": 0.5, "accepted": 0.0})
        outside = ~((own["sas"] > 0.7) & (own["far"] < 0.7))
        e, d = ((each.sum() + 0.5) / (len(each) + 1) for each in (rejected, outside))
        return (k * e * s * d) ** 0.25

    concepts = scores["concept"].unique()
    v = np.var([er(scores[scores["concept"] != each]) for each in concepts])
    value = er(scores)
    half = special.stdtrit(len(concepts) - 1, 0.975) * np.sqrt((len(concepts) - 1) * v) / (value * (1 - value))
    ends = [special.expit(special.logit(value) + each) for each in (-half, half)]
    assert (one.er, *one.er_interval[:2]) == pytest.approx((value, *ends), rel=1e-12)


def test_percentile_intervals_stand_beside_and_repeat_by_seed(one):
    again = profiles(simulated())[0]
    other = profiles(simulated(), seed=1)[0]

    assert one.percentile_intervals == again.percentile_intervals
    assert one.percentile_intervals["ER"] != other.percentile_intervals["ER"]
    assert one.intervals == other.intervals
    assert one.draws == 10_000


def test_the_interval_of_a_smoothed_share_ends_at_values_that_it_can_take():
    (found,) = profiles(simulated(4, rejection=1.1))
    e, v_e = found.intervals["E"], found.intervals["V_E"]
    n = found.metrics["E"].n

    assert found.metrics["V_E"].value == v_e.high == 1
    assert e.high == found.metrics["E"].value == (n + 0.5) / (n + 1)
    assert e.low == pytest.approx((n * v_e.low + 0.5) / (n + 1))
    assert found.intervals["D"].high <= (60 + 0.5) / (60 + 1) < 1


def test_the_danger_zones_interval_is_in_percent(one):
    low, high, *_ = one.intervals["danger_zone_pct"]
    share = one.intervals["selective_verifier_failure"]

    assert (low, high) == pytest.approx((100 * share.low, 100 * share.high))


def test_fewer_than_three_concepts_have_no_intervals_and_a_note_says_so():
    found = profiles(simulated(concepts=2))[0]

    assert found.intervals == {}
    assert found.percentile_intervals == {}
    assert found.draws == 0
    assert found.paper_index.label_uncertain is None
    assert "Fewer than three concepts: no intervals." in map(str, found.notes)
    assert {why.code for why in found.interval_reasons.values()} == {"few_concepts"}
    assert found.metrics["ER"].value is not None


def test_traps_that_were_all_rejected_leave_v_e_and_er_uncertain():
    found = profiles(simulated(rejection=1.1, seed=3))[0]

    assert found.metrics["V_E"].value == 1.0
    assert found.intervals["V_E"] == (pytest.approx(0.025 ** (1 / 40)), 1.0, 0.95, "exact")
    er, interval = found.metrics["ER"].value, found.intervals["ER"]
    e = found.metrics["E"].value
    assert interval.low < er * (found.intervals["V_E"].low / e) ** 0.25


def test_traps_rejected_in_the_same_share_of_every_concept_leave_er_as_uncertain_as_their_share():
    scores = simulated(concepts=3, seed=3)
    at_traps = scores["turn"] > 3
    rejected = scores["level"] < 0.5
    scores.loc[at_traps, "stance"] = np.where(rejected, "rejected", "accepted")[at_traps]
    scores.loc[at_traps, "far"] = rejected[at_traps].astype(float)

    found = profiles(scores)[0]
    er, e = found.metrics["ER"].value, found.metrics["E"].value
    of_er, of_e = found.intervals["ER"], found.intervals["E"]
    assert of_e.method == "binomial-t"
    assert of_er.low < er * (of_e.low / e) ** 0.25
    assert of_er.high - er > 0.95 * (er * (of_e.high / e) ** 0.25 - er)


def test_a_metric_that_one_concept_alone_carries_has_a_value_but_no_interval():
    scores = simulated()
    scores.loc[(scores["concept"] != "a") & (scores["sas"] < 0.5), "sas"] = 0.5
    scores.loc[(scores["concept"] == "a") & (scores["turn"] == 1), "sas"] = 0.4

    found = profiles(scores)[0]

    assert found.metrics["CI_raw"].value is not None
    assert not {"FAR_prime", "CI_raw"} & set(found.intervals)
    notes = list(map(str, found.notes))
    assert "FAR' is without an interval: too few concepts contribute (1, and an interval needs 3)." in notes
    assert "CI index is without an interval: FAR', a part of it, has none." in notes
    assert found.undefined_draws["CI_raw"] > 0
    assert not any("bootstrap" in note for note in notes)


def test_models_over_the_same_concepts_share_draws_so_ci_norm_has_percentiles():
    scores = table(
        *simulated(seed=1, model="x").to_dict("records"),
        *simulated(seed=2, model="y", accuracy=0.6).to_dict("records"),
    )

    x, y = profiles(scores)

    assert {x.metrics["CI_norm"].value, y.metrics["CI_norm"].value} == {0.0, 1.0}
    assert x.percentile_intervals["CI_norm"].method == "percentile"
    assert "CI_norm" not in x.intervals


def test_models_over_different_concepts_have_no_draws_of_ci_norm():
    scores = table(
        *simulated(seed=1, model="x").to_dict("records"), *simulated(5, seed=2, model="y").to_dict("records")
    )

    assert all("CI_norm" not in found.percentile_intervals for found in profiles(scores))


# --- labels, curves, JSON -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ci", "label"),
    [(0.61, "Robust"), (0.60, "Competent"), (0.31, "Competent"), (0.30, "Brittle"), (0.0, "Brittle"), (None, None)],
)
def test_the_thresholds_of_the_label(ci, label):
    assert phenotype(ci) == label


def test_a_label_whose_interval_crosses_a_threshold_says_so(published_profiles):
    o3, haiku = published_profiles["o3"], published_profiles["claude-haiku-4-5"]

    assert o3.paper_index.label_uncertain is True
    assert "label 'Robust' is uncertain" in explanation(o3.paper_index)
    assert "crosses 0.60" in explanation(o3.paper_index)
    assert haiku.paper_index.label_uncertain is False
    assert explanation(haiku.paper_index) is None


def test_no_label_among_models_rests_on_a_scale_whose_end_is_not_reliable():
    sound = dict(reason=None, interval=Interval(0.2, 0.9, 0.95, ""), sas_prime_n=99)
    low = PaperIndex(0.3, far_prime_n=20, phenotype="Brittle", phenotype_relative="Brittle", **sound)
    few = PaperIndex(0.9, far_prime_n=4, phenotype="Robust", phenotype_relative="Robust", **sound)
    high = replace(few, far_prime_n=20)

    assert [relative_label(each, [low, few]) for each in (low, few)] == [None, None]
    assert [relative_label(each, [low, high]) for each in (low, high)] == ["Brittle", "Robust"]


def test_curves_give_both_scores_by_level_with_their_n():
    scores = table(
        row(level=0.0, far=0.8, sas=0.6), row(level=0.0, turn=2, far=None, sas=0.8), row(level=1.0, far=None, sas=0.5)
    )

    start, end = profiles(scores)[0].curves

    assert (start.level, start.far, start.far_n, start.sas, start.sas_n) == (0.0, 0.8, 1, pytest.approx(0.7), 2)
    assert (end.level, end.far, end.far_n, end.sas, end.sas_n) == (1.0, None, 0, 0.5, 1)


def test_json_holds_null_and_never_nan(published_profiles):
    for found in (*published_profiles.values(), profiles(table(row(far=None, sas=0.2)))[0]):
        read = json.loads(found.to_json(), parse_constant=lambda constant: pytest.fail(f"{constant} in the JSON"))
        assert read == found.as_dict()
        assert read["metrics"]["V_E"] is None
        assert read["reasons"]["V_E"]


def test_json_has_the_names_that_scripts_rely_on(one):
    read = json.loads(one.to_json())

    assert {"model", "metrics", "n", "intervals", "paper_index", "notes", "curves"} <= set(read)
    assert {
        *("HOC", "HOC_onset", "CRI", "FAR_prime", "SAS_prime", "CI_raw", "CI_norm", "danger_zone_pct"),
        *("V_K", "V_E", "V_E_strict", "ER", "K", "E", "S", "D", "entrenchment", "capitulation", "share_answered"),
    } <= set(read["metrics"])
    assert {"turns", "unscored", "no_claims", "FAR_prime", "SAS_prime"} <= set(read["n"])
    assert set(read["intervals"]["ER"]) == {"low", "high", "level", "method"}


def test_models_keep_their_order_and_do_not_mix():
    scores = table(*simulated(seed=2, model="z").to_dict("records"), *simulated(seed=1, model="a").to_dict("records"))

    together = profiles(scores.sample(frac=1, random_state=0).sort_values("model", ascending=False))

    assert [found.model for found in together] == ["z", "a"]
    assert together[1].metrics["ER"].value == pytest.approx(profiles(simulated(seed=1))[0].metrics["ER"].value)
    assert np.isclose(together[0].metrics["HOC"].value, profiles(simulated(seed=2))[0].metrics["HOC"].value)


def test_the_index_covers_the_truth_in_simulated_studies():
    """A quick form of benchmarks/statistics/interval_coverage.py."""
    hits = 0
    e, k, s = 0.7, 0.7, 0.6
    danger = _danger_rate()
    truth = (k * e * s * (1 - danger)) ** 0.25
    for seed in range(150):
        low, high, *_ = profiles(simulated(seed=seed), draws=2)[0].intervals["ER"]
        hits += low <= truth <= high
    assert 0.90 <= hits / 150 <= 0.99


def _danger_rate():
    """Of `simulated`: at turns 1 to 3 FAR is a share of 8 sentences; at 4 and 5 it is 0 where a trap is accepted."""
    from scipy import stats

    fluent = stats.binom.sf(5, 8, 0.6)  # SAS > 0.7
    wrong = np.mean([stats.binom.cdf(5, 8, 0.85 - 0.3 * level) for level in (0, 0.25, 0.5, 0.75, 1)])  # FAR < 0.7
    return fluent * (3 * wrong + 2 * 0.3) / 5


def test_without_traps_that_is_why_their_metrics_have_no_value_and_nothing_stands_in_for_them():
    found = profiles(simulated().assign(stance=None), traps=False)[0]

    assert {found.metrics[name].reason.code for name in ("V_E", "E", "entrenchment")} == {"no_trap"}
    assert found.metrics["ER"].cause == "no fabrication was set"
    assert not any(note.code == "note_stand_in" for note in found.notes)


def test_one_level_gives_no_interval_to_what_is_about_levels_and_a_note_says_so():
    scores = simulated()
    found = profiles(scores[scores["level"] == scores["level"].max()])[0]

    assert {found.interval_reasons[name].code for name in ("HOC", "HOC_onset")} == {"one_level"}
    assert not {"HOC", "HOC_onset"} & set(found.intervals)
    assert any(note.code == "note_one_level" for note in found.notes)


def test_a_single_answer_that_claims_nothing_is_told_of_in_the_singular():
    assert str(reason("note_none_answered", answers=1, metrics=("D",))).startswith("Its 1 answer claims nothing. ")
