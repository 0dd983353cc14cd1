"""What rating takes, in ratings, hours and pay, before anybody begins and while they are at it.

from voirdire.raters.planning import plan
plan(500, task="...").as_dict()
"""

from voirdire.raters.planning.measured import plan_project
from voirdire.raters.planning.plan import Plan, PlanRequest, ProjectSoFar, RaterSoFar, RemainingWork, Span, plan
from voirdire.raters.tasks.base import Phase, SourcedRange

__all__ = [
    "Phase",
    "Plan",
    "PlanRequest",
    "ProjectSoFar",
    "RaterSoFar",
    "RemainingWork",
    "SourcedRange",
    "Span",
    "plan",
    "plan_project",
]
