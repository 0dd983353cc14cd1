"""What the trap does: the same models with a neutral question in its place (the digest's second experiment)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from voirdire.ddft._cells import Floats
from voirdire.ddft.analysis.predicting.figures import bare_name
from voirdire.ddft.analysis.predicting.findings import (
    BROKEN,
    HELD,
    MIN_MODELS,
    OPEN,
    UNDECIDABLE,
    Finding,
    Verdict,
    mean_over_concepts,
    too_few_models,
)
from voirdire.ddft.analysis.predicting.measures import Study, far_of_turn, measured
from voirdire.ddft.analysis.predicting.ranks import Association, associate
from voirdire.reasons import Reason
from voirdire.stats.intervals import Interval, percentile

TRAP_TURN = 4
_HOW = "not run: voirdire ddft run … --trap none, then name that run too"


def trap_replaced(study: Study, control: Study | None, unlike: Sequence[Reason] = ()) -> Finding:
    """How turn 4's FAR, and its correlation with the CI index, differ when no trap is set.

    Args:
        study: the models with the trap.
        control: the models without it.
        unlike: why the two can't be compared, where they differ in more than the trap.
    """
    if control is None:
        return _finding(None, None, OPEN, f"{_HOW[0].upper()}{_HOW[1:]} (n = 0).", ())
    if unlike:
        why = " and ".join(map(str, unlike))
        return _finding(None, None, UNDECIDABLE, f"No effect: the runs with the trap and without it were {why}.", ())
    by_name = {bare_name(model): model for model in control.models}
    pairs = {model: by_name[bare_name(model)] for model in study.models if bare_name(model) in by_name}
    if not pairs:
        return _finding(None, None, OPEN, "No model was examined both with the trap and without it (n = 0).", ())
    trapped, neutral = study.only(pairs), control.only(pairs.values())
    differences = {
        model: _by_concept(neutral.frames[other]).sub(_by_concept(trapped.frames[model]))
        for model, other in pairs.items()
    }
    found = {"trap": _with_ci(trapped), "none": _with_ci(neutral)}
    interval = _interval_of_loss(found["trap"], found["none"])
    verdict, why = _verdict(found, interval)
    overall = mean_over_concepts(pd.DataFrame(differences).mean(axis=1).to_numpy(dtype=np.float64))
    rows = [{"model": model} | _row(each) for model, each in differences.items()]
    correlations = [{"trap": name} | each.as_dict() for name, each in found.items()]
    return _finding(
        _loss(found),
        interval,
        verdict,
        f"{why} Without the trap, turn 4's FAR is higher by {overall}.",
        (*correlations, {"model": "all"} | overall.as_dict("FAR_4_higher_without"), *rows),
    )


def _finding(
    value: float | None, interval: Interval | None, verdict: Verdict, why: str, table: tuple[Mapping[str, Any], ...]
) -> Finding:
    return Finding(
        "trap",
        "With a neutral question in the trap's place, turn 4 goes less with the CI index.",
        "not measured; the digest's second experiment",
        value,
        interval,
        "|rho| of turn 4's FAR with the CI index, with the trap less without it (interval over concepts); held: above "
        "0; broken: below 0",
        verdict,
        why,
        table,
    )


def _with_ci(study: Study) -> Association:
    return associate(far_of_turn(study, TRAP_TURN), measured(study)["CI_raw"], "spearman")


def _loss(found: Mapping[str, Association]) -> float | None:
    trap, none = found["trap"].value, found["none"].value
    return None if trap is None or none is None else abs(trap) - abs(none)


def _interval_of_loss(trap: Association, none: Association) -> Interval | None:
    if not trap.draws.size or trap.draws.size != none.draws.size:
        return None
    losses: Floats = np.abs(trap.draws) - np.abs(none.draws)
    return None if np.isnan(losses).all() else percentile(losses)


def _verdict(found: Mapping[str, Association], interval: Interval | None) -> tuple[Verdict, str]:
    n = min(each.exact.n for each in found.values())
    if n < MIN_MODELS:
        return OPEN, too_few_models(n)
    trap, none = found["trap"].value, found["none"].value
    if trap is None or none is None or interval is None:
        return OPEN, "A correlation is undefined, or there are too few concepts."
    said = f"rho = {trap:z.2f} with the trap, {none:z.2f} without, n = {n}."
    return (HELD if interval.low > 0 else BROKEN if interval.high < 0 else OPEN), said


def _by_concept(frame: pd.DataFrame) -> pd.Series:
    """Mean FAR at turn 4 by concept; NaN where no answer has one."""
    return frame[frame["turn"] == TRAP_TURN].groupby("concept")["far"].mean()


def _row(difference: pd.Series) -> dict[str, Any]:
    return mean_over_concepts(difference.to_numpy(dtype=np.float64)).as_dict("FAR_4_higher_without")
