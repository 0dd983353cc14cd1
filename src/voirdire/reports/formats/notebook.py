"""A document as a part of a notebook's page: HTML without script, style sheet or ids, so that outputs don't collide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch
from html import escape

from voirdire.documents.colours import BLUE, GREEN, ORANGE, YELLOW
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
    Reading,
    Readings,
    Table,
    Text,
    Tone,
    without_details,
)
from voirdire.reports.page.texts import showable

_SIGNS: dict[Tone, str] = {"good": "✓ ", "warn": "! ", "bad": "✕ ", "info": "i "}
"""What tells a tone where colours can't be seen."""
_COLOURS: dict[Tone, str] = {"good": GREEN, "warn": YELLOW, "bad": ORANGE, "info": BLUE}
_STYLES: dict[Tone, str] = {"quiet": "opacity:.7", "strong": "font-weight:bold"}
_CELL = "padding:.2em .6em;vertical-align:top;white-space:pre-line;text-align"
_LEFT, _RIGHT = f"{_CELL}:left", f"{_CELL}:right"


def to_notebook(document: Document) -> str:
    """The document without its details, as HTML for `_repr_html_`: every text is escaped, and nothing is fetched."""
    return f'<div style="max-width:60em;line-height:1.45">{"".join(_parts(without_details(document)))}</div>'


def _parts(document: Document) -> Iterator[str]:
    for section in document.sections:
        if section.title:
            yield f"<h4>{_text(section.title)}</h4>"
        for block in section.blocks:
            yield from _block(block)


def _text(text: str) -> str:
    return escape(showable(text))


def _toned(text: str, tone: Tone) -> str:
    style = _STYLES.get(tone, "")
    shown = f"{_SIGNS.get(tone, '')}{_text(text)}"
    return f'<span style="{style}">{shown}</span>' if style else shown


@singledispatch
def _block(block: Block) -> Iterator[str]:
    raise TypeError(f"{type(block).__name__} is no block of a document")


@_block.register
def _(block: Text) -> Iterator[str]:
    yield f"<p>{_toned(block.text, block.tone)}</p>"


@_block.register
def _(block: Notice) -> Iterator[str]:
    colour = _COLOURS.get(block.tone, "currentColor")
    yield f'<p style="border-left:4px solid {colour};padding:.2em .8em">{_toned(block.text, block.tone)}</p>'


@_block.register
def _(block: Bullets) -> Iterator[str]:
    yield from _titled(block.title)
    yield from _list(_text(item) for item in block.items)


@_block.register
def _(block: Links) -> Iterator[str]:
    yield from _titled(block.title)
    yield from _list(_text(item.text) for item in block.items)


@_block.register
def _(block: Figures) -> Iterator[str]:
    rows = (
        [_cell(item.label), _cell(item.shown, numeric=True, tone=item.tone), _cell(item.interval), _cell(item.note)]
        for item in block.items
    )
    yield _grid((_head(name) for name in ("", "value", "95 % interval", "what it says")), rows)


@_block.register
def _(block: Table) -> Iterator[str]:
    yield from _titled(block.title)
    heads = (_head(column.label, column.numeric, column.help) for column in block.columns)
    yield _grid(heads, ([_table_cell(row[each.key], each.numeric) for each in block.columns] for row in block.rows))
    if block.caption:
        yield f"<p>{_toned(block.caption, 'quiet')}</p>"


@_block.register
def _(block: Chart) -> Iterator[str]:
    yield from _list(_text(f"{panel.title}: {panel.summary}") for panel in block.panels)


@_block.register
def _(block: Readings) -> Iterator[str]:
    tones = {mark.id: mark.tone for mark in block.marks}
    for reading in block.readings:
        yield from _reading(reading, tones)


def _reading(reading: Reading, tones: dict[str, Tone]) -> Iterator[str]:
    yield from _titled(reading.title)
    if reading.summary:
        yield f"<p>{_text(reading.summary)}</p>"
    for exchange in reading.exchanges:
        yield from _exchange(exchange, tones)


def _exchange(exchange: Exchange, tones: dict[str, Tone]) -> Iterator[str]:
    for above in (exchange.heading, exchange.question):
        if above:
            yield f"<p>{_toned(above, 'quiet')}</p>"
    pieces = (
        _marked(piece.text, piece.note, tones.get(piece.mark, "")) if piece.mark else _text(piece.text)
        for piece in exchange.answer
    )
    yield f'<p style="white-space:pre-wrap">{"".join(pieces) or "(no answer)"}</p>'
    yield from _list(
        _text(f"{remark.who}: {', '.join(map(' '.join, remark.figures))} {remark.text}") for remark in exchange.remarks
    )
    yield from _list(map(_text, exchange.notes))


def _marked(text: str, note: str, tone: Tone) -> str:
    colour = _COLOURS.get(tone, "currentColor")
    mark = f'<mark style="background:{colour}33;color:inherit;border-bottom:2px solid {colour}">{_text(text)}</mark>'
    return f"{mark}<small> [{_text(note)}]</small>" if note else mark


def _titled(title: str) -> Iterator[str]:
    if title:
        yield f"<p><b>{_text(title)}</b></p>"


def _list(items: Iterable[str]) -> Iterator[str]:
    shown = "".join(f"<li>{item}</li>" for item in items)
    if shown:
        yield f"<ul>{shown}</ul>"


def _grid(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f"<table><thead><tr>{''.join(heads)}</tr></thead><tbody>{body}</tbody></table>"


def _head(label: str, numeric: bool = False, help: str = "") -> str:
    title = f' title="{_text(help)}"' if help else ""
    return f'<th style="{_RIGHT if numeric else _LEFT}"{title}>{_text(label)}</th>'


def _table_cell(cell: Cell, numeric: bool) -> str:
    return _cell(cell.shown, numeric=numeric, tone=cell.tone)


def _cell(shown: str, *, numeric: bool = False, tone: Tone = "") -> str:
    return f'<td style="{_RIGHT if numeric else _LEFT}">{_toned(shown, tone)}</td>'
