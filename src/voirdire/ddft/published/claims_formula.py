"""Would another threshold, or another formula, rank the models alike (DDFT 5.2.1, 7.1, 8.3, Table 5)?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from voirdire.ddft._cells import Floats
from voirdire.ddft.published.claims import Claim, Found, compared, held, uncheckable
from voirdire.ddft.published.study import BOOTSTRAP, Study, percentiles

_THETA = 0.80  # DDFT 5.2.1, footnote 1
_STABLE = 0.90  # DDFT 7.1: what the paper itself calls a stable ranking
_METHOD = f"{BOOTSTRAP}, the same for both"


def claim_theta_080(study: Study) -> Claim:
    """Whether theta 0.80 ranks the models alike."""
    cells = study.cells(study.scores, theta=_THETA)
    ci, draws = study.estimates(cells)["CI_raw"], study.measured(study.weights, cells)["CI_raw"]
    labels = study.relative_labels(ci).items()
    changed = [
        f"{model} to {label}"
        for (model, label), old in zip(labels, study.labels(relative=True), strict=True)
        if label != old
    ]
    order = ", ".join(study.models[place] for place in np.argsort(-ci))
    why = f"The order becomes {order}. Labels by CI_norm that change: {', '.join(changed) or 'none'}."
    definition = (
        f"Kendall's tau of the CI index with theta 0.80 and with 0.70. Counted as similar above {_STABLE:.2f}, which "
        "the paper calls stable in 7.1."
    )
    tau = _kendall(study.ci, ci)
    found = Found(tau, definition, percentiles(_kendall_draws(study.ci_draws, draws)), _METHOD)
    return held(study.said("theta-080"), tau > _STABLE, found, why=why)


def claim_formula_additive(study: Study) -> Claim:
    """The additive variant."""

    def formula(m: dict[str, Floats]) -> Floats:
        added: Floats = m["HOC"] + m["CRI"] - m["FAR_prime"] - (1 - m["SAS_prime"])
        return added

    return _variant(study, "formula-additive", formula, "HOC + CRI - FAR' - (1 - SAS')")


def claim_formula_max(study: Study) -> Claim:
    """The max-based variant."""

    def formula(m: dict[str, Floats]) -> Floats:
        largest: Floats = np.maximum(m["HOC"], m["CRI"]) / (m["FAR_prime"] + 1 - m["SAS_prime"])
        return largest

    return _variant(study, "formula-max", formula, "max(HOC, CRI) / (FAR' + 1 - SAS')")


def claim_three_levels(study: Study) -> Claim:
    """Whether three levels rank the models like five."""
    cells = study.cells(study.scores[study.scores["level"].isin([0.0, 0.5, 1.0])])
    ci, draws = study.estimates(cells)["CI_raw"], study.measured(study.weights, cells)["CI_raw"]
    moved = [
        f"{model} {old:.2f} to {new:.2f}"
        for model, old, new in zip(study.models, study.ci, ci, strict=True)
        if abs(new - old) > 0.1
    ]
    definition = "Kendall's tau of the CI index from the turns at levels 0, 0.5 and 1 with the CI index from all turns."
    found = Found(_kendall(study.ci, ci), definition, percentiles(_kendall_draws(study.ci_draws, draws)), _METHOD)
    return compared(
        study.said("three-levels"), found, why=f"The index moves by more than 0.1: {', '.join(moved) or 'none'}."
    )


def claim_ten_levels(study: Study) -> Claim:
    """Ten levels."""
    levels = study.turns["level"].nunique()
    why = f"The release holds {levels} levels; no dialogue at any other is published. In 8.3 and D.2 it is 0.98."
    return uncheckable(study.said("ten-levels"), why)


def claim_ten_level_count(study: Study) -> Claim:
    """How many levels 0.0, 0.1, … 1.0 are."""
    count = len(np.arange(0, 11) / 10)
    return compared(study.said("ten-level-count"), Found(count, "Count of 0.0, 0.1, … 1.0, both ends included."))


def claim_ten_level_cost(study: Study) -> Claim:
    """What more levels cost."""
    said, levels = study.said("ten-level-cost"), study.turns["level"].nunique()
    ten = study.said("ten-level-count").numbers[0].value
    found = Found(ten / levels, f"Ten levels over the {levels} of the study: cost grows with the number of dialogues.")
    return compared(said, found, why=f"With the eleven levels that it lists, {11 / levels:.1f} times.")


def _variant(study: Study, claim: str, formula: Callable[[dict[str, Floats]], Floats], shown: str) -> Claim:
    said = study.said(claim)
    value = formula(study.estimates())
    draws = formula(study.draws)
    tau = _kendall(study.ci, value)
    found = Found(
        tau,
        f"Kendall's tau of {shown} with the CI index, over the nine models.",
        percentiles(_kendall_draws(study.ci_draws, draws)),
        _METHOD,
    )
    order = ", ".join(study.models[place] for place in np.argsort(-value))
    why = "" if tau > said.numbers[0].value else f"Ranked by it: {order}."
    return held(said, tau > said.numbers[0].value, found, why=why)


def _kendall(one: Floats, other: Floats) -> float:
    return float(_kendall_draws(one[:, np.newaxis], other[:, np.newaxis])[0])


def _kendall_draws(one: Floats, other: Floats) -> Floats:
    """Kendall's tau of two sets of models' values in each draw; shapes (models, draws); NaN where undefined."""
    above, below = np.triu_indices(len(one), k=1)
    signs = np.sign(one[above] - one[below]) * np.sign(other[above] - other[below])
    return np.asarray(signs.mean(axis=0), dtype=np.float64)
