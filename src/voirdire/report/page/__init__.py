"""The HTML page of a report: one file that works offline, in which nothing from the data can run."""

from voirdire.report.page.checking import PageError
from voirdire.report.page.rendering import render

__all__ = ["PageError", "render"]
