"""The study as data for JSON. Undefined values are `None`; means and shares are rounded as the published tables are."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from voirdire.integrity.study._tables import agreement_dict, anova_dict, deltas_dict, dimensions_dict, treatment_label
from voirdire.integrity.study.evidence import STANDS, Citation, explanations
from voirdire.integrity.study.headline import headline
from voirdire.integrity.study.sample import HIGH_WANTED, LOW_WANTED, SIZE
from voirdire.integrity.study.whole import Study
from voirdire.integrity.trials import SENTINEL, Trials

SCHEMA = "integrity_study/1"


def as_dict(study: Study) -> dict[str, Any]:
    """Everything, ready for JSON."""
    trials = study.trials
    found = {
        "_schema": SCHEMA,
        "source": trials.source,
        "n_trials": len(trials.trials),
        "evaluators": trials.evaluators,
        "headline": headline(study),
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
    return {key: _strict(value) for key, value in found.items()}


def _sentinel(trials: Trials) -> dict[str, Any]:
    recovered = {score for cell in trials.unparsed for score in cell.recovered or ()}
    return {
        "cells": [[cell.trial, cell.rubric, cell.evaluator] for cell in trials.unparsed],
        "published_value": SENTINEL,
        "raw_reply_value": recovered.pop() if len(recovered) == 1 else None,
    }


def _sample(study: Study) -> dict[str, Any]:
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


def _bands(study: Study) -> dict[str, Any]:
    found = study.bands
    return {
        "consensus_EI_bands": found.consensus,
        f"all_{sum(found.all_scores.values())}_EI_bands": found.all_scores,
        "guide_target": {name: f"{low:g}-{high:g}%" for name, (low, high) in found.target_pct.items()},
    }


def _evidence(study: Study) -> dict[str, Any]:
    cited = study.cited
    absent = cited.absent_figures
    return {
        "by_evaluator": {
            name: {
                "explanations": cited.explanations[name],
                "quotes": _where(cited.quotes, name),
                "figures_credited": _where(cited.figures, name),
                "explanations_that_credit_a_figure": explanations(cited.figures, name),
                "explanations_that_credit_an_absent_figure": explanations(absent, name),
            }
            for name in study.trials.evaluators
        },
        "faults": [
            {"kind": kind, **each._asdict()}
            for kind, citations in (("quote", cited.invented_quotes), ("figure", absent))
            for each in citations
        ],
    }


def _where(citations: tuple[Citation, ...], evaluator: str) -> dict[str, int]:
    counts = Counter(each.stands for each in citations if each.evaluator == evaluator)
    return {stands: counts[stands] for stands in STANDS}


def _strict(value: Any) -> Any:
    """The same with `None` for what is not finite, and plain lists for tuples."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _strict(each) for key, each in value.items()}
    return [_strict(each) for each in value] if isinstance(value, list | tuple) else value
