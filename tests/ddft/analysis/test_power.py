import re
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from tests.ddft._scores import simulated
from voirdire.ddft.analysis.planning.components import components, variance_interval
from voirdire.ddft.analysis.planning.material import (
    Layout,
    balanced_turns,
    dialogue_cells,
    effects_of,
    influences,
    material_of,
)
from voirdire.ddft.analysis.planning.power import (
    PlanningQuestion,
    PowerError,
    Rates,
    Source,
    assumed_source,
    plan_detection,
    published_source,
)
from voirdire.ddft.analysis.planning.sources import parse_assumption, simulate
from voirdire.ddft.concept_sums import cells, checked, read_answers
from voirdire.ddft.metrics import METRICS, measure
from voirdire.models import SpecError
from voirdire.stats.intervals import jackknife_t
from voirdire.stats.power import paired_power, smallest_difference

RATES = Rates(models=2, calls=5.0, judge_calls=5.0)
LEVELS = (0.0, 0.5, 1.0)
BASE = "accuracy=0.9..0.7&reject=0.7&coherence=0.9&concept_sd=0.5"


@pytest.fixture(scope="module")
def published():
    return published_source()


@cache
def of_the_study(question):
    """What the published study says of a question; several tests look at the same."""
    return plan_detection(question, published_source(), RATES)


@pytest.fixture(scope="module")
def assumed():
    return assumed_source(f"{BASE}&judge_noise=0.1", LEVELS)


def source_of(scores):
    kept, _ = balanced_turns(scores)
    material = material_of(kept, scores.assign(judge="only"))
    return Source("a pilot", material, material.layout, True)


def pilot(concepts=5, models=2):
    return pd.concat([simulated(concepts, seed, f"m{seed}") for seed in range(models)], ignore_index=True)


class TestInfluence:
    def test_dialogues_together_measure_what_concepts_do(self):
        scores = checked(simulated())
        whole, apart = cells(read_answers(scores)), dialogue_cells(scores)
        by_concept, by_dialogue = measure(whole, np.ones((1, 8))), measure(apart, np.ones((1, 40)))
        for metric in METRICS:
            assert by_dialogue[metric.name] == pytest.approx(by_concept[metric.name], nan_ok=True), metric.name

    @pytest.mark.parametrize("metric", ["K", "ER", "CI_raw", "HOC", "danger_zone_pct"])
    def test_the_mean_influence_of_a_concepts_dialogues_is_the_concepts_own(self, metric):
        scores = checked(simulated())
        whole = cells(read_answers(scores))
        step = 1e-4 * np.eye(8)
        derivative = 8 * (measure(whole, 1 + step)[metric] - measure(whole, 1 - step)[metric]) / 2e-4
        found = influences(dialogue_cells(scores), metric).reshape(8, 5).mean(axis=1)
        assert found == pytest.approx(derivative, abs=1e-5)

    def test_of_a_mean_it_is_the_distance_from_the_mean(self):
        scores = checked(simulated())
        at_3 = scores[scores["turn"] == 3].sort_values(["concept", "level"])["far"].to_numpy()
        assert influences(dialogue_cells(scores), "V_K") == pytest.approx(at_3 - at_3.mean(), abs=1e-6)

    def test_what_a_whole_concept_settles_does_not_vary_within_it(self):
        found = influences(dialogue_cells(checked(simulated(accuracy=0.95))), "HOC").reshape(8, 5)
        assert found.std(axis=1) == pytest.approx(np.zeros(8), abs=1e-6)
        assert found.std() > 0


