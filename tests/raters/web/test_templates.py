"""Parts of pages that all tasks share."""

import re

import pytest

from tests.raters._templates import environment_of
from voirdire.raters.tasks import MODULES, open_task


@pytest.mark.parametrize(
    ("unsaved", "names"),
    [
        ({"action": "mark", "part": "output", "start": "4", "end": "9", "quote": "", "reason": " "}, []),
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
    left = {"what": "Is glass recyclable?", "says": says, "why": why, "feedback": None, "path": "/", "undo": False}
    page = environment_of("preference", folder="guided").get_template("_after.html").render(left=left)
    text = " ".join(re.sub("<[^>]+>", "", page).split())
    begins = "Saved" if why is None else "Right"
    assert text == f"{begins}: Is glass recyclable?: {says}" + ("" if why is None else f". {why}")
