"""What a document must keep to before it can become a page."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.documents.document import Chart, Document, Links, Readings, Table
from voirdire.errors import InputError

RESERVED = "page-"
"""Ids that begin so belong to the page itself."""


class PageError(InputError):
    """A document that can't be shown: one sentence says what was given and what is expected."""


def check_ids(document: Document) -> None:
    """Every section has an id of its own, and so have every table, every chart, all readings and each of them.

    Raises:
        PageError: an id is empty, has white space in it, begins with `RESERVED`, or is used twice; or a link leads to a
            reading that is not there.
    """
    anchors: set[str] = set()
    for what, name in _ids(document):
        if not name or any(each.isspace() for each in name) or name.startswith(RESERVED):
            raise PageError(f"A {what} has the id {name!r}; an id is one word that does not begin with {RESERVED!r}.")
        anchor = name if what == "section" else f"{what}-{name}"
        if anchor in anchors:
            raise PageError(f"A {what} has the id {name!r}, which is taken; every part of a report needs its own.")
        anchors.add(anchor)
    readings: set[str] = set()
    for reading in (each for block in _readings(document) for each in block.readings):
        if reading.id in readings:
            raise PageError(f"Two readings have the id {reading.id!r}; links to them need ids of their own.")
        readings.add(reading.id)
    for target in _targets(document):
        if target not in readings:
            raise PageError(f"A link leads to the reading {target!r}, which the report does not have.")


def _ids(document: Document) -> Iterator[tuple[str, str]]:
    for section in document.sections:
        yield "section", section.id
        for block in section.blocks:
            if isinstance(block, Table | Chart | Readings):
                yield type(block).__name__.lower(), block.id


def _targets(document: Document) -> Iterator[str]:
    for block in (block for section in document.sections for block in section.blocks):
        if isinstance(block, Links):
            yield from (item.target for item in block.items)
        elif isinstance(block, Table):
            yield from (cell.target for row in block.rows for cell in row.values() if cell.target)


def _readings(document: Document) -> Iterator[Readings]:
    for section in document.sections:
        yield from (block for block in section.blocks if isinstance(block, Readings))
