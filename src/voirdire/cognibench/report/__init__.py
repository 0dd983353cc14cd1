"""The report of answers whose sentences were labelled."""

from voirdire.cognibench.report.composing import document

__all__ = ["document"]
