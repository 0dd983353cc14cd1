"""Few key presses for an item, what an adjudicator finds waiting, and what the organiser sees of it and takes away."""

import csv
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.cli.here import voirdire
from tests.extras.raters.browser._person import Person
from tests.extras.raters.browser._projects import PEOPLE, SENTENCES, make
from tests.extras.raters.browser._serving import Served
from tests.raters.tasks.guided.test_sources import written
from voirdire.raters.records import Document, Item, Settings
from voirdire.raters.store import Store
from voirdire.raters.tasks.cognibench.guideline import practice, question_view
from voirdire.raters.tasks.ddft.builder import practice as practice_turns

Serve = Callable[[Path], Served]
SitDown = Callable[..., Person]

_ASKED = ("context", "question", "answer")
_COUNT = """() => addEventListener("keydown", ({ key }) => {
  if (!["Shift", "Control"].includes(key)) localStorage.setItem("pressed", Number(localStorage.getItem("pressed")) + 1);
}, { capture: true })"""


def keys_of(path: Sequence[Sequence[str]]) -> list[str]:
    """The keys that answer so."""
    return [
        next(choice["key"] for choice in question_view(question)["choices"] if choice["answer"] == answer)
        for question, answer in path
    ]


def test_thirty_statements_of_three_questions_take_three_key_presses_each_practice_included(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    trained, path = practice().items, tmp_path / "statements.voirdire"
    answers = [[("irrelevant", "no"), ("type", "factual"), ("faithful", "yes")]] * 30
    rows = [_statements(number).body for number in range(3)]
    source = written(tmp_path / "answers.jsonl", [{name: row[name] for name in _ASKED} for row in rows])
    voirdire("rate", "new", path, "--task", "cognibench", "--from", source, "--rater", "Ann", "--raters-per-item", 1)
    served = serve(path)
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()
    ann.page.evaluate(_COUNT)  # the page is never left: every answer leads to the next question at once
    lessons = [each.key["path"] for each in trained if each.key]
    asked = Counter(map(len, lessons))
    assert asked == {1: 2, 3: 6, 4: 2, 5: 4}, "speculative takes four questions to tell, reliable and irrefutable five"
    paths = lessons + answers
    for answered in paths:
        for key in keys_of(answered):
            ann.answered(lambda key=key: ann.press(key))  # type: ignore[misc]
    assert ann.page.get_by_role("heading", name="All done").is_visible()
    pressed = int(ann.page.evaluate("localStorage.getItem('pressed')"))
    assert pressed == sum(map(len, paths)), "one for each question, and none between the items"
    assert len(served.project.ratings) == len(trained) + 30
    ann.assert_quiet()


def test_at_no_question_does_the_key_of_another_one_answer(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()
    path = ("irrelevant", "no"), ("type", "cognitive"), ("rational", "yes"), ("grounded", "yes"), ("irrefutable", "no")
    others = ("faithful", "label")  # asked where it reports, and where all classes stand side by side
    keys = {name: {each["key"] for each in question_view(name)["choices"]} for name in (*others, *dict(path))}
    assert sum(map(len, keys.values())) == len(set().union(*keys.values())), "each key is one answer's alone"
    for place, ((question, _), key) in enumerate(zip(path, keys_of(path), strict=True)):
        asked = ann.page.locator("#work .now legend").inner_text()
        assert asked == question_view(question)["asks"]
        ann.press(*sorted(set().union(*keys.values()) - keys[question]))
        assert ann.page.locator("#work .now legend").inner_text() == asked
        assert len([row for row in served.project.rows if row.item]) == place
        ann.answered(lambda key=key: ann.press(key))  # type: ignore[misc]
    assert [rating.value["label"] for rating in served.project.ratings] == ["reliable"]
    ann.assert_quiet()


def test_a_wrong_practice_answer_costs_no_press_more_and_the_next_page_says_what_is_right(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    lessons, trained = practice().documents, practice().items
    path = tmp_path / "statements.db"
    document = _statements(0)
    items = [*trained, Item(id="house-0#0", document="house-0")]
    Store.create(path, Settings(task="cognibench", title="T"), [*lessons, document], items, PEOPLE)
    ann = sit_down(serve(path), "Ann")
    ann.switch_keys_on()
    ann.begin()
    first = question_view("irrelevant")["choices"]
    nothing = next(choice["key"] for choice in first if choice["answer"] == "yes")
    wrong = 0
    for number, item in enumerate(trained, start=1):
        ann.answered(lambda: ann.press(nothing))  # one press, right or wrong
        right = item.key is not None and item.key["label"] == "irrelevant"
        wrong += not right
        if number < len(trained):
            heading = f"Practice statement {number + 1} of {len(trained)}"
            expect(ann.page.get_by_role("heading", name=heading)).to_be_visible()
            expect(ann.page.locator("#work .feedback")).to_have_count(0 if right else 1)
            expect(ann.page.locator("#work .after b")).to_have_text(["Right:"] if right else [])
    assert wrong > 3
    expect(ann.page.get_by_role("heading", name="Not passed yet")).to_be_visible()
    ann.assert_quiet()


def test_a_response_takes_a_press_for_each_thing_that_is_said_of_it(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "responses.db", "integrity", documents=2))
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()
    ann.page.evaluate(_COUNT)
    ann.press("9", "0")
    ann.answered(lambda: ann.press("Enter"))
    ann.answered(lambda: ann.press("g"))  # nothing in the first sentence
    ann.press("d")  # in the second one a denial
    ann.answered(lambda: ann.press("2"))  # of the second fact
    ann.answered(lambda: ann.press("g"))
    ann.press("3")  # the third one is left out
    ann.answered(lambda: ann.press("g"))
    ann.answered(lambda: ann.press("f"))
    for key in "ny":  # over 10 points from the impression: three questions
        ann.press(key)
    ann.answered(lambda: ann.press("n"))
    ann.answered(lambda: ann.press("f"))
    expect(ann.page.get_by_role("heading", name="Response 2 of 2: your impression")).to_be_visible()
    assert int(ann.page.evaluate("localStorage.getItem('pressed')")) == 14
    (rating,) = served.project.ratings
    found = [(each["type"], each["fact"], each["span"]) for each in rating.value["violations"]]
    assert found == [("fact_denial", "F2", SENTENCES[1]), ("single_omission", "F3", None)]
    look = rating.value["second_look"]
    assert (look["missed"], look["twice"], look["values"]) == (False, True, False)

    ann.press("8", "5")
    ann.answered(lambda: ann.press("Enter"))
    ann.reach("#work blockquote")
    ann.press("End", "Shift+ArrowLeft")
    ann.press("v")
    ann.answered(lambda: ann.press("0"))
    expect(ann.page.locator(".violations").first).to_contain_text("to four.")
    ann.assert_quiet()


def test_a_turn_of_three_questions_takes_three_key_presses(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "turns.db", "ddft", documents=2))
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()
    expect(ann.page.get_by_role("heading", name="Turn 1 of 2")).to_be_visible()
    ann.press("7")
    ann.answered(lambda: ann.press("t"))
    expect(ann.page.locator("#work .after")).to_contain_text("factual accuracy 0.7, coherence 1")
    expect(ann.page.locator("#status")).to_contain_text("factual accuracy 0.7, coherence 1")
    ann.press("x", "4")
    ann.answered(lambda: ann.press("r"))
    assert ann.page.get_by_role("heading", name="All done").is_visible()
    values = [(each.value["far"], each.value["sas"], each.value["stance"]) for each in served.project.ratings]
    assert values == [(0.7, 1.0, None), (None, 0.4, "rejected")]
    ann.assert_quiet()


@pytest.mark.parametrize("right", [True, False])
def test_a_practice_turn_of_three_questions_takes_three_key_presses_and_feedback_none(
    right: bool, serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    trained = practice_turns()
    keyed = [item.key for item in trained.items if item.key is not None]
    assert {bool(key["stance"]) for key in keyed} == {True, False}, "turns of three questions, and of two"
    served = serve(make(tmp_path / "turns.db", "ddft", practice=list(zip(*trained[:2], strict=True))))
    ann = sit_down(served, "Ann")
    ann.switch_keys_on()
    ann.begin()
    ann.page.evaluate(_COUNT)
    for number, key in enumerate(keyed, start=1):
        far = "none" if key["no_claims"] else f"{key['far']:g}"
        answers = {"far": far if right or far == "none" else "0", "sas": f"{key['sas'] if right else 0:g}"}
        answers |= {"stance": key["stance"]} if key["stance"] else {}
        *first, last = answers.items()
        for question, answer in first:
            ann.press(key_of(ann, question, answer))
        ann.answered(partial(ann.press, key_of(ann, *last)))
        if number < len(keyed):
            told = ann.page.locator("#work .after b" if right else "#work .feedback strong")
            expect(told).to_have_text("Right:" if right else "Not quite.")
            expect(ann.page.locator("#work")).to_contain_text(key["why"].strip())
    name = "Turn 1 of 1" if right else "Not passed yet"
    expect(ann.page.get_by_role("heading", name=name)).to_be_visible()
    assert int(ann.page.evaluate("localStorage.getItem('pressed')")) == sum(3 if key["stance"] else 2 for key in keyed)
    ann.assert_quiet()


def key_of(person: Person, question: str, answer: str) -> str:
    """The key that gives an answer, as the page shows it."""
    label = person.page.locator(f"#work label:has(input[name={question}][value='{answer}'])")
    return str(label.get_attribute("data-key"))


@pytest.mark.parametrize("width", [1280, 390])
def test_the_first_question_of_the_next_turn_is_in_view(
    width: int, serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "turns.db", "ddft", documents=3))
    ann = sit_down(served, "Ann", viewport={"width": width, "height": 800})
    ann.switch_keys_on()
    ann.begin()
    for keys in ("7t", "x4r"):
        ann.press(*keys[:-1])
        ann.answered(lambda key=keys[-1]: ann.press(key))
        assert ann.page.evaluate(_SEEN, "#work fieldset legend") == [True, True]
        assert ann.page.evaluate(_SEEN, "#work fieldset .choices label") == [True, True]


_SEEN = """selector => {
  const wanted = document.querySelector(selector);
  const box = wanted.getBoundingClientRect();
  const there = y => [document.elementFromPoint(box.left + 5, y)].filter(each => each);
  const isSeen = y => there(y).some(each => wanted.contains(each) || each.contains(wanted));
  return [isSeen(box.top + 1), isSeen(box.bottom - 1)];
}"""


def test_an_adjudicator_picks_what_waits_and_decides_where_all_three_differ(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench", gold="majority"))
    for name, keys in (("Ann", "sfa" + "scbg" + "o" + "i"), ("Ben", "sfn" + "scbp" + "i")):
        person = sit_down(served, name)
        person.switch_keys_on()
        person.begin()
        for key in keys:
            person.answered(lambda key=key, person=person: person.press(key))  # type: ignore[misc]
    cleo = sit_down(served, "Cleo")
    cleo.switch_keys_on()
    cleo.reach(cleo.page.get_by_role("link", name="Waiting"))
    with cleo.page.expect_navigation():
        cleo.press("Enter")
    expect(cleo.page.get_by_role("heading", name="2 items on which raters differ")).to_be_visible()
    cleo.reach(cleo.page.get_by_role("button", name=re.compile("Take.*It suits people")))
    with cleo.page.expect_navigation():
        cleo.press("Enter")
    assert cleo.page.locator(".others").count() == 0, "blind at first"
    for key in ("s", "c", "m"):
        cleo.answered(lambda key=key: cleo.press(key))  # type: ignore[misc]
    expect(cleo.page.locator(".tied")).to_contain_text("yours decides: Misleading")
    expect(cleo.page.locator(".others > ul > li")).to_have_count(2)
    cleo.reach(cleo.page.locator("#work summary", has_text="Change: Rational?"))
    cleo.press("Enter")
    cleo.send(cleo.page.locator("details.change[open] button", has_text="Yes, it can be believed"))
    for key in ("g", "o"):
        cleo.answered(lambda key=key: cleo.press(key))  # type: ignore[misc]
    expect(cleo.page.locator(".tied")).to_contain_text("Yours decides, and is now: Irrefutable")
    assert "answer-1#1" not in served.project.gold, "not settled before Cleo goes on"
    cleo.send("Decide so and go on")
    expect(cleo.page.locator("blockquote")).to_have_text("The library opens at nine on Mondays.")
    gold = served.project.gold["answer-1#1"]
    assert (gold.value["label"], gold.how) == ("irrefutable", "adjudicated")
    vote = next(each for each in served.project.ratings if each.role == "adjudicator")
    assert (vote.blind, vote.decision) == (False, "changed"), "in sight of the others"
    cleo.assert_quiet()


def test_where_no_rater_gave_an_answer_the_adjudicator_is_told_so(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "labels.db", "labels", gold="majority"))
    for name in "Ann", "Ben":
        person = sit_down(served, name)
        person.begin()
        person.send("Not sure")
    cleo = sit_down(served, "Cleo")
    expect(cleo.page.get_by_text("You get the items on which raters differ or are unsure.")).to_be_visible()
    cleo.begin()
    cleo.send("Correct")
    expect(cleo.page.locator(".tied")).to_contain_text(
        "The raters were not sure here, or left it out, so yours decides: Correct."
    )
    expect(cleo.page.locator(".others li")).to_have_text(["Not sure", "Not sure"])
    cleo.send("Keep it and go on")
    assert [(each.value["answer"], each.how) for each in served.project.gold.values()] == [("correct", "adjudicated")]


def test_a_disagreement_leads_the_organiser_to_the_item_with_every_vote_and_every_export_is_a_download(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    for name, key in (("Ann", "a"), ("Ben", "n")):
        person = sit_down(served, name)
        person.switch_keys_on()
        person.begin()
        person.answered(lambda person=person: person.press("s"))  # type: ignore[misc]
        person.answered(lambda person=person: person.press("f"))  # type: ignore[misc]
        person.reach("#work textarea[name=reason]")
        person.type(f"{name} thinks so.")
        person.page.locator("#work h1").click()
        person.answered(lambda person=person, key=key: person.press(key))  # type: ignore[misc]
    cleo = sit_down(served, "Cleo")
    cleo.switch_keys_on()
    cleo.begin()
    for key in "sfn":
        cleo.answered(lambda key=key: cleo.press(key))  # type: ignore[misc]

    organiser = sit_down(served, "organiser")
    organiser.reach(organiser.page.get_by_role("link", name="The library opens at nine"))
    with organiser.page.expect_navigation():
        organiser.press("Enter")
    shown = organiser.page.locator("main").inner_text()
    assert "The reading room closes at five." in shown, "the item as raters see it"
    votes = organiser.page.locator(".vote")
    expect(votes).to_have_count(3)
    expect(votes.nth(0)).to_contain_text("Ann thinks so.")
    expect(votes.nth(1)).to_contain_text("Invented (not all of it is in the context)")
    expect(votes.nth(2)).to_contain_text("Cleo, adjudicator (having seen the others)")
    expect(organiser.page.locator(".settled")).to_contain_text(
        "Invented (not all of it is in the context) (adjudicated)"
    )
    assert organiser.page.goto(f"{organiser.address}item/999").status == 404  # type: ignore[union-attr]
    organiser.console.clear()

    organiser.page.goto(organiser.address)
    organiser.page.get_by_label("Call raters by their names").check()
    found = {form: download(organiser, form) for form in ("jsonl", "csv", "label-studio", "released", "log")}
    expect(organiser.page.locator(".downloads output")).to_have_text(
        "Making log. The download starts when it is ready."
    )
    lines = [json.loads(line) for line in found["jsonl"]["ratings.jsonl"].splitlines()]
    assert {line["rater"] for line in lines if line.get("kind", "rating") == "rating"} == {"Ann", "Ben", "Cleo"}
    assert [row["label"] for row in csv.DictReader(io.StringIO(found["csv"]["ratings.csv"]))]
    for files in found.values():
        assert not any(
            secret in text for text in files.values() for secret in map(_secret, served.server.links.values())
        )
    organiser.assert_quiet()


def download(person: Person, form: str) -> dict[str, str]:
    """The files of an archive, by name."""
    with person.page.expect_download() as waiting:
        person.page.get_by_role("button", name=form, exact=True).click()
    assert waiting.value.suggested_filename == f"ratings-{form}.zip"
    with zipfile.ZipFile(waiting.value.path()) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.mark.parametrize("scrolled", [0, 2_000])
def test_on_a_telephone_the_statement_and_undo_stay_in_view(
    serve: Serve, sit_down: SitDown, tmp_path: Path, scrolled: int
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench", documents=2))
    ann = sit_down(served, "Ann", viewport={"width": 390, "height": 844})
    ann.switch_keys_on()
    ann.begin()
    for key in ("s", "f"):
        ann.answered(lambda key=key: ann.press(key))  # type: ignore[misc]
        ann.page.evaluate(f"scrollTo(0, {scrolled})")
        expect(ann.button("Undo the last answer here")).to_be_in_viewport(ratio=1)
    expect(ann.page.locator("#work blockquote")).to_be_in_viewport(ratio=1)
    ann.answered(lambda: ann.press("a"))
    ann.page.evaluate(f"scrollTo(0, {scrolled})")
    expect(ann.page.locator(".after").get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    ann.assert_quiet()


def _secret(link: str) -> str:
    return link.rstrip("/").rsplit("/", 1)[1]


def _statements(number: int) -> Document:
    texts = [f"Room {number} has {place + 2} windows." for place in range(10)]
    starts = [sum(len(text) + 1 for text in texts[:place]) for place in range(10)]
    body = {
        "context": f"The rooms of house {number} have two to eleven windows.",
        "question": "How many windows are there?",
        "answer": " ".join(texts),
        "history": [],
        "statements": [
            {"text": text, "start": start, "end": start + len(text)} for text, start in zip(texts, starts, strict=True)
        ],
    }
    return Document(id=f"house-{number}", body=body, group=f"house-{number}")
