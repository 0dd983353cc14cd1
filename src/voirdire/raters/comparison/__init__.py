"""People beside a run: each judge and the consensus, labels, flags, scores and violations.

from voirdire.raters.comparison import compare_with
compare_with(project, Path("runs/study")).closeness
"""

from voirdire.raters.comparison.comparison import Comparison, compare_with
from voirdire.raters.comparison.findings import FindingComparison, FindingRow, FoundBy
from voirdire.raters.comparison.measures import Closeness, Confusion, Flagging, ScoreComparison

__all__ = [
    "Closeness",
    "Comparison",
    "Confusion",
    "FindingComparison",
    "FindingRow",
    "Flagging",
    "FoundBy",
    "ScoreComparison",
    "compare_with",
]
