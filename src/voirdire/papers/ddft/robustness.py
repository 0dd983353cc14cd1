"""Does rejecting the fabrication go with being robust, does the domain matter, or what the models are? P3, P4, M3.

The paper reads rho = -0.817 between turn 4's FAR and the CI index as "models that detect the fabrication are robust".
Its sign says the contrary: the more accurate the answers to the trap, the lower the index. All readings are therefore
examined.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from voirdire.data.json_values import as_plain
from voirdire.ddft.analysis.correlates import Correlate, Correlates
from voirdire.ddft.analysis.measures import associate, far_of_turn, known, measure_turns
from voirdire.ddft.concept_sums import Floats
from voirdire.papers.claims import ClaimVerdict, Result
from voirdire.papers.ddft.decisions import (
    ALPHA,
    TRAP_TURN,
    WEAK,
    Decision,
    TestedRuns,
    because,
    by_correlation,
    nothing_known,
    result_of,
)
from voirdire.reason_codes import Reason
from voirdire.stats.association import Anova, one_way_anova
from voirdire.stats.intervals import Interval

KNOWLEDGE_TURNS = (1, 2, 3)
WITHOUT_TRAP = (1, 2, 3, 5)

NEGLIGIBLE = 0.06
"""eta² from which an effect counts as of medium size (Cohen 1988, 8.2)."""

_LEVEL = 0.95
_DRAWS = 1_999
"""Random orders of dialogues and turns; enough for a p of 0.001."""
_DESIGN = re.compile(r"param|size|arch|reason|paradigm|family|vendor", re.IGNORECASE)


def turn_4_far(tested: TestedRuns, sign: Literal[-1, 1]) -> Result:
    """P3 as it is printed (sign -1), or as it is meant (1)."""
    far, ci = far_of_turn(tested.study, TRAP_TURN), measure_turns(tested.study)["CI_raw"]
    correlation = associate(far, ci, "spearman")
    verdict, reasons = by_correlation(correlation, sign, "shared.turn_4_with_ci")
    reasons = (*reasons, because("shared.turn_4_in_ci"))
    if sign < 0 and (correlation.value or 0) < 0:
        reasons = (*reasons, because("P3-printed.upside_down"))
    return result_of(correlation.value, correlation.interval, (verdict, reasons))


def rejecting(tested: TestedRuns) -> Result:
    """P3 with the stance, and an index that the trap has no part in."""
    whole = measure_turns(tested.study)
    knowledge, others = (measure_turns(tested.study, turns=turns) for turns in (KNOWLEDGE_TURNS, WITHOUT_TRAP))
    rejects = whole["V_E"]
    indices = {
        "ER of turns 1 to 3, without V_E": rest_of_er(knowledge),
        "K (FAR of turns 1 to 3)": whole["K"],
        "CI_raw of turns 1, 2, 3 and 5": others["CI_raw"],
        "CI_raw (contains turn 4)": whole["CI_raw"],
        "ER (contains V_E)": whole["ER"],
    }
    correlations = {name: associate(rejects, index, "spearman") for name, index in indices.items()}
    first = next(iter(correlations.values()))
    decision = by_correlation(first, 1, "P3-verifier.correlation")
    if np.isnan(rejects[0]).all():
        decision = ClaimVerdict.OPEN, (because("P3-verifier.no_stance"),)
    table = [{"index": name} | each.as_dict() for name, each in correlations.items()]
    return result_of(first.value, first.interval, decision, table)


def rest_of_er(parts: dict[str, Floats]) -> Floats:
    """ER without the share of traps rejected: the geometric mean of K, S and D."""
    product: Floats = parts["K"] * parts["S"] * parts["D"]
    return np.cbrt(product)


def domains(tested: TestedRuns) -> Result:
    """P4: accuracy does not depend on the domain."""
    scores = pd.concat(list(tested.study.frames.values()), ignore_index=True)
    scores = scores[scores["far"].notna()]
    dialogues = scores.groupby(["model", "concept", "level", "sample"], sort=False)["far"].mean().reset_index()
    anova = one_way_anova(dialogues["far"], dialogues["concept"], blocks=dialogues["model"], draws=_DRAWS)
    turns = one_way_anova(scores["far"], scores["concept"], draws=_DRAWS)
    table = [_anova("dialogues, models as blocks", anova), _anova("turns, as the paper", turns)]
    untested = nothing_known(tested.study) or _untested(anova, dialogues["concept"].nunique())
    decision = _domains(anova) if untested is None else (ClaimVerdict.OPEN, (untested,))
    return result_of(table[0]["eta_squared"], _eta_interval(anova), decision, table)


def orthogonal(tested: TestedRuns) -> Result:
    """M3: robustness goes with neither size nor architecture."""
    columns = _of_design(tested.correlates)
    first = next((each.spearman for each in columns if each.spearman), None)
    decision = _orthogonal(columns, tested.correlates is not None)
    result = result_of(None, None, decision, [each.as_dict() for each in columns])
    return result if first is None else replace(result, value=first.value, interval=first.interval)


def _untested(anova: Anova, concepts: int) -> Reason | None:
    """Why concepts can't be told apart at all; `None` where they were tested."""
    if not np.isnan(anova.p_permutation):
        return None
    if concepts == 1:
        return because("P4.one_concept")
    if anova.df_between < 1:
        return because("P4.one_concept_each")
    return because("P4.few_dialogues", dialogues=anova.n) if anova.df_within < 1 else because("P4.no_spread")


