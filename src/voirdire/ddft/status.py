"""How far a cross-examination has come, and what is missing of it: for whatever is made of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from voirdire.ddft.exported_tables import judged_turns
from voirdire.ddft.judging import juries_in
from voirdire.ddft.results import check_completeness
from voirdire.jury.choice import choose_jury
from voirdire.runs import RunFolder, RunStatus

_LONGEST = 200


def status_of(folder: RunFolder, jury: str | None = None) -> RunStatus:
    """How far a run has come under one jury; nothing is asked.

    Args:
        folder: of the run.
        jury: the judges' names, or the id, of a jury that sits in it; `None` for the one that it was held with.
    """
    juries = juries_in(folder.journal)
    chosen = choose_jury(juries, jury, folder.path) if juries else ""
    missing = _missing(folder, chosen)
    return RunStatus(check_completeness(folder, chosen).why, missing=missing, jury=_jury(juries, chosen))


def _missing(folder: RunFolder, jury: str) -> dict[str, Counter[str]]:
    missing: dict[str, Counter[str]] = {name: Counter() for name in ("answers", "verdicts", "unscored", "not_judged")}
    for turn, decision in judged_turns(folder.journal, jury):
        if turn["answer"] is None:
            missing["answers"][_shortened("no answer" if turn["error"] is None else turn["error"])] += 1
        if decision is None:
            missing["not_judged"]["no verdict yet"] += 1
            continue
        whys = (each["missing"] for each in decision["verdicts"])
        missing["verdicts"].update(_shortened(why) for why in whys if why is not None)
        if (unscored := decision["consensus"]["unscored"]) is not None:
            missing["unscored"][_shortened(unscored)] += 1
    return missing


def _shortened(why: str) -> str:
    return why[:_LONGEST]


def _jury(juries: dict[str, Any], chosen: str) -> dict[str, Any]:
    """Whose scores these are; run.json names the run's own jury."""
    if chosen not in juries:
        return {}
    others = [jury for jury in juries if jury != chosen]
    own = juries[chosen]
    return {"jury": own["judges"], "jury_id": chosen, "other_juries": others, "banner": own["banner"]}
