"""What is found about the reliability of judges, and the same as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from voirdire.data.json_values import as_object, as_plain
from voirdire.jury.self_preference import SelfPreference
from voirdire.reason_codes import Reason, declare
from voirdire.stats.agreement import EffectiveRaters, Estimate, Intraclass

declare({"icc_cut": "{coefficients}: values below {least:g} are shown as {least:g}, since they say no more"})

ScoreName = Literal["FAR", "SAS"]


class JudgePair(NamedTuple):
    """Two judges, on the items both have scored; NaN where undefined."""

    judges: tuple[str, str]
    items: int
    pearson: float
    mean_absolute_difference: float
    kappa: dict[str, float]
    """By the name of the cuts; linearly weighted with more than two categories."""


class Kappa(NamedTuple):
    """Cohen's kappa of two judges, unweighted; NaN where undefined."""

    judges: tuple[str, str]
    kappa: float


class Spread(NamedTuple):
    """Mean standard deviation between judges (ddof 0), over items whose mean score lies in a region."""

    region: str
    sd: float
    items: int


@dataclass(frozen=True, slots=True)
class ScoreReliability:
    """Agreement on FAR or SAS."""

    intraclass: Intraclass
    alpha_interval: Estimate
    alpha_ordinal: Estimate
    gwet_ac: dict[str, Estimate]
    """By the name of the cuts: AC1 of two categories, linearly weighted AC2 of more."""
    pairs: tuple[JudgePair, ...]
    mean_absolute_difference: float
    """Over all pairs of scores of an item."""
    spread: tuple[Spread, ...]
    """By region of the item's mean score."""
    effective_raters: EffectiveRaters
    cut: Reason | None = None
    """Which ICCs are cut at -1, the value or its interval."""

    def as_dict(self) -> dict[str, Any]:
        """Plain data, `None` for what is undefined."""
        icc = self.intraclass
        return as_object(
            {
                "items": icc.items,
                "complete": icc.complete,
                "ICC(2,1)": icc.icc_2_1,
                "ICC(2,k)": icc.icc_2_k,
                "ICC(3,1)": icc.icc_3_1,
                "ICC(3,k)": icc.icc_3_k,
                "ICC_interval": icc.method,
                "ICC_cut": self.cut,
                "alpha": {"interval": self.alpha_interval, "ordinal": self.alpha_ordinal},
                "gwet_ac": self.gwet_ac,
                "pairs": self.pairs,
                "mean_absolute_difference": self.mean_absolute_difference,
                "spread": self.spread,
                "effective_raters": {
                    **as_object(self.effective_raters.raters),
                    "error_correlation": self.effective_raters.error_correlation,
                    "basis": self.effective_raters.basis,
                    "reason": self.effective_raters.reason,
                },
            }
        )


class CategoryReliability(NamedTuple):
    """Agreement on something that is not a number: the stance towards a trap, whether there are claims."""

    alpha: Estimate
    ac1: Estimate
    pairs: tuple[Kappa, ...]
    items: int
    """With two judgments or more."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """What a table of verdicts tells of those who gave them."""

    judges: tuple[str, ...]
    scores: dict[ScoreName, ScoreReliability]
    stance: CategoryReliability | None
    """`None` where no two judges gave one on the same turn."""
    no_claims: CategoryReliability | None
    """Whether there are claims at all; `None` where no judge ever found none."""
    leniency: dict[ScoreName, dict[str, Estimate]]
    """By judge: how much higher it scores than the others."""
    self_preference: dict[ScoreName, tuple[SelfPreference, ...]]
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain data, `None` for what is undefined."""
        return {
            "judges": list(self.judges),
            "scores": as_plain(self.scores),
            "stance": as_plain(self.stance),
            "no_claims": as_plain(self.no_claims),
            "leniency": as_plain(self.leniency),
            "self_preference": as_plain(self.self_preference),
            "notes": list(self.notes),
        }
