"""Adding ratings that were made elsewhere to a project: all of a file, or nothing of it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data.manifests import check_unchanged, sha256
from voirdire.raters.decisions import decision, show_ties
from voirdire.raters.exchange.csv_tables import read_table
from voirdire.raters.exchange.json_lines import read_lines
from voirdire.raters.exchange.label_studio import read_annotations
from voirdire.raters.exchange.records import SOURCES, TASKS, Entry, ExchangeError, FileRatings, ImportResult
from voirdire.raters.project_loader import Value, is_disputed
from voirdire.raters.records import Project, Rater, Role
from voirdire.raters.rows import IMPORTED, SIGHT
from voirdire.raters.store import Store, Transaction
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import NewRow

RatingsOf = Callable[[Rater], Mapping[str, Mapping[str, Any]]]
"""From a rater to their complete ratings, by item."""
Sent = Callable[[Rater, Entry], bool]
"""Whether a rating has come from this very file before, whatever the rater has made of it since."""


class NewRatings(NamedTuple):
    """The ratings and raters that an import adds."""

    people: dict[str, Role]
    """Raters that the project does not have, by name."""
    new: list[tuple[str, Entry]]
    """(rater's name, rating)."""
    known: int
    """Ratings that stand there already."""


def find_new_ratings(
    entries: Iterable[Entry], raters: Sequence[Rater], ratings_of: RatingsOf, sent: Sent, rater: str | None
) -> NewRatings:
    """Tell new ratings from known ones.

    Args:
        entries: of a file, in its order.
        raters: of the project.
        ratings_of: what stands there.
        sent: what has come before.
        rater: whose ratings they are, whatever the file says; `None` to go by the file.

    Raises:
        ExchangeError: it is not said whose a rating is, two are of the same item by the same person, a rating differs
            from the one that stands, or somebody has another role in the project.
    """
    by_name = {each.name: each for each in raters}
    spelt = {name.casefold(): name for name in by_name}
    there = {name: ratings_of(each) for name, each in by_name.items()}
    result = NewRatings({}, [], 0)
    met: dict[tuple[str, str], str] = {}
    known_count = 0
    for entry in entries:
        spelling = _name(entry, rater, raters, spelt)
        name = spelt.setdefault(spelling.casefold(), spelling)
        before = met.setdefault((name, entry.item), entry.where)
        if before != entry.where:
            raise ExchangeError(f"{entry.where}: {name} has rated {entry.item} already, at {before}; keep one of them.")
        person = by_name.get(name)
        _check_role(entry, name, result.people.get(name) if person is None else person.role)
        existing = there.get(name, {}).get(entry.item)
        if existing == entry.value or (person is not None and sent(person, entry)):
            known_count += 1
        elif existing is None:
            result.new.append((name, entry))
            if person is None:
                result.people.setdefault(name, entry.role or "rater")
        else:
            raise ExchangeError(
                f"{entry.where}: {name} has rated {entry.item} otherwise in the project; nothing is written over. "
                "Take it out of the file, or import it under another name with --rater."
            )
    return result._replace(known=known_count)


def token_of(digest: str, name: str, entry: Entry) -> str:
    """Names a row by where it comes from, so that the same file sent twice adds nothing."""
    return "import-" + hashlib.sha256("\0".join((digest, name, entry.item)).encode()).hexdigest()[:32]


def _name(entry: Entry, rater: str | None, raters: Sequence[Rater], spelt: Mapping[str, str]) -> str:
    name = (entry.rater if rater is None else rater) or ""
    if not name.strip():
        raise ExchangeError(f"{entry.where}: it is not said who has rated; say so with --rater.")
    name = name.strip()
    known = next((each for each in raters if each.id == name), None)
    if known is not None and name.casefold() not in spelt:
        raise ExchangeError(
            f"{entry.where}: {name} is no rater's name here, but stands for {known.name}; say whose ratings these are "
            "with --rater, or export them with --rater-names."
        )
    return name


def _check_role(entry: Entry, name: str, role: Role | None) -> None:
    if role is not None and entry.role is not None and entry.role != role:
        raise ExchangeError(
            f"{entry.where}: {name} is here as {entry.role}, and as {role} elsewhere; give another name."
        )


class _Form(NamedTuple):
    """How ratings are read in one form."""

    file: str
    """The name that an export gives to the file with the ratings."""
    read: Callable[[Path, Project], FileRatings]


_FORMS: Mapping[str, _Form] = {
    "jsonl": _Form("ratings.jsonl", read_lines),
    "csv": _Form("ratings.csv", read_table),
    "label-studio": _Form(TASKS, read_annotations),
}
_SUFFIXES = {".jsonl": "jsonl", ".csv": "csv", ".json": "label-studio"}


def import_ratings(project_path: Path, path: Path, source: str | None = None, rater: str | None = None) -> ImportResult:
    """Add the ratings of a file to a project; a server may be at work on it.

    Args:
        project_path: of the project.
        path: of the file, or of the folder of an export.
        source: one of `SOURCES`, or a form of the task's own; `None` to go by the file's name.
        rater: whose ratings they are, whatever the file says.

    Raises:
        ExchangeError: the file can't be read, or one of its ratings can't be taken; then none is.
        ManifestError: it was exported, and is not as it was.
        RatersError: there is no such project.
    """
    from voirdire.raters.project_loader import read_project

    if not path.exists():
        raise ExchangeError(f"{path} can't be read: No such file; name one with ratings, or the folder of an export.")
    project = read_project(project_path)
    form = _form(path, project, source)
    file = _file(path, project, form)
    check_unchanged(path if path.is_dir() else file)
    read = read_entries(file, project, form)
    digest = sha256(file)
    with Store.open(project_path) as store:
        result = asyncio.run(
            store.write(lambda transaction: _add(transaction, project, read.entries, file.name, digest, rater))
        )
    return ImportResult(len(result.new), result.known, read.skipped, tuple(result.people))


def read_entries(file: Path, project: Project, source: str) -> FileRatings:
    """The ratings of a file, checked against the project's items.

    Raises:
        ExchangeError: it can't be read, or a rating does not fit its item.
    """
    return _forms(project)[source].read(file, project)


def _forms(project: Project) -> Mapping[str, _Form]:
    """The forms that ratings of a project's task can have."""
    own = task_of(project.settings).exchange().own
    return {**_FORMS, **{name: _Form(form.file, form.read) for name, form in own.items() if form.read is not None}}


def _form(path: Path, project: Project, source: str | None) -> str:
    forms = _forms(project)
    if source is not None:
        if source in forms:
            return source
        raise ExchangeError(f"There is no form {source!r} to import from; there are {', '.join(forms)}.")
    if path.is_dir():
        there = [known for known, form in forms.items() if (path / form.file).exists()]
        if len(there) == 1:
            return there[0]
    elif path.suffix.lower() in _SUFFIXES:
        return _SUFFIXES[path.suffix.lower()]
    raise ExchangeError(f"What form {path} has can't be told by its name; say --format {', '.join(forms)}.")


def _file(path: Path, project: Project, form: str) -> Path:
    """The file that holds the ratings; those of a task's own form stand in one of several, whichever was named."""
    name = _forms(project)[form].file
    if path.is_dir():
        return path / name
    return path if form in SOURCES else path.with_name(name)


def _add(
    transaction: Transaction, project: Project, entries: list[Entry], name: str, digest: str, rater: str | None
) -> NewRatings:
    """Add raters and rows, in one transaction: an error takes all of it back."""

    def sent(person: Rater, entry: Entry) -> bool:
        return transaction.known(person.id, token_of(digest, person.name, entry))

    def ratings_of(person: Rater) -> Mapping[str, Value]:
        return transaction.values_of(person.id, [entry.item for entry in entries])

    result = find_new_ratings(entries, transaction.raters(), ratings_of, sent, rater)
    for person_name, role in result.people.items():
        transaction.add_rater(person_name, role)
    people = {each.name: each for each in transaction.raters()}
    for person_name, entry in result.new:
        person = people[person_name]
        body = {"value": entry.value, "at": entry.at, "file": name}
        decides = person.role == "adjudicator" and project.settings.gold == "majority"
        decided = entry.decision or (None if entry.blind else "changed")
        if decides and entry.blind_value is not None:
            transaction.add(person.id, entry.item, NewRow(IMPORTED, {**body, "value": entry.blind_value}))
        if decides and not entry.blind:
            transaction.add(person.id, entry.item, NewRow(SIGHT, {}))
        row = transaction.add(
            person.id,
            entry.item,
            NewRow(IMPORTED, body),
            token=token_of(digest, person.name, entry),
            seconds=entry.seconds,
        )
        if decides and decided is not None:
            if entry.blind:
                transaction.add(person.id, entry.item, NewRow(SIGHT, {}))
            row = transaction.add(person.id, entry.item, decision(decided, entry.at))
        transaction.settle(person.id, entry.item, entry.value, row.seq)
    _dispute(transaction, project, {entry.item for _, entry in result.new})
    for person_name in dict.fromkeys(name for name, _ in result.new):
        items = [entry.item for name, entry in result.new if name == person_name]
        _assign(transaction, project, people[person_name], items)
    return result


def _dispute(transaction: Transaction, project: Project, items: Iterable[str]) -> None:
    """Keep which of these items need a third person now."""
    task = task_of(project.settings)
    for item in items:
        transaction.dispute(item, is_disputed(task, project.settings, transaction.values(item)))
        show_ties(transaction, task, project.settings, item)


def _assign(transaction: Transaction, project: Project, person: Rater, items: Iterable[str]) -> None:
    """Hand over what is now rated, so that nobody else is asked for it: documents as a whole, items to adjudicators."""
    places = {item: project.items[item].document for item in items}
    if person.role == "adjudicator":
        for item, document in places.items():
            if not transaction.holds(person.id, document, item):
                transaction.assign(person.id, document, item)
        return
    for document in set(places.values()) - transaction.documents_ever_assigned(person.id):
        parts = [item.id for item in project.items.values() if item.document == document]
        if len(transaction.values_of(person.id, parts)) == len(parts):
            transaction.assign(person.id, document)
