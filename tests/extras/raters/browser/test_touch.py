"""By touch, on a telephone: words are marked and statements answered, without a mouse or a key."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.extras.raters.browser._person import Person
from tests.extras.raters.browser._projects import STATEMENTS, make
from tests.extras.raters.browser._serving import Served
from tests.raters.tasks.guided.examples import made
from tests.raters.tasks.guided.test_sources import written

Serve = Callable[[Path], Served]
SitDown = Callable[..., Person]
PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}
TEXT = "#work [data-part=output]"
_SELECT = """(part, word) => {
  const [node, start] = [part.firstChild, part.firstChild.data.indexOf(word)];
  getSelection().setBaseAndExtent(node, start, node, start + word.length);
}"""
_LEAST = 24
"""CSS pixels: the smallest target that WCAG 2.2 (2.5.8) allows."""


def test_words_that_a_phone_has_selected_are_marked_by_a_button(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served, ann = begin_marking(serve, sit_down, tmp_path, answers=2)
    for number in (1, 2):
        expect(ann.page.get_by_role("heading", name=f"Answer {number} of 2")).to_be_visible()
        select_word(ann, "eight")
        tap(ann, ann.button("Unsupported"))
        expect(ann.page.locator("ol.marked q")).to_have_text(["eight"])
        tap(ann, ann.button("Done with this answer"))
    expect(ann.page.get_by_role("heading", name="All done")).to_be_visible()
    assert [[(each["start"], each["end"]) for each in rating.value["spans"]] for rating in served.project.ratings] == [
        [(12, 17)],
        [(12, 17)],
    ]
    ann.assert_quiet()


def test_a_mark_is_removed_and_an_answer_undone_by_taps(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served, ann = begin_marking(serve, sit_down, tmp_path, answers=2)
    select_word(ann, "eight")
    tap(ann, ann.button("Unsupported"))
    tap(ann, ann.page.locator("ol.marked").get_by_role("button"))
    expect(ann.page.locator("ol.marked q")).to_have_count(0)
    tap(ann, ann.button("Done with this answer"))
    tap(ann, ann.button("Undo"))
    assert served.project.ratings == ()
    select_word(ann, "opens")
    tap(ann, ann.button("Unsupported"))
    tap(ann, ann.button("Done with this answer"))
    (rating,) = served.project.ratings
    assert [(each["start"], each["end"]) for each in rating.value["spans"]] == [(3, 8)]
    ann.assert_quiet()


def test_a_finished_answer_whose_marks_are_changed_stays_until_it_is_done_again(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served, ann = begin_marking(serve, sit_down, tmp_path, answers=1)
    select_word(ann, "opens")
    tap(ann, ann.button("Unsupported"))
    tap(ann, ann.button("Done with this answer"))
    expect(ann.page.get_by_role("heading", name="All done")).to_be_visible()
    ann.page.get_by_role("link", name="Done", exact=True).tap()
    ann.page.get_by_role("listitem").get_by_role("link", name="It opens at eight").tap()
    tap(ann, ann.page.locator("ol.marked").get_by_role("button"))
    expect(ann.page.locator("ol.marked q")).to_have_count(0)
    assert served.project.ratings == (), "half edited, it does not count"
    select_word(ann, "eight")
    tap(ann, ann.button("Unsupported"))
    tap(ann, ann.button("Done with this answer"))
    expect(ann.page.get_by_role("heading", name="All done")).to_be_visible()
    (rating,) = served.project.ratings
    assert [(each["start"], each["end"]) for each in rating.value["spans"]] == [(12, 17)]
    ann.assert_quiet()


def test_statements_are_answered_by_taps(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann", **PHONE)
    begin(ann)
    paths = (
        ("It says something", "It reports (factual)", "Yes, all of it"),
        (
            "It says something",
            "It goes beyond (cognitive)",
            "Yes, it can be believed",
            "Yes, it is supported",
            "No, it can be disputed",
        ),
        ("It says nothing",),
    )
    for text, path in zip(STATEMENTS, paths, strict=True):
        expect(ann.page.locator("#work blockquote")).to_have_text(text)
        for answer in path:
            tap(ann, ann.page.locator("#work .choices").get_by_role("button", name=answer))
    expect(ann.page.get_by_role("heading", name="All done")).to_be_visible()
    assert [rating.value["label"] for rating in served.project.ratings] == ["faithful", "reliable", "irrelevant"]
    ann.assert_quiet()


def test_the_last_answer_of_a_statement_is_undone_by_a_tap(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann", **PHONE)
    begin(ann)
    choices = ann.page.locator("#work .choices")
    tap(ann, choices.get_by_role("button", name="It says something"))
    tap(ann, ann.button("Undo the last answer here"))
    tap(ann, choices.get_by_role("button", name="It says nothing"))
    assert [rating.value["label"] for rating in served.project.ratings] == ["irrelevant"]
    ann.assert_quiet()


def test_each_button_is_in_the_same_place_on_each_item(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    """However long the texts, whatever was done last: who taps one spot gives one answer."""
    rows = [
        {"id": name, "context": "It opens at nine. " * times, "question": "When?" * times, "answer": "At 8. " * times}
        for name, times in (("a", 1), ("b", 60), ("c", 1), ("d", 12))
    ]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows), guide="evidence: true"))
    ann = sit_down(served, "Ann", **PHONE)
    begin(ann)
    boxes = []
    for _ in rows:
        for scrolled in (0, 10_000, 0):
            ann.page.evaluate(f"scrollTo(0, {scrolled})")
            box = ann.button("Correct").bounding_box()
            assert box is not None
            boxes.append((box["x"], box["y"]))
        tap(ann, ann.button("Correct"))
    expect(ann.page.get_by_role("heading", name="All done")).to_be_visible()
    assert all(max(ends) - min(ends) < 1 for ends in zip(*boxes, strict=True))
    ann.assert_quiet()


_TAPS = """([place, ...milliseconds]) => document.addEventListener("htmx:afterSettle", () => {
  for (const wait of milliseconds) setTimeout(() => {
    const box = document.querySelectorAll("#work .now button")[place].getBoundingClientRect();
    const button = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1, ...at }));
    document.documentElement.dataset.told = document.querySelector("#too-soon").textContent;
  }, wait);
}, { once: true })"""


_TOO_SOON = "“Correct” came too soon and was not used."


def test_taps_soon_after_a_change_of_the_page_rate_nothing_unseen(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    """Four taps 120 ms apart give one answer, and no later one."""
    rows = [{"id": name, "question": "When?", "answer": "At 8."} for name in "abc"]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann", real_clock=True, **PHONE)
    begin(ann)
    ann.page.evaluate(_TAPS, [0, 0, 120, 240, 360, 390, 600])  # the last as one of the same run
    tap(ann, ann.button("Correct"))
    ann.page.wait_for_timeout(700)
    assert ann.page.evaluate("() => document.documentElement.dataset.told") == _TOO_SOON
    ann.page.wait_for_timeout(600)
    assert len(served.project.ratings) == 1, "nor is a tap used later"
    tap(ann, ann.button("Correct"))
    assert len(served.project.ratings) == 2
    expect(ann.page.locator("#too-soon")).to_have_text("")
    ann.assert_quiet()


@pytest.mark.parametrize(("place", "milliseconds", "taken"), [(0, 550, False), (0, 750, True), (1, 450, True)])
def test_a_slow_second_tap_on_one_spot_rates_nothing_unseen_and_a_tap_elsewhere_is_used_sooner(
    place: int, milliseconds: int, taken: bool, serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": name, "question": "When?", "answer": "At 8."} for name in "abc"]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann", real_clock=True, **PHONE)
    begin(ann)
    ann.page.evaluate(_TAPS, [place, milliseconds])
    tap(ann, ann.button("Correct"))
    if taken:
        expect(ann.page.get_by_role("heading", name="Answer 3 of 3")).to_be_visible()
    else:
        ann.page.wait_for_timeout(600)
        expect(ann.page.locator("#too-soon")).to_have_text(_TOO_SOON)
    assert len(served.project.ratings) == 1 + taken
    ann.assert_quiet()


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_with_keys_on_arrow_keys_mark_words_though_the_pointer_is_a_finger(
    serve: Serve, sit_down: SitDown, tmp_path: Path, width: int
) -> None:
    rows = [{"id": name, "context": "At 9.", "question": "When?", "answer": "It opens at 8."} for name in "ab"]
    served = serve(made(tmp_path, "spans", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann", viewport={"width": width, "height": 800}, has_touch=True, is_mobile=True)
    ann.begin()
    ann.press("1")
    expect(ann.page.locator("#too-soon")).to_have_text("Keys is off, so that key did nothing. Press ? to switch it on.")
    ann.press("?")
    keys = ann.page.get_by_role("dialog")
    for words in ("Go through the text word by word", "Shift and arrow keys"):
        expect(keys).to_contain_text(words)
    ann.press("Enter")
    expect(keys).to_be_hidden()
    for number in (1, 2):
        expect(ann.page.get_by_role("heading", name=f"Answer {number} of 2")).to_be_visible()
        ann.press("ArrowRight", "ArrowRight", "Shift+ArrowRight")
        expect(ann.page.locator("input[name=quote]")).to_have_value("opens at")
        ann.answered(lambda: ann.press("1"))
        ann.answered(lambda: ann.press("d"))
    assert [len(each.value["spans"]) for each in served.project.ratings] == [1, 1]
    ann.assert_quiet()


def test_enter_begins_without_keys(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    ann = sit_down(serve(make(tmp_path / "p.db", "labels")), "Ann")
    ann.rest()
    with ann.page.expect_navigation():
        ann.page.keyboard.press("Enter")
    ann.rest()
    expect(ann.page.locator("#work")).to_be_visible()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#work .now")).to_be_visible()


def begin_marking(serve: Serve, sit_down: SitDown, folder: Path, answers: int) -> tuple[Served, Person]:
    """A project of so many equal answers to mark words in, and Ann on her telephone before the first."""
    row = {"context": "It opens at nine.", "question": "When?", "answer": "It opens at eight."}
    rows = [{"id": str(number), **row} for number in range(answers)]
    served = serve(made(folder, "spans", written(folder / "a.jsonl", rows)))
    ann = sit_down(served, "Ann", **PHONE)
    begin(ann)
    return served, ann


def begin(person: Person) -> None:
    with person.page.expect_navigation():
        person.page.get_by_role("button", name="Begin").tap()


def tap(person: Person, wanted: Locator) -> None:
    """Touch a button that is large enough, once a second tap is no double one, and wait for what comes of it."""
    person.rest()
    box = wanted.bounding_box()
    assert box is not None and min(box["width"], box["height"]) >= _LEAST
    person.answered(wanted.tap)


def select_word(person: Person, word: str) -> None:
    """What a telephone selects where a finger rests on a word: Chromium on a desktop selects nothing by touch."""
    person.page.locator(TEXT).evaluate(_SELECT, word)
    expect(person.page.locator("input[name=quote]")).to_have_value(word)