class TestComponents:
    def test_at_the_studys_own_layout_they_give_the_jackknifes_variance(self, published):
        found = components(effects_of(published.material, "K"))
        estimates, left_out = published.material.estimates("K")
        per_pair = []
        for a in range(9):
            for b in range(a):
                each = left_out[a] - left_out[b]
                per_pair.append(7 / 8 * np.sum((each - each.mean()) ** 2))
        assert found.variance(published.layout) / 8 == pytest.approx(np.mean(per_pair), rel=0.01)
        assert estimates.shape == (9,)

    def test_judges_share_is_recovered(self):
        subjects = [parse_assumption("accuracy=0.8&coherence=1").subject] * 2
        study = simulate(
            subjects, concepts=300, levels=LEVELS, judges=3, judge_noise=0.05, rng=np.random.default_rng(0)
        )
        found = components(effects_of(material_of(checked(study.scores), study.verdicts), "V_K"))
        assert found.judge == pytest.approx(2 * 0.05**2, rel=0.2)  # of a difference of two
        assert found.dialogue == pytest.approx(2 * 0.8 * 0.2 / 8, rel=0.2)

    def test_more_concepts_levels_samples_and_judges_lessen_the_variance(self, assumed):
        found = components(effects_of(assumed.material, "K"))
        base = Layout(8, 3, 1, 1)
        for change in ({"levels": 5}, {"samples": 2}, {"judges": 3}):
            assert found.variance(replace(base, **change)) < found.variance(base)

    def test_a_single_judge_is_not_told_apart(self):
        assert components(effects_of(source_of(pilot()).material, "K")).judge is None

    def test_the_interval_of_the_variance_contains_it_and_narrows_with_concepts(self):
        found = []
        for concepts in (5, 50):
            rng = np.random.default_rng(concepts)
            study = simulate([parse_assumption(BASE).subject] * 2, concepts=concepts, levels=LEVELS, rng=rng)
            effects = effects_of(source_of(study.scores).material, "K")
            variance = components(effects).variance(Layout(8, 5, 1, 1))
            low, high = variance_interval(effects, Layout(8, 5, 1, 1))
            assert low < variance < high
            found.append(np.log(high / low))
        assert found[1] < found[0]


def test_predicted_power_is_what_simulated_studies_have():
    """600 studies of two subjects whose accuracy differs, each analysed by the paired jackknife."""
    concepts, studies = 10, 600
    subjects = [parse_assumption(text).subject for text in (BASE, BASE.replace("0.9..0.7", "0.8..0.5"))]
    drawn = simulate(subjects, concepts=concepts * studies, levels=LEVELS, rng=np.random.default_rng(3)).scores
    both = [cells(read_answers(checked(frame))) for _, frame in drawn.groupby("model")]
    weights = np.vstack([np.ones(concepts), 1 - np.eye(concepts)])
    told = []
    for study in range(studies):
        block = slice(study * concepts, (study + 1) * concepts)
        here = [replace(each, concepts=each.concepts[block], sums=each.sums[block]) for each in both]
        difference = measure(here[0], weights)["K"] - measure(here[1], weights)["K"]
        interval = jackknife_t(difference[0], difference[1:])
        told.append(interval.low > 0 or interval.high < 0)

    pilots = drawn[drawn["concept"] < "01000"]
    material = material_of(checked(pilots), pilots.assign(judge="only"))
    true = np.subtract(*(measure(each, np.ones((1, len(each.concepts))))["K"][0] for each in both))
    variance = components(effects_of(material, "K")).variance(Layout(concepts, 3, 1, 1))
    assert np.mean(told) == pytest.approx(float(paired_power(true, variance, concepts)), abs=0.07)
    assert 0.3 < np.mean(told) < 0.95


