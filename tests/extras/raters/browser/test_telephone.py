"""On a telephone: nothing lies over what is pressed, and the text to judge is in view."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.extras.raters.browser._person import Person
from tests.extras.raters.browser._projects import make
from tests.extras.raters.browser._serving import Served
from tests.raters.tasks.guided.examples import made
from tests.raters.tasks.guided.test_sources import written
from voirdire.raters.tasks import MODULES

Serve = Callable[[Path], Served]
SitDown = Callable[..., Person]
PHONE = {"viewport": {"width": 390, "height": 800}}
_COVERED = """([selector, text]) => {
  const wanted = [...document.querySelectorAll(selector)].find(each => each.textContent.trim() === text);
  wanted.scrollIntoView({ block: 'nearest' });
  const box = wanted.getBoundingClientRect();
  const middle = box.top + box.height / 2;
  return [0.1, 0.3, 0.5, 0.9].map(part => document.elementFromPoint(box.left + box.width * part, middle))
    .filter(each => !wanted.contains(each)).map(each => each?.textContent.trim());
}"""
_ON_TOP = """each => {
  const box = each.getBoundingClientRect();
  return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === each;
}"""
_IS_WHOLE = """each => [...each.getClientRects()].every(line => [0.1, 0.5, 0.9].every(part =>
  document.elementFromPoint(line.left + line.width * part, line.top + line.height / 2) === each
)) && each.scrollWidth <= each.clientWidth"""
_WIDTH = "box => box.getBoundingClientRect().width"
TEXT = "#work [data-part=output]"


def covered(page: Page, selector: str, text: str) -> list[str]:
    """What lies over something, once it is in view."""
    found: list[str] = page.evaluate(_COVERED, [selector, text])
    return found


def test_undo_lies_over_no_button(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    ann = sit_down(serve(make(tmp_path / "spans.db", "spans", documents=2)), "Ann", **PHONE)
    ann.begin()
    ann.page.locator("input[name=quote]").fill("library opens")
    ann.answered(ann.button("Unsupported").click)
    undo = ann.button("Undo the last mark here")
    expect(undo).to_be_in_viewport(ratio=1)
    assert ann.page.locator("#work .back").evaluate(_WIDTH) == 390, "a bar below the page, no button afloat over it"
    assert covered(ann.page, "#work button", "Done with this answer") == []
    assert covered(ann.page, "#work summary", "Leave this one out") == []
    expect(undo).to_be_in_viewport(ratio=1)


def test_the_next_text_is_in_view_and_the_heading_has_the_focus(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    guide = """
practice:
  - {prompt: "When?", context: Lunch is at noon., answer: Lunch is at one., right: [one], why: So it says.}
