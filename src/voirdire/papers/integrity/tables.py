"""The study as data for JSON. Undefined values are `None`; means and shares are rounded as the published tables are."""

from __future__ import annotations

from collections import Counter
from typing import Any

from voirdire.data.json_values import as_object
from voirdire.integrity.trials import SENTINEL, Treatment, Trials
from voirdire.papers.integrity.agreement import Agreement, Dimensions, Pearson
from voirdire.papers.integrity.citations import PLACES, Citation, explanations
from voirdire.papers.integrity.claims import (
    CheckedStatement,
    check_statements,
    matching_quantity,
    quantities,
    scored,
)
from voirdire.papers.integrity.sample import HIGH_WANTED, LOW_WANTED, SIZE
from voirdire.papers.integrity.study import INTEGRITY, OVERALL, TRANSPARENCY, TrialsStudy
from voirdire.papers.integrity.variance import Deltas, TTest
from voirdire.stats.agreement import Estimate
from voirdire.stats.intervals import Interval
from voirdire.stats.nominal import NominalAgreement
from voirdire.stats.two_way_anova import Term, TwoWayAnova

SCHEMA = "integrity_study/1"
PUBLISHED_ANOVA = f"{OVERALL}|two_way(published)"
TERMS = {
    "model": "C(model)",
    "constitution": "C(const)",
    "scenario": "C(scen)",
    "model:constitution": "C(model):C(const)",
}


def as_dict(study: TrialsStudy) -> dict[str, Any]:
    """Everything, ready for JSON."""
    trials = study.trials
    tables: dict[str, Any] = {
        "_schema": SCHEMA,
        "source": trials.source,
        "n_trials": len(trials.trials),
        "evaluators": trials.evaluators,
        "headline": [_headline(study, each) for each in check_statements(study)],
        "icc_table": {
            f"{each.rubric}|{each.dimension}|{treatment_label(trials, each.treatment)}": agreement_dict(each)
            for each in study.agreements
        },
        "dimensions": dimensions_dict(study.dimensions),
        "anova": anova_dict(study),
        "constitution_deltas": {name: deltas_dict(each) for name, each in study.deltas.items()},
        "sentinel": _sentinel(trials),
        "sample_selection": _sample(study),
        "descriptives": _bands(study),
        "evidence": _evidence(study),
    }
    return as_object(tables)


def treatment_label(trials: Trials, treatment: Treatment) -> str:
    """What was done with unparsed replies."""
    if treatment == "published":
        return f"as_published({SENTINEL} sentinel kept)"
    if treatment == "missing":
        return "missing(unparsed replies left out)"
    values = {score for cell in trials.unparsed for score in cell.recovered or ()}
    only = f"{values.pop():g} " if len(values) == 1 else ""
    return f"recovered({SENTINEL} -> {only}from raw reply)"


def anova_dict(study: TrialsStudy) -> dict[str, Any]:
    """Every analysis of variance, by dimension and model."""
    versions = (
        ("two_way(published)", study.variance.plain, study.variance.holm_plain),
        ("plus_scenario_block", study.variance.blocked, study.variance.holm_blocked),
    )
    return {
        f"{dimension}|{name}": _table(analyses[dimension]) | {"interaction_p_holm": corrected[dimension]}
        for dimension in study.trials.dimensions
        for name, analyses, corrected in versions
    }


def deltas_dict(deltas: Deltas) -> dict[str, Any]:
    """What constitutions change, on one dimension."""
    return {
        "t": deltas.all.t,
        "p": deltas.all.p,
        "mean_delta": deltas.all.mean,
        "n": deltas.all.n,
        "by_constitution": deltas.means,
        "paired_by_model_scenario": {name: _t_test(each) for name, each in deltas.paired.items()},
        f"scenario_cluster_t({deltas.scenarios.n} means)": {"t": deltas.scenarios.t, "p": deltas.scenarios.p},
    }


def dimensions_dict(dimensions: Dimensions) -> dict[str, Any]:
    """The correlation of two dimensions, each way."""
    return {
        f"pooled_{dimensions.pooled.n}": {
            "r": dimensions.pooled.r,
            "p": dimensions.pooled.p,
            f"ci95_fisher_n{dimensions.pooled.n}": [dimensions.pooled.low, dimensions.pooled.high],
        },
        "per_evaluator": {name: _pearson(each) for name, each in dimensions.per_evaluator.items()},
        "evaluator_centred_pooled_r": dimensions.centred_r,
        f"trial_mean_{dimensions.trial_means.n}": _pearson(dimensions.trial_means),
        f"between_evaluator_means_r(n={len(dimensions.per_evaluator)})": dimensions.between_evaluator_means_r,
        "cluster_bootstrap_by_trial_pooled_ci95": _ends(dimensions.pooled_bootstrap),
        "cluster_bootstrap_by_trial_centred_ci95": _ends(dimensions.centred_bootstrap),
        "mean_evaluator_r": dimensions.mean_evaluator_r,
    }


