"""The publication's claims with the figures that belong to each, as data for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voirdire.integrity.records import IntegrityError
from voirdire.integrity.study._tables import anova_dict, deltas_dict, dimensions_dict
from voirdire.integrity.study.agreement import Agreement
from voirdire.integrity.study.claims import CLAIMS, PUBLICATION, Claim, Match, matches, reproduces
from voirdire.integrity.study.whole import INTEGRITY, OVERALL, TRANSPARENCY, Study
from voirdire.integrity.trials import Treatment

INTERACTION = "C(model):C(const)"
PUBLISHED_ANOVA = f"{OVERALL}|two_way(published)"


def checked_claims(study: Study) -> tuple[tuple[Claim, tuple[Match, ...]], ...]:
    """Every claim with what its numbers are; none for trials of another source."""
    if PUBLICATION not in study.trials.source:
        return ()
    return tuple((claim, matches(claim, _quantities(study, claim.key))) for claim in CLAIMS)


def headline(study: Study) -> list[dict[str, Any]]:
    """The claims: what was printed, whether it reproduces, from which definition, and the figures."""
    return [
        {
            "claim": claim.says,
            "reproduces": reproduces(found),
            "printed": [
                {"number": each.printed.text, "where": each.printed.where, "found_as": each.found_as} for each in found
            ],
            "definition": claim.definition,
            **_figures(study, claim.key),
        }
        for claim, found in checked_claims(study)
    ]


def _figures(study: Study, key: str) -> dict[str, Any]:
    """What stands beside a claim; the keys are those that the statistics were agreed under."""
    if key in ("likert_icc", "likert_icc_k"):
        return _likert(study, single=key == "likert_icc")
    if key in ("binary_icc", "ternary_icc"):
        return {"value": {name: value for name, value in _quantities(study, key).items() if "VT" not in name}}
    if key == "dimensions":
        return {"value": dimensions_dict(study.dimensions)}
    if key == "interaction":
        tables = anova_dict(study)
        return {
            "value": tables[PUBLISHED_ANOVA],
            "others": {name: table for name, table in tables.items() if name != PUBLISHED_ANOVA},
        }
    return {
        "value": deltas_dict(study.deltas[OVERALL]),
        "others": {name: deltas_dict(each) for name, each in study.deltas.items() if name != OVERALL},
    }


def _likert(study: Study, *, single: bool) -> dict[str, Any]:
    consistency, agreement = {}, {}
    for dimension in (INTEGRITY, TRANSPARENCY, OVERALL):
        found = _of(study, "likert", dimension, "published").two_way
        consistency[dimension] = (found.icc_3_1 if single else found.icc_3_k).value
        agreement[dimension] = (found.icc_2_1 if single else found.icc_2_k).value
    return {"value": consistency, "true_icc_2_1" if single else "true_icc_2_k": agreement}


def _quantities(study: Study, key: str) -> Mapping[str, float | None]:
    """By name, what a claim's numbers could be roundings of; the likeliest first."""
    if key in ("likert_icc", "likert_icc_k"):
        found = _of(study, "likert", OVERALL, "published").two_way
        return {
            "ICC(3,1) overall_score": found.icc_3_1.value,
            "ICC(2,1) overall_score": found.icc_2_1.value,
            "ICC(3,k) overall_score": found.icc_3_k.value,
            "ICC(2,k) overall_score": found.icc_2_k.value,
        }
    if key in ("binary_icc", "ternary_icc"):
        return _graded(study, key.removesuffix("_icc"))
    if key == "dimensions":
        pooled = study.dimensions.pooled
        return {"pooled r": pooled.r, "pooled low": pooled.low, "pooled high": pooled.high}
    if key == "interaction":
        table: dict[str, float | None] = anova_dict(study)[PUBLISHED_ANOVA][INTERACTION]
        return table
    found_deltas = study.deltas[OVERALL].all
    return {"t": found_deltas.t, "p": found_deltas.p, "mean_delta": found_deltas.mean, "-t": -found_deltas.t}


def _graded(study: Study, rubric: str) -> dict[str, float | None]:
    overall, integrity = (_of(study, rubric, dimension, "published") for dimension in (OVERALL, INTEGRITY))
    single = {
        "ICC(3,1) overall_score": overall.two_way.icc_3_1.value,
        "ICC(3,1) epistemic_integrity": integrity.two_way.icc_3_1.value,
    }
    if rubric == "binary":
        pairs = "n pairs defined" + (f" ({', '.join(overall.constant)} constant)" if overall.constant else "")
        return single | {
            "mean pairwise Pearson r overall": overall.mean_pairwise_pearson,
            "mean pairwise Pearson r EI": integrity.mean_pairwise_pearson,
            pairs: overall.pairs_defined,
        }
    return {
        "ICC(3,1) overall_score": single["ICC(3,1) overall_score"],
        "same, parse failure recovered": _of(study, rubric, OVERALL, "recovered").two_way.icc_3_1.value,
        "ICC(3,1) epistemic_integrity": single["ICC(3,1) epistemic_integrity"],
        "EI recovered": _of(study, rubric, INTEGRITY, "recovered").two_way.icc_3_1.value,
        "ICC(2,1) EI": integrity.two_way.icc_2_1.value,
    }


def _of(study: Study, rubric: str, dimension: str, treatment: Treatment) -> Agreement:
    found = study.agreement(rubric, dimension, treatment)
    if found is None:
        raise IntegrityError(f"The claims are about scores of {dimension} under {rubric}; these trials have none.")
    return found
