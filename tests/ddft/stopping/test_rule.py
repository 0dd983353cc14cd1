"""Rules as users write them, and studies that they fit."""

import dataclasses
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import load_preset
from voirdire.ddft.stopping import StopRule, StopRuleError, drawn_order, parse_rule
from voirdire.ddft.study import StudyPlan, dialogue_specs

SOUND = load_preset("sound")


def study(**changes):
    options = {"models": ("simulated/steady",), "concepts": tuple(find_concepts()), "preset": SOUND} | changes
    return StudyPlan(**options)


@pytest.mark.parametrize("text", ["ER±0.03", "ER+-0.03", "ER+/-.03", " ER ± 0.030 "])
def test_a_rule_is_read_however_plus_or_minus_is_written(text):
    assert parse_rule(text) == StopRule("ER", 0.03)


@pytest.mark.parametrize("metric", ["K", "CI_raw", "V_E", "danger_zone_pct"])
def test_every_metric_of_a_profile_can_end_a_run(metric):
    assert parse_rule(f"{metric}±0.1").metric == metric


def test_a_rule_prints_as_it_is_read():
    assert parse_rule(str(parse_rule("ER+-0.030"))) == StopRule("ER", 0.03)
    assert str(StopRule("ER", 0.03)) == "ER±0.03"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ER", "not a stopping rule"),
        ("ER<0.03", "not a stopping rule"),
        ("ER±0.03±0.1", "not a stopping rule"),
        ("HR±0.03", "'HR' is not a metric"),
        ("CI_norm±0.1", "'CI_norm' is not a metric"),
        ("ER±0", "a width above 0"),
        ("ER±2", "lie between 0 and 1; give less than ±0.5"),
        ("danger_zone_pct±50", "lie between 0 and 100; give less than ±50"),
    ],
)
def test_what_is_no_rule_is_refused_in_one_sentence(text, said):
    with pytest.raises(StopRuleError, match=said):
        parse_rule(text)


def test_fewer_than_eight_concepts_are_too_few_to_stop_by():
    with pytest.raises(StopRuleError, match=r"needs 8 concepts or more.*there are 7"):
        study(concepts=tuple(find_concepts())[:7], stop_when=StopRule("ER", 0.05))


def test_a_metric_of_traps_can_not_end_a_run_without_traps_but_accuracy_can():
    bare = dataclasses.replace(SOUND, trap="none")
    with pytest.raises(StopRuleError, match="no value without fabrications"):
        study(preset=bare, stop_when=StopRule("ER", 0.05))
    assert study(preset=bare, stop_when=StopRule("K", 0.05)).stop_when is not None


def test_a_rule_is_part_of_a_runs_identity_only_where_there_is_one():
    assert "stop_when" not in study().manifest()
    assert study(stop_when=StopRule("ER", 0.05)).manifest() == {**study().manifest(), "stop_when": "ER±0.05"}


def test_dialogues_without_a_rule_keep_their_order_and_with_one_all_models_share_a_balanced_one():
    plain = [(planned.concept.id, planned.level) for planned in dialogue_specs(study())]
    assert plain[:3] == [("derivative", 0.5), ("recursion", 0.0), ("newtons-second-law", 0.5)]
    models = ("simulated/steady", "simulated/fading")
    ruled = dialogue_specs(study(models=models, stop_when=StopRule("ER", 0.05)))
    by_model = {
        model: [(planned.concept.id, planned.level, planned.position) for planned in ruled if planned.model == model]
        for model in models
    }
    assert by_model[models[0]] == by_model[models[1]]
    assert len({concept for concept, *_ in by_model[models[0]][:8]}) == 8
    assert {(planned.id, planned.position) for planned in ruled} == {
        (planned.id, planned.position) for planned in dialogue_specs(study(models=models))
    }


GRIDS = st.tuples(st.integers(1, 14), st.integers(1, 7), st.integers(1, 3), st.integers(0, 50))


def spread(counted, numbers):
    times = [counted[number] for number in range(numbers)]
    return max(times) - min(times)


@given(GRIDS, st.booleans())
def test_every_cell_is_drawn_once_and_a_sample_ends_before_the_next_begins(grid, by_concept):
    concepts, levels, samples, seed = grid
    order = drawn_order(concepts, levels, samples, seed=seed, by_concept=by_concept)
    every = set(product(range(concepts), range(levels), range(samples)))
    assert len(order) == len(every)
    assert set(order) == every
    assert [sample for _, _, sample in order] == sorted(sample for _, _, sample in order)


@given(GRIDS)
def test_any_beginning_is_balanced_over_concepts_and_over_levels(grid):
    concepts, levels, samples, seed = grid
    met, at = Counter(), Counter()
    for number, (concept, level, _) in enumerate(drawn_order(concepts, levels, samples, seed=seed), start=1):
        met[concept] += 1
        at[level] += 1
        assert spread(met, concepts) <= 1
        assert spread(at, levels) <= 1
        if number % levels == 0:
            assert len(set(at.values())) == 1


@given(GRIDS)
def test_whole_concepts_are_asked_about_at_every_level_before_the_next_one(grid):
    concepts, levels, samples, seed = grid
    order = drawn_order(concepts, levels, samples, seed=seed, by_concept=True)
    for start in range(0, len(order), levels):
        block = order[start : start + levels]
        assert len({(concept, sample) for concept, _, sample in block}) == 1
        assert {level for _, level, _ in block} == set(range(levels))


def test_the_order_is_the_seeds_and_samples_differ():
    first = drawn_order(8, 5, 2, seed=1)
    assert first == drawn_order(8, 5, 2, seed=1) != drawn_order(8, 5, 2, seed=2)
    assert [cell[:2] for cell in first[:40]] != [cell[:2] for cell in first[40:]]
