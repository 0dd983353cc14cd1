"""What a run's judges, labellers or auditors said of each unit, laid beside a project.

from voirdire.raters.machine import machine_ratings
machine_ratings(project, Path("runs/study"))
"""

from voirdire.raters.machine.loader import machine_ratings
from voirdire.raters.machine.records import Machine, Unit

__all__ = ["Machine", "Unit", "machine_ratings"]
