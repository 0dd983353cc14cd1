"""People beside a run: each judge and the consensus, labels, flags, scores and violations.

from voirdire.raters.comparison import compare_with
compare_with(project, Path("runs/study")).closeness
"""

from voirdire.raters.comparison.comparison import PeopleComparison, compare_with
from voirdire.raters.comparison.findings import FindingComparison, FindingInItem, FindingRow
from voirdire.raters.comparison.measures import Closeness, Confusion, Flagging, ScoreComparison

__all__ = [
    "Closeness",
    "Confusion",
    "FindingComparison",
    "FindingInItem",
    "FindingRow",
    "Flagging",
    "PeopleComparison",
    "ScoreComparison",
    "compare_with",
]
