"""A document on a terminal: colour only where stdout is one, and tables that fit its width."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import singledispatch
from io import StringIO

from rich.console import RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text as RichText

from voirdire.documents.document import (
    Block,
    Bullets,
    Cell,
    Chart,
    Document,
    Exchange,
    Figures,
    Links,
    Notice,
    Piece,
    Reading,
    Readings,
    Table,
    Text,
    Tone,
)
from voirdire.reports.formats.terminal.console import InertConsole
from voirdire.reports.formats.terminal.tables import READABLE, FittedTable
from voirdire.text.terminal import Rendered

_PATH = re.compile(r"(?<!\S)/\S")
"""What is copied from a terminal: a line with a whole path is left for the terminal to break."""
_BLANK_LINES = re.compile(r"\n{3,}")
_STYLES: dict[Tone, str] = {
    "good": "bold green",
    "warn": "yellow",
    "bad": "bold red",
    "info": "cyan",
    "quiet": "dim",
    "strong": "bold",
}
_SIGNS: dict[Tone, str] = {"warn": "! "}
"""What tells a tone where there is no colour."""
_BORDERS: dict[Tone, str] = {"good": "green", "warn": "yellow", "bad": "red", "info": "cyan"}
_STEP = 2
_TITLES: dict[Tone, str] = {"warn": "Caution", "bad": "Warning", "info": "Note"}


def to_terminal(document: Document) -> Rendered:
    """The document for the terminal that stdout is, as wide as that, without its title: the command has named it."""
    buffer = StringIO()
    width, height = shutil.get_terminal_size((100, 24))
    console = InertConsole(
        file=buffer,
        width=width,
        height=height,
        force_terminal=sys.stdout.isatty(),
        force_jupyter=False,
        highlight=False,
    )
    for part in _parts(document):
        whole = isinstance(part, RichText) and _PATH.search(part.plain) is not None
        console.print(part, width=width if isinstance(part, FittedTable) else min(width, READABLE), soft_wrap=whole)
    lines = "\n".join(line.rstrip() for line in buffer.getvalue().split("\n"))
    return Rendered(_BLANK_LINES.sub("\n\n", lines).strip("\n"))


def _parts(document: Document) -> Iterator[RenderableType]:
    for section in document.sections:
        if section.title:
            yield ""
            yield _text(section.title, "strong")
        for block in section.blocks:
            yield from _block(block)


def _text(text: str, tone: Tone = "") -> RichText:
    return RichText(text, style=_STYLES.get(tone, ""))


def _indented(content: RenderableType, left: int, below: int = 0) -> RenderableType:
    return Padding(content, (0, 0, below, left))


@singledispatch
def _block(block: Block) -> Iterator[RenderableType]:
    raise TypeError(f"{type(block).__name__} is no block of a document")


@_block.register
def _(block: Text) -> Iterator[RenderableType]:
    yield _text(f"{_SIGNS.get(block.tone, '')}{block.text}", block.tone)


@_block.register
def _(block: Notice) -> Iterator[RenderableType]:
    title = _TITLES.get(block.tone)
    yield Panel(_text(block.text), border_style=_BORDERS.get(block.tone, "none"), title=title, title_align="left")


@_block.register
def _(block: Bullets) -> Iterator[RenderableType]:
    yield from _list(block.title, block.items)


@_block.register
def _(block: Links) -> Iterator[RenderableType]:
    yield from _list(block.title, [item.text for item in block.items])


def _list(title: str, items: Sequence[str]) -> Iterator[RenderableType]:
    if title:
        yield _text(title, "strong")
    grid = Grid.grid()
    grid.add_column()
    grid.add_column(overflow="fold")
    for item in items:
        grid.add_row(_text("· ", "quiet"), _text(item, "quiet"))
    yield _indented(grid, _STEP)
    yield ""


@_block.register
def _(block: Figures) -> Iterator[RenderableType]:
    table = FittedTable()
    for label, justify in (("", "left"), ("value", "right"), ("95 % interval", "right"), ("what it says", "left")):
        table.add_column(label, justify=justify)  # type: ignore[arg-type]
    for item in block.items:
        table.add_row(item.label, _text(item.shown, item.tone), item.interval, item.note)
    yield table


@_block.register
def _(block: Table) -> Iterator[RenderableType]:
    if block.title:
        yield ""
        yield _text(block.title, "strong")
    if block.rows:
        headed = any(column.label for column in block.columns)
        table = FittedTable(headed=headed)
        for column in block.columns:
            table.add_column(_text(column.label), justify="right" if column.numeric else "left")
        for row in block.rows:
            table.add_row(*(_cell(row[column.key]) for column in block.columns))
        yield table if headed else _indented(table, 2)
    else:
        yield _text("None.", "quiet")
    legend = " · ".join(f"{column.label}: {column.help}" for column in block.columns if column.help)
    for below in (block.caption, legend):
        if below:
            yield _indented(_text(below, "quiet"), 1, 1)


def _cell(cell: Cell) -> RichText:
    return _text(cell.shown, cell.tone)


@_block.register
def _(block: Chart) -> Iterator[RenderableType]:
    if block.title:
        yield _text(block.title, "strong")
    for panel in block.panels:
        yield _text(f"· {': '.join(part for part in (panel.title, panel.summary) if part)}")


@_block.register
def _(block: Readings) -> Iterator[RenderableType]:
    tones = {mark.id: mark.tone for mark in block.marks}
    for reading in block.readings:
        yield from _reading(reading, tones)


def _reading(reading: Reading, tones: dict[str, Tone]) -> Iterator[RenderableType]:
    yield ""
    yield _text(reading.title, "strong")
    if reading.summary:
        yield _indented(_text(reading.summary), 2)
    for exchange in reading.exchanges:
        yield from _exchange(exchange, tones)


def _exchange(exchange: Exchange, tones: dict[str, Tone]) -> Iterator[RenderableType]:
    if exchange.heading:
        yield _indented(_text(exchange.heading, "quiet"), 2)
    if exchange.question is not None:
        yield _indented(_text(exchange.question, "info"), 2)
    yield _indented(_answer(exchange.answer, tones), 5)
    for remark in exchange.remarks:
        figures = ", ".join(f"{label} {shown}" for label, shown in remark.figures)
        text = ". ".join(part for part in (figures, remark.text) if part)
        yield _indented(_text(f"{remark.who}: {text}", remark.tone or "strong"), 5)
    for note in exchange.notes:
        yield _indented(_text(f"· {note}", "quiet"), 5)
    yield ""


def _answer(pieces: tuple[Piece, ...], tones: dict[str, Tone]) -> RichText:
    """The answer with what is marked in its colour and underlined, and the mark's note in brackets after it."""
    text = _text("" if pieces else "(no answer)")
    for piece in pieces:
        style = f"underline {_STYLES.get(tones.get(piece.mark, ''), '')}" if piece.mark else ""
        text.append(piece.text, style=style.strip())
        if piece.note:
            text.append(f" [{piece.note}]", style="dim")
    return text
