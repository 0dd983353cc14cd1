"""Tables that fit the terminal and lose nothing: names are shortened, then each row becomes a block of its own.

A number is never cut and a column never left out. The whole of a shortened name stands in a legend below its table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from voirdire.text.shortening import shortened

READABLE = 110
"""Columns of a terminal that text fills at most; a table takes more only where it needs it."""
_NAME = 16
"""A word of so many characters is a name, which may be shortened."""
_LEAST = 10
"""Characters that a shortened name keeps."""
_BETWEEN = 3
"""Characters from one column to the next."""
_EDGES = 2
_INDENT = 2
_WORD = re.compile(r"(?:^\d+ )?\S+")
"""A word; a rank before a name stays in its line."""


class FittedTable(Table):
    """A table whose columns are given the width that they need, if there is room for it."""

    def __init__(self) -> None:
        super().__init__(box=box.SIMPLE_HEAD, pad_edge=False)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """As wide as there is room: what fits is decided when it is drawn."""
        return Measurement(options.max_width, options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The table, or with shortened names and their legend, or a block for each row; its caption last."""
        yield from self._fitted(console, options)
        if self.caption:
            yield Padding(Text(str(self.caption), style="dim"), (0, 0, 1, 1))

    def _fitted(self, console: Console, options: ConsoleOptions) -> RenderResult:
        cells = [[_text(console, cell) for cell in column._cells] for column in self.columns]
        heads = [_text(console, column.header) for column in self.columns]
        if not cells:
            return
        room = options.max_width - _BETWEEN * (len(cells) - 1) - _EDGES
        least = [self._least(place, heads[place], cells[place]) for place in range(len(cells))]
        short: dict[str, str] = {}
        if sum(least) > room:
            names = [place for place in range(len(cells)) if self._has_names(place, cells)]
            width = _common_width(least, names, room)
            if not names or width < _LEAST:
                yield from self._blocks(heads, cells)
                return
            for place in names:
                short |= _shortened(cells[place], width)
                cells[place] = [_replaced(cell, short) for cell in cells[place]]
            least = [self._least(place, heads[place], cells[place]) for place in range(len(cells))]
            if sum(least) > room:
                yield from self._blocks(
                    heads, [[_text(console, cell) for cell in each._cells] for each in self.columns]
                )
                return
        readable = max(sum(least), min(room, READABLE))
        yield self._drawn(
            heads, cells, _widths(least, [_widest(*pair) for pair in zip(heads, cells, strict=True)], readable)
        )
        if short:
            yield _legend(short)

    def _least(self, place: int, head: Text, cells: Sequence[Text]) -> int:
        """The width that a column can't go below: its numbers whole, of text the longest word."""
        body = _widest(*cells) if self.columns[place].justify == "right" else _longest_word(cells)
        return max(body, _longest_word([head]), 1)

    def _has_names(self, place: int, cells: Sequence[Sequence[Text]]) -> bool:
        return self.columns[place].justify != "right" and _longest_word(cells[place]) >= _NAME

    def _drawn(self, heads: Sequence[Text], cells: Sequence[Sequence[Text]], widths: Sequence[int]) -> Table:
        table = Table(box=self.box, pad_edge=False)
        for column, head, width in zip(self.columns, heads, widths, strict=True):
            table.add_column(head, justify=column.justify, width=width, overflow="fold")
        for number, row in enumerate(self.rows):
            table.add_row(*(column[number] for column in cells), end_section=row.end_section, style=row.style)
        return table

    def _blocks(self, heads: Sequence[Text], cells: Sequence[Sequence[Text]]) -> Iterator[RenderableType]:
        """Each row by itself: its name, and below it a line for every column."""
        yield Text()
        for number in range(len(self.rows)):
            yield Text.assemble(cells[0][number], style="bold", overflow="fold")
            grid = Table(box=None, pad_edge=False, show_header=False, padding=(0, _INDENT, 0, 0))
            grid.add_column(overflow="fold")
            grid.add_column(overflow="fold", justify="left")
            for head, column in zip(heads[1:], cells[1:], strict=True):
                if column[number].plain.strip():
                    grid.add_row(Text(" ".join(head.plain.split())), column[number])
            yield Padding(grid, (0, 0, 1, _INDENT))


def _text(console: Console, cell: RenderableType) -> Text:
    return cell.copy() if isinstance(cell, Text) else console.render_str(str(cell))


def _widest(*texts: Text | Sequence[Text]) -> int:
    flat = [each for text in texts for each in ([text] if isinstance(text, Text) else text)]
    return max((line.cell_len for text in flat for line in text.split("\n", allow_blank=True)), default=0)


def _longest_word(texts: Sequence[Text]) -> int:
    return max((Text(word).cell_len for text in texts for word in _WORD.findall(text.plain)), default=0)


def _common_width(least: Sequence[int], names: Sequence[int], room: int) -> int:
    """The width at which the longest names of these columns leave room for all others."""
    others = sum(width for place, width in enumerate(least) if place not in names)
    width, left = 0, room - others
    for rank, place in enumerate(sorted(names, key=lambda place: least[place])):
        width = left // (len(names) - rank)
        left -= min(width, least[place])
    return width


def _shortened(cells: Sequence[Text], width: int) -> Mapping[str, str]:
    """A shorter form of every word that is too long, different for different words."""
    words = [_WORD.findall(cell.plain) for cell in cells]
    ranked = max((len(word) - len(_bare(word)) for each in words for word in each), default=0)
    long = [_bare(word) for each in words for word in each if Text(word).cell_len > max(width, _NAME - 1)]
    return shortened(long, width - ranked)


def _bare(word: str) -> str:
    return word.rpartition(" ")[2]


def _replaced(cell: Text, short: Mapping[str, str]) -> Text:
    words = [word for word in cell.plain.split() if word in short]
    if not words:
        return cell
    text = cell.plain
    for word in words:
        text = text.replace(word, short[word])
    return Text(text, style=cell.style)


def _widths(least: Sequence[int], natural: Sequence[int], room: int) -> list[int]:
    """What each column is given: what it needs, and of the rest the short ones first, so that only prose is wrapped."""
    widths, left = list(least), room - sum(least)
    for place in sorted(range(len(widths)), key=lambda place: natural[place]):
        more = max(0, min(left, natural[place] - widths[place]))
        widths[place] += more
        left -= more
    return widths


def _legend(short: Mapping[str, str]) -> RenderableType:
    lines = [f"{name} = {word}" for word, name in short.items()]
    return Padding(Text("\n".join(lines), style="dim", overflow="fold"), (0, 0, 1, 1))
