"""Profiles with what they can't know of their run: which turns are still to be asked, that no trap was set, one level.

A profile sees scores alone: that nothing is known of turn 4 looks to it the same whether nobody judged or nobody asked.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import replace

from voirdire.ddft.profile import Profile

_AT_TURN = re.compile(r"\bno [^.;:()]*? at turn (\d)[^.;()]*")
"""A reason that says what no answer at a turn has."""
_PROXY = "V_E_proxy, the mean FAR"
_BY_LEVEL = ("HOC", "HOC_onset")


def corrected(
    profile: Profile, *, asked: AbstractSet[int], judged: AbstractSet[int], traps: bool, finished: bool
) -> Profile:
    """The profile with reasons that are true of its run, and without intervals where only one value is possible.

    Args:
        profile: of a model in one run.
        asked: turns asked of it.
        judged: turns of it that have been judged.
        traps: whether the run sets any.
        finished: whether the run is complete.
    """

    def why(found: re.Match[str]) -> str:
        turn = int(found.group(1))
        if "trap" in found.group() and not traps:
            return "no trap was set"
        if finished or turn in judged:
            return found.group()
        return f"turn {turn} has not been {'judged' if turn in asked else 'asked'} yet"

    metrics = {
        name: value._replace(reason=_AT_TURN.sub(why, value.reason)) if value.reason else value
        for name, value in profile.metrics.items()
    }
    notes = [_AT_TURN.sub(why, note) for note in profile.notes if traps or not note.startswith(_PROXY)]
    one_level = only_level(profile)
    if one_level is None:
        return replace(profile, metrics=metrics, notes=tuple(notes))
    notes.append(f"One level was asked: {hoc_at(one_level)} of compression. Nor does the CI index, built on it.")
    intervals = {name: ends for name, ends in profile.intervals.items() if name not in _BY_LEVEL}
    return replace(profile, metrics=metrics, intervals=intervals, notes=tuple(notes))


def only_level(profile: Profile) -> float | None:
    """The level, where there is but one."""
    return profile.curves[0].level if len(profile.curves) == 1 else None


def hoc_at(level: float) -> str:
    """What HOC can be with one level."""
    of_a_concept = f"only be {level:g}" if level == 0 else f"only be 0 or {level:g} for a concept"
    return f"HOC can {of_a_concept}, and says nothing"
