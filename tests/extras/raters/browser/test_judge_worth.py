"""From logs to what their judge is worth: forty pairs rated by keyboard alone, with all that goes wrong in between."""

import json
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval, score
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Score,
    Scorer,
    Target,
    accuracy,
    precomputed_scores,
    scorer,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from playwright.sync_api import expect

from tests.cli import command
from tests.cli.here import voirdire, voirdire_json
from tests.extras.raters.browser._person import Person
from tests.extras.raters.browser._serving import Served
from tests.raters.tasks.guided.test_sources import written

Serve = Callable[[Path], Served]
SitDown = Callable[..., Person]

SAMPLES, PAIRS, ANSWERS = 60, 40, 10
PARTS = "#work [data-part=output]"
PEOPLE = ("--rater", "Ann", "--rater", "Ben", "--adjudicator", "Cyn")


def test_forty_pairs_of_logs_are_rated_by_keys_and_scores_go_back(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    logs, path, page = _logs(tmp_path / "logs"), tmp_path / "pairs.voirdire", tmp_path / "worth.html"
    voirdire("rate", "new", path, "--task", "preference", "--from", logs, "--draw", PAIRS, *PEOPLE)
    served = serve(path)
    drawn = sorted(int(each.source["item"]) for each in served.project.documents.values())
    (one, tie), even = [n for n in drawn if n % 2][:2], next(n for n in drawn if n % 2 == 0)
    contrary = {
        one: "weak",
        tie: "weak",
        even: "strong",
    }  # what Ben says, other than Ann; of `tie` Cyn says a third thing
    ann, ben = _sit_down_to_keys(sit_down, served, "Ann"), _sit_down_to_keys(sit_down, served, "Ben")
    for place in range(PAIRS):
        for person in (ann, ben):  # in turn: keys rest for a moment after a change, in one browser while the other acts
            _is_at(person, place, PAIRS)
            key = _key_for_pair(person, contrary if person is ben else {})
            if place == 10:
                person.press(key)
                person.page.keyboard.press(key)
            elif place == 20 and person is ben:
                served.server.kill()
                person.press(key)
                expect(person.page.locator("#alert")).to_contain_text("Not saved yet")
                served.start_again()
            else:
                person.press(key)
    for person in (ann, ben):
        expect(person.page.get_by_role("heading", name="All done")).to_be_visible()
    cyn = _sit_down_to_keys(sit_down, served, "Cyn")
    for place in range(len(contrary)):
        _is_at_dispute(cyn, place, len(contrary) - place - 1)
        assert cyn.page.locator(".others").count() == 0, "blind at first"
        if _number_of_pair(cyn) == tie:
            cyn.press("0")
            expect(cyn.page.locator(".tied")).to_contain_text("yours decides")
            assert tie not in _settled(served), "not before Cyn has seen what the others say"
            cyn.send("Keep it and go on")
        else:
            cyn.press(_key_for_pair(cyn, {}))
    expect(cyn.page.get_by_role("heading", name="Nothing to decide")).to_be_visible()
    organiser = sit_down(served, "organiser")
    rows = organiser.page.locator("[aria-labelledby=disagreements] tbody tr")
    expect(rows).to_have_count(len(contrary))
    assert "open" not in rows.locator("td:last-child").all_inner_texts()
    organiser.assert_quiet()

    project = served.project
    assert len(project.ratings) == 2 * PAIRS + len(contrary), "each press counts once"
    hows = Counter(each.how for each in project.gold.values())
    assert hows == {"agreed": PAIRS - 3, "majority": 2, "adjudicated": 1}
    assert _settled(served)[tie] == "tie"
    (judge,) = voirdire_json("jury", "worth", logs, "--human", path, "--page", page)["judges"]
    assert (judge["ratings"], judge["verdicts"], judge["conclusion"]) == (PAIRS, SAMPLES, "trust")
    assert judge["agreement"]["value"] == pytest.approx(1 - 1 / PAIRS) and judge["agreement"]["interval"]["low"] > 0.8
    assert (judge["metric"]["chosen"], judge["saves"] > 0) == ("powered", True), "what was drawn tells of all"
    opened = organiser.context.new_page()
    opened.goto(page.as_uri())
    shown = opened.locator("main").inner_text()
    assert (
        "choice says The first of the pair (mockllm/strong) is better" in shown and "people say Equally good" in shown
    )
    assert f"First: Strong is right about {tie}." in shown and f"Second: Weak is wrong about {tie}." in shown
    command.voirdire("rate", "export", path, "--to", "inspect-scores", "-o", tmp_path / "out")
    for name, won in (("strong", 1.0), ("weak", 0.0)):
        wanted = {n: won if n % 2 and n != tie else 0.5 for n in drawn}
        people = tmp_path / f"out/{name}-people.json"
        again = precomputed_scores(str(tmp_path / f"out/scores-mockllm_{name}.json"))
        log = _beside_the_browser(read_eval_log, str(people))
        found = _beside_the_browser(score, log, again, action="append", model="mockllm/model", display="none")
        for each in ("people", "precomputed_scores"):
            scores = {sample.id: (sample.scores or {}).get(each) for sample in found.samples or []}
            assert {n: given.value for n, given in scores.items() if given is not None} == wanted
    assert (ann.errors, ben.errors) == ([], []), "their consoles tell of the connection"
    cyn.assert_quiet()


def test_marked_words_of_flagged_answers_say_what_the_detector_is_worth(
    serve: Serve, sit_down: SitDown, tmp_path: Path
) -> None:
    said = ("It opens at 8.", "It opens at 9.")
    rows = [
        {"id": f"a{n}", "context": f"Room {100 + n} opens at 9.", "question": "When?", "answer": said[n % 2]}
        for n in range(ANSWERS)
    ]
    source, flagged = written(tmp_path / "answers.jsonl", rows), tmp_path / "flagged.jsonl"
    path, page = tmp_path / "spans.voirdire", tmp_path / "worth.html"
    voirdire("detect", source, "-o", flagged)
    voirdire("rate", "new", path, "--task", "spans", "--from", flagged, *PEOPLE, "--gold", "adjudicated")
    served = serve(path)
    ann, ben = _sit_down_to_keys(sit_down, served, "Ann"), _sit_down_to_keys(sit_down, served, "Ben")
    for place in range(ANSWERS):
        for person in (ann, ben):
            _is_at(person, place, ANSWERS)
            if "8" in person.page.locator(PARTS).inner_text():
                differs = person is ben and "Room 100 " in person.page.locator(".material").inner_text()
                person.reach(PARTS)
                person.press("Home" if differs else "End")
                person.answered(lambda person=person: person.press("1"))
            person.press("d")
            if place == 4:
                person.page.keyboard.press("d")
            if place == 6 and person is ben:
                served.server.kill()  # the rating may be on its way
                served.start_again()
    for person in (ann, ben):
        expect(person.page.get_by_role("heading", name="All done")).to_be_visible()
    cyn = _sit_down_to_keys(sit_down, served, "Cyn")
    _is_at_dispute(cyn, 0, 0)
    cyn.send(cyn.page.get_by_role("button", name="Take over 8"))
    cyn.press("d")
    expect(cyn.page.get_by_role("heading", name="Nothing to decide")).to_be_visible()

    assert len(served.project.ratings) == 2 * ANSWERS + 1
    judges = {
        each["judge"]: each
        for each in voirdire_json("jury", "worth", flagged, "--human", path, "--page", page)["judges"]
    }
    assert {name: each["ratings"] for name, each in judges.items()} == {"flagged": ANSWERS, "score": ANSWERS}
    assert judges["flagged"]["agreement"]["value"] == 1
    assert "they cover everything that flagged judged" in page.read_text()
    voirdire("rate", "export", path, "--to", "answers", "-o", tmp_path / "out")
    labels = [json.loads(line)["statements"] for line in (tmp_path / "out/answers.jsonl").read_text().splitlines()]
    assert sorted(each["label"] for (each,) in labels) == ["faithful"] * 5 + ["invented"] * 5
    assert (ann.errors, ben.errors) == ([], []), "their consoles tell of the connection"
    cyn.assert_quiet()


def _logs(folder: Path) -> Path:
    """Two models' logs as Inspect writes them; the judge finds the weaker one wrong about every other sample."""
    samples = [Sample(id=number, input=f"Question {number}?", target="red") for number in range(1, SAMPLES + 1)]
    for name in ("strong", "weak"):
        task = Task(dataset=samples, solver=_says(name), scorer=choice(), name="colours")
        options = {"model": f"mockllm/{name}", "log_dir": str(folder / "all"), "log_format": "json"}
        (log,) = _beside_the_browser(eval, task, **options, display="none")
        Path(log.location.removeprefix("file://")).rename(folder / f"{name}.json")
    (folder / "all").rmdir()
    return folder


def _beside_the_browser(does: Callable[..., Any], *given: object, **options: object) -> Any:
    """In a thread of its own: Playwright's loop runs in this one."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(does, *given, **options).result()


@solver
def _says(name: str) -> Solver:
    """An answer without a model."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content(name, f"Answer {state.sample_id} of maker/{name}.")
        return state

    return solve


@scorer(metrics=[accuracy()])
def choice() -> Scorer:
    """The judge."""

    async def judge(state: TaskState, target: Target) -> Score:
        wrong = "weak" in state.output.completion and int(state.sample_id) % 2
        who, what = ("Weak" if "weak" in state.output.completion else "Strong"), "wrong" if wrong else "right"
        return Score(
            value=INCORRECT if wrong else CORRECT,
            answer=state.output.completion,
            explanation=f"{who} is {what} about {state.sample_id}.",
        )

    return judge


def _sit_down_to_keys(sit_down: SitDown, served: Served, name: str) -> Person:
    person = sit_down(served, name)
    person.switch_keys_on()
    person.begin()
    return person


def _is_at(person: Person, place: int, of: int) -> None:
    """Wait for an item; after a server has come back, that takes a while."""
    expect(person.page.locator("#focus")).to_contain_text(f"{place + 1} of {of}", timeout=20_000)


def _is_at_dispute(person: Person, place: int, waiting: int) -> None:
    """The same of an adjudicator, who is told how many more are waiting and no total."""
    more = rf" \({waiting} more waiting\)" if waiting else ""
    expect(person.page.locator("#focus")).to_have_text(re.compile(rf"^\s*\w+ {place + 1}{more}\s*$"), timeout=20_000)


def _first_of_pair(person: Person) -> str:
    return person.page.locator(".material h2:text-is('Answer A') + .text").inner_text()


def _number_of_pair(person: Person) -> int:
    return int(re.search(r"\d+", _first_of_pair(person))[0])  # type: ignore[index]


def _settled(served: Served) -> dict[int, str]:
    """What pairs are settled as, by their number."""
    project = served.project
    return {
        int(project.documents[project.items[item].document].source["item"]): gold.value["answer"]
        for item, gold in project.gold.items()
    }


def _key_for_pair(person: Person, contrary: dict[int, str]) -> str:
    """The stronger model is better about samples with an odd number, else both are as good; or what is given."""
    number = _number_of_pair(person)
    shown = _first_of_pair(person)
    better = contrary.get(number, "strong" if number % 2 else "")
    return "0" if not better else "a" if better in shown else "b"
