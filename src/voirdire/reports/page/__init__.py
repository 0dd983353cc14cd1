"""The HTML page of a report: one file that works offline, in which nothing from the data can run."""

from voirdire.reports.page.checking import PageError
from voirdire.reports.page.rendering import page_policy, render, render_sections

__all__ = ["PageError", "page_policy", "render", "render_sections"]
