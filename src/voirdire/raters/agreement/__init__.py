"""How far people agree: coefficients side by side with clustered intervals, and the two modes of CogniBench's table 1.

from voirdire.raters.agreement import agree
agree(read_project(Path("labels.sqlite"))).live
"""

from voirdire.raters.agreement.agreeing import Agreement, PhaseAgreement, agree
from voirdire.raters.agreement.categories import CategoryAgreement, PairKappa
from voirdire.raters.agreement.figures import Figure
from voirdire.raters.agreement.modes import ModeComparison, compare_modes
from voirdire.raters.agreement.scores import PairScore, ScoreAgreement
from voirdire.raters.agreement.violations import FindingAgreement, HolisticGap, PairFindings
from voirdire.raters.agreement.workload import PUBLISHED, Published, Workload

__all__ = [
    "PUBLISHED",
    "Agreement",
    "CategoryAgreement",
    "Figure",
    "FindingAgreement",
    "HolisticGap",
    "ModeComparison",
    "PairFindings",
    "PairKappa",
    "PairScore",
    "PhaseAgreement",
    "Published",
    "ScoreAgreement",
    "Workload",
    "agree",
    "compare_modes",
]