"""
    said = {"context": "It opens at 9. " * 30, "question": "?", "answer": "It opens at 8."}
    rows = [{"id": name, **said} for name in "ab"]
    ann = sit_down(
        serve(made(tmp_path, "spans", written(tmp_path / "a.jsonl", rows), guide=guide)),
        "Ann",
        **PHONE,
        has_touch=True,
        is_mobile=True,
    )
    ann.begin()
    mark(ann, "one")
    done(ann)
    for told in ("#work .after.told", "#work .begins", TEXT, "#focus"):
        expect(ann.page.locator(told)).to_be_in_viewport(ratio=1)
    mark(ann, "8")
    expect(ann.page.locator(TEXT)).to_be_in_viewport(ratio=1)
    done(ann)
    expect(ann.page.locator(TEXT)).to_be_in_viewport(ratio=1)
    expect(ann.page.locator("#focus")).to_be_focused()


def test_what_was_saved_is_in_view_however_long_the_question(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    said = {"question": "How much is lunch for a class of thirty on a Friday? " * 3, "answer": "Lunch is free."}
    rows = [{"id": name, "context": "C", **said} for name in "ab"]
    ann = sit_down(serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows))), "Ann", **PHONE)
    ann.begin()
    ann.answered(ann.button("Incorrect").click)
    label, bar = ann.page.locator("#work .after strong"), ann.page.locator("#work .after p")
    expect(label).to_have_text("Incorrect")
    ends = [each.evaluate("each => each.getBoundingClientRect().bottom") for each in (label, bar)]
    assert ends[0] <= ends[1], "a bar of two lines cuts off what comes after them"


def mark(ann: Person, words: str) -> None:
    ann.page.locator("input[name=quote]").fill(words)
    ann.page.locator(TEXT).scroll_into_view_if_needed()
    ann.answered(lambda: ann.button("Unsupported").evaluate("button => button.click()"))


def done(ann: Person) -> None:
    ann.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    ann.answered(ann.button("Done with this answer").click)


def test_enter_in_the_selected_words_chooses_none_of_several_labels(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": "a", "context": "C", "question": "?", "answer": "Two and two."}]
    source = written(tmp_path / "a.jsonl", rows)
    served = serve(made(tmp_path, "spans", source, guide="labels: [wrong, added]"))
    ann = sit_down(served, "Ann")
    ann.begin()
    ann.reach(TEXT)
    ann.press("End")
    ann.reach("input[name=quote]")
    ann.answered(lambda: ann.press("Enter"))
    expect(ann.page.locator("#work .said")).to_have_text("Choose a label for these words: press its button.")
    assert [row.kind for row in served.project.rows if row.item] == []
    ann.answered(ann.button("Added").click)
    (row,) = [row for row in served.project.rows if row.item]
    assert (row.body["label"], row.body["start"]) == ("added", 8), "the words that were selected, not the first alike"


@pytest.mark.parametrize("seen", [{}, PHONE])
def test_who_is_done_with_selected_words_unmarked_is_asked_first(
    serve: Serve, sit_down: SitDown, tmp_path: Path, seen: dict[str, dict[str, int]]
) -> None:
    source = written(tmp_path / "a.jsonl", [{"id": "a", "context": "C", "question": "?", "answer": "Two and two."}])
    served = serve(made(tmp_path, "spans", source))
    ann = sit_down(served, "Ann", **seen)
    ann.begin()
    expect(ann.page.locator("#work .marking .hint")).to_contain_text("then press a label.")
    ann.page.locator(TEXT).dblclick(position={"x": 8, "y": 12})
    expect(ann.page.locator("input[name=quote]")).to_have_value("Two")
    ann.button("Done with this answer").click()
    told = ann.page.get_by_role("alert")
    expect(told).to_have_text(
        "Not finished yet: “Two” is selected and not marked. Press a label to mark it, or Done again to finish without."
    )
    expect(told).to_be_in_viewport(ratio=1)
    assert [row.kind for row in served.project.rows if row.item] == []
    ann.answered(ann.button("Done with this answer").click)
    assert [rating.value["spans"] for rating in served.project.ratings] == [[]]
    ann.assert_quiet()


def test_the_labels_that_mark_words_are_in_view_from_the_start_and_stay_where_they_are(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": n, "context": "It opens at 9. " * 90, "question": "?", "answer": "It opens at 8."} for n in "ab"]
    served = serve(made(tmp_path, "spans", written(tmp_path / "a.jsonl", rows), guide="labels: [wrong, added]"))
    ann = sit_down(served, "Ann", **PHONE, has_touch=True, is_mobile=True)
    ann.begin()
    for number in range(2):
        expect(ann.page.locator("#work .marking .hint")).to_contain_text("press long on a word and drag the ends")
        label, text = ann.button("Added"), ann.page.locator(TEXT)
        for each in (label, text):
            expect(each).to_be_in_viewport(ratio=1)
        place = label.bounding_box()
        text.evaluate("text => getSelection().selectAllChildren(text)")
        expect(ann.page.locator("input[name=quote]")).to_have_value("It opens at 8.")
        assert label.bounding_box() == place, f"of answer {number + 1}"
        if number:
            ann.page.evaluate("scrollBy(0, document.querySelector('#work .after').getBoundingClientRect().top)")
            assert label.evaluate(_ON_TOP), "what was done last does not cover it"
        ann.answered(label.click)
        expect(text).to_be_in_viewport(ratio=1)
        ann.page.evaluate("scrollTo(0, 600)")
        expect(label).to_be_in_viewport(ratio=1)
        ann.answered(ann.button("Done with this answer").click)
    assert [len(each.value["spans"]) for each in served.project.ratings] == [1, 1]
    ann.assert_quiet()


def test_what_waits_for_the_server_stands_below_the_banner_and_a_removal_leaves_the_list_where_it_is(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": "a", "context": "It opens at 9. " * 90, "question": "?", "answer": "It opens at 8."}]
    served = serve(made(tmp_path, "spans", written(tmp_path / "a.jsonl", rows), guide="labels: [wrong, added]"))
    ann = sit_down(served, "Ann", **PHONE, has_touch=True, is_mobile=True)
    ann.begin()
    for words in ("It", "8"):
        ann.page.locator("input[name=quote]").fill(words)
        ann.answered(ann.button("Added").click)
    listed = ann.page.locator("ol.marked")
    listed.scroll_into_view_if_needed()
    top = "list => list.getBoundingClientRect().top"
    place = listed.evaluate(top)
    ann.answered(listed.get_by_role("button").first.click)
    assert (listed.evaluate(top), listed.locator("li").count()) == (place, 1)

    served.server.kill()
    ann.page.locator(TEXT).evaluate("text => { getSelection().selectAllChildren(text); scrollTo(0, 600); }")
    label = ann.button("Wrong")
    label.click()
    expect(label).to_have_attribute("aria-busy", "true")
    expect(ann.page.locator("#alert")).to_be_in_viewport(ratio=1)
    assert label.evaluate(_ON_TOP) and ann.page.locator("#alert").evaluate(_ON_TOP)


def test_marked_words_are_no_reason_to_ask(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    source = written(tmp_path / "a.jsonl", [{"id": "a", "context": "C", "question": "?", "answer": "Two and two."}])
    served = serve(made(tmp_path, "spans", source))
    ann = sit_down(served, "Ann")
    ann.begin()
    ann.page.locator(TEXT).dblclick(position={"x": 8, "y": 12})
    ann.button("Done with this answer").click()
    ann.answered(ann.button("Unsupported").click)
    expect(ann.page.locator("#alert")).to_be_hidden()
    ann.answered(ann.button("Done with this answer").click)
    assert [len(rating.value["spans"]) for rating in served.project.ratings] == [1]


def test_a_text_that_is_cut_says_that_there_is_more(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    rows = [
        {"id": name, "context": "It opens at nine. " * times, "question": "When?", "answer": "At 8."}
        for name, times in (("long", 90), ("short", 1))
    ]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann", viewport={"width": 1280, "height": 500})
    ann.begin()
    seen = {}
    for _ in rows:
        material = ann.page.locator("#work .material")
        is_long = "nine. It" in material.inner_text()
        cue = ann.page.locator("#work .task").evaluate("task => getComputedStyle(task, '::after').content")
        seen[is_long] = cue
        if is_long:
            bottom = material.evaluate("box => box.getBoundingClientRect().bottom")
            assert bottom <= 500 - 24, "the cue has a line of its own below the text"
            material.evaluate("box => { box.scrollTop = box.scrollHeight; }")
            ann.page.wait_for_function("() => !document.querySelector('#work .material').classList.contains('more')")
        ann.answered(ann.button("Correct").click)
    assert "More below" in seen[True] and "More below" not in seen[False]
    ann.assert_quiet()


def test_the_page_scrolls_as_a_whole_with_the_buttons_in_reach_and_no_word_of_a_keyboard(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": n, "context": "It opens at nine. " * 90, "question": "?", "answer": "At 8."} for n in "ab"]
    source = written(tmp_path / "a.jsonl", rows)
    served = serve(made(tmp_path, "labels", source, guide="evidence: true"))
    ann = sit_down(served, "Ann", **PHONE, has_touch=True, is_mobile=True)
    for words in ("Faster by keyboard", "You get each of them"):
        expect(ann.page.get_by_text(words)).to_be_visible(visible=words.startswith("You"))
    expect(ann.page.locator("#keys-switch")).to_be_hidden()
    ann.begin()
    assert ann.page.locator("#work .material").evaluate("box => box.scrollHeight <= box.clientHeight + 1")
    for name in ("Correct", "Incorrect"):
        expect(ann.button(name)).to_be_in_viewport(ratio=1)
    select = "text => { getSelection().selectAllChildren(text); text.scrollIntoView(); }"
    ann.page.locator("[data-part=passage-1]").evaluate(select)
    expect(ann.button("Evidence")).to_be_in_viewport(ratio=1)
    ann.answered(ann.button("Evidence").click)
    expect(ann.button("Undo the last mark here")).to_be_in_viewport(ratio=1)
    assert covered(ann.page, "#work .now button", "Incorrect") == []
    ann.answered(ann.button("Incorrect").click)
    ann.answered(ann.button("Undo").click)
    expect(ann.page.locator("#work .undone")).to_have_text("Undone: your last answer. Now this has no rating of yours.")
    ann.assert_quiet()


def test_a_command_is_not_broken_within_an_option(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", [{"id": "a", "answer": "A."}])))
    organiser = sit_down(served, "organiser", **PHONE)
    options = organiser.page.locator("main code .option")
    assert options.count() > 0
    for place in range(options.count()):
        assert options.nth(place).evaluate("each => each.getClientRects().length") == 1


def test_the_questions_of_the_guideline_are_not_squeezed_into_columns(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    ann = sit_down(serve(make(tmp_path / "statements.db", "cognibench")), "Ann", **PHONE)
    ann.page.get_by_role("link", name="Guideline", exact=True).click()
    narrowest = ann.page.locator(".ladder").evaluate(
        "table => Math.min(...[...table.querySelectorAll('td')].map(_WIDTH))".replace("_WIDTH", _WIDTH)
    )
    assert narrowest > 300


def test_the_guideline_leads_on_to_rating_at_its_end(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    ann = sit_down(serve(make(tmp_path / "p.db", "labels")), "Ann", **PHONE)
    guideline = ann.page.get_by_role("link", name="Guideline", exact=True)
    guideline.click()
    with ann.page.expect_navigation():
        ann.button("Begin").click()
    ann.answered(ann.button("Correct").click)
    guideline.click()
    expect(ann.page.get_by_text("All done: nothing is left for you.")).to_be_visible()
    ann.assert_quiet()


@pytest.mark.parametrize("task", ["cognibench", "integrity"])
def test_the_page_scrolls_as_a_whole_and_no_box_in_it(
    serve: Serve, sit_down: SitDown, tmp_path: Path, task: str
) -> None:
    ann = sit_down(serve(make(tmp_path / "p.db", task, text="It opens at nine. " * 150)), "Ann", **PHONE)
    ann.begin()
    material = ann.page.locator("#work .material")
    assert material.evaluate("box => box.scrollHeight - box.clientHeight") <= 1
    assert material.bounding_box()["height"] > 800


def test_a_statement_and_its_buttons_stay_in_view_while_its_context_is_read(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    ann = sit_down(serve(make(tmp_path / "p.db", "cognibench", text="It opens at nine. " * 150)), "Ann", **PHONE)
    ann.begin()
    expect(ann.page.locator("#work .now legend")).to_be_in_viewport(ratio=1)
    for _ in range(3):
        for button in ann.page.locator("#work .now .choices button").all():
            expect(button).to_be_in_viewport(ratio=1)
        expect(ann.page.locator("#work .statement")).to_be_in_viewport()
        ann.page.mouse.move(200, 400)
        ann.page.mouse.wheel(0, 400)


@pytest.mark.parametrize("task", MODULES)
def test_on_a_phone_on_its_side_the_text_and_what_is_asked_are_in_view(
    serve: Serve, sit_down: SitDown, tmp_path: Path, task: str
) -> None:
    served = serve(make(tmp_path / "p.db", task, text="It opens at nine. " * 90))
    ann = sit_down(served, "Ann", viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    ann.begin()
    text = ann.page.locator("#work .material .text").first
    seen = text.evaluate("text => innerHeight - Math.max(0, text.getBoundingClientRect().top)")
    assert seen > 195, "half of the screen is text"
    asked = ann.page.locator("#work .asking").locator("button, input:not([type=hidden]), textarea")
    expect(asked.locator("visible=true").first).to_be_in_viewport(ratio=1)
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ann.assert_quiet()


@pytest.mark.parametrize("task", ["labels", "score", "preference", "spans", "cognibench"])
def test_on_a_phone_on_its_side_what_was_saved_takes_one_line_and_every_answer_is_in_view(
    serve: Serve, sit_down: SitDown, tmp_path: Path, task: str
) -> None:
    served = serve(make(tmp_path / "p.db", task, documents=2, text="It opens at nine on every weekday. " * 9))
    ann = sit_down(served, "Ann", viewport={"width": 740, "height": 360}, has_touch=True, is_mobile=True)
    ann.begin()
    first = ann.page.locator("#work .now .choices button").first
    ann.answered(first.click)
    banner = ann.page.locator("#work .after")
    expect(banner.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    box = banner.bounding_box()
    assert box is not None and box["height"] <= 40
    for button in ann.page.locator("#work .asking .choices button").all():
        expect(button).to_be_in_viewport(ratio=1)
        assert button.evaluate(_ON_TOP)
    if task in ("labels", "score", "preference"):
        expect(ann.page.locator("#work summary", has_text="Leave this one out")).to_be_in_viewport(ratio=1)
    ann.assert_quiet()


SIDEWAYS = {"viewport": {"width": 740, "height": 360}}
MARKS = """
title: Whatever the leaflet of the nursery does not say
labels: [wrong, added]
evidence: true
"""


def test_on_a_phone_on_its_side_the_head_is_one_line_and_what_an_adjudicator_takes_over_is_in_view(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": "a", "context": "It opens at nine. " * 90, "question": "When?", "answer": "At 8."}]
    source = written(tmp_path / "a.jsonl", rows)
    served = serve(made(tmp_path, "spans", source, guide=MARKS, gold="adjudicated"))
    for name, words in (("Ann", "At"), ("Ben", "8")):
        rater = sit_down(served, name)
        rater.begin()
        rater.page.locator("input[name=quote]").fill(words)
        rater.answered(rater.button("Wrong").click)
        rater.answered(rater.button("Done with this answer").click)
    for keys in (False, True):
        cyn = sit_down(served, "Cyn", **SIDEWAYS, has_touch=not keys, is_mobile=not keys)
        if keys:
            cyn.switch_keys_on()
        cyn.begin()
        bottom = "box => box.getBoundingClientRect().bottom"
        assert cyn.page.locator(".top").evaluate(bottom) <= 53
        assert cyn.page.locator("#work .material").evaluate(bottom) <= 360 - 24, "the cue below it is in view"
        for button in cyn.page.get_by_role("button", name="Take over").all():
            expect(button).to_be_in_viewport(ratio=1)
            assert button.evaluate(_ON_TOP)


def test_on_a_low_screen_with_keys_on_the_question_does_not_cover_the_heading(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    guide = "question: Which of the two replies would you rather send to the customer, all in all?"
    rows = [{"id": n, "context": "Open.", "question": "?", "output_a": "At 8.", "output_b": "At 9."} for n in "abc"]
    source = written(tmp_path / "a.jsonl", rows)
    ann = sit_down(serve(made(tmp_path, "preference", source, guide=guide)), "Ann", **SIDEWAYS)
    ann.switch_keys_on()
    ann.begin()
    for number in (1, 2):
        heading = ann.page.get_by_role("heading", name=f"Pair {number} of 3")
        expect(heading).to_be_in_viewport(ratio=1)
        bottom = heading.evaluate("each => each.getBoundingClientRect().bottom")
        question = ann.page.locator("#work .now > fieldset")
        assert question.evaluate("each => each.getBoundingClientRect().top") >= bottom
        for button in ann.page.locator("#work .now .choices button").all():
            expect(button).to_be_in_viewport(ratio=1)
        ann.answered(lambda: ann.press("1"))


GUIDE = """
question: Is the sentence right by the context?
labels:
  - {label: fully_backed, help: The context says all of it.}
  - {label: wrong_detail, help: One detail is another one.}
  - {label: not_in_the_context_at_all, help: The context says nothing of it.}
