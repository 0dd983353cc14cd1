"""Which judges repeat each other, so that their agreement says nothing."""

from __future__ import annotations

from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import pandas as pd

from voirdire.reason_codes import Reason, reason
from voirdire.stats.near_copies import near_copy

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

_SCORES = ["far", "sas"]
FEWEST_VERDICTS = 12
"""From which on verdicts that are all the same tell of the judge instead of the answers."""
_FEW_SCORES = 3
"""Pairs of FAR and SAS that good judges may well give alike throughout: 0 and 1 of each, say, of answers that are all
right."""


class Copies(NamedTuple):
    """The judges of one jury who repeat each other."""

    whole: tuple[Reason, ...]
    """Judges who gave the very same scores and stance to every answer, so that they count as one."""
    near: tuple[Reason, ...]
    """Every two judges who give the same scores, or scores a constant apart, far oftener than independent ones do. Each
    says who of the two is left out of agreement: nobody, where fewer than two judges would be left."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Both."""
        return (*self.whole, *self.near)


class _Verdicts(NamedTuple):
    """Of one judge, by answer, the same answers for every judge; where it gave no verdict, `given` is false."""

    judge: str
    given: NDArray[np.bool_]
    scores: NDArray[np.float64]
    """Shape (answers, 2): FAR and SAS."""
    stances: NDArray[np.int64]
    """Codes; -1 where there is none."""


def copied_judges(verdicts: pd.DataFrame) -> Copies:
    """Which judges are copies of each other, or nearly.

    Near copies are told by FAR and SAS together, on answers to which one of the two gave what it seldom gives
    (`stats.near_copies`). Of judges who are copies in all verdicts, one is looked at for that.

    Args:
        verdicts: of one jury: model, dialogue, turn, judge, far, sas, stance, missing.
    """
    judges = _by_judge(verdicts)
    whole = _whole_copies(judges)
    left_out = _left_out(whole)
    return Copies(whole, _near_copies([each for each in judges if each.judge not in left_out]))


def without_copies(verdicts: pd.DataFrame, copies: Sequence[Reason]) -> pd.DataFrame:
    """The verdicts without those of copies: of each group the judge with the most verdicts is left."""
    left_out = _left_out(copies)
    return verdicts[~verdicts["judge"].isin(left_out)] if left_out else verdicts


def _left_out(copies: Sequence[Reason]) -> set[str]:
    return set(chain.from_iterable(cast("tuple[str, ...]", why["left_out"]) for why in copies))


def _by_judge(verdicts: pd.DataFrame) -> list[_Verdicts]:
    """The judges by name."""
    given = verdicts[verdicts["missing"].isna()]
    answers = given.groupby(["model", "dialogue", "turn"], sort=False).ngroup().to_numpy()
    scores = given[_SCORES].to_numpy(dtype=np.float64)
    stances = pd.factorize(given["stance"])[0]
    judges, names = pd.factorize(given["judge"], sort=True)
    size = int(answers.max(initial=-1)) + 1
    by_judge = []
    for place, name in enumerate(names):
        own = judges == place
        of = _Verdicts(str(name), np.zeros(size, bool), np.full((size, len(_SCORES)), np.nan), np.full(size, -1))
        of.given[answers[own]], of.scores[answers[own]], of.stances[answers[own]] = True, scores[own], stances[own]
        by_judge.append(of)
    return by_judge


def _whole_copies(judges: Sequence[_Verdicts]) -> tuple[Reason, ...]:
    groups: list[list[_Verdicts]] = []
    for own in judges:
        group = next((each for each in groups if all(_same_verdicts(own, other) for other in each)), None)
        if group is None:
            groups.append([own])
        else:
            group.append(own)
    return tuple(
        reason(
            "copied_judge",
            judges=tuple(each.judge for each in group),
            answers=int(np.all([each.given for each in group], axis=0).sum()),
            left_out=tuple(each.judge for each in sorted(group, key=_most_verdicts_first)[1:]),
        )
        for group in groups
        if len(group) > 1
    )


def _most_verdicts_first(own: _Verdicts) -> int:
    return -int(own.given.sum())


def _same_verdicts(one: _Verdicts, two: _Verdicts) -> bool:
    """Whether two judges say the same of all that both judged, and of enough, and not always the same."""
    both = one.given & two.given
    return (
        int(both.sum()) >= FEWEST_VERDICTS
        and np.array_equal(one.stances[both], two.stances[both])
        and np.array_equal(one.scores[both], two.scores[both], equal_nan=True)
        and len(np.unique(np.nan_to_num(one.scores[both], nan=-1), axis=0)) > _FEW_SCORES
    )


def _near_copies(judges: Sequence[_Verdicts]) -> tuple[Reason, ...]:
    matches = {}
    for one, two in combinations(judges, 2):
        both = np.isfinite(one.scores).all(axis=1) & np.isfinite(two.scores).all(axis=1)
        near = near_copy(one.scores[both], two.scores[both])
        if near is not None:
            matches[one.judge, two.judge] = near
    independent = _independent(judges, matches)
    alone = len(independent) < 2
    return tuple(
        reason(
            "near_copies_alone" if alone else "near_copy",
            judges=pair,
            hits=near.hits,
            of=near.of,
            left_out=() if alone else tuple(judge for judge in pair if judge not in independent),
        )
        for pair, near in matches.items()
    )


def _independent(judges: Sequence[_Verdicts], pairs: Collection[tuple[str, str]]) -> list[str]:
    """Judges of whom no two are near copies; those come first who are in the fewest pairs, then who judged the most."""
    independent: list[str] = []
    for own in sorted(judges, key=lambda own: (sum(own.judge in pair for pair in pairs), _most_verdicts_first(own))):
        if not any((own.judge, other) in pairs or (other, own.judge) in pairs for other in independent):
            independent.append(own.judge)
    return independent
