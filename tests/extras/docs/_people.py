"""Simulated people at the real desk: they know what is right, and slip now and then."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from voirdire.cognibench.formats import read_data
from voirdire.ddft.person_check import read_judged
from voirdire.raters.decisions import DECIDE
from voirdire.raters.new_project import NewProject, make_project
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Mode, Rater
from voirdire.raters.service import ItemState, RatingService, Submission
from voirdire.raters.store import Store
from voirdire.raters.tasks.base import DrawOptions
from voirdire.raters.tasks.cognibench.ladder import walk

Form = tuple[str, Mapping[str, str]]
"""The action, and the fields that are sent with it."""
Answer = Callable[[ItemState, Random], list[Form]]
"""What somebody sends, one form after the other, until an item is rated."""

RATERS, ADJUDICATORS = ("Ana", "Ben"), ("Cyn",)
SLIPS = 0.15
"""Share of ratings in which somebody is off."""
STRICTER = 0.1
"""So much lower than the run's jury people score."""
ANSWERS = {
    "irrelevant": "yes",
    "faithful": "no factual yes",
    "invented": "no factual no",
    "misleading": "no cognitive no",
    "speculative": "no cognitive yes no",
    "reliable": "no cognitive yes yes no",
    "irrefutable": "no cognitive yes yes yes",
}
"""The answers that lead up the ladder to each label."""


def make_turns(path: Path, run: Path) -> None:
    """A project of forty turns of a run."""
    make_project(path, NewProject(task="ddft", source=run, draw=DrawOptions(sample=40), **_people()))


def statements(path: Path, data: Path, mode: Mode = "sequential", *, rated: bool = True) -> None:
    """A project of eight labelled answers, rated or not yet."""
    make_project(path, NewProject(task="cognibench", source=data, mode=mode, draw=DrawOptions(sample=8), **_people()))
    if rated:
        known = {(answer.id, each.text): each.label for answer in read_data(data).answers for each in answer.statements}
        _rate(path, lambda item_state, random: _labelled(item_state, known, random))


def rate_turns(path: Path, run: Path) -> None:
    """Have a project of turns rated by everybody in it, unless it is."""
    if read_project(path).ratings:
        return
    known = {(row["dialogue"], row["turn"]): row for row in read_judged(run).turns.to_dict("records")}
    _rate(path, lambda item_state, random: [("rate", _scored(item_state, known, random))])


def rate_answers(path: Path) -> None:
    """Have a project of labels rated by everybody in it, unless it is."""
    if not read_project(path).ratings:
        _rate(path, lambda item_state, random: [("answer", {"answer": _label(item_state, random)})])


def _label(item_state: ItemState, random: Random) -> str:
    body = item_state.work.document.body
    right = body["reference"] in body["output"]
    return "correct" if right == (random.random() >= SLIPS / 2) else "incorrect"


def _people() -> dict[str, Any]:
    return {"raters": RATERS, "adjudicators": ADJUDICATORS}


def _rate(path: Path, answer: Answer) -> None:
    """Everybody rates whatever comes, one after the other, adjudicators last."""
    with Store.open(path) as store:
        service, people = RatingService(store), store.read.raters()
        for rater in sorted(people, key=lambda rater: rater.role, reverse=True):
            asyncio.run(_at_work(service, rater, answer))


async def _at_work(service: RatingService, rater: Rater, answer: Answer) -> None:
    random, tokens = Random(rater.name), _tokens(rater)
    while item := (await service.take_next(rater)).item:
        if random.random() < 0.03:
            await service.ask(rater, item, "Is this meant literally?", next(tokens))
        for action, form in answer(service.item_state(rater, item), random):
            seen = service.item_state(rater, item).seen
            await service.act(rater, item, Submission(action, form, next(tokens), seen, random.uniform(5, 40)))
        if (state := service.item_state(rater, item)).tie:
            await service.act(rater, item, Submission(DECIDE, {}, next(tokens), state.seen, random.uniform(5, 40)))


def _tokens(rater: Rater) -> Iterator[str]:
    return (f"{rater.id}-{number:08}" for number in itertools.count())


def _labelled(item_state: ItemState, known: Mapping[tuple[str, str], str | None], random: Random) -> list[Form]:
    work = item_state.work
    if work.item.key is not None:
        label = work.item.key["label"]
    elif random.random() < SLIPS:
        label = random.choice(("faithful", "speculative", "reliable"))
    else:
        label = known[work.document.id, work.document.body["statements"][work.item.place]["text"]]
    if work.settings.mode == "independent":
        return [("answer", {"question": "label", "answer": label})]
    path = walk(ANSWERS[label].split())
    return [("answer", {"question": question, "answer": answer}) for question, answer in path]


def _scored(
    item_state: ItemState, known: Mapping[tuple[str, int], Mapping[str, Any]], random: Random
) -> dict[str, str]:
    work = item_state.work
    if work.item.key is not None:
        right, off = work.item.key, 0.0
    else:
        right = known[work.document.source["dialogue"], work.document.source["turn"]]
        off = random.gauss(-STRICTER, 0.3 if random.random() < SLIPS else 0.05)
    form = {"sas": _tenth(right["sas"] + off), "far": "none" if right["no_claims"] else _tenth(right["far"] + off)}
    if work.document.body["fabricated"]:
        form["stance"] = right["stance"] or "questioned"
    return form


def _tenth(score: float) -> str:
    return f"{round(min(max(score, 0.0), 1.0), 1):g}"
