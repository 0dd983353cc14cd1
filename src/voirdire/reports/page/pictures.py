"""Charts as static drawings: made once, when the page is made, so that the page carries no chart library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup

from voirdire.documents.document import Panel
from voirdire.reports.page.texts import plain, showable
from voirdire.reports.vega_lite import to_tree

_CONFIG: dict[str, Any] = {
    "background": None,
    "view": {"stroke": None},
    "rule": {"color": "currentColor"},
    "text": {"color": "currentColor"},
    "tick": {"color": "currentColor"},
}
"""What is not a mark's own colour is the page's."""

_LONGEST = 100
"""Characters of a text in a chart's data: longer ones can't be read there, and take seconds to be laid out."""

_REFERENCE = re.compile(r"url\(#([^)]*)\)")


def picture(panel: Panel, name: str) -> Markup:
    """The panel as an SVG element whose accessible name is the panel's summary.

    Args:
        panel: what to draw.
        name: unique in the page; ids inside the drawing begin with it.
    """
    root = to_tree(_shortened(plain(panel.spec)), _CONFIG)
    _rename(root, name)
    root.attrib |= {"class": "picture", "role": "img", "aria-label": showable(panel.summary or panel.title)}
    text = ElementTree.tostring(root, encoding="unicode")
    return Markup(text)  # noqa: S704  # serialised from a tree of our own elements


def _shortened(spec: Any, in_data: bool = False) -> Any:
    """The description with its data's long texts cut; its own words and formulas stay whole."""
    if isinstance(spec, dict):
        return {key: _shortened(value, in_data or key in ("data", "datasets")) for key, value in spec.items()}
    if isinstance(spec, list):
        return [_shortened(each, in_data) for each in spec]
    if in_data and isinstance(spec, str) and len(spec) > _LONGEST:
        return spec[: _LONGEST - 1] + "…"
    return spec


def _rename(root: ElementTree.Element, name: str) -> None:
    """Gives ids that are unique in the page, and the same whenever the page is made."""
    names = {each: f"{name}-{number}" for number, each in enumerate(_ids(root))}
    for element in root.iter():
        if "id" in element.attrib:
            element.attrib["id"] = names[element.attrib["id"]]
        for key, value in element.attrib.items():
            if value.startswith("url("):
                element.attrib[key] = _REFERENCE.sub(lambda match: f"url(#{names[match[1]]})", value)


def _ids(root: ElementTree.Element) -> Iterator[str]:
    return (element.attrib["id"] for element in root.iter() if "id" in element.attrib)
