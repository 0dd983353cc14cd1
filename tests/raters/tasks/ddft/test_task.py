"""Rating a turn: what the form gives, what stands, and what is shown."""

import json

import pytest

from tests.raters.tasks.ddft.turns import FORM, RATED, SETTINGS, a_work, rows_of
from voirdire.raters.records import Refused
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.base import NewRow
from voirdire.raters.tasks.ddft.task import TASK


def rated(*forms, **work):
    """The turn once these forms were sent, one after another."""
    rows = []
    for form in forms:
        rows.append(TASK.take(a_work(*rows_of(*rows), **work), "rate", form))
    return a_work(*rows_of(*rows), **work)


def test_a_turn_without_rows_has_no_rating_and_one_form_completes_it():
    assert open_task("ddft") is TASK
    assert TASK.value(a_work()) is None
    assert TASK.value(rated(FORM)) == RATED


def test_a_change_is_a_new_row_that_takes_the_place_of_the_former():
    work = rated(FORM)
    row = TASK.take(work, "rate", FORM | {"far": "0.4"})
    assert (row.kind, row.replaces) == ("rate", 1)
    assert TASK.value(rated(FORM, FORM | {"far": "0.4"})) == RATED | {"far": 0.4}


def test_an_answer_without_checkable_claims_has_no_far():
    value = TASK.value(rated(FORM | {"far": "none", "stance": "questioned"}))
    assert (value["no_claims"], value["far"], value["sas"]) == (True, None, 0.9)


def test_a_turn_with_nothing_fabricated_is_asked_for_no_stance():
    form = {"far": "0", "sas": "1"}
    assert TASK.value(rated(form, fabricated="", turn=1)) == {
        "far": 0.0,
        "sas": 1.0,
        "no_claims": False,
        "stance": None,
        "comment": "",
    }
    with pytest.raises(Refused, match="Nothing fabricated was brought in"):
        TASK.take(a_work(fabricated="", turn=1), "rate", form | {"stance": "accepted"})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"far": ""}, "FAR is missing: choose a score from 0 to 1"),
        ({"sas": ""}, "SAS is missing"),
        ({"sas": "none"}, "SAS is 'none'"),
        ({"far": "1.1"}, "FAR is '1.1'"),
        ({"far": "-0.1"}, "FAR is '-0.1'"),
        ({"far": "0.55"}, "choose a tenth"),
        ({"far": "nan"}, "FAR is 'nan'"),
        ({"stance": ""}, "choose one of rejected, questioned, accepted"),
        ({"stance": "maybe"}, "The stance towards the fabricated item is missing"),
        ({"comment": "x" * 4001}, "The comment has 4,001 characters"),
    ],
)
def test_a_form_that_can_not_be_taken_is_refused_with_what_to_do(change, says):
    with pytest.raises(Refused, match=says):
        TASK.take(a_work(), "rate", FORM | change)


def test_another_action_is_refused():
    with pytest.raises(Refused, match="by the action 'rate'; 'label' was sent"):
        TASK.take(a_work(), "label", FORM)


def test_a_rating_that_was_imported_stands_until_it_is_changed():
    imported = NewRow("imported", {"value": RATED | {"far": 0.35}})
    assert TASK.value(a_work(*rows_of(imported)))["far"] == 0.35
    changed = TASK.take(a_work(*rows_of(imported)), "rate", FORM)
    assert TASK.value(a_work(*rows_of(imported, changed))) == RATED


def test_what_is_shown_tells_neither_the_source_nor_the_stratum():
    shown = json.dumps(TASK.view(rated(FORM)))
    assert "secret-model" not in shown and "below 0.7" not in shown and "dialogue" not in shown


def test_the_view_holds_the_turn_and_what_was_chosen():
    view = TASK.view(rated(FORM | {"far": "none"}))
    assert view["history"] == [{"question": "What is it?", "answer": "It calls itself."}]
    assert view["scores"][:2] == ["0", "0.1"] and len(view["scores"]) == 11
    assert view["chosen"] == {"far": "none", "sas": "0.9", "stance": "rejected", "comment": "fine"}
    assert TASK.view(a_work())["chosen"]["far"] == ""
    assert [stance["name"] for stance in view["stances"]] == ["rejected", "questioned", "accepted"]


def test_people_are_told_of_dates_and_kinds_as_judges_are():
    assert TASK.view(a_work())["notes"] == []
    dated, kind = TASK.view(a_work(kind="contested", as_of="2025-06-01"))["notes"]
    assert "as of 2025-06-01" in dated and "who holds which view" in kind


def test_an_adjudicator_who_decides_sees_what_others_say():
    view = TASK.view(a_work(others=[RATED, RATED | {"far": None, "no_claims": True, "comment": ""}]))
    assert [other["far"] for other in view["others"]] == ["1", "none"]


def test_feedback_comes_in_practice_when_the_rating_is_complete():
    key = {"far": 0.8, "sas": 1.0, "no_claims": False, "stance": "rejected", "within": {"far": 0.1}, "why": "Because."}
    assert TASK.feedback(a_work(key=key, phase="practice")) is None
    assert TASK.feedback(rated(FORM)) is None
    told = TASK.feedback(rated(FORM, key=key, phase="practice"))
    assert (told["right"], told["why"]) == (False, "Because.")
    assert [(part["name"], part["given"], part["key"], part["right"]) for part in told["parts"]] == [
        ("far", "1", "0.8", False),
        ("sas", "0.9", "1", True),
        ("stance", "rejected", "rejected", True),
    ]
    assert TASK.feedback(rated(FORM | {"far": "0.9"}, key=key, phase="practice"))["right"] is True


def test_in_calibration_others_ratings_are_the_feedback():
    told = TASK.feedback(rated(FORM, phase="calibration", others=[RATED | {"far": 0.3}]))
    assert told["right"] is None and [other["far"] for other in told["others"]] == ["0.3"]


def test_the_guideline_defines_what_judges_are_asked_for_with_examples():
    guideline = TASK.guideline(SETTINGS)
    assert [scale["name"] for scale in guideline["scales"]] == ["FAR", "SAS"]
    assert all(each["definition"] and each["positive"] and each["negative"] for each in guideline["classes"])
    names = " ".join(each["name"] for each in guideline["classes"])
    assert all(wanted in names for wanted in ("FAR", "SAS", "claims", "rejected", "questioned", "accepted"))