class TestPublished:
    def test_without_stances_it_plans_for_accuracy_and_says_so(self):
        found = of_the_study(PlanningQuestion(0.3))
        assert found.metric == "K"
        assert any("stances" in note for note in found.notes)

    def test_concepts_of_all_packs_are_counted_before_others_are_to_be_written(self):
        notes = of_the_study(PlanningQuestion(0.1, metric="K", concepts=50)).notes
        assert any(note.startswith("41 concepts come with") and "the other 9 are YAML" in note for note in notes)
        notes = of_the_study(PlanningQuestion(0.1, metric="K", concepts=30)).notes
        assert any("--pack all" in note for note in notes) and not any("YAML" in note for note in notes)

    def test_er_needs_a_pilot_or_an_assumption(self):
        with pytest.raises(PowerError, match="--pilot RUN or --assume"):
            of_the_study(PlanningQuestion(0.05, metric="ER"))

    def test_the_recommended_design_reaches_the_power_and_fewer_concepts_do_not(self):
        found = of_the_study(PlanningQuestion(0.1, metric="K"))
        layout = found.recommended.design.layout
        variance = found.components.variance(layout)
        assert paired_power(0.1, variance, layout.concepts) >= 0.8
        assert paired_power(0.1, variance, layout.concepts - 1) < 0.8
        assert found.recommended.simulated.interval == pytest.approx(0.8, abs=0.04)

    def test_it_is_the_cheapest_of_those_the_data_support(self):
        found = of_the_study(PlanningQuestion(0.1, metric="K"))
        supported = [design for design in found.designs if design.reached and design.layout.samples == 1]
        assert found.recommended.design.cost.calls == min(design.cost.calls for design in supported)

    def test_a_metric_about_levels_keeps_the_levels_of_the_data(self):
        assert of_the_study(PlanningQuestion(0.3, metric="CI_raw")).recommended.design.layout.levels == 5

    def test_the_paper_told_what_its_own_smallest_difference_allows(self):
        found = of_the_study(PlanningQuestion(0.1, metric="K"))
        paper = found.as_dict()["paper"]
        assert (paper["concepts"], paper["levels"], paper["judges"], paper["pairs"]) == (8, 5, 3, 36)
        assert paper["smallest_detectable"] == pytest.approx(found.smallest_detectable)
        assert paper["smallest_detectable_after_holm"] > paper["smallest_detectable"]
        above = [pair for pair in paper["listed"] if abs(pair["difference"]) >= paper["smallest_detectable"]]
        assert len(above) == paper["distinguishable_pairs"] > paper["distinguishable_pairs_after_holm"]
        assert {other["metric"] for other in paper["other_metrics"]} == {"CI_raw", "S", "danger_zone_pct"}

    def test_differences_of_the_papers_pairs_are_those_of_table_2(self):
        found = of_the_study(PlanningQuestion(0.3, metric="CI_raw")).paper[0]
        pair = found.pairs[0]
        assert {pair.a, pair.b} == {"o4-mini", "claude-haiku-4-5"}
        assert abs(pair.difference) == pytest.approx(0.914 - 0.468, abs=0.002)  # DDFT Table 2

    def test_more_models_ask_for_more_by_holm(self):
        two, nine = (of_the_study(PlanningQuestion(0.1, metric="K", models=models)) for models in (2, 9))
        assert nine.recommended.design.layout.concepts > two.recommended.design.layout.concepts
        assert two.smallest_after_holm is None
        assert nine.smallest_after_holm == pytest.approx(
            smallest_difference(nine.components.variance(nine.source.layout), 8, alpha=0.05 / 36)
        )

    def test_with_few_concepts_the_swap_test_has_the_power_too(self):
        best = of_the_study(PlanningQuestion(0.2, metric="K")).recommended
        assert best.design.layout.concepts < 10
        assert best.simulated.swap_test > 0.77

    def test_eight_concepts_decide_no_pair_of_36_by_swapping(self):
        paper = of_the_study(PlanningQuestion(0.1, metric="K")).paper[0]
        assert paper.smallest_p == 2 / 2**8 > 0.05 / 36
        assert paper.concepts_for_holm == 11

    def test_numbers_that_are_asked_for_are_kept(self):
        asked = PlanningQuestion(0.1, metric="K", concepts=8, levels=5, samples=1, judges=3)
        found = of_the_study(asked)
        (design,) = found.designs
        assert design.layout == Layout(8, 5, 1, 3)
        assert (found.recommended is None) == (design.power < 0.8)


