"""The report of answers whose sentences were labelled."""

from voirdire.cognibench.report.sections import document

__all__ = ["document"]