practice:
  - {prompt: "How long?", context: Within 14 days., answer: In 30., right: wrong_detail, why: "%(why)s"}
  - {prompt: "How much?", context: It is free., answer: It costs 3., right: wrong_detail, why: "%(why)s"}
"""


@pytest.mark.parametrize("why", ["So it says.", "Whoever sends it back after 14 days loses the price. " * 4])
@pytest.mark.parametrize("right", [True, False])
def test_on_a_phone_on_its_side_question_and_meanings_are_in_reach_after_practice(
    serve: Serve, sit_down: SitDown, tmp_path: Path, why: str, right: bool
) -> None:
    rows = [{"id": name, "context": "It opens at nine. " * 90, "question": "?", "answer": "At 8."} for name in "ab"]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows), guide=GUIDE % {"why": why}))
    ann = sit_down(served, "Ann", viewport={"width": 740, "height": 360}, has_touch=True, is_mobile=True)
    ann.begin()
    ann.answered(ann.button("Wrong detail" if right else "Fully backed").click)
    if right:
        ann.answered(ann.button("Wrong detail").click)
    expect(ann.page.locator("#work .begins" if right else "#work .feedback")).to_be_attached()
    question = ann.page.get_by_text("Is the sentence right by the context?", exact=True).first
    summary = ann.page.locator("#work summary", has_text="What the answers mean")
    for place in (question, summary):
        expect(place).to_be_in_viewport(ratio=1)
        assert place.evaluate(_ON_TOP)
    summary.click()
    for words in ("The context says all of it.", "One detail is another one.", "The context says nothing of it."):
        meaning = ann.page.get_by_text(words).locator("visible=true")
        meaning.scroll_into_view_if_needed()
        expect(meaning).to_be_in_viewport(ratio=1)
        assert meaning.evaluate(_ON_TOP)
    ann.assert_quiet()


def test_on_a_phone_on_its_side_the_meanings_of_marks_are_in_reach_after_practice(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    guide = """
labels: [{label: wrong, help: The context says otherwise.}, {label: added, help: Nothing says it.}]
practice:
  - {prompt: "When?", context: Lunch is at noon., answer: Lunch is at one., right: {wrong: [one]}, why: So it says.}