class TestAssumed:
    def test_er_is_planned_for_by_default(self, assumed):
        found = plan_detection(PlanningQuestion(0.1), assumed, RATES)
        assert found.metric == "ER"
        assert found.recommended.concepts_interval is None  # assumed, not estimated
        assert found.components.level is not None

    def test_a_subject_that_varies_more_between_concepts_needs_more_of_them(self):
        few, many = (
            plan_detection(PlanningQuestion(0.1, metric="K"), assumed_source(f"concept_sd={sd}", LEVELS), RATES)
            for sd in (0.1, 1.5)
        )
        assert many.recommended.design.layout.concepts > 2 * few.recommended.design.layout.concepts

    def test_each_model_can_be_assumed_by_itself(self):
        even, uneven = "concept_sd=0.1&judge_noise=0.1", "concept_sd=1.5"
        of = {
            text: components(effects_of(assumed_source(text, LEVELS).material, "K"))
            for text in (even, f"{uneven}&judge_noise=0.1", f"{even},{uneven}", f"{uneven},{even}")
        }
        alone, other, both, turned = (each.variance(Layout(1, 3, 1, 3)) for each in of.values())
        assert both == pytest.approx((alone + other) / 2, rel=0.15)  # the variances of two independent models add up
        assert turned == pytest.approx(both, rel=0.15)

    def test_three_models_assumed_make_equally_many_subjects(self):
        found = assumed_source("reject=0.9,reject=0.5,reject=0.1,reject=0.2", LEVELS)
        assert len(found.material.models) == 8
        assert found.notes[0].startswith("The models vary as assumed")

    def test_judges_score_all_models_with_one_noise(self):
        with pytest.raises(SpecError, match="judge_noise is of the judges, who score all models"):
            assumed_source("reject=0.9&judge_noise=0.1,reject=0.5&judge_noise=0.2", LEVELS)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("accuracy=0.9&reject=0.7&accuracy=0.5&reject=0.6", "gives accuracy twice for one model: put a comma"),
            ("accuracy=0.9,reject=0.7&accuracy=0.5&reject=0.6", "gives reject twice for one model: put a comma"),
            ("accuracy=0,9..0,7&reject=0,7", "has '9..0' where accuracy=0.9 or the like belongs: numbers have a point"),
            ("&", "has '' where accuracy=0.9"),
        ],
    )
    def test_a_slip_among_assumed_parameters_is_refused(self, text, said):
        with pytest.raises(SpecError, match=re.escape(said)):
            assumed_source(text, LEVELS)

    def test_what_each_model_assumed_has_of_the_metric_is_told(self):
        both = assumed_source("accuracy=0.9&reject=0.9,accuracy=0.7&reject=0.4", LEVELS)
        found = plan_detection(PlanningQuestion(0.1, metric="K"), both, RATES)
        assert [each.parameters for each in found.assumed] == ["accuracy=0.9&reject=0.9", "accuracy=0.7&reject=0.4"]
        assert [each.value for each in found.assumed] == pytest.approx([0.9, 0.7], abs=0.02)
        assert found.as_dict()["assumed"][0]["value"] == found.assumed[0].value
        assert assumed_source("accuracy=0.9", LEVELS).assumed_values("K") == ()

    @pytest.mark.parametrize(
        ("text", "meant"),
        [
            ("accuracy=0.9,reject=0.3", "accuracy=0.9&reject=0.3"),
            (
                "accuracy=0.9&reject=0.3,coherence=0.5,accuracy=0.8",
                "accuracy=0.9&reject=0.3&coherence=0.5,accuracy=0.8",
            ),
            (
                "accuracy=0.9..0.7,reject=0.9,accuracy=0.8..0.4,reject=0.3",
                "accuracy=0.9..0.7&reject=0.9,accuracy=0.8..0.4&reject=0.3",
            ),
            (
                "accuracy=0.9,reject=0.9,accuracy=0.8&reject=0.3",
                "accuracy=0.9&reject=0.9,accuracy=0.8&reject=0.3",
            ),
        ],
    )
    def test_a_comma_in_place_of_an_ampersand_is_refused_and_what_was_meant_is_shown(self, text, meant):
        with pytest.raises(SpecError) as refused:
            assumed_source(text, LEVELS)
        assert f"join the parameters of one model with & ('{meant}')" in str(refused.value)
        assert assumed_source(meant, LEVELS)

    @pytest.mark.parametrize(
        "text",
        [
            "accuracy=2",
            "reject=0.9,",
            "reject=0.9,charm=1",
            "charm=1",
            "judge_noise=loud",
            "judge_noise=2",
            "judge_noise=0.1_0",
        ],
    )
    def test_what_can_not_be_assumed_is_refused(self, text):
        with pytest.raises(SpecError):
            assumed_source(text, LEVELS)

    def test_no_design_has_a_single_judge_unless_it_is_asked_for(self, assumed):
        open_question, one = (
            plan_detection(PlanningQuestion(0.1, judges=judges), assumed, RATES) for judges in (None, 1)
        )
        assert {design.layout.judges for design in open_question.designs} == {2, 3, 4, 5}
        assert one.recommended.design.layout.judges == 1


