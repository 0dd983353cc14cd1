"""Tables that fit the terminal and lose nothing: names are shortened, then each row becomes a block of its own.

A number is never cut, a column never left out, and prose never squeezed into a few characters a line. The whole of a
shortened name stands in a legend below its table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from voirdire.models.secrets import known_masks
from voirdire.reports.formats.terminal.console import hidden
from voirdire.text.shortening import shortened

READABLE = 110
"""Columns of a terminal that text fills at most; a table takes more only where it needs it."""
_NAME = 16
"""A word of so many characters is a name, which may be shortened."""
_LEAST = 10
"""Characters that a shortened name keeps."""
_PROSE = 20
"""Characters a line that prose is given at least; a text of more than two such lines is prose."""
_BETWEEN = 3
"""Characters from one column to the next; where there is no room for that, `_TIGHT`."""
_TIGHT = 1
_EDGES = 2
_INDENT = 2
_WORD = re.compile(r"(?:^\d+ )?\S+")
"""A word; a rank before a name stays in its line."""


class FittedTable(Table):
    """A table whose columns are given the width that they need, if there is room for it."""

    def __init__(self, *, headed: bool = True) -> None:
        """Of a table without heads, rows alone are drawn."""
        super().__init__(box=box.SIMPLE_HEAD if headed else None, pad_edge=False, show_header=headed)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """As wide as there is room: what fits is decided when it is drawn."""
        return Measurement(options.max_width, options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The table, or with shortened names and their legend, or a block for each row; its caption last."""
        yield from self._fitted(console, options)
        if self.caption:
            yield Padding(Text(str(self.caption), style="dim"), (0, 0, 1, 1))

    def _fitted(self, console: Console, options: ConsoleOptions) -> RenderResult:
        masks = known_masks()
        whole = [[_text(console, cell, masks) for cell in column._cells] for column in self.columns]
        heads = [_text(console, column.header, masks) for column in self.columns]
        if not whole:
            return
        least = sum(self._least(heads, whole))
        fits = least + _BETWEEN * (len(whole) - 1) + _EDGES <= options.max_width
        room = options.max_width - (_BETWEEN if fits else _TIGHT) * (len(whole) - 1) - _EDGES
        cells, short = self._with_short_names(heads, whole, room)
        natural = [_widest(*pair) for pair in zip(heads, cells, strict=True)]
        least_widths = _with_prose(self._least(heads, cells), natural, room)
        widths = _widths(least_widths, natural, max(sum(least_widths), min(room, READABLE)))
        if sum(least_widths) > room or any(map(_is_squeezed, natural, widths)):
            yield from self._blocks(heads, whole)
            return
        yield self._drawn(heads, cells, widths, padding=1 if fits else 0)
        if short:
            yield _legend(short)

    def _with_short_names(
        self, heads: Sequence[Text], whole: Sequence[Sequence[Text]], room: int
    ) -> tuple[list[Sequence[Text]], Mapping[str, str]]:
        """The cells, with names as short as they must be for the room, and what each of these is short for."""
        cells, short = list(whole), dict[str, str]()
        least = self._least(heads, whole)
        names = [place for place in range(len(whole)) if self._has_names(place, whole)]
        width = _common_width(least, names, room)
        if sum(least) > room and width >= _LEAST:
            for place in names:
                short |= _shortened(whole[place], width)
                cells[place] = [_replaced(cell, short) for cell in whole[place]]
        return cells, short

    def _least(self, heads: Sequence[Text], cells: Sequence[Sequence[Text]]) -> list[int]:
        """The widths that columns can't go below: their numbers whole, of text the longest word."""
        bodies = (
            _widest(*body) if column.justify == "right" else _longest_word(body)
            for column, body in zip(self.columns, cells, strict=True)
        )
        return [max(body, _longest_word([head]), 1) for head, body in zip(heads, bodies, strict=True)]

    def _has_names(self, place: int, cells: Sequence[Sequence[Text]]) -> bool:
        return self.columns[place].justify != "right" and _longest_word(cells[place]) >= _NAME

    def _drawn(
        self, heads: Sequence[Text], cells: Sequence[Sequence[Text]], widths: Sequence[int], padding: int
    ) -> Table:
        table = Table(box=self.box, pad_edge=False, show_header=self.show_header, padding=(0, padding))
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


def _text(console: Console, cell: RenderableType, masks: Mapping[str, str]) -> Text:
    return hidden(cell.copy(), masks) if isinstance(cell, Text) else console.render_str(str(cell))


def _widest(*texts: Text | Sequence[Text]) -> int:
    flat = [each for text in texts for each in ([text] if isinstance(text, Text) else text)]
    return max((line.cell_len for text in flat for line in text.split("\n", allow_blank=True)), default=0)


def _longest_word(texts: Sequence[Text]) -> int:
    return max((cell_len(word) for text in texts for word in _WORD.findall(text.plain)), default=0)


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
    long = [_bare(word) for each in words for word in each if cell_len(word) > max(width, _NAME - 1)]
    return shortened(long, width - ranked)


def _bare(word: str) -> str:
    """Without a rank before it, and without the parentheses that it stands in."""
    name = word.rpartition(" ")[2].removeprefix("(")
    return name.removesuffix(")") if name.count(")") > name.count("(") else name


def _replaced(cell: Text, short: Mapping[str, str]) -> Text:
    words = [word for word in map(_bare, cell.plain.split()) if word in short]
    if not words:
        return cell
    text = cell.plain
    for word in words:
        text = text.replace(word, short[word])
    return Text(text, style=cell.style)


def _with_prose(least: Sequence[int], natural: Sequence[int], room: int) -> Sequence[int]:
    """The least widths; a single column of prose gets enough to be read before other texts get what they need."""
    prose = [place for place, width in enumerate(natural) if width > 2 * _PROSE]
    wider = [max(width, _PROSE) if place in prose else width for place, width in enumerate(least)]
    return wider if len(prose) == 1 and sum(wider) <= room else least


def _is_squeezed(natural: int, width: int) -> bool:
    """Whether a column of prose is so narrow that nobody would read it."""
    return natural > 2 * _PROSE > 2 * width


def _widths(least: Sequence[int], natural: Sequence[int], room: int) -> list[int]:
    """What each column is given: what it needs, and of the rest the short ones first, so that only prose is wrapped.

    Columns of prose share what is left.
    """
    widths, left = list(least), room - sum(least)
    for rank, place in enumerate(sorted(range(len(widths)), key=lambda place: natural[place])):
        share = left // (len(widths) - rank) if natural[place] > 2 * _PROSE else left
        more = max(0, min(share, natural[place] - widths[place]))
        widths[place] += more
        left -= more
    return widths


def _legend(short: Mapping[str, str]) -> RenderableType:
    lines = [f"{name} = {word}" for word, name in short.items()]
    return Padding(Text("\n".join(lines), style="dim", overflow="fold"), (0, 0, 1, 1))
