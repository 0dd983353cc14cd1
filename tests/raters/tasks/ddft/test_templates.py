"""The pages of the task: whole without script, and safe whatever an answer holds."""

import re

import jinja2
import pytest

from tests.raters._templates import environment_of
from tests.raters.tasks.ddft.turns import FORM, RATED, SETTINGS, a_work, rows_of
from voirdire.raters.tasks.ddft.task import TASK

HOSTILE = '<script>alert(1)</script> " onload=x </textarea>'


@pytest.fixture(scope="module")
def templates():
    return environment_of("ddft", settings=SETTINGS, new_token=lambda: "token")


def page_of(templates, work, **values):
    known = {"locked": None, "unsaved": {}, "path": "/w/s/item/k", "seen": 0} | values
    return templates.get_template(TASK.template).render(work=work, view=TASK.view(work), **known)


def checked(page):
    return re.findall(r'name="(\w+)" value="([\w.]+)"(?: required)? checked', page)


def test_the_form_asks_for_both_scores_and_the_stance_by_labelled_fields(templates):
    page = page_of(templates, a_work())
    assert 'method="post"' in page and 'name="action" value="rate"' in page
    for name, choices in (("far", 12), ("sas", 11), ("stance", 3)):
        assert len(re.findall(rf'<label data-key="\w"><input type="radio" name="{name}"', page)) == choices
    assert page.count("<fieldset") == page.count("<legend>") == 3
    assert 'id="focus"' in page and "<label" in page and checked(page) == []
    described = re.findall(r'aria-describedby="([\w-]+)"', page)
    assert described and all(f'id="{each}"' in page for each in described)
    assert "style=" not in page and "<script" not in page


def test_that_the_last_key_saves_is_told_beside_the_comment(templates):
    assert "the last answer saves: write your comment before it" in page_of(templates, a_work())


def test_a_turn_with_nothing_fabricated_shows_no_stance(templates):
    assert 'name="stance"' not in page_of(templates, a_work(fabricated="", turn=1, history=[]))


def test_what_was_chosen_is_there_again_and_so_is_what_was_refused(templates):
    work = a_work(*rows_of(TASK.take(a_work(), "rate", FORM)))
    assert checked(page_of(templates, work)) == [("far", "1"), ("sas", "0.9"), ("stance", "rejected")]
    again = page_of(templates, a_work(), unsaved={"far": "none", "comment": "draft"})
    assert checked(again) == [("far", "none")] and "draft</textarea>" in again


@pytest.mark.parametrize("field", ["answer", "question", "reference", "concept", "fabricated"])
def test_hostile_text_is_shown_as_text(templates, field):
    page = page_of(templates, a_work(**{field: HOSTILE}))
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert "<script>" not in page_of(templates, a_work(), unsaved={"comment": HOSTILE})


def test_an_adjudicator_sees_others_ratings_and_a_locked_rating_has_no_form(templates):
    page = page_of(templates, a_work(others=[RATED, RATED | {"far": None, "no_claims": True, "comment": HOSTILE}]))
    assert (
        "factual accuracy 1, coherence 0.9, rejected" in page
        and "no checkable claims, coherence 0.9" in page
        and "<script>" not in page
    )
    work = a_work(*rows_of(TASK.take(a_work(), "rate", FORM)), phase="calibration", others=[RATED])
    locked = page_of(templates, work, locked="Feedback has been shown.")
    assert "<form" not in locked and "factual accuracy 1, coherence 0.9, rejected" in locked


def test_feedback_says_what_was_right_and_why(templates):
    key = RATED | {"far": 0.5, "why": "Because."}
    work = a_work(*rows_of(TASK.take(a_work(), "rate", FORM)), key=key, phase="practice")
    page = templates.get_template("ddft/feedback.html").render(feedback=TASK.feedback(work))
    assert (
        "Right answer" in page
        and "Not quite." in page
        and "Because." in page
        and "<td>0.5</td><td>no: 0.3 to 0.7 would be</td>" in page
    )
    calibrating = a_work(*rows_of(TASK.take(a_work(), "rate", FORM)), phase="calibration", others=[RATED])
    page = templates.get_template("ddft/feedback.html").render(feedback=TASK.feedback(calibrating))
    assert "What others say of it" in page and "factual accuracy 1, coherence 0.9, rejected" in page


def test_the_guideline_is_shown_whole(templates):
    guideline = TASK.guideline(SETTINGS)
    page = templates.get_template("ddft/guideline.html").render(guideline=guideline)
    assert all(str(jinja2.filters.escape(each["definition"])) in page for each in guideline["classes"])
