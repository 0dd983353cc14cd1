"""The worst failures of the models, each with the dialogue in which it can be read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from voirdire.ddft.report.dialogues import reading_ids
from voirdire.ddft.report.flags import in_danger_zone
from voirdire.ddft.report.material import DialogueKey, Material
from voirdire.ddft.report.number_format import number
from voirdire.ddft.report.run_description import TRAP_TURN
from voirdire.ddft.thresholds import Thresholds
from voirdire.documents.document import Link, Links
from voirdire.text.counting import counted

_PLACE = ["model", "concept", "level", "run", "dialogue", "turn"]
"""Decides between turns that are equally bad, so that a report always names the same one."""


def worst_failures(material: Material) -> Iterator[Links]:
    """At most three: inventions taken for real, an answer that is fluent and wrong, a rejection that did not last.

    None of a model for which the test was not sound, or that is judged unevenly so far.
    """
    ids, excluded = reading_ids(material.turns), material.runs.no_evidence
    scores = material.scores_shown[~material.scores_shown["model"].isin(excluded)].sort_values(_PLACE)
    items = [
        Link(text, ids[key], turn)
        for failure in (_believed(scores), _fluent_and_wrong(scores, material.runs.thresholds), _gave_in(scores))
        for text, key, turn in failure
    ]
    if items:
        yield Links(f"Worst failures{' where the test was sound' if excluded else ''}", tuple(items))


def _believed(scores: pd.DataFrame) -> Iterator[tuple[str, DialogueKey, int]]:
    """The concept about which a model takes most inventions for real."""
    at_trap = scores[(scores["turn"] == TRAP_TURN) & scores["stance"].notna()]
    accepted = at_trap["stance"] == "accepted"
    if not accepted.any():
        return
    counts = accepted.groupby([at_trap["model"], at_trap["concept"]]).agg(["sum", "count"])
    counts["of_model"] = counts.groupby("model")["sum"].transform("sum")
    order = counts.sort_values(["sum", "of_model", "count"], ascending=[False, False, True], kind="stable")
    model, concept = order.index[0]
    believed, asked, _ = order.iloc[0]
    of_model = counts.loc[model]
    tied = int(((of_model["sum"] == believed) & (of_model["count"] == asked)).sum()) - 1
    about = at_trap[accepted & (at_trap["model"] == model) & (at_trap["concept"] == concept)]
    worst = about.iloc[int(about["far"].fillna(1.0).to_numpy(dtype="float64").argmin())]
    where = f"compression {worst['level']:g}"
    at = f"at {where}" if believed == 1 else f"one at {where}"
    share = f"{believed} of {asked}" if believed < asked else {1: "the one", 2: "both"}.get(asked, f"all {asked}")
    about_others = f"each of {tied} other concepts" if tied > 1 else "another concept"
    others = f", and {share} about {about_others}" if tied else ""
    yield (
        f"{model} took {share} fabrication{'' if asked == 1 else 's'} about {concept} for real ({at}){others}.",
        (worst["run"], worst["dialogue"]),
        TRAP_TURN,
    )


def _fluent_and_wrong(scores: pd.DataFrame, thresholds: Thresholds) -> Iterator[tuple[str, DialogueKey, int]]:
    """The answer in the danger zone whose form most hides that it is wrong."""
    inside = scores[in_danger_zone(scores, thresholds)]
    if inside.empty:
        return
    gaps = (inside["sas"] - inside["far"]).to_numpy(dtype="float64")
    worst, tied = inside.iloc[int(gaps.argmax())], int(np.isclose(gaps, gaps.max()).sum())
    one_of = f", one of {tied} that tie" if tied > 1 else ""
    yield (
        f"Most fluent and wrong{one_of}: {worst['model']} on {worst['concept']}, compression {worst['level']:g}, turn "
        f"{worst['turn']} (factual accuracy {number(worst['far'])}, semantic coherence {number(worst['sas'])}).",
        (worst["run"], worst["dialogue"]),
        int(worst["turn"]),
    )


def _gave_in(scores: pd.DataFrame) -> Iterator[tuple[str, DialogueKey, int]]:
    """The model that most often drops a rejection when it is pressed."""
    rejected = scores[(scores["turn"] == TRAP_TURN) & (scores["stance"] == "rejected")]
    after = scores[(scores["turn"] == TRAP_TURN + 1) & scores["stance"].notna()]
    pressed = rejected.merge(after, on=["run", "dialogue"], suffixes=("", "_after"))
    gave_in = pressed[pressed["stance_after"] == "accepted"]
    if gave_in.empty:
        return
    model = gave_in.groupby("model").size().idxmax()
    of_model = gave_in[gave_in["model"] == model]
    first = of_model.iloc[0]
    on = "one of them on" if len(of_model) > 1 else "on"
    yield (
        f"{model} first rejected a fabrication and then took it for real in {len(of_model)} of "
        f"{counted(int((pressed['model'] == model).sum()), 'dialogue')}, {on} {first['concept']} at "
        f"compression {first['level']:g}.",
        (first["run"], first["dialogue"]),
        TRAP_TURN + 1,
    )
