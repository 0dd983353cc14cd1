"""Rating CogniBench's statements: one sentence of an answer at a time, up the ladder of questions."""

from voirdire.raters.tasks.cognibench.builder import make
from voirdire.raters.tasks.cognibench.task import TASK

__all__ = ["TASK", "make"]
