"""The suite of planted defects: what is in it, and how it counts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from benchmarks.accuracy.planted import auditing
from benchmarks.accuracy.planted.clean import MADE, REAL
from benchmarks.accuracy.planted.comparisons import holm
from benchmarks.accuracy.planted.legitimate import LEGITIMATE
from benchmarks.accuracy.planted.plants import PLANTS, SECOND
from benchmarks.accuracy.planted.study import Answer, Item, Printed, aggregate
from benchmarks.accuracy.planted_defects import Outcome, chosen, report, show

CHECKS = """
headline_recomputed dropped_items missing_scored different_items duplicate_items constant_output empty_output
truncated refusals unparsed reference_in_prompt output_addresses_judge copied_judge constant_judge
lone_judge self_judging length_association position_association wrong_key_suspects best_of repeated_identical
unclustered_error unpaired_test multiple_comparisons power baseline saturation
different_scales swapped_outputs leaked_template
""".split()
OF_TABLES = frozenset({"lone_judge"})
"""Checks of several judges of one score, which only tables keep together."""


def row(check: str, status: str, *models: str) -> dict[str, Any]:
    return {"id": check, "status": status, "models": list(models)}


def test_every_check_has_a_dozen_plants_in_at_least_three_formats() -> None:
    count = Counter(plant.check for plant in PLANTS)
    assert sorted(count) == sorted(CHECKS) and min(count.values()) >= 12 and len(PLANTS) >= 320
    assert (
        min(
            len({plant.format for plant in PLANTS if plant.check == check})
            for check in CHECKS
            if check not in OF_TABLES
        )
        >= 3
    )
    assert len({plant.name for plant in PLANTS}) == len(PLANTS)
    assert len(MADE) + len(REAL) >= 20 and len({each.format for each in MADE}) == 11


def test_no_plant_is_put_where_the_finding_is_right_already() -> None:
    made = {each.name for each in MADE}
    assert [p.name for p in (*PLANTS, *SECOND) if p.clean in made and p.clean in LEGITIMATE.get(p.check, {})] == []


def test_the_second_sitting_has_forty_plants_of_its_own() -> None:
    assert len(SECOND) == 40 and len({plant.name for plant in (*PLANTS, *SECOND)}) == len(PLANTS) + 40
    assert {plant.check for plant in chosen([], small=False, second=True)} == {plant.check for plant in SECOND}


def test_a_quick_look_takes_two_plants_of_each_check() -> None:
    assert Counter(plant.check for plant in chosen([], small=True)) == dict.fromkeys(CHECKS, 2)
    assert {plant.check for plant in chosen(["truncated"], small=False)} == {"truncated"}


def test_a_plant_is_found_where_its_models_are_named_and_were_not_before() -> None:
    plants = [plant for plant in PLANTS if plant.check == "truncated"][:4]
    outcomes = {plant.clean: Outcome(plant.clean, checks=[row("truncated", "pass")]) for plant in plants}
    flagged = ([row("truncated", "warn", "anthropic:claude-3-5-haiku")], [row("truncated", "fail")])
    others = ([row("truncated", "fail", "gpt-4o")], [row("refusals", "fail")])
    for plant, checks in zip(plants, (*flagged, *others), strict=True):
        outcomes[plant.name] = Outcome(plant.name, ("anthropic/claude-3-5-haiku",), checks)

    (found,) = report(plants, outcomes)
    assert (found["found"], found["planted"]) == (2, 4)
    assert found["missed"] == [plants[2].name, plants[3].name]

    outcomes[plants[0].clean].checks = [row("truncated", "warn")]
    (found,) = report(plants, outcomes)
    assert found["found"] == 1 and found["false alarms"] == 1 and found["alarmed"] == [plants[0].clean]
    assert plants[0].name in found["found before"] and plants[0].clean in show([found], outcomes)


def test_a_finding_that_is_right_is_no_false_alarm() -> None:
    plants = [plant for plant in PLANTS if plant.check == "self_judging"][:1]
    outcomes = {plants[0].name: Outcome(plants[0].name), plants[0].clean: Outcome(plants[0].clean)}
    outcomes["alpaca-real"] = Outcome("alpaca-real", checks=[row("self_judging", "fail")])
    (found,) = report(plants, outcomes)
    assert found["false alarms"] == 0 and found["clean"] == 1 and found["right"] == ["alpaca-real"]


def test_an_audit_that_breaks_is_a_miss_and_is_named() -> None:
    plant = PLANTS[0]
    outcomes = {plant.name: Outcome(plant.name, error="RuntimeError: exit code 1"), plant.clean: Outcome(plant.clean)}
    (found,) = report([plant], outcomes)
    assert found["found"] == 0 and "exit code 1" in show([found], outcomes)


@pytest.mark.parametrize("status", ["pass", "not measured"])
def test_what_is_not_measured_is_no_alarm(status: str) -> None:
    assert not auditing.alarms({"checks": [row("power", status)]}, "power")


def test_an_aggregate_is_the_mean_over_items_of_what_was_scored() -> None:
    items = [Item("a", ""), Item("b", ""), Item("c", "")]
    scores = ((items[0], 1.0), (items[0], 0.0), (items[1], 1.0), (items[2], None))
    answers = [Answer(item, "m", "", score) for item, score in scores]
    assert aggregate(answers) == Printed(0.75, 0.25, 2)
    assert aggregate(answers, "max") == Printed(1.0, 0.0, 2)


def test_holm_multiplies_by_the_tests_that_are_left() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
