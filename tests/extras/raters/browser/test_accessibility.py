"""axe-core finds no serious fault on any page, in light and in dark, wide and narrow."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.extras.raters.browser._person import Person
from tests.extras.raters.browser._projects import make
from tests.extras.raters.browser._serving import Served
from voirdire.raters.tasks import MODULES
from voirdire.raters.tasks.ddft.builder import practice

Serve = Callable[[Path], Served]
SitDown = Callable[..., Person]

Way = tuple[Literal["light", "dark"], int, int]
WAYS: tuple[Way, ...] = (
    ("light", 1280, 800),
    ("dark", 1280, 800),
    ("light", 390, 844),
    ("dark", 390, 844),
)
FEW = WAYS[::3]
"""Each theme and each width once."""
OWN = ("overview", "guide", "an item", "a disagreement")
"""Pages for which every task has texts or forms of its own; others look alike, and are seen in all ways but once."""
_RUN = """only => axe
  .run({ resultTypes: ['violations'], ...(only ? { runOnly: only.rules } : {}) })
  .then(({ violations }) => violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(node => `${id} at ${node.target}: ${node.failureSummary}`)))"""


@pytest.mark.parametrize("task", MODULES)
def test_no_page_has_a_serious_fault(task: str, serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    served = serve(make(tmp_path / f"{task}.db", task, documents=2))
    ann, ben, cleo, organiser = (sit_down(served, name) for name in ("Ann", "Ben", "Cleo", "organiser"))
    for place, (state, person) in enumerate(course(task, ann, ben, cleo, organiser)):
        whole = task == next(iter(MODULES)) or state.startswith(OWN)
        in_turn = WAYS[place % len(WAYS) :][:1]
        check(state, person.page, FEW if state.startswith("rating") else WAYS if whole else in_turn)


def test_practice_and_calibration_have_no_serious_fault(serve: Serve, sit_down: SitDown, tmp_path: Path) -> None:
    path = make(
        tmp_path / "practice.db",
        "ddft",
        practice=list(zip(*practice()[:2], strict=True))[:2],
        pass_share=1,
        calibration=1,
    )
    ann = sit_down(serve(path), "Ann")
    check("before practice", ann.page)
    ann.begin()
    check("practice", ann.page)
    give(ann, far="0")
    assert "feedback" in ann.page.evaluate("document.activeElement.className"), "it is read out at once"
    expect(ann.page.get_by_role("heading", name="Practice turn 2 of 2")).to_be_visible()
    check("feedback", ann.page)
    give(ann, far="0")
    ann.page.get_by_role("heading", name="Not passed yet").wait_for()
    expect(ann.page.locator(".feedback").filter(has_text="Not quite.")).to_have_count(2)
    check("not passed", ann.page)
    ann.button("Begin the practice anew").click()
    ann.page.get_by_role("heading", name="Practice turn 1 of 2").wait_for()
    give(ann, far="1")
    give(ann, far="0.5")
    ann.page.get_by_role("heading", name="Turn 1 of 1").wait_for()
    expect(ann.page.locator("#work .begins")).to_have_text(
        "Practice passed, 2 of 2 right. From here on your answers count."
    )
    check("passed, with why it was right", ann.page)
    give(ann, far="1")
    check("calibration", ann.page)
    ann.assert_quiet()


def give(person: Person, *, far: str) -> None:
    person.rest()
    person.page.check(f"input[name=far][value='{far}']", force=True)
    person.page.check("input[name=sas][value='1']", force=True)
    person.answered(person.button("Save").click)


def course(task: str, ann: Person, ben: Person, cleo: Person, organiser: Person) -> Iterator[tuple[str, Person]]:
    """Through a project: every page that there is, and every state of them."""
    yield "overview", ann
    ann.page.goto(f"{ann.address}next")
    yield "ready", ann
    for page in ("guide", "inbox", "finished"):
        ann.page.goto(f"{ann.address}{page}")
        yield page, ann
    ann.page.goto(ann.address)
    ann.begin()
    yield "an item", ann
    yield from ((f"rating: {state}", ann) for state in RATE[task](ann, first=True))
    ask(ann)
    yield "asked", ann
    ben.begin()
    for _ in RATE[task](ben, first=False):
        pass
    cleo.begin()
    yield "a disagreement", cleo
    if task == "integrity":
        impression(cleo, "70")
        yield "a disagreement, taken apart", cleo
    ann.page.locator("#keys-switch").click()
    ann.page.locator("#keys-show").click()
    yield "keys", ann
    ann.page.goto(f"{ann.address}finished")
    yield "finished, with items", ann
    ann.page.goto(f"{ann.address}inbox")
    yield "inbox, with questions", ann
    ann.page.goto(f"{ann.address}item/1")
    yield "an item again", ann
    ann.page.goto(f"{ann.address}item/999")
    yield "nothing there", ann
    ann.page.goto("/".join(ann.address.split("/")[:3]))
    yield "front", ann
    organiser.page.reload()
    yield "organiser", organiser
    for summary in organiser.page.locator("summary").all():
        summary.click()
    yield "organiser, all opened", organiser


def rate_turns(person: Person, *, first: bool) -> Iterator[str]:
    for score in ("0.9", "0.8"):
        person.page.check(f"input[name=far][value='{score if first else '0.1'}']", force=True)
        person.page.check("input[name=sas][value='0.5']", force=True)
        if person.page.locator("input[name=stance]").count():
            person.page.check("input[name=stance][value=rejected]", force=True)
            yield "chosen"
            return
        person.answered(person.button("Save").click)
        yield "the next one"


def rate_statements(person: Person, *, first: bool) -> Iterator[str]:
    second = (
        ("It reports (factual)", "No, not all of it") if first else ("It goes beyond (cognitive)", "No, it misleads")
    )
    for says in ("It says something", *second):
        person.answered(person.button(says).click)
        yield says
    person.answered(person.button("It says nothing").click)
    person.answered(person.button("It says nothing").click)


def rate_responses(person: Person, *, first: bool) -> Iterator[str]:
    impression(person, "60" if first else "40")
    yield "sentences"
    for _ in range(2):
        form = person.page.locator("#work form:has(legend:text-is('Add a violation'))")
        form.get_by_label("Fact denial" if not first else "Imprecision").check()
        form.get_by_label("None").check()
        person.answered(person.button("Add this violation").click)
        yield "a violation"
        person.answered(person.page.locator("#work [data-key=g]").click)
    yield "omissions"
    person.answered(person.button("These are left out, or none: go on").click)
    yield "the end"
    person.answered(person.page.locator("#work [data-key=f]").click)
    if person.page.locator("input[name=missed]").count():
        yield "three questions"
        for name in ("missed", "twice", "values"):
            person.page.check(f"input[name={name}][value=no]")
        person.answered(person.button("Save, and back to the violations").click)
        yield "looked at twice"
        person.answered(person.page.locator("#work [data-key=f]").click)


def impression(person: Person, score: str) -> None:
    person.page.locator("#work input[name=score]").fill(score)
    person.answered(person.button("Give this score and lock it").click)


def rate_by(first_says: str, other_says: str) -> Callable[..., Iterator[str]]:
    """Rating the first item by a button."""

    def rate(person: Person, *, first: bool) -> Iterator[str]:
        person.answered(person.button(first_says if first else other_says).click)
        yield "the next one"

    return rate


def rate_spans(person: Person, *, first: bool) -> Iterator[str]:
    person.page.locator("input[name=quote]").fill("library opens" if first else "early")
    person.answered(person.button("Unsupported").click)
    yield "marked"
    person.answered(person.button("Done with this answer").click)


RATE = {
    "cognibench": rate_statements,
    "integrity": rate_responses,
    "ddft": rate_turns,
    "labels": rate_by("Correct", "Incorrect"),
    "score": rate_by("1", "5"),
    "preference": rate_by("A is better", "Equally good"),
    "spans": rate_spans,
}


def ask(person: Person) -> None:
    person.page.locator("#work .ask summary").click()
    person.page.locator("#work .ask textarea").fill("How is this meant?")
    person.answered(person.button("Send the question").click)


def check(state: str, page: Page, ways: Sequence[Way] = WAYS) -> None:
    """Run axe in these ways that the page can look; themes differ in colours alone."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(Axe().axe_script)
    for scheme, width, height in ways:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": height})
        faults = page.evaluate(_RUN, {"rules": ["color-contrast"]} if scheme == "dark" else None)
        assert not faults, f"{state}, {scheme}, {width} wide: {faults}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{state} is wider than {width}"