"""
    rows = [{"id": name, "context": "It opens at 9. " * 90, "question": "?", "answer": "At 8."} for name in "ab"]
    served = serve(made(tmp_path, "spans", written(tmp_path / "a.jsonl", rows), guide=guide))
    ann = sit_down(served, "Ann", viewport={"width": 740, "height": 360}, has_touch=True, is_mobile=True)
    ann.begin()
    ann.page.locator("input[name=quote]").fill("one")
    ann.answered(ann.button("Wrong").click)
    ann.answered(ann.button("Done with this answer").click)
    expect(ann.page.locator("#work .begins")).to_be_attached()
    summary = ann.page.locator("#work summary", has_text="What the answers mean")
    for place in (ann.page.locator("#work .marks-output legend"), summary):
        expect(place).to_be_in_viewport(ratio=1)
        assert place.evaluate(_ON_TOP)
    ann.assert_quiet()


LABELS = ("not_in_the_context_at_all", "says_something_of_its_own_that_is_nowhere_to_be_found_in_any_passage")


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("size", [(740, 360), (390, 844), (320, 640)])
def test_the_label_that_was_saved_is_shown_whole(
    serve: Serve, sit_down: SitDown, tmp_path: Path, size: tuple[int, int], label: str
) -> None:
    said = {"context": "C", "question": "How much is lunch for a class of thirty? " * 3, "answer": "It is free."}
    source = written(tmp_path / "a.jsonl", [{"id": name, **said} for name in "ab"])
    guide = f"labels: [right, {label}]"
    width, height = size
    ann = sit_down(
        serve(made(tmp_path, "labels", source, guide=guide)),
        "Ann",
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
    )
    ann.begin()
    text = label.capitalize().replace("_", " ")
    ann.answered(ann.button(text).click)
    saved = ann.page.locator("#work .after strong")
    expect(saved).to_have_text(text)
    assert saved.evaluate(_IS_WHOLE)
    for button in ann.page.locator("#work .now .choices button").all():
        assert button.evaluate(_ON_TOP), "the banner covers no answer"
    ann.assert_quiet()


LONG = "It opens at nine. " * 150
MEANINGS = """
question: Does it help?
labels:
  - {label: helps, help: One can act on it.}
  - {label: harms, help: Acting on it costs something.}
