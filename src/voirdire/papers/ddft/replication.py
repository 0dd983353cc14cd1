"""The published study recomputed: Table 2, the curves, and every claim that can be put to its data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any, TypeVar

import pandas as pd

from voirdire.data.json_values import as_plain
from voirdire.ddft.profile import Profile
from voirdire.ddft.published import published_turns
from voirdire.errors import InputError
from voirdire.papers.claims import ClaimOutcome, ClaimVerdict, bind, check_claims, count_verdicts
from voirdire.papers.ddft import correlates, index, jury, protocol, results
from voirdire.papers.ddft.paper import Paper, PublishedModel, load_paper
from voirdire.papers.ddft.study import Study, mean

Named = TypeVar("Named")
METRICS = ("HOC", "CRI", "FAR_prime", "SAS_prime", "CI_raw", "CI_norm", "danger_zone_pct")
VERDICTS = (
    ClaimVerdict.REPRODUCED,
    ClaimVerdict.OTHER_DEFINITION,
    ClaimVerdict.NOT_REPRODUCED,
    ClaimVerdict.NOT_CHECKABLE,
)


class UnknownClaimError(InputError):
    """A claim was asked for that does not exist: one sentence says which are like it."""


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A row of Table 2: what the data give, beside what is printed."""

    profile: Profile
    published: PublishedModel

    def as_dict(self) -> dict[str, Any]:
        """The row as plain values that JSON can hold."""
        profile = self.profile
        intervals = {name: profile.intervals[name] for name in METRICS if name in profile.intervals}
        return {
            "model": profile.model,
            "metrics": {name: profile.metrics[name].value for name in METRICS},
            "published": self.published.as_dict(),
            "intervals": {name: [interval.low, interval.high] for name, interval in intervals.items()},
            "n": {name: profile.n[name] for name in ("FAR_prime", "SAS_prime")},
            "phenotype": profile.paper_index.phenotype,
            "phenotype_relative": profile.paper_index.phenotype_relative,
        }


@dataclass(frozen=True, slots=True)
class Replication:
    """What recomputing the published study gives."""

    models: tuple[PaperRow, ...]
    """In the order of Table 2."""
    claims: tuple[ClaimOutcome[Study], ...]
    """In the order of the packaged record of the paper."""
    curves: pd.DataFrame
    """One row per model and level: model, level, far, far_low, far_high, sas, sas_low, sas_high (NaN: no interval)."""
    rule: str
    """What counts as reproduced, in words."""

    @property
    def counts(self) -> dict[str, int]:
        """How many claims got each verdict."""
        return count_verdicts(self.claims, VERDICTS)

    def claim(self, name: str) -> ClaimOutcome[Study]:
        """One claim, by id.

        Raises:
            UnknownClaimError: there is no such claim.
        """
        return _named(name, {outcome.claim.id: outcome for outcome in self.claims})

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values that JSON can hold: `None` for what is undefined, never NaN."""
        curves = self.curves.astype("object").where(self.curves.notna(), None)
        return {
            "models": as_plain(self.models),
            "claims": as_plain(self.claims),
            "counts": self.counts,
            "rule": self.rule,
            "curves": curves.to_dict("records"),
        }


def replicate(turns: pd.DataFrame | None = None) -> Replication:
    """Recompute the published study from its scores.

    Args:
        turns: a table like `published_turns`, for trying out what other data would give; the packaged one by default.
    """
    paper = load_paper()
    study = Study(published_turns() if turns is None else turns, paper)
    return Replication(
        models=tuple(PaperRow(study.profiles[each.model], each) for each in paper.models),
        claims=check_study(study),
        curves=_curves(study),
        rule=paper.rule,
    )


def replicate_claim(name: str) -> ClaimOutcome[Study]:
    """One claim of the published study, by id; the others are not computed.

    Raises:
        UnknownClaimError: there is no such claim.
    """
    study = Study(published_turns(), load_paper())
    claims = {claim.id: claim for claim in bind(study.paper.claims, functions_of(study.paper))}
    (outcome,) = check_claims([_named(name, claims)], study)
    return outcome


def _named(name: str, by_id: Mapping[str, Named]) -> Named:
    if name in by_id:
        return by_id[name]
    near = get_close_matches(name, by_id)
    instead = f"; did you mean {' or '.join(near)}?" if near else "; voirdire ddft replicate lists all claims."
    raise UnknownClaimError(f"There is no claim {name!r}{instead}")


def check_study(study: Study) -> tuple[ClaimOutcome[Study], ...]:
    """Every claim of the paper put to these scores."""
    return check_claims(bind(study.paper.claims, functions_of(study.paper)), study)


def functions_of(paper: Paper) -> dict[str, Any]:
    """What computes each claim, by id."""
    parts = (protocol.RESULTS, jury.RESULTS, index.RESULTS, results.RESULTS, correlates.RESULTS)
    functions = {name: function for part in parts for name, function in part.items()}
    for each in paper.models:
        name = each.model.lower()
        functions[f"table-2-{name}"] = partial(index.table_2_row, model=each)
        functions[f"danger-zone-{name}"] = partial(results.danger, models=[each.model])
    return functions


def _curves(study: Study) -> pd.DataFrame:
    rows = []
    for model in study.models:
        of_model = study.scores[study.scores["model"] == model]
        for point in study.profiles[model].curves:
            at = of_model[of_model["level"] == point.level]
            row: dict[str, Any] = {"model": model, "level": point.level, "far": point.far, "sas": point.sas}
            for score in ("far", "sas"):
                interval = mean(at, score).interval
                row[f"{score}_low"], row[f"{score}_high"] = interval[:2] if interval else (None, None)
            rows.append(row)
    order = ["model", "level", "far", "far_low", "far_high", "sas", "sas_low", "sas_high"]
    return pd.DataFrame(rows)[order].astype({name: "float64" for name in order[1:]})
