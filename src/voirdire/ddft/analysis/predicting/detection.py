"""Does rejecting the fabrication go with being robust? The paper's P3, and what its correlation means.

The paper reads rho = -0.817 between turn 4's FAR and the CI index as "models that detect the fabrication are robust".
Its sign says the contrary: the more accurate the answers to the trap, the lower the index. All readings are therefore
examined.
"""

from __future__ import annotations

import numpy as np

from voirdire.ddft._cells import Floats
from voirdire.ddft.analysis.predicting.findings import ALPHA, OPEN, WEAK, Finding, by_correlation
from voirdire.ddft.analysis.predicting.measures import Study, far_of_turn, measured
from voirdire.ddft.analysis.predicting.ranks import associate
from voirdire.ddft.analysis.predicting.trap import TRAP_TURN

KNOWLEDGE_TURNS = (1, 2, 3)
WITHOUT_TRAP = (1, 2, 3, 5)

_PAPER = "rho = -0.817, p = 0.007 (DDFT 6.3, table 4)"
_BOTH = f"with exact p < {ALPHA:g} and |rho| of {WEAK:g} or more; broken: the interval leaves no room for that"


def detection(study: Study) -> list[Finding]:
    """P3 as it is printed, as it is meant, and with the stance and an index that the trap has no part in."""
    ci, far = measured(study)["CI_raw"], far_of_turn(study, TRAP_TURN)
    found = associate(far, ci, "spearman")
    printed, why_printed = by_correlation(found, -1, "Turn 4's FAR with CI_raw")
    meant, why_meant = by_correlation(found, 1, "Turn 4's FAR with CI_raw")
    return [
        Finding(
            "P3-printed",
            "Turn 4's FAR and the CI index go strongly against one another (the sign as printed).",
            _PAPER,
            found.value,
            found.interval,
            f"held: negative, {_BOTH} (the digest: broken if rho > -{WEAK:g})",
            printed,
            f"{why_printed} Turn 4 is part of the CI index." + (_upside_down() if (found.value or 0) < 0 else ""),
        ),
        Finding(
            "P3-meant",
            "Models that answer the trap more accurately are more robust (what the paper concludes).",
            f"{_PAPER}, the opposite sign",
            found.value,
            found.interval,
            f"held: positive, {_BOTH}",
            meant,
            f"{why_meant} Turn 4 is part of the CI index.",
        ),
        _by_stance(study),
    ]


def rest_of_er(parts: dict[str, Floats]) -> Floats:
    """ER without the share of traps rejected: the geometric mean of K, S and D."""
    product: Floats = parts["K"] * parts["S"] * parts["D"]
    return np.cbrt(product)


def _by_stance(study: Study) -> Finding:
    whole = measured(study)
    knowledge, others = (measured(study, turns=turns) for turns in (KNOWLEDGE_TURNS, WITHOUT_TRAP))
    rejects = whole["V_E"]
    indices = {
        "ER of turns 1 to 3, without V_E": rest_of_er(knowledge),
        "K (FAR of turns 1 to 3)": whole["K"],
        "CI_raw of turns 1, 2, 3 and 5": others["CI_raw"],
        "CI_raw (contains turn 4)": whole["CI_raw"],
        "ER (contains V_E)": whole["ER"],
    }
    found = {name: associate(rejects, index, "spearman") for name, index in indices.items()}
    first = next(iter(found.values()))
    verdict, why = by_correlation(first, 1, "V_E with ER of turns 1 to 3")
    if np.isnan(rejects[0]).all():
        verdict, why = OPEN, "No stance towards a trap is known, so that V_E is not: n = 0."
    return Finding(
        "P3-verifier",
        "Models that reject the fabrication more often fare better on the other turns.",
        "not measured: no stances, and an index that the trap is part of",
        first.value,
        first.interval,
        f"V_E against ER of turns 1 to 3; held: positive, {_BOTH}",
        verdict,
        why,
        tuple({"index": name} | each.as_dict() for name, each in found.items()),
    )


def _upside_down() -> str:
    return " Read as it stands, it says that more accurate answers to the trap go with a lower CI index."
