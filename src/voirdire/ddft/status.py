"""How far a cross-examination has come, and what is missing of it: for whatever is made of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from voirdire.ddft.exported_tables import Tables, pieces_of
from voirdire.ddft.judging import juries_in
from voirdire.ddft.results import check_completeness
from voirdire.jury.choice import choose_jury
from voirdire.runs import RunFolder, RunStatus

if TYPE_CHECKING:
    import pandas as pd

_LONGEST = 200


def status_of(folder: RunFolder, jury: str | None = None) -> RunStatus:
    """How far a run has come under one jury; nothing is asked.

    Args:
        folder: of the run.
        jury: the judges' names, or the id, of a jury that sits in it; `None` for the one that it was held with.
    """
    juries = juries_in(folder.journal)
    chosen = choose_jury(juries, jury, folder.path) if juries else ""
    missing: dict[str, Counter[str]] = {name: Counter() for name in ("answers", "verdicts", "unscored", "not_judged")}
    for piece in pieces_of(folder.journal, chosen):
        for name, reasons in _missing(piece).items():
            missing[name].update(reasons)
    return RunStatus(check_completeness(folder, chosen).why, missing=missing, jury=_jury(juries, chosen))


def _missing(piece: Tables) -> dict[str, Counter[str]]:
    unjudged = len(piece.turns) - len(piece.scores)
    silent = piece.turns[piece.turns["answer"].isna()]
    return {
        "answers": _counted(silent["error"].fillna("no answer")),
        "verdicts": _counted(piece.verdicts["missing"]),
        "unscored": _counted(piece.scores["unscored"]),
        "not_judged": Counter({"no verdict yet": unjudged} if unjudged else {}),
    }


def _counted(reasons: pd.Series[Any]) -> Counter[str]:
    return Counter(str(reason)[:_LONGEST] for reason in reasons.dropna())


def _jury(juries: dict[str, Any], chosen: str) -> dict[str, Any]:
    """Whose scores these are; run.json names the run's own jury."""
    if chosen not in juries:
        return {}
    others = [jury for jury in juries if jury != chosen]
    sitting = juries[chosen]
    return {"jury": sitting["judges"], "jury_id": chosen, "other_juries": others, "banner": sitting["banner"]}
