"""Profiles with what they can't know of their run: that no trap was set, that one level was asked."""

from __future__ import annotations

import re
from dataclasses import replace

from voirdire.ddft.profile import Profile

_OF_TRAPS = re.compile(r"\bno [^.;:()]*?trap[^.;:()]*? at turn \d[^.;()]*")
"""A reason that says what is not known of any trap."""
_PROXY = "V_E_proxy, the mean FAR"
_BY_LEVEL = ("HOC", "HOC_onset")


def corrected(profile: Profile, *, traps: bool) -> Profile:
    """The profile with reasons that are true of its run, and without intervals where only one value is possible.

    Args:
        profile: of a model in one run.
        traps: whether the run sets any.
    """
    metrics, notes = profile.metrics, list(profile.notes)
    if not traps:
        metrics = {
            name: value._replace(reason=_untrapped(value.reason)) if value.reason else value
            for name, value in metrics.items()
        }
        notes = [_untrapped(note) for note in notes if not note.startswith(_PROXY)]
    one_level = only_level(profile)
    if one_level is None:
        return replace(profile, metrics=metrics, notes=tuple(notes))
    notes.append(f"One level was asked: {hoc_at(one_level)} of compression. Nor does the CI index, built on it.")
    intervals = {name: ends for name, ends in profile.intervals.items() if name not in _BY_LEVEL}
    return replace(profile, metrics=metrics, intervals=intervals, notes=tuple(notes))


def _untrapped(sentence: str) -> str:
    return _OF_TRAPS.sub("no trap was set", sentence)


def only_level(profile: Profile) -> float | None:
    """The level, where there is but one."""
    return profile.curves[0].level if len(profile.curves) == 1 else None


def hoc_at(level: float) -> str:
    """What HOC can be with one level."""
    of_a_concept = f"only be {level:g}" if level == 0 else f"only be 0 or {level:g} for a concept"
    return f"HOC can {of_a_concept}, and says nothing"
