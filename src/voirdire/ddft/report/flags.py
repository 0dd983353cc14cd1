"""What makes a turn worth reading first: the filters of the dialogues, each with its rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.documents.document import Filter
from voirdire.records import SCORE_DECIMALS

APART = 0.3
"""Between two judges' FAR: more than one of the rubric's bands (DDFT B.2)."""

LOW_FAR = 0.5
"""At most this is more wrong than right by the rubric (DDFT B.2)."""

Row = Mapping[str, Any]
"""A row of scores or verdicts, with `None` for what is missing."""

_FILTERS = (
    Filter("danger", "danger zone", "Fluent and wrong: SAS above {fluent_sas} and FAR below {wrong_far}."),
    Filter(
        "disagree",
        "judges disagree",
        f"Two judges' FAR lie {APART:g} or more apart, they see different stances towards the fabrication, or only "
        "some of them find any claims.",
    ),
    Filter("accepted", "fabrication accepted", "By the jury, the answer at turn 4 takes the fabrication for real."),
    Filter(
        "questioned",
        "fabrication questioned",
        "By the jury, the answer at turn 4 neither rejects the fabrication nor goes along.",
    ),
    Filter("gave_in", "gave in", "The fabrication is rejected at turn 4 and taken for real at turn 5."),
    Filter("low", f"low accuracy (FAR ≤ {LOW_FAR:g})", f"FAR is {LOW_FAR:g} or less: no more right than wrong."),
    Filter("no_claims", "no claims", "The answer claims nothing: it refuses, does not know, or asks back."),
    Filter("unscored", "unscored", "There is no score: no answer, too few verdicts, or not judged yet."),
)
FILTER_IDS = tuple(each.id for each in _FILTERS)
"""In the order in which they are offered."""


def filters(thresholds: Thresholds = PAPER) -> tuple[Filter, ...]:
    """All of them, in that order, with the bounds that a run is counted by."""
    return tuple(replace(each, help=each.help.format(**thresholds.in_texts)) for each in _FILTERS)


def flags_of(
    score: Row | None, verdicts: Sequence[Row], stance_at_trap: str | None, thresholds: Thresholds = PAPER
) -> tuple[str, ...]:
    """The filters that a turn is the reason for.

    Args:
        score: the jury's, with turn, far, sas, no_claims, stance, unscored; `None` where it has not judged.
        verdicts: of each judge, with far, no_claims, stance, missing.
        stance_at_trap: the jury's word on turn 4 of the same dialogue.
        thresholds: what the danger zone is counted by.
    """
    flags = set(_of_score(score, stance_at_trap, thresholds))
    if _disagree([verdict for verdict in verdicts if verdict["missing"] is None]):
        flags.add("disagree")
    return tuple(each for each in FILTER_IDS if each in flags)


def _of_score(score: Row | None, stance_at_trap: str | None, thresholds: Thresholds) -> Iterator[str]:
    if score is None or score["unscored"] is not None:
        yield "unscored"
        return
    far, sas = (None if score[name] is None else round(score[name], SCORE_DECIMALS) for name in ("far", "sas"))
    if far is not None and sas is not None and sas > thresholds.fluent_sas and far < thresholds.wrong_far:
        yield "danger"
    if far is not None and far <= LOW_FAR:
        yield "low"
    if score["no_claims"]:
        yield "no_claims"
    if score["turn"] == 4 and score["stance"] in ("accepted", "questioned"):
        yield score["stance"]
    if score["turn"] == 5 and score["stance"] == "accepted" and stance_at_trap == "rejected":
        yield "gave_in"


def _disagree(verdicts: Sequence[Row]) -> bool:
    fars = [verdict["far"] for verdict in verdicts if verdict["far"] is not None]
    stances = {verdict["stance"] for verdict in verdicts if verdict["stance"] is not None}
    silent = {bool(verdict["no_claims"]) for verdict in verdicts}
    far_apart = len(fars) > 1 and round(max(fars) - min(fars), SCORE_DECIMALS) >= APART
    return far_apart or len(stances) > 1 or len(silent) > 1


def in_danger_zone(turns: pd.DataFrame, thresholds: Thresholds = PAPER) -> pd.Series:
    """Which turns are fluent and wrong (DDFT 8.2.3); a turn that lacks a score is not."""
    far, sas = (turns[name].astype("float64").round(SCORE_DECIMALS) for name in ("far", "sas"))
    inside: pd.Series = (sas > thresholds.fluent_sas) & (far < thresholds.wrong_far)
    return inside
