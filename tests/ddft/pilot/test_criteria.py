import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.ddft.concepts import examples
from voirdire.ddft.concepts import parse_concept
from voirdire.ddft.concepts.checking import BrokenRule
from voirdire.ddft.pilot import PilotAnswers, criteria, discriminative_power
from voirdire.ddft.pilot.criteria import between_models, fall_over_levels
from voirdire.ddft.pilot.session import named_examples
from voirdire.ddft.questions import NO_EXAMPLE
from voirdire.records import Instance
from voirdire.stats import one_way_anova

CONCEPT = parse_concept(examples.text(), "tides.yaml").concept
NOISE = np.random.default_rng(3).normal(0, 0.02, (2, 3, 3))


def asked(means, models=None, levels=(0.0, 0.5, 1.0)):
    """Dialogues around one mean per model and level."""
    far = np.array(means)[:, :, None] + NOISE[: len(means)]
    names = tuple(f"m{number}" for number in range(len(far)))
    return PilotAnswers(models or names, levels, far, (8, 9), (0.7, 9))


def statuses(concept=CONCEPT, findings=(), given=None):
    return [each.status for each in criteria(concept, findings, given or asked([[0.9, 0.8, 0.7], [0.5, 0.4, 0.3]]))]


def test_the_four_criteria_stand_in_the_papers_order():
    found = criteria(CONCEPT, (), asked([[0.9, 0.8, 0.7], [0.5, 0.4, 0.3]]))
    assert [(each.number, each.as_dict()["section"]) for each in found] == [(n, "DDFT 4.2") for n in (1, 2, 3, 4)]
    assert [each.name for each in found] == [
        "Verifiable ground truth",
        "Real-world instantiations",
        "Specific factual details",
        "Discriminative power",
    ]
    assert statuses() == ["met"] * 4


@pytest.mark.parametrize(
    ("changes", "findings", "expected"),
    [
        ({"facts": CONCEPT.facts[:4]}, (), ["not met", "met", "met"]),
        ({}, (BrokenRule("error", "wrong-true", "facts[0].wrong", "it is true."),), ["not met", "met", "met"]),
        ({}, (BrokenRule("error", "scholars", "scholars", "too few."),), ["met", "met", "met"]),
        ({"instances": CONCEPT.instances[:1]}, (), ["met", "not met", "met"]),
        ({"instances": (Instance("a thing", place="Mars"), *CONCEPT.instances)}, (), ["met", "met", "not met"]),
    ],
)  # fmt: skip
def test_rules_and_counts_settle_the_first_three(changes, findings, expected):
    assert statuses(dataclasses.replace(CONCEPT, **changes), findings)[:3] == expected


@pytest.mark.parametrize(
    ("examples", "status"), [((0, 18), "not shown"), ((8, 18), "not shown"), ((0, 0), "not shown"), ((9, 18), "met")]
)
def test_instantiations_are_met_only_where_turn_2_gets_them_named(examples, status):
    given = dataclasses.replace(asked([[0.9, 0.8, 0.7]]), examples=examples)
    found = criteria(CONCEPT, (), given)[1]
    assert found.status == status
    assert f"named an example to quote in {examples[0]} of {examples[1]} dialogues" in str(found.evidence[1])
    assert ("too few to show" in str(found.evidence[1])) == (status == "not shown")
    without = criteria(dataclasses.replace(CONCEPT, instances=()), (), given)[1]
    assert without.status == "not met"


def turns(*notes):
    """Turn 3 of dialogues, with what is noted of its question."""
    return pd.DataFrame({"turn": [2] + [3] * len(notes), "question_notes": [[], *notes]})


def test_examples_are_counted_by_the_code_that_the_protocol_notes():
    assert named_examples(turns([], [NO_EXAMPLE], ["no example was found in its words"], ["x", NO_EXAMPLE])) == (2, 4)


@pytest.mark.parametrize(
    ("means", "status"),
    [
        ([[0.9, 0.8, 0.7], [0.5, 0.4, 0.3]], "met"),
        ([[0.7, 0.7, 0.7], [0.7, 0.7, 0.7]], "not shown"),
        ([[0.98, 0.98, 0.98], [0.98, 0.98, 0.98]], "not met"),
        ([[0.9, 0.7, 0.5]], "met"),
        ([[0.7, 0.7, 0.7]], "not shown"),
    ],
)
def test_discriminative_power_is_met_only_where_models_or_levels_are_told_apart(means, status):
    assert discriminative_power(asked(means)).status == status


@pytest.mark.parametrize(
    ("means", "rule"),
    [
        ([[0.9, 0.9, 0.9], [0.5, 0.5, 0.5]], "met_by_spread"),
        ([[0.98, 0.98, 0.98], [0.98, 0.98, 0.98]], "known_to_everybody"),
        ([[0.9, 0.7, 0.5]], "met_by_fall"),
        ([[0.7, 0.7, 0.7]], "fall_not_shown"),
    ],
)
def test_the_rule_that_decides_on_discriminative_power_is_named(means, rule):
    assert discriminative_power(asked(means)).evidence[-1].code == rule


