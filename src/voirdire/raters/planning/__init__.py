"""What rating takes, in ratings, hours and pay, before anybody begins and while they are at it.

from voirdire.raters.planning import plan
plan(500).as_dict()
"""

from voirdire.raters.planning.figures import Figure, Phase, Span
from voirdire.raters.planning.measuring import plan_project
from voirdire.raters.planning.plan import plan
from voirdire.raters.planning.records import Begun, Done, Left, Plan, Wanted

__all__ = ["Begun", "Done", "Figure", "Left", "Phase", "Plan", "Span", "Wanted", "plan", "plan_project"]
