"""What is typed and not sent: it stays with its rater, its item and its field."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.extras.raters.browser._person import Person
from tests.extras.raters.browser._projects import make
from tests.extras.raters.browser._serving import Served
from tests.raters.tasks.guided.examples import made
from tests.raters.tasks.guided.test_sources import written

Serve = Callable[[Path], Served]
SitDown = Callable[..., Person]
REASON = "#work textarea[name=reason]"
WHY = "#work input[name=reason]"
BACK = "What you had entered and not sent is back."


def _write(page: Page, text: str) -> None:
    """Into the reason, which is folded before anything stands there."""
    if not page.locator(REASON).is_visible():
        page.locator("#work summary", has_text="Reason").click()
    page.locator(REASON).fill(text)


def at_first_pair(serve: Serve, sit_down: SitDown, tmp_path: Path) -> tuple[Served, Person]:
    served = serve(make(tmp_path / "pairs.db", "preference", documents=3))
    ann = sit_down(served, "Ann")
    ann.begin()
    return served, ann


def type_into(page: Page, reason: str, why: str) -> None:
    _write(page, reason)
    page.locator("#work summary", has_text="Leave this one out").click()
    page.locator(WHY).fill(why)


def test_unsent_text_stays_with_its_item(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served, ann = at_first_pair(serve, sit_down, tmp_path)
    first = ann.page.url
    _write(ann.page, "Of the first.")
    ann.answered(ann.button("A is better").click)
    type_into(ann.page, "Of the second.", "Why not.")
    ann.page.goto(first)
    expect(ann.page.locator(REASON)).to_have_value("Of the first.")
    expect(ann.page.locator(WHY)).to_have_value("")
    ann.page.go_back()
    expect(ann.page.locator("#status")).to_have_text(BACK)
    expect(ann.page.locator(REASON)).to_have_value("Of the second.")
    expect(ann.page.locator(WHY)).to_have_value("Why not.")

    ann.answered(ann.button("B is better").click)
    assert ann.page.evaluate("Object.keys(localStorage)") == [], "with an item go its drafts of all fields"
    expect(ann.page.locator(WHY)).to_have_value("")
    ann.assert_quiet()
    assert sorted(each.value["reason"] for each in served.project.ratings) == ["Of the first.", "Of the second."]


def test_unsent_text_is_not_shown_to_another_rater(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served, ann = at_first_pair(serve, sit_down, tmp_path)
    type_into(ann.page, "Mine alone.", "Mine too.")
    ann.page.goto(served.server.links["Ben"])
    ann.page.get_by_role("button", name="Begin").click()
    expect(ann.page.locator(REASON)).to_have_value("")
    expect(ann.page.locator(WHY)).to_have_value("")


def test_undo_leaves_the_reason_in_its_field(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served, ann = at_first_pair(serve, sit_down, tmp_path)
    _write(ann.page, "It took long to write.")
    ann.answered(ann.button("A is better").click)
    ann.answered(ann.button("Undo").click)
    expect(ann.page.locator(REASON)).to_have_value("It took long to write.")
    expect(ann.page.locator(WHY)).to_have_value("")
    ann.page.reload()
    expect(ann.page.locator(REASON)).to_have_value("It took long to write.")
    type_into(ann.page, "", "It is in Finnish.")
    ann.answered(ann.button("Leave it out").click)
    ann.answered(ann.button("Undo").click)
    expect(ann.page.locator(WHY)).to_have_value("It is in Finnish.")
    expect(ann.page.locator(REASON)).to_have_value("")
    assert served.project.ratings == ()


def test_a_mark_takes_no_other_draft_of_its_item(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    ann = sit_down(serve(make(tmp_path / "spans.db", "spans")), "Ann")
    ann.begin()
    _write(ann.page, "Half a thought.")
    ann.page.locator("input[name=quote]").fill("library opens")
    ann.page.reload()
    expect(ann.page.locator("input[name=quote]")).to_have_value("library opens")
    ann.answered(ann.button("Unsupported").click)
    expect(ann.page.locator("ol.marked li")).to_have_count(1)
    expect(ann.page.locator(REASON)).to_have_value("Half a thought.")
    expect(ann.page.locator("input[name=quote]")).to_have_value("")


@pytest.mark.parametrize(("task", "button"), [("labels", "Evidence"), ("spans", "Unsupported")])
def test_a_reason_that_undo_brought_back_survives_marks_until_it_is_sent(
    serve: Serve, sit_down: SitDown, tmp_path: Path, task: str, button: str
) -> None:
    rows = [{"id": name, "context": "It opens at 9.", "question": "When?", "answer": "At 8."} for name in "ab"]
    source = written(tmp_path / "answers.jsonl", rows)
    served = serve(made(tmp_path, task, source, guide="evidence: true"))
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()
    answer = ann.page.locator("#work .now .choices button").first
    _write(ann.page, "It took long to write.")
    ann.answered(answer.click)
    ann.answered(ann.button("Undo").click)
    expect(ann.page.locator(REASON)).to_have_value("It took long to write.")
    ann.page.locator("[data-part]").first.evaluate("text => getSelection().selectAllChildren(text)")
    ann.answered(ann.button(button).click)
    expect(ann.page.locator("ol.marked li")).to_have_count(1)
    expect(ann.page.locator(REASON)).to_have_value("It took long to write.")
    ann.answered(lambda: ann.press("u"))
    expect(ann.page.locator(REASON)).to_have_value("It took long to write.")
    ann.answered(answer.click)
    ann.assert_quiet()
    assert [rating.value["reason"] for rating in served.project.ratings] == ["It took long to write."]
