"""Parts of pages that all tasks share."""

import re

import pytest

from tests.raters._templates import environment_of
from voirdire.raters.records import Rater, Settings
from voirdire.raters.tasks import MODULES, open_task
from voirdire.raters.web.rating import Overview


@pytest.mark.parametrize(
    ("unsaved", "names"),
    [
        ({"action": "mark", "part": "output", "start": "4", "end": "9", "quote": "", "reason": " "}, []),
        ({"action": "mark", "part": "output", "label": "wrong", "quote": ""}, []),
        ({"action": "answer", "answer": "a", "reason": ""}, ["Answer"]),
    ],
)
def test_what_was_entered_and_not_saved_lists_nothing_empty(unsaved, names):
    page = environment_of("labels", folder="guided").get_template("_unsaved.html").render(unsaved=unsaved)
    assert re.findall("<dt>(.*?)</dt>", page) == names
    assert bool(names) == ("<details" in page)


@pytest.mark.parametrize("name", MODULES)
def test_each_form_of_export_says_what_it_holds(name):
    own = open_task(name).exchange().own
    says = [each.says for each in own.values()]
    assert all(says) and len(set(says)) == len(says)


@pytest.mark.parametrize("why", [None, "Glass is melted and used again."])
def test_what_was_done_last_is_told_as_a_sentence(why):
    says = "Answer A is better"
    what = "Context: glass. Is glass recyclable?"
    left = {"name": "pair 7", "what": what, "says": says, "why": why, "feedback": None, "path": "/", "undo": False}
    page = environment_of("preference", folder="guided").get_template("_after.html").render(left=left)
    text = " ".join(re.sub("<[^>]+>", "", page).split())
    begins = "Saved" if why is None else "Right"
    assert text == f"{begins}: {says}, pair 7 ({what})" + ("" if why is None else f". {why}")


@pytest.mark.parametrize(("rated", "told"), [(0, True), (3, False)])
def test_whoever_begins_is_sent_to_the_guideline(rated, told):
    overview = Overview(rated, 9, 6, None, 0, "0 s", ("45 s", "2 min"))
    page = page_of("home.html", overview=overview)
    assert ("first: it says what you are asked" in page) is told
    assert "Single keys are off until" not in page
    ends = "once it has all its ratings and an adjudicator has started work."
    assert ends in " ".join(page.split())


def test_nobody_is_told_that_nothing_is_assigned_before_they_begin():
    def told(rated, in_hand):
        overview = Overview(rated, 9, 6, None, in_hand, "0 s", ("45 s", "2 min"))
        return "Assigned to you" in page_of("home.html", overview=overview)

    assert (told(0, 0), told(0, 1), told(3, 0)) == (False, True, True)


def test_whoever_has_rated_all_is_told_so_and_not_asked_to_go_on():
    def page(rated, in_hand, may_come):
        return page_of("home.html", overview=Overview(rated, 9, may_come, None, in_hand, "0 s", ("45 s", "2 min")))

    assert "All done" in page(9, 0, 0) and "Go on" not in page(9, 0, 0)
    assert all("Go on" in page(8, *left) for left in ((1, 0), (0, 1)))


def test_what_not_sure_and_leaving_out_are_for_is_told_before_and_beside_them():
    page = page_of("home.html", overview=Overview(0, 9, 6, None, 0, "0 s", ("45 s", "2 min")))
    assert "“Not sure” is an answer too" in page and "“Leave this one out” is for what nobody could rate" in page
    without = open_task("labels").guided({"unsure": False, "skip": False})
    page = page_of("home.html", task=without, overview=Overview(0, 9, 6, None, 0, "0 s", ("45 s", "2 min")))
    assert "Not sure" not in page and "Leave this one out" not in page


def test_after_the_last_item_nothing_is_promised_that_the_organiser_can_not_do():
    assert "closes the project" not in page_of("pause.html", state="finished", rated=3, left=None)


def page_of(name, **values):
    known = {"settings": Settings(task="labels", title="Answers"), "rater": Rater("r1", "Ann", "rater"), "base": "/w/s"}
    known |= {"qualified": None, "replies": 0, "new_token": lambda: "token", "asset": lambda name: name}
    return environment_of("labels", folder="guided", **known).get_template(name).render(**values)