def test_the_evidence_tells_n_interval_and_the_papers_range():
    levels, fall, between, _ = map(str, discriminative_power(asked([[0.9, 0.8, 0.7], [0.5, 0.4, 0.3]])).evidence)
    assert "0: 0.71, 0.5: 0.59, 1: 0.49; a range of 0.22, inside the paper's 0.15 to 0.85" in levels
    assert "6 pairs, 95 %" in fall
    assert "2 models, 18 dialogues" in between and "95 %" in between


def test_json_holds_codes_with_the_figures_that_the_words_round():
    given = asked([[0.9, 0.8, 0.7], [0.5, 0.4, 0.3]])
    printed = [each.as_dict()["evidence"] for each in criteria(CONCEPT, (), given)]
    assert all(found["code"] and found["text"] for evidence in printed for found in evidence)
    levels, fall, between, rule = printed[-1]
    assert [level["level"] for level in levels["levels"]] == list(given.levels)
    assert fall["mean"] == fall_over_levels(given.far).mean
    assert (between["share"], between["models"]) == (between_models(given.far).share, 2)
    assert rule["code"] == "met_by_spread"


def test_a_pilot_without_scores_shows_nothing():
    empty = PilotAnswers(("a", "b"), (0.0, 1.0), np.full((2, 2, 3), np.nan), (0, 0), None)
    found = discriminative_power(empty)
    assert found.status == "not shown" and "0: none, 1: none" in str(found.evidence[0])


SCORES = arrays(np.float64, (3, 3, 2), elements=st.floats(0, 1).map(lambda value: round(value, 3)))


def test_a_case_worked_by_hand():
    # One level, two models, three samples: means 0.2 and 0.8; MSB = 3 * 0.18 = 0.54, MSE = (0.02 + 0.02)/4 = 0.01.
    far = np.array([[[0.1, 0.2, 0.3]], [[0.7, 0.8, 0.9]]])
    found = between_models(far)
    assert found.sd_within == pytest.approx(0.1)
    assert found.sd_between == pytest.approx(math.sqrt((0.54 - 0.01) / 3))
    assert found.share == pytest.approx((54 - 1) / (54 + 2))
    assert found.interval.low < found.share < found.interval.high


@given(SCORES)
def test_at_one_level_f_is_that_of_the_one_way_analysis(far):
    one = far[:, :1, :]
    found = between_models(one)
    if found is None or found.share == 0:
        return
    f = one_way_anova(one.ravel(), np.repeat([0, 1, 2], 2)).F
    assert found.share == pytest.approx((f - 1) / (f + 1))


@given(SCORES, st.lists(st.floats(-1, 1), min_size=3, max_size=3))
def test_what_a_level_adds_for_every_model_changes_nothing(far, shifts):
    plain, shifted = between_models(far), between_models(far + np.array(shifts)[None, :, None])
    if plain is None or shifted is None or plain.sd_within < 1e-3:
        return
    assert shifted.share == pytest.approx(plain.share, abs=1e-6)
    assert 0 <= plain.interval.low <= plain.share + 1e-9 and plain.share - 1e-9 <= plain.interval.high <= 1


def test_the_interval_covers_the_true_share():
    rng = np.random.default_rng(1)
    true, covered = 0.5, 0
    for _ in range(400):
        models = rng.normal(0, 1, (4, 1, 1))
        found = between_models(models + rng.normal(0, 1, (4, 3, 3)) + np.array([0, 2, 5])[None, :, None])
        covered += found.interval.low <= true <= found.interval.high
    assert 0.92 <= covered / 400 <= 0.98


def test_without_two_models_or_without_noise_nothing_is_said():
    assert between_models(np.full((1, 3, 3), 0.5)) is None
    assert between_models(np.full((2, 1, 1), 0.5)) is None
    assert between_models(np.full((2, 3, 2), 0.5)) is None


def test_dialogues_without_a_score_are_left_out():
    far = np.random.default_rng(0).random((3, 3, 2))
    gone = np.concatenate([far, np.full((1, 3, 2), np.nan)])
    assert between_models(gone) == between_models(far)


def test_a_fall_is_taken_in_pairs():
    far = np.array([[[0.9, 0.8, 0.7], [0.5, 0.5, np.nan]], [[0.9, 0.9, 0.9], [0.9, 0.7, 0.8]]])
    fall = fall_over_levels(far)
    assert (fall.mean, fall.pairs) == (pytest.approx((0.4 + 0.3 + 0.0 + 0.2 + 0.1) / 5), 5)
    assert fall.interval.low < fall.mean < fall.interval.high
    assert fall_over_levels(far[:, :1]) is None
    assert fall_over_levels(far[:1, :, :2]).interval is None


def test_the_interval_of_a_fall_ends_where_scores_do():
    fall = fall_over_levels(np.array([[[1.0], [0.1]], [[1.0], [0.0]], [[0.3], [0.3]]]))

    assert fall.interval.high == 1.0