def _domains(anova: Anova) -> Decision:
    reason = because("P4.anova", f=anova.F, p=anova.p_permutation, dialogues=anova.n)
    if anova.eta_high < NEGLIGIBLE:
        return ClaimVerdict.HELD, (reason,)
    if anova.p_permutation < ALPHA and anova.eta_squared > NEGLIGIBLE:
        return ClaimVerdict.BROKEN, (reason,)
    if np.isnan(anova.eta_high):
        return ClaimVerdict.OPEN, (reason, because("P4.no_interval", left=anova.df_within))
    return ClaimVerdict.OPEN, (reason, because("P4.not_negligible", high=anova.eta_high))


def _anova(factor: str, anova: Anova) -> dict[str, Any]:
    numbers = {
        name: known(getattr(anova, name)) for name in ("F", "p", "p_permutation", "eta_squared", "omega_squared")
    }
    if anova.df_within < 1:  # with one score a concept, concepts explain everything whatever was answered
        numbers["eta_squared"] = None
    degrees = {"df_between": anova.df_between, "df_within": anova.df_within}
    return {"of": factor} | numbers | {"interval": as_plain(_eta_interval(anova))} | degrees


def _eta_interval(anova: Anova) -> Interval | None:
    return None if np.isnan(anova.eta_low) else Interval(anova.eta_low, anova.eta_high, _LEVEL, "noncentral-f")


def _of_design(correlates: Correlates | None) -> list[Correlate]:
    """The columns on size and architecture, or all where none is named after them."""
    columns = [] if correlates is None else list(correlates.columns)
    return [each for each in columns if _DESIGN.search(each.column)] or columns


def _orthogonal(tested: list[Correlate], taus: bool) -> Decision:
    if not taus:
        return ClaimVerdict.OPEN, (because("M3.no_figures"),)
    associated = [each.column for each in tested if each.outcome == "associated"]
    if associated:
        return ClaimVerdict.BROKEN, (because("M3.associated", columns=", ".join(associated)),)
    if tested and all(_surely_weak(each) for each in tested):
        return ClaimVerdict.HELD, (because("M3.all_weak"),)
    reach = [each.detectable for each in tested if each.detectable is not None]
    return ClaimVerdict.OPEN, (because("M3.none_within", least=min(reach)) if reach else because("M3.none_shown"),)


def _surely_weak(each: Correlate) -> bool:
    if each.anova is not None:
        return each.anova.eta_high < WEAK**2
    intervals = [correlation.interval for correlation in (each.spearman, each.pearson, each.pearson_log) if correlation]
    return bool(intervals) and all(
        interval is not None and -WEAK < interval.low and interval.high < WEAK for interval in intervals
    )