def agreement_dict(agreement: Agreement) -> dict[str, Any]:
    """One line of the table of agreement; means and shares are rounded as the published tables are."""
    table = {
        "ICC(1,1)": agreement.one_way.icc_1_1,
        "ICC(2,1) abs.agreement": agreement.two_way.icc_2_1.value,
        "ICC(3,1) consistency": agreement.two_way.icc_3_1.value,
        "ICC(1,k)": agreement.one_way.icc_1_k,
        "ICC(2,k) abs.agreement": agreement.two_way.icc_2_k.value,
        "ICC(3,k) consistency": agreement.two_way.icc_3_k.value,
        "mean_pairwise_pearson": agreement.mean_pairwise_pearson,
        "n_pairs_defined": agreement.pairs_defined,
        "krippendorff_alpha_interval": agreement.alpha.value,
        "mean": agreement.mean,
        "sd": agreement.sd,
        "evaluator_means": {name: round(mean, 3) for name, mean in agreement.evaluator_means.items()},
        "ICC(3,1)_ci95_pct_bootstrap_trials_B1000_seed7": _ends(agreement.bootstrap_3_1),
        "ICC(2,1)_ci95_pct_bootstrap_trials_B1000_seed7": _ends(agreement.bootstrap_2_1),
        "ICC(3,1)_ci95_jackknife_scenarios": _around(agreement.two_way.icc_3_1),
        "ICC(2,1)_ci95_jackknife_scenarios": _around(agreement.two_way.icc_2_1),
        "krippendorff_alpha_ci95_jackknife_scenarios": _around(agreement.alpha),
        "always_the_same": agreement.constant,
    }
    return table if agreement.nominal is None else table | {"nominal": _nominal(agreement.nominal)}


def _nominal(nominal: NominalAgreement) -> dict[str, Any]:
    return {
        "categories": nominal.categories,
        "prevalence": [round(share, 5) for share in nominal.prevalence],
        "pairwise_agreement": nominal.pairwise_agreement,
        "fleiss_kappa": nominal.fleiss_kappa,
        "gwet_ac1": nominal.gwet_ac1.value,
        "gwet_ac1_ci95_jackknife_scenarios": _around(nominal.gwet_ac1),
        "unanimous_share": nominal.unanimous_share,
    }


def _table(anova: TwoWayAnova) -> dict[str, Any]:
    return {TERMS[name]: _term(term) for name, term in anova.terms.items()} | {"residual_df": anova.residual_df}


def _term(term: Term) -> dict[str, float]:
    return {"F": term.F, "df": term.df, "p": term.p, "eta_sq": term.eta_squared}


def _t_test(test: TTest) -> dict[str, float]:
    return {"mean": test.mean, "t": test.t, "p": test.p}


def _pearson(correlation: Pearson) -> dict[str, float]:
    return {"r": correlation.r, "p": correlation.p}


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def _around(estimate: Estimate) -> list[float]:
    return [estimate.low, estimate.high]


def _headline(study: TrialsStudy, checked: CheckedStatement) -> dict[str, Any]:
    """What was printed, whether it is reproduced, by which definition, and the figures."""
    return {
        "claim": checked.statement.says,
        "reproduces": checked.reproduces,
        "printed": [
            {"number": each.claim.printed, "where": each.claim.section, "found_as": matching_quantity(each)}
            for each in checked.outcomes
        ],
        "definition": checked.statement.definition,
        **_figures(study, checked.statement.id),
    }


def _figures(study: TrialsStudy, key: str) -> dict[str, Any]:
    """What stands beside a claim; the keys are those that the statistics were agreed under."""
    if key in ("likert_icc", "likert_icc_k"):
        return _likert(study, single=key == "likert_icc")
    if key in ("binary_icc", "ternary_icc"):
        return {"value": quantities(study, key)}
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


def _likert(study: TrialsStudy, *, single: bool) -> dict[str, Any]:
    consistency, agreement = {}, {}
    for dimension in (INTEGRITY, TRANSPARENCY, OVERALL):
        icc = scored(study, "likert", dimension).two_way
        consistency[dimension] = (icc.icc_3_1 if single else icc.icc_3_k).value
        agreement[dimension] = (icc.icc_2_1 if single else icc.icc_2_k).value
    return {"value": consistency, "true_icc_2_1" if single else "true_icc_2_k": agreement}


def _sentinel(trials: Trials) -> dict[str, Any]:
    recovered = {score for cell in trials.unparsed for score in cell.recovered or ()}
    return {
        "cells": [[cell.trial, cell.rubric, cell.evaluator] for cell in trials.unparsed],
        "published_value": SENTINEL,
        "raw_reply_value": recovered.pop() if len(recovered) == 1 else None,
    }


def _sample(study: TrialsStudy) -> dict[str, Any]:
    sample = study.sample
    return {
        "wanted": {"high": HIGH_WANTED, "low": LOW_WANTED, "all": SIZE},
        "available": {
            "high": sample.high_available,
            "medium": sample.medium_available,
            "low": sample.low_available,
        },
        "drawn": {
            "high": sample.drawn("high_disagreement"),
            "low": sample.drawn("high_agreement"),
            "stratified": sample.drawn("stratified_random"),
        },
        "reproduced_exactly": sample.as_published,
        "order": list(sample.groups),
        "groups": sample.groups,
    }


def _bands(study: TrialsStudy) -> dict[str, Any]:
    bands = study.bands
    return {
        "consensus_EI_bands": bands.consensus,
        f"all_{sum(bands.all_scores.values())}_EI_bands": bands.all_scores,
        "guide_target": {name: f"{low:g}-{high:g}%" for name, (low, high) in bands.target_pct.items()},
    }


def _evidence(study: TrialsStudy) -> dict[str, Any]:
    citations = study.citations
    absent = citations.absent_figures
    return {
        "by_evaluator": {
            name: {
                "explanations": citations.explanations[name],
                "quotes": _where(citations.quotes, name),
                "figures_credited": _where(citations.figures, name),
                "explanations_that_credit_a_figure": explanations(citations.figures, name),
                "explanations_that_credit_an_absent_figure": explanations(absent, name),
            }
            for name in study.trials.evaluators
        },
        "faults": [
            {"kind": kind, **as_object(each)}
            for kind, faults in (("quote", citations.invented_quotes), ("figure", absent))
            for each in faults
        ],
    }


def _where(citations: tuple[Citation, ...], evaluator: str) -> dict[str, int]:
    counts = Counter(each.stands for each in citations if each.evaluator == evaluator)
    return {place: counts[place] for place in PLACES}
