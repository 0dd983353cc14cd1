"""Labels in the layout of CogniBench's release, read as one rater's."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from voirdire.cognibench.formats import read_data, summarise_problems
from voirdire.cognibench.formats.released import LABELS
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import Answer, Statement
from voirdire.errors import shown
from voirdire.raters.exchange.checking import check_value
from voirdire.raters.exchange.records import PRACTICE, STRANGE, Entry, ExchangeError, Read, told
from voirdire.raters.records import Item, Project

_Items = dict[str, list[tuple[Item, str, int]]]
"""By answer: items with what their statement says, and where it begins."""


def read_labels(path: Path, project: Project) -> Read:
    """The labels of a folder with `dialogues.json` and `labels.json`; it names no rater, and tells no steps or reasons.

    Answers are found by their id, statements by their text; of equal ones by where they begin.

    Args:
        path: of `labels.json` in the folder.
        project: whose items they are of.

    Raises:
        ExchangeError: another task, a file can't be read, or a labelled statement is none of the project's answer.
    """
    if project.settings.task != "cognibench":
        raise ExchangeError(
            f"--from released is for labels of statements; this is a project of the {project.settings.task} task."
        )
    if not path.is_file():
        raise ExchangeError(f"{path.parent} has no {LABELS}; a folder with dialogues.json and {LABELS} is expected.")
    try:
        answers, problems = read_data(path.parent, layout="released")
    except CognibenchError as error:
        raise ExchangeError(str(error)) from error
    items = _items(project)
    entries: list[Entry] = []
    passed: Counter[str] = Counter()
    for answer in answers:
        for statement in answer.statements:
            if statement.label is None:
                continue
            found = _entry(f"{path}, answer {answer.id}", answer, statement, items, project)
            if isinstance(found, Entry):
                entries.append(found)
            else:
                passed[found] += 1
    return Read(entries, (*told(passed), *summarise_problems(problems)))


def _items(project: Project) -> _Items:
    found: _Items = {}
    for item in project.items.values():
        document = project.documents[item.document]
        statement = document.body["statements"][item.place]
        name = str(document.source.get("answer", document.id))
        found.setdefault(name, []).append((item, statement["text"], statement["start"]))
    return found


def _entry(where: str, answer: Answer, statement: Statement, items: _Items, project: Project) -> Entry | str:
    """A rating; or why it is passed over."""
    if answer.id not in items:
        return STRANGE
    equal = [(item, start) for item, text, start in items[answer.id] if text == statement.text]
    found = [item for item, start in equal if len(equal) == 1 or start == statement.start]
    if not found:
        raise ExchangeError(
            f"{where}: {shown(statement.text)} is no statement of it in the project, which was made of another "
            "text, or cut it otherwise; take the answer out of the files."
        )
    if found[0].pool == "practice":
        return PRACTICE
    value = check_value({"label": statement.label}, project, found[0])
    return Entry(where=where, item=found[0].id, rater=None, value=value)