class TestPilot:
    def test_one_model_stands_for_both_and_varies_twice_as_much_as_it_does(self):
        effects = effects_of(source_of(pilot(models=1)).material, "K")
        variance = components(effects).variance(effects.layout)
        assert variance == pytest.approx(2 * effects.consensus[0].mean(axis=(1, 2)).var(ddof=1), rel=0.01)

    def test_concepts_that_not_all_models_were_examined_on_are_left_out(self):
        scores = pilot(5)
        kept, left_out = balanced_turns(scores[(scores["model"] != "m1") | (scores["concept"] != "a")])
        assert sorted(kept["concept"].unique()) == ["b", "c", "d", "e"]
        assert left_out == 5

    def test_two_concepts_are_too_few(self):
        with pytest.raises(PowerError, match="at least three"):
            balanced_turns(pilot(2))

    def test_what_the_pilot_does_not_define_is_refused_with_the_reason(self):
        with pytest.raises(PowerError, match="stance"):
            plan_detection(PlanningQuestion(0.1, metric="ER"), source_of(pilot().assign(stance=None)), RATES)

    def test_without_stances_it_falls_back_to_ci_raw(self):
        assert plan_detection(PlanningQuestion(0.3), source_of(pilot().assign(stance=None)), RATES).metric == "K"

    def test_another_number_of_judges_than_the_only_one_is_refused(self):
        with pytest.raises(PowerError, match="judge"):
            plan_detection(PlanningQuestion(0.1, metric="K", judges=3), source_of(pilot()), RATES)

    def test_models_that_never_vary_need_only_the_concepts_that_a_swap_test_needs(self):
        same = pilot().assign(far=0.9, sas=0.9, stance="rejected")
        found = plan_detection(PlanningQuestion(0.05, metric="K"), source_of(same), RATES)
        assert found.recommended.design.layout.concepts == 6


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (PlanningQuestion(0.0), "above 0"),
        (PlanningQuestion(float("nan")), "above 0"),
        (PlanningQuestion(1.5, metric="K"), "below 1"),
        (PlanningQuestion(0.1, power=1.0), "at most 0.99"),
        (PlanningQuestion(0.1, power=0.05), "above 0.05"),
        (PlanningQuestion(0.1, alpha=0.0), "alpha"),
        (PlanningQuestion(0.1, metric="KK"), "did you mean"),
        (PlanningQuestion(0.1, models=1), "2 or more"),
        (PlanningQuestion(0.1, concepts=2), "2 concepts were named, and an interval needs three"),
    ],
)
def test_what_can_not_be_planned_is_refused(published, question, says):
    with pytest.raises(PowerError, match=says):
        plan_detection(question, published, RATES)
