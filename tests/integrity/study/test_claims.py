import pytest

from tests.integrity.study.made import made_trials, study_rows
from voirdire.integrity import IntegrityError
from voirdire.integrity.study import as_dict, study
from voirdire.integrity.study.claims import Claim, Printed, matches, reproduces

CLAIM = Claim("key", "x is 0.31 or 0.10", (Printed("0.31", "here", "x"), Printed("0.10", "there", "x")), "")


def test_a_number_reproduces_when_its_own_quantity_rounds_to_it():
    found = matches(CLAIM, {"x": 0.3074, "y": 0.0981})
    assert [(each.holds, each.found_as) for each in found] == [(True, "x"), (False, "y")]
    assert reproduces(found) == "0.31 only"


def test_all_or_nothing_is_said_plainly():
    one = Claim("key", "", (Printed("0.31", "", "x"),), "")
    assert reproduces(matches(one, {"x": 0.3074})) is True
    assert reproduces(matches(one, {"x": -0.3074, "-x": 0.3074})) is False
    assert reproduces(matches(one, {"x": None})) is False


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
