"""Does it matter what is asked about, or what the models are? P4 and the digest's Mechanism 3."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from voirdire.data.plain import as_plain
from voirdire.ddft.analysis.predicting.correlates import Correlate, Correlates
from voirdire.ddft.analysis.predicting.findings import ALPHA, BROKEN, HELD, OPEN, WEAK, Finding, Verdict
from voirdire.ddft.analysis.predicting.measures import Study
from voirdire.ddft.analysis.predicting.ranks import known
from voirdire.stats.association import Anova, one_way_anova
from voirdire.stats.intervals import Interval

NEGLIGIBLE = 0.06
"""eta² from which an effect counts as of medium size (Cohen 1988, 8.2)."""

_LEVEL = 0.95
_DRAWS = 1_999
"""Random orders of dialogues and turns; enough for a p of 0.001."""
_DESIGN = re.compile(r"param|size|arch|reason|paradigm|family|vendor", re.IGNORECASE)


def domains(study: Study) -> Finding:
    """P4: accuracy does not depend on the domain."""
    scores = pd.concat(list(study.frames.values()), ignore_index=True)
    scores = scores[scores["far"].notna()]
    dialogues = scores.groupby(["model", "concept", "level", "sample"], sort=False)["far"].mean().reset_index()
    found = one_way_anova(dialogues["far"], dialogues["concept"], blocks=dialogues["model"], draws=_DRAWS)
    turns = one_way_anova(scores["far"], scores["concept"], draws=_DRAWS)
    interval = Interval(found.eta_low, found.eta_high, _LEVEL, "noncentral-f")
    verdict, why = _domains(found)
    return Finding(
        "P4",
        "What concept is asked about hardly matters.",
        "F = 0.99, p = 0.44, eta² = 0.004, of turns, and said to be of the CI index (DDFT 4.2, 6.3)",
        known(found.eta_squared),
        None if known(found.eta_low) is None else interval,
        f"eta² of concepts on FAR per dialogue, within models; held: its interval lies below {NEGLIGIBLE:g}; broken: "
        f"p < {ALPHA:g} and eta² above {NEGLIGIBLE:g}",
        verdict,
        why,
        (_anova("dialogues, models as blocks", found), _anova("turns, as the paper", turns)),
    )


def orthogonal(correlates: Correlates | None) -> Finding:
    """M3: robustness goes with neither size nor architecture."""
    tested = _of_design(correlates)
    first = next((each for each in tested if each.spearman), None)
    verdict, why = _orthogonal(tested, correlates is not None)
    return Finding(
        "M3",
        "Robustness goes with neither the number of parameters nor the architecture.",
        "r = 0.083, p = 0.832 and r = 0.153, p = 0.695, n = 9 (DDFT table 3)",
        first.spearman.value if first and first.spearman else None,
        first.spearman.interval if first and first.spearman else None,
        f"held: every interval within ±{WEAK:g}; broken: an exact p, by Holm, below {ALPHA:g}",
        verdict,
        why,
        tuple(each.as_dict() for each in tested),
    )


def _domains(found: Anova) -> tuple[Verdict, str]:
    if found.p_permutation != found.p_permutation:
        return OPEN, "There is one concept only, or one dialogue on each."
    said = f"F = {found.F:.2f}, permutation p = {found.p_permutation:.3f}, {found.n} dialogues."
    if found.eta_high < NEGLIGIBLE:
        return HELD, said
    if found.p_permutation < ALPHA and found.eta_squared > NEGLIGIBLE:
        return BROKEN, said
    return OPEN, f"{said} Not to be significant is not to be negligible: the interval reaches {found.eta_high:.2f}."


def _anova(of: str, found: Anova) -> dict[str, Any]:
    numbers = {
        name: known(getattr(found, name)) for name in ("F", "p", "p_permutation", "eta_squared", "omega_squared")
    }
    interval = None if known(found.eta_low) is None else Interval(found.eta_low, found.eta_high, _LEVEL, "noncentral-f")
    degrees = {"df_between": found.df_between, "df_within": found.df_within}
    return {"of": of} | numbers | {"interval": as_plain(interval)} | degrees


def _of_design(correlates: Correlates | None) -> list[Correlate]:
    """The columns on size and architecture, or all where none is named after them."""
    columns = [] if correlates is None else list(correlates.columns)
    return [each for each in columns if _DESIGN.search(each.column)] or columns


def _orthogonal(tested: list[Correlate], given: bool) -> tuple[Verdict, str]:
    if not given:
        return OPEN, "No figures of the models were given (--with F.csv): n = 0."
    associated = [each.column for each in tested if each.outcome == "associated"]
    if associated:
        return BROKEN, f"{', '.join(associated)} goes with it across these models."
    if tested and all(_surely_weak(each) for each in tested):
        return HELD, "Every interval excludes all but weak correlations."
    reach = [each.detectable for each in tested if each.detectable is not None]
    least = f": |r| ≥ {min(reach):.2f} would have been found with 80 % power" if reach else ""
    return OPEN, f"No association is shown, which at this n is no evidence that there is none{least}."


def _surely_weak(each: Correlate) -> bool:
    if each.anova is not None:
        return each.anova.eta_high < WEAK**2
    intervals = [found.interval for found in (each.spearman, each.pearson, each.pearson_log) if found]
    return bool(intervals) and all(found and -WEAK < found.low and found.high < WEAK for found in intervals)
