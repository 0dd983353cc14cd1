import math

import pytest

from tests.integrity.examples import made_trials, study_rows
from voirdire.integrity import IntegrityError
from voirdire.papers.claims import Claim, Result, compare
from voirdire.papers.integrity.claims import CheckedStatement, Statement, compute, load_statements, matching_quantity
from voirdire.papers.integrity.study import study
from voirdire.papers.integrity.tables import as_dict


def checked(printed, quantity="x", **values):
    """Numbers printed for one quantity, beside the values that it and others have."""
    others = tuple(Result(value, definition=name) for name, value in values.items())
    result = Result(values[quantity], definition=quantity, others=others)
    outcomes = tuple(compare(Claim(number, "here", "x is this", number), result) for number in printed)
    return CheckedStatement(Statement("id", "x is this", "", ()), outcomes)


def test_a_number_is_reproduced_when_its_own_quantity_rounds_to_it_and_explained_when_another_does():
    found = checked(["0.31", "0.10", "0.55"], x=0.3074, y=0.0981)

    assert [matching_quantity(each) for each in found.outcomes] == ["x", "y", None]
    assert found.reproduces == "0.31 only"


def test_all_or_nothing_is_said_plainly():
    assert checked(["0.31"], x=0.3074).reproduces is True
    assert checked(["0.31"], x=-0.3074, negated=0.3074).reproduces is False


def test_a_quantity_that_the_study_lacks_is_undefined():
    trials = study(made_trials(study_rows()))

    assert math.isnan(compute(trials, "likert_icc", "no such quantity").value)


def test_every_statement_has_numbers_and_says_where_they_come_from():
    _, statements = load_statements()

    assert all(each.claims and each.says and each.definition for each in statements)
    assert all(claim.section and claim.numbers for each in statements for claim in each.claims)


def test_trials_of_another_source_are_held_against_no_claims():
    found = as_dict(study(made_trials(study_rows())))
    assert found["headline"] == []
    assert set(found["icc_table"]) == {
        f"likert|{name}|as_published(-1 sentinel kept)"
        for name in ("epistemic_integrity", "value_transparency", "overall_score")
    }
    assert found["sentinel"]["cells"] == []


def test_a_part_of_the_published_trials_can_not_be_held_against_all_claims():
    part = study(made_trials(study_rows(), source="github:chrbradley/constitutional-reasoning-engine"))
    with pytest.raises(IntegrityError, match="binary"):
        as_dict(part)
