"""Small sources, projects that are rated, and works of guided tasks."""

import asyncio
import itertools
import json

from tests.raters._rated import Imported, take_in
from voirdire.raters.new_project import NewProject, make_project
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Document, Item, Row, Settings
from voirdire.raters.store import Store
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.base import DrawOptions, Work

OUTPUT = "The reading room opens at eight, and it has a café."
PASSAGES = ("The reading room opens at nine.", "There is no café in the library.")


def document(output=OUTPUT, outputs=(), flags=(), **body):
    """An answer to be rated."""
    whole = {
        "passages": list(PASSAGES),
        "history": [["Is there a library?", "Yes."]],
        "prompt": "When does the reading room open?",
        "reference": "At nine.",
        "choices": [],
        "output": output,
        "outputs": list(outputs),
        "flags": list(flags),
    }
    return Document(id="d", body={**whole, **body}, group="d", source={"item": "d", "model": "m"})


def a_work(task, *rows, doc=None, rater="r1", **more):
    """An item, with these rows on it."""
    return Work(
        settings=Settings(task=task.name, title="T", guide=task.guide.as_dict()),
        document=doc or document(),
        item=Item(id="d", document="d"),
        rows=tuple(rows),
        rater=rater,
        **more,
    )


def after(task, *actions, doc=None, **more):
    """An item after actions, each (name, fields)."""
    rows, numbers = [], itertools.count(1)
    for action, form in actions:
        new = task.take(a_work(task, *rows, doc=doc, **more), action, form)
        rows.append(
            Row(
                seq=next(numbers),
                token="t",
                at="2026-01-01",
                rater="r1",
                item="d",
                kind=new.kind,
                body=new.body,
                replaces=new.replaces,
            )
        )
    return a_work(task, *rows, doc=doc, **more)


def written(path, rows):
    """JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def results(path, items=12, models=("one", "two")):
    """A table of results: the second model is right about every other item."""
    return written(
        path,
        [
            {
                "item": f"q{number}",
                "model": model,
                "score": float(model == models[0] or number % 2),
                "prompt": f"Question {number}?",
                "output": f"{model} says {number}.",
                "reference": str(number),
            }
            for number in range(items)
            for model in models
        ],
    )


def made(tmp_path, task, source, *, name="p.voirdire", guide=None, gold="majority", **draw):
    """A project's file."""
    path = tmp_path / name
    if guide is not None:
        (tmp_path / "guide.yaml").write_text(guide)
    make_project(
        path,
        NewProject(
            task=task,
            source=source,
            draw=DrawOptions(**draw),
            raters=("Ann", "Ben"),
            adjudicators=("Cyn",),
            gold=gold,
            guide=None if guide is None else tmp_path / "guide.yaml",
        ),
    )
    return path


def rated(path, value_of, seconds=0.0):
    """The project after Ann and Ben have rated all of it: `value_of(document, rater)` says how."""
    project = read_project(path)
    raters = [each for each in project.raters.values() if each.role == "rater"]
    values = [
        Imported(rater.id, item.id, {"value": value_of(project.documents[item.document], rater.name)}, seconds)
        for item in project.items.values()
        for rater in raters
    ]
    with Store.open(path) as store:
        asyncio.run(take_in(store, values))
    return read_project(path)


def answer(given, **more):
    """A whole rating."""
    return {"status": "answered", "answer": given, "reason": "", "evidence": [], **more}


TASKS = {name: open_task(name) for name in ("labels", "score", "preference", "spans")}
