"""How far people agree: coefficients side by side, with clustered intervals.

from voirdire.raters.agreement import agree
agree(read_project(Path("labels.sqlite"))).live
"""

from voirdire.raters.agreement.agreement import Agreement, PhaseAgreement, Workload, agree
from voirdire.raters.agreement.findings import FindingAgreement, HolisticGap, PairFindings
from voirdire.raters.agreement.measures import AgreementFigure
from voirdire.raters.agreement.scales import CategoryAgreement, PairKappa, PairScore, ScoreAgreement

__all__ = [
    "Agreement",
    "AgreementFigure",
    "CategoryAgreement",
    "FindingAgreement",
    "HolisticGap",
    "PairFindings",
    "PairKappa",
    "PairScore",
    "PhaseAgreement",
    "ScoreAgreement",
    "Workload",
    "agree",
]