"""


@pytest.mark.parametrize("text", [LONG, "No."])
def test_question_and_meanings_of_the_answers_stand_above_the_text(
    serve: Serve, sit_down: SitDown, tmp_path: Path, text: str
) -> None:
    rows = [{"id": name, "context": text, "answer": "At 8."} for name in "ab"]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows), guide=MEANINGS))
    ann = sit_down(served, "Ann", **PHONE)
    ann.begin()
    for _ in rows:
        expect(ann.page.get_by_text("Does it help?", exact=True).first).to_be_in_viewport(ratio=1)
        assert ann.page.locator("#work .material").evaluate(_WIDTH) == 390
        summary = ann.page.locator("#work summary", has_text="What the answers mean")
        expect(summary).to_be_in_viewport(ratio=1)
        summary.click()
        for words in ("One can act on it.", "Acting on it costs something.", "You have read it, and can't tell."):
            expect(ann.page.get_by_text(words).locator("visible=true")).to_be_in_viewport(ratio=1)
        ann.answered(ann.button("Helps").click)
    ann.assert_quiet()


@pytest.mark.parametrize(
    ("task", "meaning"),
    [("cognibench", "It claims something about the context or the task."), ("spans", "There is no such thing.")],
)
@pytest.mark.parametrize("width", [390, 1280])
def test_what_an_answer_means_can_be_read_at_any_width(
    serve: Serve, sit_down: SitDown, tmp_path: Path, task: str, meaning: str, width: int
) -> None:
    guide = {"labels": [{"label": "invented", "key": "i", "help": "There is no such thing."}]}
    settings = {"guide": guide} if task == "spans" else {}
    ann = sit_down(serve(make(tmp_path / "p.db", task, **settings)), "Ann", viewport={"width": width, "height": 800})
    ann.begin()
    summary = ann.page.locator("#work form:is(.now, .marking) summary", has_text="What the answers mean")
    expect(summary).to_be_visible(visible=width == 390)
    if width == 390:
        summary.click()
    expect(ann.page.locator("#work").get_by_text(meaning).locator("visible=true")).to_have_count(1)
    ann.assert_quiet()


def test_the_organiser_sees_who_said_what_without_scrolling_sideways(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "labels.db", "labels"))
    for name, says in (("Ann", "Correct"), ("Ben", "Incorrect")):
        person = sit_down(served, name)
        person.begin()
        person.send(says)
    page = sit_down(served, "organiser", **PHONE).page
    cells = page.locator("#disagreements ~ .scroll").locator("th[scope=row], td")
    assert cells.count() == 4
    for cell, text in zip(cells.all(), ("", "Ann: Correct", "The adjudicator", "Outcome"), strict=True):
        box = cell.bounding_box()
        assert box is not None and box["x"] + box["width"] <= 390
        if text.startswith("Ann"):
            expect(cell).to_contain_text(text)
        elif text:
            assert text in cell.evaluate("each => getComputedStyle(each, '::before').content")
