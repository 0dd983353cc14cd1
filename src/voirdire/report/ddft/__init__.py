"""What a report of cross-examinations says and shows: one run, a study, or several runs together."""

from __future__ import annotations

from voirdire.report.ddft.composing import document
from voirdire.report.ddft.material import ReportError

__all__ = ["ReportError", "document"]
