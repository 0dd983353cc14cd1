"""Several judges of the same outputs: whether the order rests on one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from voirdire.evaluation.checks.check import Check, Status, not_measured
from voirdire.evaluation.comparison import EvaluationComparison, compare
from voirdire.evaluation.records import Evaluation
from voirdire.reason_codes import reason
from voirdire.stats import special

_LEVEL = 0.01
"""Chance, over all judges and rivals, of taking judges for unlike who only meet other noise."""


class _Lone(NamedTuple):
    """A judge without whom the first model would not surely lead another one, or would not be ahead of it."""

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

    It warns where the lead is sure with all judges and not without one of them, or another model comes first without
    one, and this one surely differs from the others. It fails where a lead that is sure with all judges is another
    model's without one.
    """
    id = "lone_judge"
    judges = evaluation.judges
    if len(judges) < 2:
        return not_measured(id, evaluation, "evaluation_one_judge")
    result = compare(evaluation)
    first, *rivals = [each.model for each in result.placed] or [""]
    beaten = [each.model for each in result.placed[1:] if each.best > result.placed[0].worst]
    left = {judge: compare(evaluation.without_judge(judge)) for judge in judges}
    moving = {judge: each.placed[0].model for judge, each in left.items() if each.placed and _is_moved(each, first)}
    limit = float(special.ndtri(1 - _LEVEL / (2 * len(judges) * max(len(rivals), 1))))
    weaker = [each for judge in judges for each in _without(evaluation, judge, left[judge], first, rivals)]
    lone = [each for each in weaker if each.apart > limit and (each.rival in beaten or _moves(each, moving))]
    if not lone and not beaten:
        return not_measured(id, evaluation, "evaluation_no_first")
    details = {"judges": list(dict.fromkeys(each.judge for each in lone)), "first_without": moving}
    if not lone:
        code = "evaluation_lead_moves" if moving else "evaluation_lead_of_all"
        why = reason(code, first=first, judges=len(judges), moving=tuple(moving))
        return Check(id, "pass", evaluation.name, why, n=len(judges), details=details)
    worst = max(
        lone, key=lambda each: (each.is_turned and each.rival in beaten, each.is_turned, each.own - each.others)
    )
    status: Status = "fail" if worst.is_turned and worst.rival in beaten else "warn"
    turning = tuple(each.judge for each in weaker if each.is_turned and each.rival == worst.rival)
    against = _against(evaluation, first, worst.rival)
    moved = [first, *dict.fromkeys(each.rival for each in lone if each.is_turned)]
    return Check(
        id,
        status,
        evaluation.name,
        reason(
            _code(worst, against, len(judges)),
            first=first,
            rival=worst.rival,
            judge=worst.judge,
            judges=turning,
            against=against,
            own=worst.own,
            others=worst.others,
            behind=-worst.others,
        ),
        worst.own - worst.others,
        len(judges),
        tuple(moved) if worst.is_turned else (first,),
        details=details,
    )


CHECKS = (lone_judge,)


def _is_moved(comparison: EvaluationComparison, first: str) -> bool:
    """Whether another model comes first; one that only ties with the first one by its name does not."""
    lead = _lead(comparison, first, comparison.placed[0].model)
    return comparison.placed[0].model != first and (lead is None or lead.difference < 0)


def _moves(lone: _Lone, moving: Mapping[str, str]) -> bool:
    """Whether without this judge the rival comes first."""
    return moving.get(lone.judge) == lone.rival


def _code(worst: _Lone, against: Collection[str], judges: int) -> str:
    """What is said: "alone" only where no other judge by itself sees the first model ahead."""
    if not worst.is_turned:
        return "evaluation_lead_of_one"
    return "evaluation_lead_turned" if len(against) < judges - 1 else "evaluation_lead_of_one_turned"


def _against(evaluation: Evaluation, first: str, rival: str) -> tuple[str, ...]:
    """The judges who by themselves don't see the first model ahead."""
    leads = {judge: _lead(compare(evaluation.of_judge(judge)), first, rival) for judge in evaluation.judges}
    return tuple(judge for judge, lead in leads.items() if lead is None or lead.difference <= 0)


def _without(
    evaluation: Evaluation, judge: str, others: EvaluationComparison, first: str, rivals: Sequence[str]
) -> Iterator[_Lone]:
    """Of which other models the first one is surely ahead only with this judge's scores."""
    own = compare(evaluation.of_judge(judge))
    for rival in rivals:
        rest, alone = _lead(others, first, rival), _lead(own, first, rival)
        if rest is None or alone is None or (rest.difference > 0 and rest.p <= others.alpha):
            continue
        error = float(np.hypot(rest.se, alone.se))
        gap = alone.difference - rest.difference
        if gap > 0 and error > 0:
            yield _Lone(judge, rival, alone.difference, rest.difference, gap / error)


class _Lead(NamedTuple):
    difference: float
    se: float
    p: float


def _lead(comparison: EvaluationComparison, first: str, rival: str) -> _Lead | None:
    """One model's lead over another one; `None` where a comparison lacks one of them."""
    places = {each.model: place for place, each in enumerate(comparison.placed)}
    if first not in places or rival not in places:
        return None
    at = places[first], places[rival]
    values = [float(each[at]) for each in (comparison.pairs.difference, comparison.pairs.se, comparison.pairs.p)]
    return _Lead(*values) if np.isfinite(values).all() else None
