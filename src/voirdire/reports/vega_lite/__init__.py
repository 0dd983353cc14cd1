"""Vega-Lite descriptions as SVG, without a browser or a JavaScript engine.

This is the part of the language that our charts use: views and layers of area, bar, line, point, rect, rule and text;
scales of numbers (linear, logarithmic) and of names; axes, a legend, a title; concatenations and facets. A whole engine
(`vl-convert-python`, 84 MB) is needed for PNG only: `reports.rasters`.
"""

from voirdire.reports.vega_lite.composition import to_svg, to_tree

__all__ = ["to_svg", "to_tree"]
