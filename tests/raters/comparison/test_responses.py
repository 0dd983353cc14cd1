import json

import pytest

from tests.raters._projects import deduction, violation
from tests.raters.comparison.examples import audit_project, audit_run
from voirdire.raters.comparison import compare_with
from voirdire.raters.records import RatersError

VAGUE = violation("imprecision", 0, "F1", "around 1930")
DOUBT = violation("unsupported_caveat", 1, "F2", "may")
LEFT_OUT = violation("omission", None, "F2")
INVENTED = violation("fact_invention", 1, None, "traffic")

PEOPLE = {
    "ann": [[VAGUE], [VAGUE, DOUBT], [], [DOUBT]],
    "ben": [[VAGUE], [VAGUE], [INVENTED], [DOUBT]],
}
AUDITORS = {
    "openai/x": [[VAGUE], [VAGUE, DOUBT], [INVENTED], []],
    "openai/y": [[VAGUE], [VAGUE, LEFT_OUT], [INVENTED], []],
    "openai/z": [[], [LEFT_OUT], [INVENTED], []],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return audit_run(tmp_path_factory.mktemp("audits") / "run", AUDITORS)


@pytest.fixture(scope="module")
def found(run):
    return compare_with(audit_project(PEOPLE), run)


def test_violations_are_compared_one_by_one(found):
    consensus = found.findings[0]
    rows = {(row.item, row.family): (row.people_type, row.machine_type, row.people) for row in consensus.findings}
    assert rows == {
        ("x0", "precision"): ("imprecision", "imprecision", 2),
        ("x1", "precision"): ("imprecision", "imprecision", 2),
        ("x1", "omission"): (None, "single_omission", 0),
        ("x2", "invention"): (None, "fact_invention", 1),  # one of two people is no majority
        ("x3", "doubt"): ("unsupported_caveat", None, 2),
    }
    assert consensus.positive_agreement.value == pytest.approx(2 * 2 / (3 + 4))
    families = {row.name: row[1:] for row in consensus.families}
    assert families == {
        "precision": (2, 0, 0),
        "omission": (0, 0, 1),
        "invention": (0, 0, 1),
        "doubt": (0, 1, 0),
    }
    assert {row.name for row in consensus.types} == {
        "imprecision",
        "single_omission",
        "fact_invention",
        "unsupported_caveat",
    }


def test_every_auditor_is_compared_beside_the_panel(found):
    assert [(each.machine, each.consensus) for each in found.findings] == [
        ("openai/x, openai/y, openai/z", True),
        ("openai/x", False),
        ("openai/y", False),
        ("openai/z", False),
    ]
    assert found.findings[1].positive_agreement.value == pytest.approx(2 * 2 / (3 + 4))


def test_an_adjudicators_decision_stands_for_people(run):
    decided = audit_project(PEOPLE, adjudicated={2: deduction(70, violations=[INVENTED])})
    found = compare_with(decided, run)
    row = next(row for row in found.findings[0].findings if row.item == "x2")
    assert (row.people_type, row.machine_type, row.people) == ("fact_invention", "fact_invention", 1)


def test_scores_have_bias_and_correlations_for_the_panel_and_each_auditor(found):
    together = {each.machine: each for each in found.scores if not each.people}
    panel = together["openai/x, openai/y, openai/z"]
    # People: 90, 85, 95, 90. The panel: 95, 80 (a peripheral fact left out beside), 70, 100.
    assert (panel.people_mean, panel.machine_mean) == (90, pytest.approx((95 + 90 + 70 + 100) / 4))
    assert panel.bias.value == pytest.approx(panel.machine_mean - 90)
    assert panel.mean_absolute.value == pytest.approx((5 + 5 + 25 + 10) / 4)
    assert set(together) == {panel.machine, *AUDITORS}
    assert {each.people for each in found.scores} == {"", "ann", "ben"}


def test_findings_of_people_and_machine_are_held_against_those_of_people(found):
    row = next(each for each in found.closeness if each.scale == "findings" and each.consensus)
    # Ann and Ben share three of eight marks; with the panel Ann shares 2 of 4 + 4, Ben 3 of 4 + 4.
    assert row.people.value == pytest.approx(2 * 3 / 8)
    assert row.with_machine.value == pytest.approx(2 * 5 / 16)
    assert row.difference.value == pytest.approx(10 / 16 - 6 / 8)


def test_bands_are_confused(found):
    band = next(each for each in found.confusions if each.consensus)
    assert band.scale == "band" and sum(map(sum, band.counts)) == band.items


def test_another_text_of_a_response_is_refused(run, tmp_path):
    other = audit_run(tmp_path / "run", AUDITORS)
    file = other / "responses.jsonl"
    file.write_text(file.read_text().replace("around 1930", "around 1931"))
    with pytest.raises(RatersError, match="The response 'r0' has another text"):
        compare_with(audit_project(PEOPLE), other)


def test_a_run_of_another_instrument_is_refused(tmp_path):
    from tests.raters.comparison.examples import label_run

    with pytest.raises(RatersError, match="one of cognibench"):
        compare_with(audit_project(PEOPLE), label_run(tmp_path / "run", ["faithful"]))


def test_all_of_it_is_json(found):
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False))["findings"][0]["items"] == 4
