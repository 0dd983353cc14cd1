import dataclasses

import numpy as np
import pandas as pd
import pytest

from tests.ddft.concepts import made
from voirdire.ddft.concepts import parse_concept
from voirdire.ddft.concepts.checking import Finding
from voirdire.ddft.pilot import Asked, criteria, discriminative_power
from voirdire.ddft.pilot.session import named_examples
from voirdire.ddft.questions import NO_EXAMPLE
from voirdire.records import Instance

CONCEPT = parse_concept(made.text(), "tides.yaml").concept
NOISE = np.random.default_rng(3).normal(0, 0.02, (2, 3, 3))


def asked(means, models=None, levels=(0.0, 0.5, 1.0)):
    """Dialogues around one mean per model and level."""
    far = np.array(means)[:, :, None] + NOISE[: len(means)]
    names = tuple(f"m{number}" for number in range(len(far)))
    return Asked(models or names, levels, far, (8, 9), (0.7, 9))


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
        ({}, (Finding("error", "wrong-true", "facts[0].wrong", "it is true."),), ["not met", "met", "met"]),
        ({}, (Finding("error", "scholars", "scholars", "too few."),), ["met", "met", "met"]),
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
    assert f"named an example in {examples[0]} of {examples[1]} dialogues" in found.evidence[1]
    assert ("too few to show" in found.evidence[1]) == (status == "not shown")
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
        ([[0.9, 0.9, 0.9], [0.5, 0.5, 0.5]], "Met by the spread between models: its interval leaves 0 out"),
        ([[0.98, 0.98, 0.98], [0.98, 0.98, 0.98]], "Not met by the mean FAR"),
        ([[0.9, 0.7, 0.5]], "Met by the fall over levels"),
        ([[0.7, 0.7, 0.7]], "Not shown: one model meets it by a fall"),
    ],
)
def test_the_rule_that_decides_on_discriminative_power_is_named(means, rule):
    assert discriminative_power(asked(means)).evidence[-1].startswith(rule)


def test_the_evidence_tells_n_interval_and_the_papers_range():
    levels, fall, between, _ = discriminative_power(asked([[0.9, 0.8, 0.7], [0.5, 0.4, 0.3]])).evidence
    assert "0: 0.71, 0.5: 0.59, 1: 0.49; a range of 0.22, inside the paper's 0.15 to 0.85" in levels
    assert "6 pairs, 95 %" in fall
    assert "2 models, 18 dialogues" in between and "95 %" in between


def test_a_pilot_without_scores_shows_nothing():
    empty = Asked(("a", "b"), (0.0, 1.0), np.full((2, 2, 3), np.nan), (0, 0), None)
    found = discriminative_power(empty)
    assert found.status == "not shown" and "0: none, 1: none" in found.evidence[0]
