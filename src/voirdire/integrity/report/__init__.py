"""The report of audited responses."""

from voirdire.integrity.report.sections import document

__all__ = ["document"]
