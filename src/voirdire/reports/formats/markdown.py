"""A report as Markdown, for papers and for CI: everything but the texts to read.

Names, facts and reasons may come from a hostile model: what Markdown, or GitHub's dialect of it, would take for markup
is escaped, so that it is shown as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import singledispatch

from voirdire.documents.document import (
    Block,
    Bullets,
    Cell,
    Chart,
    Column,
    Document,
    Figure,
    Figures,
    Links,
    Notice,
    Readings,
    Section,
    Table,
    Text,
    Tone,
)

_MARKUP = re.compile(r"[\\`*\[\]<|$]|~(?=~)|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""What means something within a line. An underscore between letters does not: it stays, and names stay readable."""
_OPENING = re.compile(r"(?:[-+=#>~]|\d+(?=[.)]))")
"""What would make a line a list, a heading or a quotation."""
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+")
"""Control characters, line breaks among them, and those that turn the direction of what follows."""
_WARNINGS: dict[Tone, str] = {"bad": "Warning", "warn": "Caution"}


def to_markdown(document: Document) -> str:
    """A report as Markdown; tables in GitHub's form. Texts to read are left out, with a word on where they stand."""
    parts = [f"# {inline(document.title)}", *_paragraph(document.subtitle)]
    for section in document.sections:
        parts += _section(section)
    if document.provenance:
        parts += ["## Provenance", _table(("", ""), (False, False), document.provenance)]
    return "\n\n".join(parts) + "\n"


def inline(text: str) -> str:
    r"""A text in one line, with nothing in it that Markdown would take for markup.

    Example:
        >>> print(inline("a | b <img> __x__ far_prime"))
        a \| b \<img> \_\_x\_\_ far_prime
    """
    line = " ".join(_UNSEEN.sub(" ", text).split())
    return _MARKUP.sub(lambda match: f"\\{match[0]}", line)


def _line(text: str) -> str:
    """A text that stands at the start of a line."""
    line = inline(text)
    opening = _OPENING.match(line)
    if opening is None:
        return line
    place = opening.end() if opening[0].isdigit() else 0
    return f"{line[:place]}\\{line[place:]}"


def _paragraph(text: str) -> list[str]:
    return [_line(text)] if text.strip() else []


def _section(section: Section) -> list[str]:
    parts = [f"## {inline(section.title)}"] if section.title else []
    for block in section.blocks:
        parts += _block(block)
    return parts


@singledispatch
def _block(block: Block) -> list[str]:
    raise TypeError(f"{type(block).__name__} is no block of a report")


@_block.register
def _(block: Text) -> list[str]:
    return [f"**{inline(block.text)}**"] if block.tone == "strong" else _paragraph(block.text)


@_block.register
def _(block: Notice) -> list[str]:
    return [f"> **{_WARNINGS.get(block.tone, 'Note')}.** {inline(block.text)}"]


@_block.register
def _(block: Bullets) -> list[str]:
    return [*_heading(block.title), *_list(block.items)]


@_block.register
def _(block: Links) -> list[str]:
    return [*_heading(block.title), *_list([item.text for item in block.items])]


@_block.register
def _(block: Figures) -> list[str]:
    rows = [_figure(item) for item in block.items]
    heads = ("figure", "value", "95 % interval", "what it says")
    columns = [place for place in range(4) if place < 2 or any(row[place] for row in rows)]
    cells = [[row[place] for place in columns] for row in rows]
    return [_table([heads[place] for place in columns], [place in (1, 2) for place in columns], cells)] if rows else []


def _figure(item: Figure) -> tuple[str, str, str, str]:
    return item.label, item.shown, item.interval, item.note


@_block.register
def _(block: Table) -> list[str]:
    parts = _heading(block.title)
    if block.rows:
        rows = [[_cell(row[column.key]) for column in block.columns] for row in block.rows]
        parts.append(_table([each.label for each in block.columns], [each.numeric for each in block.columns], rows))
    else:
        parts.append("*None.*")
    return [*parts, *_paragraph(block.caption), *_legend(block.columns)]


@_block.register
def _(block: Chart) -> list[str]:
    panels = [f"- {_line(': '.join(part for part in (panel.title, panel.summary) if part))}" for panel in block.panels]
    return [*_heading(block.title), *_paragraph(block.caption), *(["\n".join(panels)] if panels else [])]


@_block.register
def _(block: Readings) -> list[str]:
    return [
        f"Left out here: all {inline(block.noun)} ({len(block.readings):,}). They can be read in the page (`--to "
        "html`), and stand in a table of their own (`--to csv`)."
    ]


def _list(items: Sequence[str]) -> list[str]:
    return ["\n".join(f"- {_line(item)}" for item in items)] if items else []


def _heading(title: str) -> list[str]:
    return [f"### {inline(title)}"] if title else []


def _cell(cell: Cell) -> str:
    return cell.shown


def _legend(columns: Sequence[Column]) -> list[str]:
    helps = [f"*{inline(column.label)}*: {inline(column.help)}" for column in columns if column.help]
    return [" · ".join(helps)] if helps else []


def _table(names: Sequence[str], numeric: Sequence[bool], rows: Sequence[Sequence[str]]) -> str:
    ruled = ["---:" if right else "---" for right in numeric]
    lines = [[inline(name) for name in names], ruled, *([inline(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
