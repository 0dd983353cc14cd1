"""The published study recomputed: Table 2, the curves, and every claim that can be put to its data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from types import ModuleType
from typing import Any

import pandas as pd

from voirdire.data.plain import as_plain
from voirdire.ddft.profile import Profile
from voirdire.ddft.published import (
    claims_correlates,
    claims_design,
    claims_formula,
    claims_index,
    claims_jury,
    claims_results,
    claims_turns,
)
from voirdire.ddft.published.claims import RULE, VERDICTS, Claim
from voirdire.ddft.published.paper import PublishedModel, load_paper
from voirdire.ddft.published.record import published_turns
from voirdire.ddft.published.study import Study, mean
from voirdire.errors import InputError

METRICS = ("HOC", "CRI", "FAR_prime", "SAS_prime", "CI_raw", "CI_norm", "danger_zone_pct")

_PARTS = (
    claims_design,
    claims_jury,
    claims_index,
    claims_formula,
    claims_results,
    claims_turns,
    claims_correlates,
)


class UnknownClaimError(InputError):
    """A claim was asked for that does not exist: one sentence says which are like it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of Table 2: what the data give, beside what is printed."""

    profile: Profile
    published: PublishedModel

    def as_dict(self) -> dict[str, Any]:
        """The row as plain values that JSON can hold."""
        found = self.profile
        intervals = {name: found.intervals[name] for name in METRICS if name in found.intervals}
        return {
            "model": found.model,
            "metrics": {name: found.metrics[name].value for name in METRICS},
            "published": self.published.as_dict(),
            "intervals": {name: [interval.low, interval.high] for name, interval in intervals.items()},
            "n": {name: found.n[name] for name in ("FAR_prime", "SAS_prime")},
            "phenotype": found.paper_index.phenotype,
            "phenotype_relative": found.paper_index.phenotype_relative,
        }


@dataclass(frozen=True, slots=True)
class Replication:
    """What recomputing the published study gives."""

    models: tuple[Row, ...]
    """In the order of Table 2."""
    claims: tuple[Claim, ...]
    """In the order of the packaged record of the paper."""
    curves: pd.DataFrame
    """One row per model and level: model, level, far, far_low, far_high, sas, sas_low, sas_high (NaN: no interval)."""

    @property
    def counts(self) -> dict[str, int]:
        """How many claims got each verdict."""
        counted = Counter(claim.verdict for claim in self.claims)
        return {verdict: counted[verdict] for verdict in VERDICTS}

    def claim(self, name: str) -> Claim:
        """One claim, by id.

        Raises:
            UnknownClaimError: there is no such claim.
        """
        for claim in self.claims:
            if claim.said.id == name:
                return claim
        near = get_close_matches(name, [claim.said.id for claim in self.claims])
        instead = f"; did you mean {' or '.join(near)}?" if near else "; voirdire ddft replicate lists all claims."
        raise UnknownClaimError(f"There is no claim {name!r}{instead}")

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values that JSON can hold: `None` for what is undefined, never NaN."""
        curves = self.curves.astype("object").where(self.curves.notna(), None)
        return {
            "models": as_plain(self.models),
            "claims": as_plain(self.claims),
            "counts": self.counts,
            "rule": RULE,
            "curves": curves.to_dict("records"),
        }


def replicate(turns: pd.DataFrame | None = None) -> Replication:
    """Recompute the published study from its scores.

    Args:
        turns: a table like `published_turns`, for trying out what other data would give; the packaged one by default.
    """
    study = Study(published_turns() if turns is None else turns, load_paper())
    found = {claim.said.id: claim for claim in _claims(study)}
    return Replication(
        models=tuple(Row(study.profiles[each.model], each) for each in study.paper.models),
        claims=tuple(found[name] for name in study.paper.statements),
        curves=_curves(study),
    )


def _claims(study: Study) -> Iterator[Claim]:
    for part in _PARTS:
        for function in _functions(part, "claim_"):
            yield function(study)
        for function in _functions(part, "claims_"):
            yield from function(study)


def _functions(part: ModuleType, prefix: str) -> list[Callable[[Study], Any]]:
    return [value for name, value in vars(part).items() if name.startswith(prefix) and callable(value)]


def _curves(study: Study) -> pd.DataFrame:
    rows = []
    for model in study.models:
        of_model = study.scores[study.scores["model"] == model]
        for point in study.profiles[model].curves:
            at = of_model[of_model["level"] == point.level]
            row: dict[str, Any] = {"model": model, "level": point.level, "far": point.far, "sas": point.sas}
            for score in ("far", "sas"):
                interval = mean(at, score, "").interval
                row[f"{score}_low"], row[f"{score}_high"] = interval or (None, None)
            rows.append(row)
    order = ["model", "level", "far", "far_low", "far_high", "sas", "sas_low", "sas_high"]
    return pd.DataFrame(rows)[order].astype({name: "float64" for name in order[1:]})
