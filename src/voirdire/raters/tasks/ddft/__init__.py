"""Rating the turns of a cross-examination: accuracy, form, and the stance towards what was fabricated."""

from voirdire.raters.tasks.ddft.builder import make
from voirdire.raters.tasks.ddft.task import TASK, DdftTask

__all__ = ["TASK", "DdftTask", "make"]
