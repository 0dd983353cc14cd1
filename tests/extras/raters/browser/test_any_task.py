"""Tasks that a guide describes, by keyboard alone: from an Inspect log and flagged sentences to exports."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import expect

from tests.cli.here import voirdire
from tests.extras.raters.browser._person import Person
from tests.extras.raters.browser._serving import Served
from tests.raters.tasks.guided.examples import made, results
from tests.raters.tasks.guided.test_sources import ANSWERS, log, written
from voirdire.raters.comparison import compare_with
from voirdire.raters.exchange import ExportPlan, export_project
from voirdire.raters.judge_worth import WorthRequest, judges_worth
from voirdire.raters.project_loader import read_project
from voirdire.raters.tasks import task_of

Serve = Callable[[Path], Served]
SitDown = Callable[..., Person]

GUIDE = """
labels:
  - {label: right, key: r, value: 1, help: It says what the reference says.}
  - {label: wrong, key: w, value: 0}
evidence: true
"""
REASON = "The reference says red."
REASON_LEFT = "It is in Finnish."
PARTS = "#work [data-part=output]"


def test_a_log_of_inspect_is_labelled_and_scores_go_back(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    source = log(tmp_path / "log.eval", "maker/strong", samples=4)
    served = serve(made(tmp_path, "labels", source, guide=GUIDE, gold="adjudicated"))
    ann, ben = sit_down(served, "Ann"), sit_down(served, "Ben")
    for person, keys in ((ann, "rrwr"), (ben, "rrwn")):
        person.switch_keys_on()
        person.begin()
        for key in keys:
            person.answered(lambda key=key, person=person: person.press(key))
        expect(person.page.get_by_role("heading", name="All done")).to_be_visible()
    cyn = sit_down(served, "Cyn")
    cyn.begin()
    expect(cyn.page.locator(".others")).to_contain_text("Not sure")
    cyn.reach("#work textarea[name=reason]")
    cyn.type(REASON)
    cyn.send("Wrong")
    expect(cyn.page.get_by_role("heading", name="Nothing to decide")).to_be_visible()

    project = served.project
    assert sorted(each.how for each in project.gold.values()) == ["adjudicated", "agreed", "agreed", "agreed"]
    (judge,) = judges_worth(WorthRequest(results=source, human=served.path))
    assert judge.ratings == 4
    export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    scores = json.loads((tmp_path / "out/scores.json").read_text())
    assert sorted(each["value"] for each in scores) == [0.0, 0.0, 1.0, 1.0]
    assert [each["explanation"] for each in scores if each["metadata"]["how"] == "adjudicated"] == [REASON]
    for person in (ann, ben, cyn):
        person.assert_quiet()


def test_a_guides_practice_comes_first_and_an_item_is_left_out_in_few_presses(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    practice = """
practice:
  - {prompt: "Which colour?", answer: Blue., reference: Red., right: wrong, why: The reference says red.}
  - {prompt: "Which colour?", answer: Red., reference: Red., right: right, why: So the reference says.}
