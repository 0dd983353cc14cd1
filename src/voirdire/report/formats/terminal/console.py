"""A console for texts that come from data: they style nothing, link nowhere, and a terminal does nothing for them.

Secrets are hidden before a text is wrapped or shortened: afterwards parts of them would be left.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from voirdire.models.secrets import known_masks, masked
from voirdire.text.terminal import inert

_TAG = re.compile(r"(\\*)\[([a-z#/@][^\[]*?)\]")
"""What Rich takes for a tag, and `rich.markup.escape` puts a backslash before."""
_OURS = re.compile(r"/|(?:bold |dim )?(?:bold|dim|red|green|yellow|cyan|reverse|underline)")
"""Tags that this program writes itself: a style, and the end of one. All else in brackets is text."""


class InertConsole(Console):
    """Rich's console, whose strings may hold a few tags of style and no others, and whose texts are inert."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._masks = known_masks()

    @property
    def encoding(self) -> str:
        """That of stdout, where the text goes in the end: boxes are drawn with what it has."""
        return (sys.stdout.encoding or "utf-8").lower()

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """As Rich does, with every text made inert, and without known secrets."""
        shown = hidden(renderable, self._masks) if isinstance(renderable, Text) else renderable
        for segment in super().render(shown, options):
            yield segment if segment.control else segment._replace(text=inert(segment.text))

    def render_str(self, text: str, **options: Any) -> Text:
        """As Rich does; of tags, only ours."""
        found = hidden(_marked(inert(text)), self._masks)
        found.justify, found.overflow = options.get("justify"), options.get("overflow")
        if style := options.get("style"):
            found.style = style
        return found


def hidden(text: Text, masks: Mapping[str, str]) -> Text:
    """The text without known secrets, in its styles: a mask is as long as what it hides."""
    plain = masked(text.plain, masks)
    if plain == text.plain:
        return text
    shown = text.copy()
    shown.plain = plain
    return shown


def _marked(text: str) -> Text:
    """A text with the styles that its tags ask for."""
    found = Text()
    begun: list[tuple[int, str]] = []
    place = 0
    for tag in _TAG.finditer(text):
        found.append(text[place : tag.start()])
        place = tag.end()
        slashes, escaped = divmod(len(tag[1]), 2)
        if escaped or not _OURS.fullmatch(tag[2]) or (tag[2] == "/" and not begun):
            found.append("\\" * slashes + f"[{tag[2]}]")
        elif tag[2] != "/":
            begun.append((len(found), tag[2]))
        else:
            start, style = begun.pop()
            found.stylize(style, start)
    found.append(text[place:])
    for start, style in begun:
        found.stylize(style, start)
    return found
