"""People beside a run: each judge and the consensus, labels, flags, scores and violations.

from voirdire.raters.comparing import compare_with
compare_with(project, Path("runs/study")).closeness
"""

from voirdire.raters.comparing.categories import Confusion, Flagging
from voirdire.raters.comparing.closeness import Closeness
from voirdire.raters.comparing.comparison import Comparison, compare_with
from voirdire.raters.comparing.findings import FindingComparison, FindingRow, FoundBy
from voirdire.raters.comparing.scores import ScoreComparison

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
