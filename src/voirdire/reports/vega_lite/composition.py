"""Whole drawings: a view with its guides, views beside and below each other, a view for each name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from voirdire.reports.vega_lite import guides, marks
from voirdire.reports.vega_lite.elements import Drawn, element, moved, short
from voirdire.reports.vega_lite.guides import Style
from voirdire.reports.vega_lite.scales import ordered
from voirdire.reports.vega_lite.views import Spec, view_of

_EDGE = 5
_APART = 4
_SPACING = 20
_FONT = "Liberation Sans, Arial, Helvetica, sans-serif"


def to_svg(spec: Spec) -> str:
    """A description as an SVG document.

    Raises:
        ValueError: it asks for something that is not drawn here.
    """
    root = to_tree(spec)
    root.set("xmlns", "http://www.w3.org/2000/svg")
    return ElementTree.tostring(root, encoding="unicode")


def to_tree(spec: Spec, config: Mapping[str, Any] | None = None) -> Element:
    """A description as an `svg` element without a namespace, as a page holds it.

    Raises:
        ValueError: it asks for something that is not drawn here.
    """
    settings = spec.get("config", {}) if config is None else config
    drawn = _Drawing(Style.of(settings)).whole(spec)
    width, height = drawn.right - drawn.left + 2 * _EDGE, drawn.bottom - drawn.top + 2 * _EDGE
    root = element(
        "svg",
        width=width,
        height=height,
        viewBox=f"0 0 {short(width)} {short(height)}",
        font_family=settings.get("font", _FONT),
    )
    background = settings.get("background", "white")
    if background is not None:
        root.append(element("rect", width=width, height=height, fill=background))
    root.append(_at(drawn, _EDGE - drawn.left, _EDGE - drawn.top))
    return root


class _Drawing:
    """What is drawn in one style; outlines have ids that differ."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._clips = 0

    def whole(self, spec: Spec) -> Drawn:
        """A description of any kind, under its title."""
        if "concat" in spec:
            parts = [self.whole(each) for each in spec["concat"]]
            drawn = _grid(parts, spec.get("columns", len(parts)), spec.get("spacing", _SPACING))
        elif "hconcat" in spec:
            parts = [self.whole(each) for each in spec["hconcat"]]
            drawn = _grid(parts, len(parts), spec.get("spacing", _SPACING))
        elif "vconcat" in spec:
            drawn = _grid([self.whole(each) for each in spec["vconcat"]], 1, spec.get("spacing", _SPACING))
        elif "facet" in spec:
            drawn = self._facets(spec)
        else:
            drawn = self._view(spec)
        if spec.get("title"):
            above = guides.title(spec["title"], self._style, drawn.right)
            drawn = _stacked(above, drawn)
        return drawn

    def _facets(self, spec: Spec) -> Drawn:
        """The view of each name, the legend above all of them."""
        facet, rows = spec["facet"], spec["data"]["values"]
        names = ordered((row[facet["field"]] for row in rows), facet)
        header = {**self._style.header, **facet.get("header", {})}
        bold = header.get("labelFontWeight", "normal")
        style = replace(self._style, title={"fontSize": header.get("labelFontSize", 10), "fontWeight": bold})
        parts = []
        for name in names:
            values = [row for row in rows if row[facet["field"]] == name]
            own = {**spec["spec"], "data": {"values": values}}
            drawn = self._view(own, legend=False)
            parts.append(_stacked(guides.title(str(name), style, drawn.right), drawn))
        drawn = _grid(parts, spec.get("columns", len(parts)), spec.get("spacing", _SPACING))
        above = guides.legend(view_of({**spec["spec"], "data": {"values": rows}}, self._style.marks), self._style)
        return drawn if above is None else _stacked(above, drawn)

    def _view(self, spec: Spec, *, legend: bool = True) -> Drawn:
        """A view with its axes and, above it, its legend."""
        view = view_of(spec, self._style.marks)
        made = element("g", class_="mark-group role-frame root")
        if self._style.frame is not None:
            frame = element("rect", width=view.width, height=view.height, fill="none", stroke=self._style.frame)
            made.append(frame)
        axes = [result for name in ("x", "y") if (result := guides.axis(view, name, self._style)) is not None]
        made.extend(grid for grid, _ in axes if len(grid))
        clip = self._clip(made, view.width, view.height) if any(each.mark.get("clip") for each in view.layers) else None
        made.extend(marks.draw(view, each, clip if each.mark.get("clip") else None) for each in view.layers)
        made.extend(drawn.element for _, drawn in axes)
        left = min([0.0, *(drawn.left for _, drawn in axes)])
        bottom = max([view.height, *(drawn.bottom for _, drawn in axes)])
        drawn = Drawn(made, left, 0, view.width, bottom)
        above = guides.legend(view, self._style) if legend else None
        return drawn if above is None else _stacked(above, drawn)

    def _clip(self, made: Element, width: float, height: float) -> str:
        self._clips += 1
        name = f"clip{self._clips}"
        outline = element("clipPath", id=name)
        outline.append(element("rect", width=width, height=height))
        made.append(outline)
        return name


def _grid(parts: Sequence[Drawn], columns: int, spacing: float) -> Drawn:
    """Drawings in rows of so many, each column as wide as its widest."""
    columns = max(1, columns)
    lefts = [max(-part.left for part in parts[place::columns]) for place in range(min(columns, len(parts)))]
    rights = [max(part.right for part in parts[place::columns]) for place in range(min(columns, len(parts)))]
    made, top, right = element("g"), 0.0, 0.0
    for start in range(0, len(parts), columns):
        row = parts[start : start + columns]
        above, x = max(-part.top for part in row), 0.0
        for place, part in enumerate(row):
            x += lefts[place]
            made.append(_at(part, x, top + above))
            x += rights[place] + spacing
        right = max(right, x - spacing)
        top += above + max(part.bottom for part in row) + spacing
    return Drawn(made, 0, 0, right, max(0.0, top - spacing))


def _stacked(above: Drawn, below: Drawn) -> Drawn:
    """One drawing above another, with the same origin from left to right."""
    made, height = element("g"), above.bottom - above.top + _APART
    made.extend((_at(above, 0, below.top - height - above.top), below.element))
    return Drawn(
        made,
        min(above.left, below.left),
        below.top - height,
        max(above.right, below.right),
        below.bottom,
    )


def _at(drawn: Drawn, x: float, y: float) -> Element:
    made = element("g", transform=moved(x, y))
    made.append(drawn.element)
    return made
