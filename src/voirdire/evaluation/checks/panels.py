"""Several judges of the same outputs: whether the order rests on one of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from voirdire.evaluation.checks.check import Check, Status, not_measured
from voirdire.evaluation.comparison import Comparison, compare
from voirdire.evaluation.records import Evaluation
from voirdire.reasons import reason
from voirdire.stats import special

_LEVEL = 0.01
"""Chance, over all judges and rivals, of taking judges for unlike who only meet other noise."""


class _Lone(NamedTuple):
    """A judge without whom the first model would not surely lead another one."""

    judge: str
    rival: str
    own: float
    """The first model's lead over the rival by this judge, and by the others."""
    others: float
    apart: float
    """Standard errors between the two."""

    @property
    def is_turned(self) -> bool:
        """Whether the others see the rival ahead."""
        return self.others < 0


def lone_judge(evaluation: Evaluation) -> Check:
    """The first model's lead, with and without each judge. Value: how much more one judge gives it than the others do.

    It warns where the lead is sure with all judges and not without one of them, and this one surely differs from the
    others; it fails where the others see the other model ahead.
    """
    id = "lone_judge"
    judges = evaluation.judges
    if len(judges) < 2:
        return not_measured(id, evaluation, "evaluation_one_judge")
    found = compare(evaluation)
    beaten = [each.model for each in found.placed[1:] if each.best > found.placed[0].worst]
    if not beaten:
        return not_measured(id, evaluation, "evaluation_no_first")
    first = found.placed[0].model
    limit = float(special.ndtri(1 - _LEVEL / (2 * len(judges) * len(beaten))))
    lone = [each for judge in judges for each in _without(evaluation, judge, first, beaten) if abs(each.apart) > limit]
    if not lone:
        return Check(
            id,
            "pass",
            evaluation.name,
            reason("evaluation_lead_of_all", first=first, judges=len(judges)),
            n=len(judges),
        )
    worst = max(lone, key=lambda each: (each.is_turned, each.own - each.others))
    status: Status = "fail" if worst.is_turned else "warn"
    code = "evaluation_lead_of_one_turned" if worst.is_turned else "evaluation_lead_of_one"
    moved = [first, *dict.fromkeys(each.rival for each in lone if each.is_turned)]
    return Check(
        id,
        status,
        evaluation.name,
        reason(
            code,
            first=first,
            rival=worst.rival,
            judge=worst.judge,
            own=worst.own,
            others=worst.others,
            behind=-worst.others,
        ),
        worst.own - worst.others,
        len(judges),
        tuple(moved) if worst.is_turned else (first,),
        details={"judges": list(dict.fromkeys(each.judge for each in lone))},
    )


CHECKS = (lone_judge,)


def _without(evaluation: Evaluation, judge: str, first: str, beaten: list[str]) -> list[_Lone]:
    """Whom the first model surely leads only with this judge's scores."""
    others, own = compare(evaluation.without_judge(judge)), compare(evaluation.of_judge(judge))
    found = []
    for rival in beaten:
        rest, alone = _lead(others, first, rival), _lead(own, first, rival)
        if rest is None or alone is None or (rest.difference > 0 and rest.p <= others.alpha):
            continue
        error = float(np.hypot(rest.se, alone.se))
        gap = alone.difference - rest.difference
        if gap > 0 and error > 0:
            found.append(_Lone(judge, rival, alone.difference, rest.difference, gap / error))
    return found


class _Lead(NamedTuple):
    difference: float
    se: float
    p: float


def _lead(comparison: Comparison, first: str, rival: str) -> _Lead | None:
    """One model's lead over another one; `None` where a comparison lacks one of them."""
    places = {each.model: place for place, each in enumerate(comparison.placed)}
    if first not in places or rival not in places:
        return None
    at = places[first], places[rival]
    values = [float(each[at]) for each in (comparison.pairs.difference, comparison.pairs.se, comparison.pairs.p)]
    return _Lead(*values) if np.isfinite(values).all() else None
