"""What can be said of people's agreement, in sentences for whoever reads the figures."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.raters.agreement.categories import CategoryAgreement
from voirdire.raters.agreement.figures import Figure
from voirdire.raters.agreement.scores import ScoreAgreement
from voirdire.raters.agreement.violations import FindingAgreement

FIRM, TENTATIVE = 0.8, 0.667
"""Krippendorff's rule for alpha (Content Analysis, ch. 11): for firm conclusions, and for tentative ones."""
POOR, MODERATE, GOOD = 0.5, 0.75, 0.9
"""Where ICCs stop being poor, moderate and good (Koo and Li, doi:10.1016/j.jcm.2016.02.012)."""


def reading(
    categories: Sequence[CategoryAgreement], scores: Sequence[ScoreAgreement], findings: FindingAgreement | None
) -> tuple[str, ...]:
    """A sentence for the first scale, each score, and the findings.

    Args:
        categories: of one phase; where there are scores, these lead.
        scores: likewise.
        findings: likewise; `None` where the task has none.
    """
    said = [_of_score(each) for each in scores] or [_of_category(each) for each in categories[:1]]
    return tuple(said if findings is None else [*said, _of_findings(findings)])


def with_ends(figure: Figure, form: str = ".2f") -> str:
    """A figure with its interval: 0.83 (0.76 to 0.89)."""
    if figure.value is None:
        return "–"
    ends = "" if figure.low is None or figure.high is None else f" ({figure.low:{form}} to {figure.high:{form}})"
    return f"{figure.value:{form}}{ends}"


def _of_category(found: CategoryAgreement) -> str:
    if found.percent.value is None:
        return f"Of agreement on the {found.name} nothing can be said: {_because(found.percent)}"
    start = f"Two people give an item the same {found.name} in {with_ends(found.percent, '.1%')} of cases; "
    if found.alpha.value is None:
        return f"{start}what that is worth beyond chance can't be told: {_because(found.alpha)}"
    worth = _surely(found.alpha)
    verdict = (
        "enough for firm conclusions"
        if worth >= FIRM
        else "enough for tentative conclusions only"
        if worth >= TENTATIVE
        else "not shown to be enough even for tentative conclusions"
    )
    return (
        f"{start}beyond chance, alpha is {with_ends(found.alpha)}, {verdict} "
        f"(Krippendorff's rule: {FIRM} and {TENTATIVE}{_by_low_end(found.alpha)})."
    )


def _of_score(found: ScoreAgreement) -> str:
    if found.icc_2_1.value is None:
        return f"Of agreement on {found.name} nothing can be said: {_because(found.icc_2_1)}"
    worth = _surely(found.icc_2_1)
    verdict = "poor" if worth < POOR else "moderate" if worth < MODERATE else "good" if worth < GOOD else "excellent"
    gap = found.mean_absolute_difference.value
    apart = "an unknown distance" if gap is None else f"{gap:.3g}"
    several = with_ends(found.icc_2_k) if found.icc_2_k.value is not None else "none that can be told"
    return (
        f"One person's {found.name} for another's: ICC(2,1) is {with_ends(found.icc_2_1)}, {verdict} "
        f"(Koo and Li{_by_low_end(found.icc_2_1)}); two people are {apart} apart on average, and the mean of "
        f"{found.k:.3g} has {several}."
    )


def _of_findings(found: FindingAgreement) -> str:
    if found.positive_agreement.value is None:
        return f"Of agreement on violations nothing can be said: {_because(found.positive_agreement)}"
    return (
        f"Of what one person marks, another marks {with_ends(found.positive_agreement, '.0%')} too "
        "(the same sentence, fact and family)."
    )


def _surely(figure: Figure) -> float:
    """What is shown: the lower end, where there is one."""
    return figure.low if figure.low is not None else figure.value or 0.0


def _by_low_end(figure: Figure) -> str:
    return "; by the value alone, for want of an interval" if figure.low is None else "; judged by the lower end"


def _because(figure: Figure) -> str:
    reason = figure.reason or "it is undefined."
    return reason[0].lower() + reason[1:]
