import pytest

from tests.raters._projects import deduction, scored_project, violation
from voirdire.integrity import IntegrityError
from voirdire.raters.agreement import agree


def project_of(ann, ben):
    rows = {"ann": ann, "ben": ben}
    return scored_project({who: [deduction(90, violations=found) for found in row] for who, row in rows.items()})


def test_a_worked_case_of_positive_agreement():
    vague, doubt = violation("vagueness", 0, "F1"), violation("unsupported_caveat", 1, "F2")
    found = agree(project_of([[vague, doubt], [vague], []], [[vague], [vague, doubt], [doubt]])).live.findings
    # In common 1 + 1 + 0; marked (2 + 1) + (1 + 2) + (0 + 1).
    assert found.positive_agreement.value == pytest.approx(2 * 2 / 7)
    assert found.by_family["precision"].value == 1
    assert found.by_family["doubt"].value == 0
    (pair,) = found.pairs
    assert (pair.raters, pair.items, pair.shared, pair.marked) == (("ann", "ben"), 3, 2, (3, 4))


def test_types_of_one_family_are_the_same_finding_and_another_fact_is_not():
    one = [[violation("vagueness", 0, "F1")]]
    assert agree(project_of(one, [[violation("imprecise", 0, "F1")]])).live.findings.positive_agreement.value == 1
    assert agree(project_of(one, [[violation("vagueness", 0, "F2")]])).live.findings.positive_agreement.value == 0
    assert agree(project_of(one, [[violation("vagueness", 1, "F1")]])).live.findings.positive_agreement.value == 0


def test_omissions_concern_the_whole_response_wherever_they_were_entered():
    found = agree(project_of([[violation("omission", 1, "F2")]], [[violation("omission", None, "F2")]])).live.findings
    assert found.positive_agreement.value == 1


def test_nothing_marked_is_no_agreement_and_says_so():
    found = agree(project_of([[], []], [[], []])).live.findings
    assert found.positive_agreement.value is None
    assert "Nobody" in found.positive_agreement.reason


def test_an_unknown_type_is_named():
    with pytest.raises(IntegrityError, match="no violation type 'rudeness'"):
        agree(project_of([[violation("rudeness")]], [[]]))


def test_deductions_stand_beside_first_impressions_before_any_second_look():
    looked = deduction(60, holistic=75) | {
        "second_look": {"missed": True, "twice": False, "values": False, "note": "", "score_before": 90}
    }
    values = {"ann": [looked, deduction(70, holistic=65), deduction(80, holistic=80)], "ben": [None, None, None]}
    (gap,) = agree(scored_project(values)).live.holistic
    assert (gap.rater, gap.items, gap.over, gap.changed) == ("ann", 3, 1, 1)
    assert gap.difference.value == pytest.approx((15 + 5 + 0) / 3)
    assert gap.mean_absolute == pytest.approx(20 / 3)