"""
    source = log(tmp_path / "log.eval", "maker/strong", samples=2)
    served = serve(made(tmp_path, "labels", source, guide=GUIDE + practice))
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()
    expect(ann.page.get_by_role("heading", name="Practice answer 1 of 2")).to_be_visible()
    ann.answered(lambda: ann.press("r"))
    told = ann.page.locator("#work .feedback")
    expect(told).to_contain_text("Right would be: Wrong")
    expect(told).to_contain_text("Your answer: Right.")
    expect(told).to_contain_text("The reference says red.")
    with ann.page.expect_navigation():
        ann.press("r")
    expect(ann.page.get_by_role("heading", name="Not passed yet")).to_be_visible()
    expect(ann.page.get_by_text("Then begin anew, with the same items.")).to_be_visible()
    ann.reach(ann.button("Begin the practice anew"))
    with ann.page.expect_navigation():
        ann.press("Enter")
    ann.answered(lambda: ann.press("w"))
    expect(ann.page.locator("#work .after")).to_contain_text("Right:")
    ann.answered(lambda: ann.press("r"))
    expect(ann.page.locator("#work .begins")).to_contain_text("Practice passed, 2 of 2 right.")
    ann.press("k")
    ann.page.keyboard.type(REASON_LEFT)  # the reason has the focus
    ann.answered(lambda: ann.press("Enter"))
    (left_out,) = [each.value for each in served.project.ratings if each.pool == "live"]
    assert (left_out["status"], left_out["reason"]) == ("skipped", REASON_LEFT)
    ann.reach("#work textarea[name=reason]")
    ann.page.keyboard.type("All of it.")
    ann.press("Escape")
    ann.answered(lambda: ann.press("r"))
    assert [each.value["reason"] for each in served.project.ratings if each.pool == "live"] == [
        REASON_LEFT,
        "All of it.",
    ]
    ann.assert_quiet()


def test_pairs_stand_in_an_order_of_each_raters_own(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("strong", "weak"):
        log(folder / f"{name}.json", f"maker/{name}", samples=6)
    served = serve(made(tmp_path, "preference", folder))
    seen: dict[str, list[str]] = {}
    for name in ("Ann", "Ben"):
        person = sit_down(served, name)
        person.begin()
        for _ in range(6):
            shown = person.page.locator(".material h2:text-is('Answer A') + .text").inner_text()
            seen.setdefault(name, []).append(shown)
            person.send("A is better" if "strong" in shown else "B is better")
        person.assert_quiet()
    assert seen["Ann"] != seen["Ben"], "each has an order of their own"
    assert {rating.value["answer"] for rating in served.project.ratings} == {"first"}
    orders = [tuple(rating.value["order"]) for rating in served.project.ratings]
    assert len(set(orders)) == 2, "and both orders are stored"


def test_a_pair_is_answered_by_number_as_in_other_tasks_or_by_letter(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(made(tmp_path, "preference", results(tmp_path / "r.jsonl", 6)))
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()
    for key in "1a2b30":
        ann.answered(partial(ann.press, key))
    ann.assert_quiet()
    places = [
        "tie" if value["answer"] == "tie" else value["order"].index(value["answer"])
        for value in (rating.value for rating in served.project.ratings)
    ]
    assert places == [0, 0, 1, 1, "tie", "tie"]


def test_words_are_marked_by_arrow_keys_and_undone(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    answers, flagged = written(tmp_path / "answers.jsonl", ANSWERS[:1]), tmp_path / "flagged.jsonl"
    voirdire("detect", answers, "-o", flagged)
    served = serve(made(tmp_path, "spans", flagged, show_flags=True, guide="evidence: true"))
    ann = sit_down(served, "Ann")
    ann.begin()
    assert ann.page.locator(f"{PARTS} mark.flag").count() == 2
    ann.reach(PARTS)
    ann.press("ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowRight")
    expect(ann.page.locator("input[name=quote]")).to_have_value("at 8")
    ann.answered(lambda: ann.press("1"))  # of the text that has the focus: single keys are off
    for _ in "on", "off":
        ann.page.locator("#keys-switch").click()
    assert ann.page.evaluate("document.activeElement.dataset.part") == "output", "on to the next words"
    ann.press("End", "Shift+ArrowLeft")
    ann.answered(lambda: ann.press("1"))
    ann.reach("#work [data-part=passage-1]")
    ann.press("End")
    ann.answered(lambda: ann.press("v"))
    marked = ann.page.locator("ol.marked li")
    expect(marked).to_have_count(3)
    ann.send(marked.nth(1).get_by_role("button"))
    expect(marked).to_have_count(2)
    ann.send("Done with this answer")
    (rating,) = served.project.ratings
    output = served.project.documents["room"].body["output"]
    assert [output[each["start"] : each["end"]] for each in rating.value["spans"]] == ["at 8"]
    assert [(each["part"], each["end"]) for each in rating.value["evidence"]] == [("passage-1", 19)]
    ann.reach(ann.button("Undo"))
    ann.press("Enter")
    expect(marked).to_have_count(2)
    assert served.project.ratings == ()
    ann.assert_quiet()


def test_every_item_of_marked_words_begins_in_the_answer_which_names_the_item(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": name, "context": "At 9.", "question": "When?", "answer": "It opens at 8."} for name in "abc"]
    served = serve(made(tmp_path, "spans", written(tmp_path / "answers.jsonl", rows)))
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()
    for number in (1, 2, 3):
        text = ann.page.locator(PARTS)
        expect(text).to_be_focused()
        expect(text).to_have_accessible_description(f"Answer {number} of 3")
        ann.press("End")
        ann.answered(lambda: ann.press("1"))
        expect(ann.page.locator("ol.marked li")).to_have_count(1)
        ann.answered(lambda: ann.press("d"))
    assert [len(each.value["spans"]) for each in served.project.ratings] == [1, 1, 1]
    ann.assert_quiet()


def test_the_focus_stays_in_the_text_and_an_undo_says_what_holds(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    said = {"context": "It opens at 9.", "question": "When?", "answer": "It opens at 8."}
    source = written(tmp_path / "answers.jsonl", [{"id": name, **said} for name in "ab"])
    served = serve(made(tmp_path, "spans", source, guide="evidence: true"))
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()

    def focused() -> str:
        part: str = ann.page.evaluate("document.activeElement.dataset.part")
        return part

    ann.reach(PARTS)
    ann.press("End")
    ann.answered(lambda: ann.press("1"))
    ann.answered(lambda: ann.press("x"))
    ann.answered(lambda: ann.press("u"))
    expect(ann.page.locator("#status")).to_have_text("Undone: the removal of “8”.")
    ann.answered(lambda: ann.press("u"))
    expect(ann.page.locator("#status")).to_have_text("Undone: the mark “8”.")
    expect(ann.page.locator("#work .undone")).to_have_text("Undone: the mark “8”.")
    ann.reach(PARTS)
    ann.press("End")
    ann.answered(lambda: ann.press("1"))
    ann.answered(lambda: ann.press("x"))
    expect(ann.page.locator("ol.marked li")).to_have_count(0)
    assert focused() == "output", "after a mark is removed"
    for _ in range(2):
        ann.press("End")
        ann.answered(lambda: ann.press("1"))
    expect(ann.page.locator("#work .said")).to_have_text("These words are marked so already.")
    assert focused() == "output", "after an error"
    ann.reach(PARTS.replace("output", "passage-1"))
    ann.press("End")
    ann.answered(lambda: ann.press("1"))
    expect(ann.page.locator("#work .said")).to_contain_text("mark words of the context with Evidence (v)")
    assert focused() == "passage-1"
    ann.answered(lambda: ann.press("d"))
    ann.answered(lambda: ann.press("u"))
    expect(ann.page.locator("#status")).to_have_text("Undone: your last answer. Now this has no rating of yours.")
    item = ann.page.locator("#work").get_attribute("data-item")
    for key in "nd":
        ann.answered(lambda key=key: ann.press(key))
        ann.page.goto(f"{ann.address.rstrip('/')}/item/{item}")
    expect(ann.page.locator("#work .settled")).to_contain_text("Marked")
    ann.answered(lambda: ann.press("u"))
    expect(ann.page.locator("#status")).to_have_text("Undone: your last answer. Your rating is now: Not sure.")
    ann.page.goto(f"{ann.address.rstrip('/')}/item/99")
    ann.press("?")
    assert ann.errors == [], "a page without an item has no list of keys"


def test_a_key_of_a_folded_form_says_what_to_do_and_what_a_key_unfolds_is_in_view(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": "a", "context": "It opens at 9.", "question": "When?", "answer": "It opens at 8."}]
    guide = "evidence: true\nheadings: {context: Leaflet}"
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows), guide=guide))
    ann = sit_down(served, "Ann", viewport={"width": 1280, "height": 600})
    ann.switch_keys_on()
    ann.begin()
    ann.answered(lambda: ann.press("v"))
    expect(ann.page.locator("#work .said")).to_have_text(
        "Select some words first: with the mouse, by touch, or with the arrow keys and Shift."
    )
    expect(ann.page.get_by_role("group", name="Words of “Leaflet” that your rating rests on")).to_be_visible()
    ann.press("k")
    expect(ann.button("Leave it out")).to_be_in_viewport(ratio=1)
    expect(ann.page.locator("#work input[name=reason]")).to_be_focused()


def test_flagged_sentences_are_marked_adjudicated_and_held_against_the_detector(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    said = ("It opens at 8.", "It opens at 9.")
    rows = [
        {"id": f"a{n}", "context": f"Room {n} opens at 9.", "question": "When?", "answer": said[n % 2]}
        for n in range(4)
    ]
    source, flagged = written(tmp_path / "answers.jsonl", rows), tmp_path / "flagged.jsonl"
    voirdire("detect", source, "-o", flagged)
    served = serve(made(tmp_path, "spans", flagged, gold="adjudicated"))
    ann, ben = sit_down(served, "Ann"), sit_down(served, "Ben")
    for person, keys in ((ann, ["End"]), (ben, ["Home"])):  # of a wrong answer, its last word or its first
        person.switch_keys_on()
        person.begin()
        for _ in rows:
            if "8" in person.page.locator(PARTS).inner_text():
                person.reach(PARTS)
                person.press(*keys)
                person.answered(lambda person=person: person.press("1"))
            person.answered(lambda person=person: person.press("d"))
        expect(person.page.get_by_role("heading", name="All done")).to_be_visible()

    cyn = sit_down(served, "Cyn")
    cyn.switch_keys_on()
    cyn.begin()
    for left in (1, 0):
        others = cyn.page.locator(".others li")
        expect(others).to_have_count(2)
        for words in ("8", "It"):
            expect(others.get_by_text(f"Marked “{words}”")).to_be_visible()
        cyn.send(cyn.page.get_by_role("button", name="Take over 8"))
        expect(cyn.page.locator("ol.marked li")).to_have_count(1)
        expect(others.get_by_role("button")).to_have_count(1)  # the other's mark is still to be had
        if left:
            served.server.kill()
            served.start_again()
            cyn.page.reload()
            expect(cyn.page.locator("ol.marked li")).to_have_count(1)
        cyn.answered(lambda: cyn.press("d"))
    expect(cyn.page.get_by_role("heading", name="Nothing to decide")).to_be_visible()

    project = served.project
    how = {project.documents[item].body["output"]: gold.how for item, gold in project.gold.items()}
    assert how == {said[0]: "adjudicated", said[1]: "agreed"}
    flags = next(
        each for each in judges_worth(WorthRequest(results=flagged, human=served.path)) if each.judge == "flagged"
    )
    assert (flags.ratings, flags.agreement.value) == (4, 1)
    assert compare_with(project, flagged).matched == 4
    answers = task_of(project.settings).labelled_answers(project)
    labels = {each.text: [one.label for one in each.statements] for each in answers}
    assert labels == {said[0]: ["invented"], said[1]: ["faithful"]}
    for person in (ann, ben, cyn):
        person.assert_quiet()


def test_words_are_marked_with_the_mouse_whatever_characters_they_are_of(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    output = "💩 Zwei 👩‍👩‍👧 Wörter\nund noch eins."
    source = written(tmp_path / "a.jsonl", [{"id": "a", "context": "C", "question": "?", "answer": output}])
    served = serve(made(tmp_path, "spans", source))
    ann = sit_down(served, "Ann")
    ann.begin()
    place = ann.page.locator(PARTS).evaluate(
        """part => {
          const range = document.createRange();
          const at = part.firstChild.data.indexOf('noch');
          range.setStart(part.firstChild, at);
          range.setEnd(part.firstChild, at + 4);
          const box = range.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }"""
    )
    ann.page.mouse.dblclick(*place)
    expect(ann.page.locator("input[name=quote]")).to_have_value("noch")
    ann.answered(lambda: ann.button("Unsupported").click())
    ann.answered(lambda: ann.button("Done with this answer").click())
    (rating,) = served.project.ratings
    (span,) = rating.value["spans"]
    assert output[span["start"] : span["end"]] == "noch"


def test_a_sentence_is_marked_without_its_full_stop_by_keyboard_and_by_mouse(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": name, "context": "C", "question": "?", "answer": "It opens at 8. It closes."} for name in "ab"]
    served = serve(made(tmp_path, "spans", written(tmp_path / "a.jsonl", rows)))
    keyboard, mouse = sit_down(served, "Ann"), sit_down(served, "Ben")
    box = """(part, [from, to]) => {
      const range = document.createRange();
      range.setStart(part.firstChild, from);
      range.setEnd(part.firstChild, to);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      return [left, right, (top + bottom) / 2];
    }"""

    def drag(ends: tuple[int, int]) -> None:
        left, right, middle = mouse.page.locator(PARTS).evaluate(box, list(ends))
        mouse.page.mouse.move(left + 1, middle)
        mouse.page.mouse.down()
        mouse.page.mouse.move(right - 1, middle, steps=4)
        mouse.page.mouse.up()

    selections = {(0, 14): ["Home", *["Shift+ArrowRight"] * 3], (12, 14): ["Home", *["ArrowRight"] * 3]}
    for person in (keyboard, mouse):
        person.begin()
    for (ends, keys), marked in zip(selections.items(), ("It opens at 8", "8"), strict=True):
        keyboard.reach(PARTS)
        keyboard.press(*keys)
        keyboard.answered(lambda: keyboard.press("1"))
        drag(ends)
        mouse.answered(mouse.button("Unsupported").click)
        for person in (keyboard, mouse):
            assert person.page.locator("ol.marked q").all_inner_texts() == [marked]
            person.send("Done with this answer")


def test_a_mark_that_meets_no_server_is_sent_again_and_made_once(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(made(tmp_path, "spans", written(tmp_path / "a.jsonl", ANSWERS[:1])))
    ann = sit_down(served, "Ann")
    ann.begin()
    ann.reach(PARTS)
    ann.press("End")
    served.server.kill()
    ann.press("1")
    ann.press("1")
    expect(ann.page.locator("#alert")).to_contain_text("Not saved yet")
    served.start_again()
    expect(ann.page.locator("ol.marked li")).to_have_count(1, timeout=15_000)
    assert [row.kind for row in served.project.rows if row.item] == ["mark"]


def test_long_texts_are_searched(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    passages = [f"Passage about nothing, number {n}. " * 60 for n in range(4)]
    passages[3] += "Here is the needle. And another needle."
    rows = [{"id": "a", "contexts": passages, "question": "?", "answer": "A needle."}]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows)))
    ann = sit_down(served, "Ann")
    ann.begin()
    expect(ann.page.get_by_text("Passage 4 of 4")).to_be_attached()
    ann.reach("#find")
    ann.page.keyboard.type("needle")
    expect(ann.page.locator(".find output")).to_have_text("1 of 3")
    ann.press("Enter", "Enter")
    expect(ann.page.locator(".find output")).to_have_text("3 of 3")
    assert ann.page.locator("#work .material").evaluate("box => box.scrollTop") > 500
    assert read_project(served.path).ratings == ()
    ann.assert_quiet()


def test_a_score_shows_the_key_that_gives_it(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    source = log(tmp_path / "log.eval", "maker/strong", samples=2)
    served = serve(made(tmp_path, "score", source, guide="scale: {low: 1, high: 10}"))
    ann = sit_down(served, "Ann")
    ann.begin()
    key = "each => getComputedStyle(each, '::after').content"
    assert ann.button("10").evaluate(key) == "none"
    ann.switch_keys_on()
    assert [ann.button(name).evaluate(key)[:3] for name in ("1", "10")] == ['"1"', '"0"']
    ann.answered(lambda: ann.press("0"))
    assert [each.value["answer"] for each in served.project.ratings] == [10]


def test_after_a_click_on_keys_enter_does_what_the_page_says(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(made(tmp_path, "labels", log(tmp_path / "log.eval", "maker/strong", samples=2), guide=GUIDE))
    ann = sit_down(served, "Ann")
    ann.page.locator("#keys-switch").click()
    ann.page.locator("#keys-show").click()
    keys = ann.page.get_by_role("dialog")
    keys.get_by_role("button", name="Close").click()
    expect(keys).to_be_hidden()
    ann.rest()
    with ann.page.expect_navigation():
        ann.press("Enter")  # the key that Begin shows
    assert ann.page.locator("#keys-switch").get_attribute("aria-pressed") == "true"
    ann.page.locator("#keys-switch").click()
    ann.page.locator("#keys-switch").click()
    ann.answered(lambda: ann.press("r"))
    assert [each.value["answer"] for each in served.project.ratings] == ["right"]


def test_on_a_telephone_reason_and_evidence_are_folded_above_the_answers(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    rows = [{"id": name, "context": "It opens at 9.", "question": "When?", "answer": "At 8."} for name in "ab"]
    served = serve(made(tmp_path, "labels", written(tmp_path / "a.jsonl", rows), guide=GUIDE))
    ann = sit_down(served, "Ann", viewport={"width": 390, "height": 800})
    ann.begin()
    top = "each => each.getBoundingClientRect().top"
    evidence, reason = (
        ann.page.locator(f"#work details:has({each})") for each in ("form.marking", "textarea[name=reason]")
    )
    answer = ann.button("Right")
    assert reason.evaluate(top) < evidence.evaluate(top) < answer.evaluate(top)
    expect(answer).to_be_in_viewport(ratio=1)
    assert not evidence.evaluate("each => each.open") and not reason.evaluate("each => each.open")
    ann.reach("#work [data-part=passage-1]")
    ann.press("End")
    expect(ann.button("Evidence")).to_be_visible()  # what is selected opens it
    ann.answered(lambda: ann.press("v"))
    expect(ann.page.locator("ol.marked li")).to_have_count(1)
    assert evidence.evaluate("each => each.open"), "what is marked stays in view"
    reason.locator("summary").click()
    ann.page.locator("#work textarea[name=reason]").fill(REASON)
    ann.answered(ann.button("Wrong").click)
    (rating,) = served.project.ratings
    assert (rating.value["reason"], len(rating.value["evidence"])) == (REASON, 1)
    ann.assert_quiet()


def test_who_has_not_passed_reads_why_of_every_wrong_answer(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    items = [
        ("Blue.", "wrong", "Red is the reference."),
        ("Red.", "right", "So it says."),
        ("Green.", "wrong", "Not green."),
    ]
    practice = "practice:" + "".join(
        f'\n  - {{prompt: "Which?", answer: {given}, right: {right}, why: {why}}}' for given, right, why in items
    )
    source = log(tmp_path / "log.eval", "maker/strong", samples=2)
    served = serve(made(tmp_path, "labels", source, guide=f"{GUIDE}{practice}\n"))
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()
    for _ in items:
        ann.page.wait_for_load_state()
        ann.answered(lambda: ann.press("r"))
        if ann.page.locator("#work .feedback").count() and "Next" in ann.page.locator("#work").inner_text():
            ann.press("Enter")
    expect(ann.page.get_by_role("heading", name="Not passed yet")).to_be_visible()
    told = ann.page.locator("main .feedback")
    expect(told).to_have_count(2)
    for place, why in enumerate(("Red is the reference.", "Not green.")):
        expect(told.nth(place)).to_contain_text(why)
        expect(told.nth(place)).to_contain_text("Right would be: Wrong")
    assert "So it says." not in ann.page.locator("main").inner_text()


def test_the_chosen_answer_of_a_reopened_item_is_marked_by_more_than_colour(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(made(tmp_path, "labels", log(tmp_path / "log.eval", "maker/strong", samples=2), guide=GUIDE))
    ann = sit_down(served, "Ann")
    ann.begin()
    number = ann.page.locator("#work").get_attribute("data-item")
    ann.send("Wrong")
    ann.page.goto(f"{ann.address.rstrip('/')}/item/{number}")
    sign = "each => getComputedStyle(each, '::before').content"
    assert "\u2713" in ann.button("Wrong").evaluate(sign) and "\u2713" not in ann.button("Right").evaluate(sign)
    fill = "each => getComputedStyle(each).backgroundColor"
    assert ann.button("Wrong").evaluate(fill) != ann.button("Right").evaluate(fill)
