"""What a report of cross-examinations says and shows: one run, a study, or several runs together."""

from __future__ import annotations

from voirdire.ddft.report.material import ReportError
from voirdire.ddft.report.sections import document

__all__ = ["ReportError", "document"]
