"""Human rating of integrity, by deductions from 100 (the deduction guide, version 1.0)."""

from voirdire.raters.tasks.integrity.builder import make
from voirdire.raters.tasks.integrity.task import TASK

__all__ = ["TASK", "make"]
