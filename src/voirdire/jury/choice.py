"""Which of the juries that have judged a run is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.jury.settings import JuryError


def judge_names(given: str | Sequence[str]) -> list[str]:
    """The names of judges, from a text with commas between them or from a list.

    Raises:
        JuryError: something else was given.
    """
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not all(isinstance(each, str) for each in names):
        raise JuryError(f"A jury is the names of its judges, as a text with commas or a list; {given!r} was given.")
    return [name.strip() for name in names]


def choose_jury(juries: Mapping[str, Any], wanted: str | None, run: Path) -> str:
    """The id of a jury of a run.

    Args:
        juries: what is known of each jury, by id, the run's own first; its "judges" are their names.
        wanted: an id, or the judges' names with commas between them; `None` for the run's own.
        run: the run folder, for messages.

    Raises:
        JuryError: no such jury has judged the run, or several juries of these judges have.
    """
    if wanted is None:
        return next(iter(juries))
    if wanted in juries:
        return wanted
    judges = judge_names(wanted)
    of_these_judges = [name for name, jury in juries.items() if sorted(jury["judges"]) == sorted(judges)]
    in_this_order = [name for name in of_these_judges if juries[name]["judges"] == judges]
    if len(in_this_order) == 1:
        return in_this_order[0]
    if len(of_these_judges) == 1:
        return of_these_judges[0]
    if of_these_judges:
        raise JuryError(f"Several juries of these judges have judged {run}: give one of {', '.join(of_these_judges)}.")
    there = ", ".join(f"{name} ({', '.join(jury['judges'])})" for name, jury in juries.items())
    raise JuryError(f"No jury {wanted!r} has judged {run}; there are {there}.")
