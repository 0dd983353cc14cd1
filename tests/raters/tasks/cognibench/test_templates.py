"""The task's fragments, rendered with the app's macros but without the app."""

import re
from dataclasses import replace

import pytest

from tests.raters._templates import environment_of
from tests.raters.tasks.cognibench.helpers import BODY, answered, in_hand
from voirdire.raters.records import Settings
from voirdire.raters.tasks.cognibench.ladder import walk
from voirdire.raters.tasks.cognibench.task import TASK

RELIABLE = walk(["no", "cognitive", "yes", "yes", "no"])
HOSTILE = '<script>alert("1")</script>'
KEY = {"label": "misleading", "path": [["irrelevant", "no"], ["type", "cognitive"], ["rational", "no"]], "why": "Y."}


def rendered(template, **values):
    environment = environment_of("cognibench", new_token=lambda: "t" * 24)
    return environment.get_template(f"cognibench/{template}.html").render(**values)


def page(work, locked=None):
    return rendered(
        "rating_page", work=work, view=TASK.view(work), locked=locked, unsaved={}, seen=3, path="/w/x/item/a%231"
    )


def buttons(html):
    return re.findall(r'<button type="submit" name="answer" value="(\w+)"', html)


def test_the_page_offers_the_choices_of_one_question_with_their_keys():
    html = page(in_hand())
    assert buttons(html) == ["yes", "no"]
    assert re.findall(r'data-key="(.)"', html) == ["i", "s", "e"]
    assert '<input type="hidden" name="question" value="irrelevant">' in html
    assert "<mark>The mill was built in 1802.</mark>" in html


def test_answered_questions_can_be_changed_until_they_are_locked():
    work = answered(RELIABLE[:2])
    assert buttons(page(work)) == ["yes", "no", "factual", "cognitive", "yes", "no"]
    assert re.findall(r'data-key="(.)"', page(work)) == ["b", "m", "e"]
    assert buttons(page(answered(RELIABLE), locked="It stays.")) == []


def test_a_complete_rating_takes_a_reason_unless_it_is_locked():
    assert 'value="reason"' in page(answered(RELIABLE))
    assert "<textarea" not in page(answered(RELIABLE), locked="It stays.")


def test_hostile_text_is_shown_as_text():
    work = in_hand(others=[{"label": "faithful", "steps": [], "reason": HOSTILE}])
    statements = [{"text": HOSTILE, "start": 0, "end": len(HOSTILE)}]
    body = {name: HOSTILE for name in BODY} | {"history": [[HOSTILE, HOSTILE]], "statements": statements}
    html = page(replace(work, document=replace(work.document, body=body), item=replace(work.item, place=0)))
    assert "<script" not in html and html.count("&lt;script&gt;") == 7


@pytest.mark.parametrize("work", [in_hand(), answered(RELIABLE[:4]), answered(RELIABLE)], ids=["new", "half", "done"])
def test_ids_are_given_once_and_references_lead_somewhere(work):
    html = page(work)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids)) and "focus" in ids
    assert set(re.findall(r'aria-describedby="([^"]+)"', html)) <= set(ids)


@pytest.mark.parametrize(
    ("path", "says"), [(RELIABLE, "Not so: Misleading, not Reliable"), (KEY["path"], "Right: Mis")]
)
def test_feedback_says_right_or_wrong_why_and_where_the_ladder_was_left(path, says):
    html = rendered("feedback", feedback=TASK.feedback(answered(path, phase="practice", key=KEY)))
    assert says in html and "Y." in html
    assert html.count("Here you answered otherwise") == (path is RELIABLE)


def test_feedback_without_a_key_shows_what_others_say():
    work = answered(RELIABLE, phase="calibration", others=[{"label": "invented", "steps": [], "reason": "R."}])
    html = rendered("feedback", feedback=TASK.feedback(work))
    assert "You said: Reliable" in html and "Invented" in html and "R." in html
    alone = TASK.feedback(answered(RELIABLE, phase="calibration"))
    assert "Nobody else" in rendered("feedback", feedback=alone)


def test_the_guideline_shows_classes_criteria_and_the_ladder_where_it_is_climbed():
    sequential = Settings(task="cognibench", title="", pass_share=0.75)
    html = rendered("guideline", guideline=TASK.guideline(sequential))
    assert html.count('class="class"') == 7 and "75 %" in html and "Villaroman" in html and "<table" in html
    assert "<table" not in rendered("guideline", guideline=TASK.guideline(replace(sequential, mode="independent")))
