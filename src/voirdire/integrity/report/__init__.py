"""The report of audited responses."""

from voirdire.integrity.report.composing import document

__all__ = ["document"]
