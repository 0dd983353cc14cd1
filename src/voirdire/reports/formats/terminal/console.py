"""A console for texts that come from data: they style nothing, link nowhere, and a terminal does nothing for them.

Secrets are hidden before a text is wrapped or shortened: afterwards parts of them would be left.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from voirdire.models.secrets import known_masks, masked
from voirdire.text.terminal import inert


class InertConsole(Console):
    """Rich's console, whose strings hold no markup, and whose texts are inert."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._masks = known_masks()

    @property
    def encoding(self) -> str:
        """That of stdout, where the text goes in the end: boxes are drawn with what it has."""
        return (sys.stdout.encoding or "utf-8").lower()

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """As Rich does, with every text made inert, and without known secrets."""
        masked = hidden(renderable, self._masks) if isinstance(renderable, Text) else renderable
        for segment in super().render(masked, options):
            shown = segment.text if segment.control else inert(segment.text)
            yield segment if shown == segment.text else segment._replace(text=shown)

    def render_str(self, text: str, **options: Any) -> Text:
        """As Rich does, without markup: what stands in brackets is text."""
        masked = hidden(Text(inert(text)), self._masks)
        masked.justify, masked.overflow = options.get("justify"), options.get("overflow")
        if style := options.get("style"):
            masked.style = style
        return masked


def hidden(text: Text, masks: Mapping[str, str]) -> Text:
    """The text without known secrets, in its styles: a mask is as long as what it hides."""
    plain = masked(text.plain, masks)
    if plain == text.plain:
        return text
    copy = text.copy()
    copy.plain = plain
    return copy
