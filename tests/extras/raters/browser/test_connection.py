"""What can go wrong on the way: no server, two tabs, no script, texts that want to be programs."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.extras.raters.browser._person import Person
from tests.extras.raters.browser._projects import make
from tests.extras.raters.browser._serving import Served
from tests.raters.tasks.guided.examples import made
from tests.raters.tasks.guided.test_sources import written
from voirdire.raters.records import Document, Item
from voirdire.raters.tasks import MODULES

Serve = Callable[[Path], Served]
SitDown = Callable[..., Person]

HOSTILE = (
    "<script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\"><h1>no heading</h1>"
    "{{ 7 * 7 }} javascript:alert(1) \u202edesrever\u202c Z\u0351\u036b\u0343\u036a\u0302\u036b \U0001d518\U0001d52b "
    + "W"
    * 500
)


def test_what_meets_no_server_is_sent_again_by_itself(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "turns.db", "ddft"))
    ann = sit_down(served, "Ann")
    ann.begin()
    ann.choose("far", "0.9")
    ann.choose("sas", "0.4")
    ann.reach("#work textarea[name=comment]")
    ann.type("Written while nobody listens.")
    served.server.kill()
    ann.reach(ann.button("Save"))
    ann.press("Enter")
    expect(ann.page.locator("#alert")).to_have_text("Not saved yet: no connection. Trying again…")
    expect(ann.button("Save")).to_be_disabled()
    expect(ann.button("Save")).to_have_attribute("aria-busy", "true")

    served.start_again()
    expect(ann.page.get_by_role("heading", name="All done")).to_be_visible(timeout=15_000)
    (rating,) = served.project.ratings
    assert (rating.value["far"], rating.value["sas"]) == (0.9, 0.4)
    assert rating.value["comment"] == "Written while nobody listens."
    assert sum(row.kind == "rate" for row in served.project.rows) == 1, "sent twice, written once"
    assert ann.errors == []


def test_nobody_is_asked_whether_to_leave_after_the_last_item(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "turns.db", "ddft"))
    ann = sit_down(served, "Ann")
    asked: list[str] = []
    ann.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    ann.begin()
    ann.choose("far", "0.9")
    ann.choose("sas", "0.4")
    ann.send("Save")
    expect(ann.page.get_by_role("heading", name="All done")).to_be_visible()
    assert asked == []
    assert len(served.project.ratings) == 1
    ann.assert_quiet()


def test_whoever_leaves_before_something_is_saved_is_asked(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "turns.db", "ddft"))
    ann = sit_down(served, "Ann")
    asked: list[str] = []
    ann.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    ann.begin()
    ann.choose("far", "0.9")
    ann.choose("sas", "0.4")
    served.server.kill()
    ann.reach(ann.button("Save"))
    ann.press("Enter")
    expect(ann.page.locator("#alert")).to_contain_text("Not saved yet")
    ann.page.close(run_before_unload=True)
    ann.page.wait_for_event("close")
    assert asked == ["beforeunload"]


def test_an_answer_that_was_saved_but_not_acknowledged_is_not_saved_twice(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann")
    ann.begin()
    lost = []

    def lose_first(route):  # type: ignore[no-untyped-def]  # the server hears it, the page hears nothing
        if lost:
            route.continue_()
            return
        lost.append(route.fetch())
        route.abort()

    ann.page.route("**/act", lose_first)
    ann.answered(lambda: (ann.reach(ann.button("It says something")), ann.press("Enter")) and None)
    expect(ann.page.locator("#status")).to_have_text("Saved: It says something")
    assert lost and sum(row.kind == "step" for row in served.project.rows) == 1
    expect(ann.page.locator("#alert")).to_be_hidden()


def test_what_met_no_server_is_sent_once_after_the_page_is_loaded_again(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann")
    ann.page.on("dialog", lambda dialog: dialog.accept())
    ann.begin()
    served.server.kill()
    ann.rest()
    ann.button("It says nothing").click()
    expect(ann.page.locator("#alert")).to_contain_text("Not saved yet")
    kept = ann.page.evaluate("() => JSON.stringify(localStorage)")
    assert "irrelevant" in kept and "/w/" not in kept, "no secret is kept"
    ann.page.goto("about:blank")
    served.start_again()
    ann.page.goto(ann.address)
    expect(ann.page.locator("#alert")).to_contain_text("An answer of yours is not saved yet.")
    ann.page.get_by_role("link", name="Open its item, and it is saved.").click()
    expect(ann.page.get_by_role("heading", name="Statement 2 of 3")).to_be_visible()
    expect(ann.page.locator("#work .after")).to_contain_text("Irrelevant (it says nothing)")
    expect(ann.page.locator("#alert")).to_be_hidden()
    ann.page.goto(f"{ann.address}item/1")
    expect(ann.page.locator("#work .settled")).to_contain_text("Irrelevant")
    ann.rest()
    assert [row.kind for row in served.project.rows if row.item] == ["step"]
    assert "unsent" not in ann.page.evaluate("() => JSON.stringify(localStorage)")
    assert ann.errors == []


def test_an_answer_that_was_saved_before_the_page_was_loaded_again_is_not_saved_twice(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann")
    ann.page.on("dialog", lambda dialog: dialog.accept())
    ann.begin()
    ann.page.route("**/act", lambda route: (route.fetch(), route.abort()) and None)  # heard, and not acknowledged
    ann.button("It says nothing").click()
    expect(ann.page.locator("#alert")).to_contain_text("Not saved yet")
    ann.page.unroute("**/act")
    ann.page.reload()
    expect(ann.page.get_by_role("heading", name="Statement 2 of 3")).to_be_visible()
    assert sum(row.kind == "step" for row in served.project.rows) == 1
    assert ann.errors == []


def test_an_unsent_answer_to_what_was_changed_in_the_meantime_is_refused_and_forgotten(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann, elsewhere = sit_down(served, "Ann"), sit_down(served, "Ann")
    ann.page.on("dialog", lambda dialog: dialog.accept())
    ann.begin()
    ann.page.route("**/act", lambda route: route.abort())
    ann.rest()
    ann.button("It says nothing").click()
    expect(ann.page.locator("#alert")).to_contain_text("Not saved yet")
    elsewhere.begin()
    elsewhere.answered(elsewhere.button("It says something").click)
    ann.page.goto("about:blank")
    ann.page.unroute("**/act")
    ann.page.goto(f"{ann.address}item/1")
    expect(ann.page.locator("#work .said")).to_contain_text("changed in another tab")
    assert [row.body["answer"] for row in served.project.rows if row.kind == "step"] == ["no"]
    assert "unsent" not in ann.page.evaluate("() => JSON.stringify(localStorage)")


def test_a_stale_tab_is_told_so_and_loses_no_text(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann")
    ann.begin()
    other = ann.context.new_page()
    other.goto(ann.page.url)
    other.wait_for_function("() => document.documentElement?.classList.contains('changed') === false")
    other.get_by_role("button", name="It says something").click()
    expect(other.locator("#work")).to_contain_text("Answered")

    ann.reach("#work textarea[name=reason]")
    ann.type("Thought of in the first tab.")
    ann.send("It says nothing")
    said = ann.page.locator("#work .said")
    expect(said).to_contain_text("changed in another tab")
    expect(ann.page.locator("#work .unsaved")).to_contain_text("Thought of in the first tab.")
    assert [row.body["answer"] for row in served.project.rows if row.kind == "step"] == ["no"]
    ann.send("It reports (factual)")
    assert ann.errors == []


def test_text_that_was_not_sent_is_there_again_after_a_reload(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "turns.db", "ddft", documents=2))
    ann = sit_down(served, "Ann")
    ann.begin()
    ann.choose("sas", "0.7")
    ann.reach("#work textarea[name=comment]")
    ann.type("Half a thought")
    ann.page.reload()
    expect(ann.page.locator("#work textarea[name=comment]")).to_have_value("Half a thought")
    expect(ann.page.locator("#work input[name=sas][value='0.7']")).to_be_checked()

    ann.choose("far", "1")
    ann.send("Save")
    expect(ann.page.locator("#work textarea[name=comment]")).to_have_value("")
    kept = ann.page.evaluate("() => JSON.stringify(localStorage)")
    assert "Half a thought" not in kept and "/w/" not in kept, "what was sent is not kept, and no secret ever"


def test_a_reply_shows_at_once_and_until_it_is_read(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann, organiser = sit_down(served, "Ann"), sit_down(served, "organiser")
    ann.begin()
    ann.page.locator("#work .ask summary").click()
    ann.page.locator("#work .ask textarea").fill("Is a greeting a statement?")
    ann.page.get_by_role("button", name="Send the question").click()
    expect(ann.page.locator("#work .said")).to_have_text("Your question is with the organiser.")
    expect(ann.page.locator("#status")).to_have_text("Sent")

    organiser.page.reload()
    organiser.page.get_by_label("Answer to Ann").fill("Yes, and it is irrelevant.")
    organiser.page.get_by_role("button", name="Send the answer").click()
    expect(organiser.page.locator("#questions + .note")).to_have_text("1 in all: 1 while rating, 0 afterwards.")

    ann.send("It says nothing")
    expect(ann.page.locator("#replies")).to_contain_text("1 new reply")
    ann.page.get_by_role("link", name="Questions").click()
    expect(ann.page.locator(".qa")).to_contain_text("Yes, and it is irrelevant.")
    ann.page.get_by_role("button", name="I have read the new reply").click()
    expect(ann.page.locator("#replies")).to_have_text("")
    ann.assert_quiet()
    organiser.assert_quiet()


def test_the_organiser_takes_back_what_somebody_does_not_get_to(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "turns.db", "ddft"))
    ann = sit_down(served, "Ann")
    ann.begin()
    organiser = sit_down(served, "organiser")
    organiser.reach(organiser.page.get_by_text("What is assigned to them"))
    organiser.press("Enter")
    organiser.reach(organiser.page.get_by_role("button", name=re.compile("Take back.*from Ann")))
    with organiser.page.expect_navigation():
        organiser.press("Enter")
    expect(organiser.page.get_by_text("What is assigned to them")).to_have_count(0)
    ann.page.reload()
    expect(ann.page.get_by_role("heading")).to_have_text("There is nothing at this address")
    organiser.assert_quiet()


def test_an_item_is_rated_without_script(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann", real_clock=True, java_script_enabled=False)
    page = ann.page
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".tools")).to_be_hidden()
    page.get_by_label("Reason (optional").fill("Plain forms do.")
    for says in ("It says something", "It reports (factual)", "Yes, all of it"):
        page.get_by_role("button", name=says, exact=True).click()
    expect(page.get_by_role("heading", name="Statement 2 of 3")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="No, not all of it", exact=True).click()
    page.get_by_role("link", name="Done").click()
    expect(page.locator(".list")).to_contain_text("Invented")
    (rating,) = served.project.ratings
    assert (rating.value["label"], rating.value["reason"]) == ("invented", "Plain forms do.")


@pytest.mark.parametrize("task", MODULES)
def test_hostile_text_is_shown_as_text(task: str, serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "hostile.db", task, text=HOSTILE))
    for size in ({"width": 1280, "height": 800}, {"width": 390, "height": 844}):
        ann = sit_down(served, "Ann", viewport=size)
        ann.begin()
        shown = ann.page.locator(".material").inner_text()
        assert "<script>document.title = 'taken'</script>" in shown and "{{ 7 * 7 }}" in shown
        assert ann.page.locator("script:not([src]), img, h1:has-text('no heading')").count() == 0
        assert not re.search("taken", ann.page.title())
        assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "long words wrap"
        ann.assert_quiet()


def test_a_megabyte_is_shown_and_wrapped(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "large.db", "ddft", text="long " * 100_000 + "x" * 500_000))
    ann = sit_down(served, "Ann", viewport={"width": 390, "height": 844})
    ann.begin()
    assert len(ann.page.locator(".material .focus").inner_text()) > 900_000
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ann.choose("far", "1")
    ann.choose("sas", "1")
    ann.send("Save")
    assert len(served.project.ratings) == 1
    ann.assert_quiet()


def test_seconds_count_while_somebody_is_there(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann")
    ann.begin()
    ann.page.clock.run_for(20_000)
    ann.press("Shift")  # a sign of life
    ann.page.clock.run_for(600_000)  # ten minutes away: one of them counts
    ann.send("It says something")
    ann.page.clock.run_for(7_000)
    ann.send("It reports (factual)")
    first, second = (row.seconds for row in served.project.rows if row.kind == "step")
    assert 80 <= first < 90
    assert 7 <= second < 12


def test_waiting_for_a_server_is_no_time_of_the_rater_though_it_refuses_then(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": "a", "context": "At 9.", "question": "When?", "answer": "It opens at 8."}]
    served = serve(made(tmp_path, "spans", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann", real_clock=True)
    ann.begin()
    quote = ann.page.locator("input[name=quote]")
    quote.fill("8")
    ann.answered(ann.button("Unsupported").click)
    served.server.kill()
    quote.fill("8")
    ann.button("Unsupported").click()
    for place in range(12):
        ann.page.mouse.move(100 + place, 200)  # a sign of life
        ann.page.wait_for_timeout(500)
    served.start_again()
    expect(ann.page.locator("#work .said")).to_have_text("These words are marked so already.", timeout=15_000)
    quote.fill("")
    ann.answered(ann.button("Done with this answer").click)
    assert [row.kind for row in served.project.rows if row.item] == ["mark", "answer"]
    assert served.project.rows[-1].seconds < 5


def test_keys_are_off_until_switched_on_and_never_act_while_somebody_writes(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann")
    ann.begin()
    ann.press("s", "f")
    assert not any(row.kind == "step" for row in served.project.rows), "off at first"
    hint = ann.page.locator("#too-soon")
    expect(hint).to_contain_text("Keys is off")
    ann.press("?")
    shown = ann.page.get_by_role("dialog")
    expect(shown).to_contain_text("now it is off")
    ann.press("Enter")
    expect(shown).to_be_hidden()
    expect(ann.page.locator("#keys-switch")).to_have_attribute("aria-pressed", "true")
    expect(hint).to_have_text("")
    ann.reach("#work textarea[name=reason]")
    ann.page.keyboard.type("sfan?")
    expect(ann.page.locator("#work textarea[name=reason]")).to_have_value("sfan?")
    ann.page.locator("#work h1").click()
    ann.press("?")
    expect(shown).to_contain_text("It says something")
    expect(shown).not_to_contain_text("now it is off", use_inner_text=True)
    ann.press("Enter")
    expect(shown).to_be_hidden()
    ann.answered(lambda: ann.press("s"))
    assert [row.body["answer"] for row in served.project.rows if row.kind == "step"] == ["no"]
    ann.page.reload()
    expect(ann.page.locator("#keys-switch")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_second_key_press_rates_nothing_unseen_and_what_was_saved_is_named_beside_undo(
    serve: Serve, sit_down: SitDown, tmp_path: Path, size: tuple[int, int]
) -> None:
    width, height = size
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann", real_clock=True, viewport={"width": width, "height": height})
    ann.switch_keys_on()
    ann.begin()
    ann.page.evaluate(  # as soon as the next statement is there: the key once more, and the second click of two
        """() => document.addEventListener("htmx:afterSettle", () => {
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "i", bubbles: true, cancelable: true }));
          const button = document.querySelector("#work form.now button");
          button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }));
        }, { once: true })"""
    )
    ann.press("i")  # it says nothing that the context could tell: the label is Irrelevant
    after = ann.page.locator("#work .after")
    expect(after).to_contain_text("The library opens at nine on Mondays.")
    expect(after.locator("strong")).to_have_text("Irrelevant (it says nothing)")
    expect(after.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    ann.page.wait_for_function("() => document.documentElement?.classList.contains('changed') === false")
    assert [row.body["answer"] for row in served.project.rows if row.kind == "step"] == ["yes"]
    ann.page.mouse.move(width / 2, height - 50)
    ann.page.mouse.wheel(0, 2_000)  # down to the end of the page
    expect(after.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    ann.page.screenshot(path=tmp_path / f"after-{width}.png")

    ann.answered(lambda: ann.press("u"))
    assert not served.project.ratings
    ann.assert_quiet()


_HURRIES = """key => document.addEventListener("htmx:afterSettle", () => {
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}, { once: true })"""

_SAVES = """key => document.addEventListener("htmx:beforeSend", () => queueMicrotask(() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}), { once: true })"""


def too_soon(press: str) -> str:
    return f"“{press}” came too soon and was not used."


def test_a_key_that_comes_too_soon_is_said_quietly_until_the_next_one_or_a_few_seconds_have_passed(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    ann = sit_down(serve(make(tmp_path / "statements.db", "cognibench")), "Ann")
    ann.switch_keys_on()
    ann.begin()
    hint = ann.page.locator("#too-soon")
    assert hint.get_attribute("role") == "status" and not hint.inner_text()
    for pressed, hurried, seen in (("s", "q", ""), ("f", "a", too_soon("a"))):
        ann.page.evaluate(_HURRIES, hurried)
        ann.answered(lambda key=pressed: ann.press(key))  # type: ignore[misc]
        expect(hint).to_have_text(seen)  # of a key that does nothing here, nothing
    expect(hint).to_be_in_viewport(ratio=1)
    assert ann.page.evaluate("document.activeElement.textContent") == "Does the context say all of it?"
    ann.answered(lambda: ann.press("a"))
    expect(hint).to_have_text("")

    ann.page.evaluate(_HURRIES, "f")
    ann.answered(lambda: ann.press("s"))
    expect(hint).to_have_text(too_soon("f"))
    ann.page.clock.fast_forward(6_000)
    expect(hint).to_have_text("")
    ann.assert_quiet()


_AFTER = """([key, ...times]) => document.addEventListener("htmx:afterSettle", () => {
  for (const milliseconds of times) setTimeout(() => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    document.documentElement.dataset[`after${milliseconds}`] = document.querySelector("#too-soon").textContent;
  }, milliseconds);
}, { once: true })"""


@pytest.mark.parametrize(("key", "soon", "late"), [("2", 300, 450), ("1", 550, 750)])
def test_a_key_soon_after_a_change_of_the_page_is_not_used_and_the_same_one_again_only_later(
    key: str, soon: int, late: int, serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": name, "question": "When?", "answer": "At 8."} for name in "abc"]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann", real_clock=True)
    ann.switch_keys_on()
    ann.begin()
    ann.page.evaluate(_AFTER, [key, soon, late])
    ann.press("1")
    expect(ann.page.get_by_role("heading", name="Answer 3 of 3")).to_be_visible()
    said = ann.page.evaluate("() => ({ ...document.documentElement.dataset })")
    assert (said[f"after{soon}"], said[f"after{late}"]) == (too_soon(key), "")
    assert len(served.project.ratings) == 2
    ann.assert_quiet()


def test_an_arrow_key_between_two_presses_of_a_key_makes_the_second_no_repeat(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": "a", "context": "At 9.", "question": "When?", "answer": "It opens at 8."}]
    served = serve(made(tmp_path, "spans", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann", real_clock=True)
    ann.switch_keys_on()
    ann.begin()
    ann.press("ArrowRight")
    ann.page.evaluate(
        """() => document.addEventListener("htmx:afterSettle", () => setTimeout(() => {
          for (const key of ["ArrowRight", "1"]) {
            const pressed = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
            document.activeElement.dispatchEvent(pressed);
          }
        }, 450), { once: true })"""
    )
    ann.press("1")
    expect(ann.page.locator("ol.marked q")).to_have_text(["It", "opens"])
    ann.assert_quiet()


def test_undo_after_a_key_that_was_not_used_leaves_the_answer_before_it_alone(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    ann = sit_down(serve(make(tmp_path / "statements.db", "cognibench")), "Ann", real_clock=True)
    ann.switch_keys_on()
    ann.begin()
    hint = ann.page.locator("#too-soon")
    ann.answered(lambda: ann.press("s"))
    ann.page.evaluate(_HURRIES, "a")
    ann.answered(lambda: ann.press("f"))
    expect(hint).to_have_text(too_soon("a"))
    asked = ann.page.locator("#work").get_attribute("data-item"), ann.page.locator("#work").inner_text()
    ann.press("u")
    expect(hint).to_contain_text("Press again to undo the answer before it.")
    assert asked == (ann.page.locator("#work").get_attribute("data-item"), ann.page.locator("#work").inner_text())
    ann.answered(lambda: ann.press("u"))
    expect(hint).to_have_text("")
    assert asked[1] != ann.page.locator("#work").inner_text()
    ann.assert_quiet()


_UNDOES = """times => document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.elt.id !== "work" || !times--) return;
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "u", bubbles: true, cancelable: true }));
})"""


def test_undo_soon_after_a_change_of_the_page_is_taken_at_once_and_a_second_one_is_not(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann", real_clock=True)
    ann.switch_keys_on()
    ann.begin()
    ann.answered(lambda: ann.press("s"))
    ann.page.evaluate(_UNDOES, 2)
    ann.press("f")
    expect(ann.page.locator("#work .undone")).to_have_count(1)
    expect(ann.page.locator("#too-soon")).to_have_text(too_soon("u"))
    assert [row.kind for row in served.project.rows if row.item] == ["step", "step", "undo"]
    ann.answered(lambda: ann.press("u"))
    assert [row.kind for row in served.project.rows if row.item] == ["step", "step", "undo", "undo"]
    ann.assert_quiet()


def test_undo_soon_after_the_last_item_is_taken(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    rows = [{"id": "a", "question": "When?", "answer": "At 8."}]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann", real_clock=True)
    ann.switch_keys_on()
    ann.begin()
    ann.context.add_init_script(
        """addEventListener("load", () => document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key: "u", bubbles: true, cancelable: true })))"""
    )
    ann.press("1")
    expect(ann.page.locator("#work .undone")).to_have_count(1)
    expect(ann.page.locator("#too-soon")).to_have_text("")
    assert not served.project.ratings
    ann.assert_quiet()


def test_only_the_banner_of_what_was_done_last_stands(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    rows = [{"id": name, "question": "When?", "answer": "At 8."} for name in "abc"]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann")
    ann.begin()
    saved, undone = ann.page.locator("#work .after"), ann.page.locator("#work .undone")
    first = ann.page.url
    ann.answered(ann.button("Correct").click)
    ann.answered(ann.button("Correct").click)
    ann.answered(ann.button("Undo").click)
    expect(undone).to_have_count(1)
    expect(saved).to_have_count(0)
    second = ann.page.url
    ann.page.goto(f"{second}?after=1")
    expect(undone).to_have_count(1)
    expect(saved).to_have_count(0)
    ann.page.goto(first)
    ann.answered(ann.button("Incorrect").click)
    expect(saved).to_have_count(1)
    expect(undone).to_have_count(0)
    ann.page.goto(second)
    expect(undone).to_have_count(0)
    ann.assert_quiet()


def test_a_digit_that_is_no_key_is_told_with_the_keys_that_there_are(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": "a", "question": "When?", "answer": "At 8."}]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann")
    ann.press("7")
    hint, in_list = ann.page.locator("#too-soon"), ann.page.locator("#keys-unused")
    expect(hint).to_have_text("")  # Keys is off
    ann.switch_keys_on()
    ann.begin()
    ann.press("7")
    says = "“7” is no key here. Keys: 1, 2, 3, n, k, ?."
    expect(hint).to_have_text(says)
    ann.press("?", "7")
    expect(in_list).to_have_text(says)
    expect(in_list).to_be_in_viewport(ratio=1)
    ann.press("1")
    expect(in_list).to_have_text("“1” was not used: close this list first.")
    ann.press("Escape")
    expect(hint).to_have_text("")
    assert not served.project.ratings
    ann.answered(lambda: ann.press("1"))
    expect(hint).to_have_text("")
    assert len(served.project.ratings) == 1
    ann.assert_quiet()


def test_the_organisers_page_of_an_item_which_has_no_keys_takes_clicks(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": "a", "context": "It opens at 9. " * 400, "question": "When?", "answer": "At 8."}]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows)))
    organiser = sit_down(served, "organiser")
    organiser.page.goto(f"{organiser.address}item/1")
    organiser.rest()
    organiser.page.locator("#work label", has_text="Search the texts").click()
    expect(organiser.page.locator("#find")).to_be_focused()
    organiser.assert_quiet()


@pytest.mark.parametrize("key", ["s", "Enter"])
def test_a_key_while_something_is_being_saved_is_said_to_be_unused(
    key: str, serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    ann = sit_down(serve(make(tmp_path / "statements.db", "cognibench")), "Ann", real_clock=True)
    ann.switch_keys_on()
    ann.begin()
    ann.page.evaluate(_SAVES, key)
    ann.answered(lambda: ann.press("s"))
    said = f"“{key}” was not used: your last answer was still being saved."
    expect(ann.page.locator("#too-soon")).to_have_text(said)
    ann.assert_quiet()


@pytest.mark.parametrize("keys_on", [True, False])
def test_an_enter_soon_after_the_page_took_one_is_said_to_be_unused(
    keys_on: bool, serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann", real_clock=True)
    if keys_on:
        ann.switch_keys_on()
    ann.begin()
    ann.page.evaluate(_HURRIES, "Enter")
    ann.send("It says something")
    expect(ann.page.locator("#too-soon")).to_have_text("“Enter” came too soon and was not used.")
    assert len([row for row in served.project.rows if row.item]) == 1
    ann.send("It reports (factual)")
    expect(ann.page.locator("#too-soon")).to_have_text("")
    ann.assert_quiet()


@pytest.mark.parametrize("way", ["Enter", "change"])
def test_what_came_too_soon_is_said_until_a_press_is_taken_or_the_page_changes(
    way: str, serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": name, "question": "When?", "answer": "At 8."} for name in "abc"]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann", real_clock=True)
    ann.switch_keys_on()
    ann.begin()
    ann.page.evaluate(_HURRIES, "2")
    ann.answered(lambda: ann.press("1"))
    hint = ann.page.locator("#too-soon")
    expect(hint).to_have_text(too_soon("2"))
    if way == "Enter":
        ann.send("Correct")
    else:  # without a press: the answer is refused
        ann.answered(lambda: ann.button("Correct").evaluate("button => button.form.requestSubmit()"))
    assert hint.inner_text() == ""
    assert len(served.project.ratings) == (2 if way == "Enter" else 1)
    assert ann.errors == []


def test_selected_words_fill_the_span(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "responses.db", "integrity"))
    ann = sit_down(served, "Ann")
    ann.begin()
    ann.reach("#work input[name=score]")
    ann.type("90")
    ann.send("Give this score and lock it")
    ann.page.evaluate(
        """() => {
          const text = document.querySelector('[data-span-source]').firstChild;
          getSelection().setBaseAndExtent(text, 4, text, 11);
        }"""
    )
    expect(ann.page.locator("#work [data-span-target]").last).to_have_value("council")


def test_on_a_telephone_the_organisers_wide_table_says_that_it_scrolls(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "labels.db", "cognibench"))
    cue = "getComputedStyle(document.querySelector('.scroll'), '::before').content"
    narrow = sit_down(served, "organiser", viewport={"width": 390, "height": 844})
    assert "Scroll sideways for more columns" in narrow.page.evaluate(cue)
    assert narrow.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert sit_down(served, "organiser").page.evaluate(cue) == "none"


def test_the_organiser_reads_what_practice_takes_and_how_many_items_wait_for_an_adjudicator(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    said = {"context": "c", "question": "q", "answer": "It opens.", "history": []}
    body = {**said, "statements": [{"text": "It opens.", "start": 0, "end": 9}]}
    key = Item(id="p#0", document="p", pool="practice", key={"label": "faithful"})
    practice = [(Document(id="p", body=body, group="p"), key)]
    served = serve(make(tmp_path / "labels.db", "cognibench", practice=practice))
    told = " ".join(sit_down(served, "organiser").page.locator("main").inner_text().split())
    assert "Waiting for an adjudicator 0" in told
    assert "0 of 1 item done, 0 right; 1 must be" in told
