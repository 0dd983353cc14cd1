"""Elements of a drawing, and the room that they take."""

from __future__ import annotations

from typing import NamedTuple
from xml.etree.ElementTree import Element

Attribute = str | float | None


class Drawn(NamedTuple):
    """Something drawn, and how far it reaches from its origin, in pixels."""

    element: Element
    left: float
    top: float
    right: float
    bottom: float


def element(tag: str, **attributes: Attribute) -> Element:
    """An element; `_` in a name stands for a hyphen, one at its end for nothing, and what is `None` is left out."""
    return Element(
        tag,
        {
            name.rstrip("_").replace("_", "-"): value if isinstance(value, str) else short(value)
            for name, value in attributes.items()
            if value is not None
        },
    )


def group(kind: str, role: str) -> Element:
    """A group with the classes that Vega gives to marks of a kind and role; style sheets and scripts go by them."""
    return element("g", class_=f"mark-{kind} role-{role}")


def text(content: str, x: float, y: float, size: float, **attributes: Attribute) -> Element:
    """A text whose baseline begins, or is centred, at a place."""
    made = element("text", x=x, y=y, font_size=f"{short(size)}px", **attributes)
    made.text = content
    return made


def moved(x: float, y: float) -> str:
    """The value of `transform` that moves something."""
    return f"translate({short(x)},{short(y)})"


def short(number: float) -> str:
    """A number with two decimals at most."""
    written = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if written in ("-0", "") else written
