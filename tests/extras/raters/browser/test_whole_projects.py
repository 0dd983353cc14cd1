"""Whole projects by keyboard alone: two raters and an adjudicator; what is exported is what was entered."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.extras.raters.browser._person import Person
from tests.extras.raters.browser._projects import FACTS, SENTENCES, STATEMENTS, TRAP, make
from tests.extras.raters.browser._serving import Served
from voirdire.raters.exchange import ExportPlan, export_project

Serve = Callable[[Path], Served]
SitDown = Callable[..., Person]
Value = Mapping[str, Any]


def test_turns_are_rated_by_keyboard_and_exported_as_entered(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / "turns.db", "ddft", documents=2))
    entered: dict[tuple[str, str], Value] = {}

    ann = sit_down(served, "Ann")
    ann.begin()
    entered["Ann", "turn-1"] = rate_turn(ann, far="0.9", sas="1")
    entered["Ann", "turn-2"] = rate_turn(ann, far="0.3", sas="0.8", stance="accepted", comment="It takes it for real.")
    assert ann.page.get_by_role("heading", name="All done").is_visible()

    ben = sit_down(served, "Ben")
    ben.switch_keys_on()
    ben.begin()
    rate_turn(ben, far="none", sas="0.2", key="s")
    ben.answered(lambda: ben.press("u"))  # the last one again: it was wrong
    entered["Ben", "turn-1"] = rate_turn(ben, far="0.8", sas="1", key="s")
    entered["Ben", "turn-2"] = rate_turn(ben, far="none", sas="0.7", stance="rejected", key="s")

    cleo = sit_down(served, "Cleo")
    cleo.begin()
    others = cleo.page.locator(".others")
    assert "accepted" in others.inner_text() and "rejected" in others.inner_text()
    entered["Cleo", "turn-2"] = rate_turn(cleo, far="0.2", sas="0.8", stance="accepted")
    assert cleo.page.get_by_role("heading", name="Nothing to decide").is_visible()

    assert stands(served) == entered
    assert exported(served, tmp_path) == entered
    gold = served.project.gold
    assert {item: each.how for item, each in gold.items()} == {"turn-1": "agreed", "turn-2": "adjudicated"}
    assert gold["turn-2"].value["far"] == 0.2
    for person in (ann, ben, cleo):
        person.assert_quiet()


def test_statements_are_rated_by_keyboard_and_exported_as_entered(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "statements.db", "cognibench"))
    first, second, third = (f"answer-1#{place}" for place in range(3))

    ann = sit_down(served, "Ann")
    ann.begin()
    for says, then in (
        ("It says something", "legend: Does it report"),
        ("It reports (factual)", "legend: Does the context"),
        ("Yes, all of it", "h1: Statement 2 of 3"),
    ):
        ann.send(says)
        assert focused(ann).startswith(then), "what comes next has the focus, so that it is read out"
    ann.send("It says nothing")
    ann.send("Undo")
    ann.reach("#work textarea[name=reason]")
    ann.type("Early risers are my guess.")
    for says in (
        "It says something",
        "It goes beyond (cognitive)",
        "Yes, it can be believed",
        "Yes, it is supported",
        "No, it can be disputed",
    ):
        ann.send(says)
    ask(ann, "Is that a statement at all?")
    ann.send("It says nothing")

    ben = sit_down(served, "Ben")
    ben.switch_keys_on()
    ben.begin()
    for key in ("s", "f", "a", "s", "c", "b", "p", "i"):
        ben.answered(lambda key=key: ben.press(key))
    assert ben.page.get_by_role("heading", name="All done").is_visible()

    cleo = sit_down(served, "Cleo")
    cleo.switch_keys_on()
    cleo.begin()
    assert cleo.page.locator("#work blockquote").inner_text() == STATEMENTS[1]
    assert "Early risers are my guess." in cleo.page.locator(".others").inner_text()
    for key in ("s", "c", "b", "g", "d"):
        cleo.answered(lambda key=key: cleo.press(key))

    found = stands(served)
    assert {who: value["label"] for who, value in found.items()} == {
        ("Ann", first): "faithful",
        ("Ann", second): "reliable",
        ("Ann", third): "irrelevant",
        ("Ben", first): "faithful",
        ("Ben", second): "speculative",
        ("Ben", third): "irrelevant",
        ("Cleo", second): "reliable",
    }
    assert found["Ann", second]["reason"] == "Early risers are my guess."
    assert [answer for _, answer in found["Ben", second]["steps"]] == ["no", "cognitive", "yes", "no"]
    assert exported(served, tmp_path) == found
    assert {item: each.how for item, each in served.project.gold.items()} == {
        first: "agreed",
        second: "adjudicated",
        third: "agreed",
    }
    reply_as_organiser(sit_down(served, "organiser"), "Take it as one.")
    ann.page.goto(f"{ann.address}inbox")
    assert "Take it as one." in ann.page.locator(".qa").inner_text()
    for person in (ann, ben, cleo):
        person.assert_quiet()


def test_responses_are_rated_by_keyboard_and_exported_as_entered(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    served = serve(make(tmp_path / "responses.db", "integrity"))

    ann = sit_down(served, "Ann")
    ann.begin()
    give_impression(ann, "90")
    ann.send("No violation here: go on")
    add_violation(ann, kind="imprecision", span="two percent", fact="F2", reason="It is three.")
    ann.send("Done with this sentence: go on")
    ann.send("These are left out, or none: go on")
    ann.send("Finish with 95 (Excellent)")

    ben = sit_down(served, "Ben")
    ben.switch_keys_on()
    ben.begin()
    give_impression(ben, "60")
    ben.answered(lambda: ben.press("g"))
    add_violation(ben, kind="fact_denial", span="", fact="F2", reason="")
    ben.answered(lambda: ben.press("g"))
    ben.reach(ben.page.get_by_label(FACTS[2]["text"]))
    ben.press("Space")
    ben.send("These are left out, or none: go on")
    ben.answered(lambda: ben.press("f"))

    cleo = sit_down(served, "Cleo")
    cleo.begin()
    assert cleo.page.locator(".others").count() == 0, "what raters say comes after the adjudicator's own impression"
    give_impression(cleo, "90")
    cleo.send("No violation here: go on")
    cleo.send(cleo.page.get_by_role("button", name=re.compile("Take this over.*Fact denial")))
    cleo.send("Done with this sentence: go on")
    cleo.send("These are left out, or none: go on")
    cleo.send("Finish with 70 (Good)")
    cleo.choose("missed", "no")
    cleo.choose("twice", "no")
    cleo.choose("values", "yes")
    cleo.send("Save, and back to the violations")
    cleo.send("Finish with 70 (Good)")

    found = stands(served)
    mild = ("imprecision", 1, "two percent", "F2", "It is three.")
    denial = ("fact_denial", 1, SENTENCES[1], "F2", "")
    omission = ("single_omission", None, None, "F3", "")
    assert {who: (value["holistic"], value["score"], marked(value)) for who, value in found.items()} == {
        ("Ann", "response-1"): (90, 95, [mild]),
        ("Ben", "response-1"): (60, 65, [denial, omission]),
        ("Cleo", "response-1"): (90, 70, [denial]),
    }
    look = found["Cleo", "response-1"]["second_look"]
    assert (look["missed"], look["twice"], look["values"], look["score_before"]) == (False, False, True, 70)
    assert exported(served, tmp_path) == found
    assert served.project.gold["response-1"].how == "adjudicated"
    for person in (ann, ben, cleo):
        person.assert_quiet()


def give_impression(person: Person, score: str) -> None:
    person.reach("#work input[name=score]")
    person.type(score)
    person.send("Give this score and lock it")


def add_violation(person: Person, *, kind: str, span: str, fact: str, reason: str) -> None:
    """Through the plain fields alone."""
    form = person.page.locator("#work form:has(legend:text-is('Add a violation'))")
    if span:
        person.reach(form.locator("[name=span]"))
        person.type(span)
    person.choose("type", kind)
    person.choose("fact", fact)
    if reason:
        person.reach(form.locator("[name=reason]"))
        person.type(reason)
    person.send("Add this violation")


def marked(value: Value) -> list[tuple[Any, ...]]:
    return [
        tuple(each[name] for name in ("type", "sentence", "span", "fact", "reason")) for each in value["violations"]
    ]


def ask(person: Person, text: str) -> None:
    person.reach("#work .ask > summary")
    person.press("Enter")
    person.reach("#work .ask textarea")
    person.type(text)
    person.send("Send the question")
    assert "Your question is with the organiser." in person.page.locator("#work .said").inner_text()


def reply_as_organiser(organiser: Person, text: str) -> None:
    organiser.reach("main textarea[name=text]")
    organiser.type(text)
    organiser.reach(organiser.button("Send the answer"))
    with organiser.page.expect_navigation():
        organiser.press("Enter")
    organiser.assert_quiet()


def focused(person: Person) -> str:
    """What has the focus: its element and its text."""
    found: str = person.page.evaluate(
        "() => document.activeElement.localName + ': ' + document.activeElement.innerText"
    )
    return found


def rate_turn(
    person: Person, *, far: str, sas: str, stance: str | None = None, comment: str = "", key: str = ""
) -> Value:
    """Fill in the form of a turn and send it: by its button, or by a single key."""
    person.choose("far", far)
    person.choose("sas", sas)
    assert (person.page.get_by_text(TRAP).count() > 0) == (stance is not None)
    if stance:
        person.choose("stance", stance)
    if comment:
        person.reach("#work textarea[name=comment]")
        person.type(comment)
    if key:
        person.answered(lambda: person.press(key))
    else:
        person.send(person.page.locator("#work").get_by_role("button", name="Save"))
    return {
        "far": None if far == "none" else float(far),
        "sas": float(sas),
        "no_claims": far == "none",
        "stance": stance,
        "comment": comment,
    }


def stands(served: Served) -> dict[tuple[str, str], Value]:
    """By name and item: the ratings as the project has them."""
    project = served.project
    return {(project.raters[each.rater].name, each.item): each.value for each in project.ratings}


def exported(served: Served, folder: Path) -> dict[tuple[str, str], Value]:
    """The same, from the lines of an export."""
    done = export_project(served.project, ExportPlan(target="jsonl", out=folder / "out", names=True))
    (file,) = (each for each in done.files if each.name.startswith("ratings"))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return {(line["rater"], line["item"]): line["value"] for line in lines}
