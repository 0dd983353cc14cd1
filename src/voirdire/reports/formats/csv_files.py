"""A report as CSV files: one for each table, one for the key figures, and one for the texts to read.

A spreadsheet takes a cell that begins with = + - @ for a formula, and texts may come from a hostile model: such cells
get an apostrophe in front, unless they are numbers (`data.cells`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from voirdire.data.cells import csv_text
from voirdire.documents.document import (
    Block,
    Cell,
    Column,
    Document,
    Exchange,
    Figures,
    Piece,
    Reading,
    Readings,
    Remark,
    Scalar,
    Table,
)

_NAME = re.compile(r"[^a-z0-9]+")

Row = Sequence[Scalar]


def to_csv(document: Document) -> dict[str, str]:
    """The files of a report: content by name, rows as RFC 4180 has them."""
    files: dict[str, str] = {}
    for name, rows in _parts(document):
        files[_unused_name(name, files)] = csv_text(rows)
    return files


def _parts(document: Document) -> Iterator[tuple[str, Iterable[Row]]]:
    """Name and rows of every file, in the order of the report."""
    blocks = [(section.title, block) for section in document.sections for block in section.blocks]
    yield "figures", _figures(blocks)
    for _, block in blocks:
        if isinstance(block, Table):
            yield block.id, _table(block)
        elif isinstance(block, Readings):
            yield block.noun, _exchanges(block)
            if block.marks:
                yield f"{block.noun}-marked", _pieces(block)
    yield "provenance", [("name", "value"), *document.provenance]


def _figures(blocks: Iterable[tuple[str, Block]]) -> Iterator[Row]:
    yield "section", "figure", "value", "low", "high", "shown", "note"
    for section, block in blocks:
        if isinstance(block, Figures):
            for item in block.items:
                yield section, item.label, item.value, *(item.ends or (None, None)), item.shown, item.note


def _table(table: Table) -> Iterator[Row]:
    columns = [column for column in table.columns if not column.says_ends]
    yield [name for column in columns for name in _names(column)]
    for row in table.rows:
        yield [value for column in columns for value in _values(column, row[column.key])]


def _names(column: Column) -> Row:
    return [column.key, *([f"{column.key}_low", f"{column.key}_high"] if column.with_ends else [])]


def _values(column: Column, cell: Cell) -> Row:
    return [cell.value, *((cell.ends or (None, None)) if column.with_ends else ())]


def _exchanges(block: Readings) -> Iterator[Row]:
    """A row for each exchange."""
    facets = [name for name, _ in block.facets]
    columns = ("summary", "context", "number", "heading", "question", "answer", "remarks", "notes", "flags")
    yield ["id", "title", *facets, *columns]
    for reading in block.readings:
        own = [reading.id, reading.title, *(reading.facets.get(name, "") for name in facets)]
        for number, exchange in enumerate(reading.exchanges, start=1):
            yield [*own, reading.summary, reading.context, number, *_exchange(exchange, reading)]


def _exchange(exchange: Exchange, reading: Reading) -> Row:
    return [
        exchange.heading,
        exchange.question,
        "".join(piece.text for piece in exchange.answer),
        "\n".join(map(_remark, exchange.remarks)),
        "\n".join(exchange.notes),
        " ".join(dict.fromkeys((*reading.flags, *exchange.flags))),
    ]


def _remark(remark: Remark) -> str:
    figures = ", ".join(f"{label} {value}" for label, value in remark.figures)
    return ": ".join(part for part in (remark.who, figures, remark.text) if part)


def _pieces(block: Readings) -> Iterator[Row]:
    """A row for each marked stretch of a text, with its place in characters."""
    yield "id", "number", "start", "end", "mark", "text", "note"
    for reading in block.readings:
        for number, exchange in enumerate(reading.exchanges, start=1):
            for start, piece in _with_offsets(exchange.answer):
                if piece.mark:
                    yield reading.id, number, start, start + len(piece.text), piece.mark, piece.text, piece.note


def _with_offsets(pieces: Sequence[Piece]) -> Iterator[tuple[int, Piece]]:
    start = 0
    for piece in pieces:
        yield start, piece
        start += len(piece.text)


def _unused_name(name: str, used: Iterable[str]) -> str:
    """A plain file name that is not taken."""
    plain = _NAME.sub("-", name.lower()).strip("-") or "table"
    names = (f"{plain}{'' if number == 1 else f'-{number}'}.csv" for number in range(1, 1_000))
    return next(candidate for candidate in names if candidate not in used)
