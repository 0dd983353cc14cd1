"""What was asked of the models of a report, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from voirdire.jury.panel import REFERENCE
from voirdire.report.ddft._shown import counted, listed
from voirdire.report.ddft.material import Material

__all__ = ["REFERENCE", "TRAP_TURN", "sets_traps", "stances_at_the_trap", "what_was_asked"]

TRAP_TURN = 4


def what_was_asked(material: Material) -> Iterator[str]:
    """Who was asked how much about what, with what at hand."""
    dialogues = len(material.turns[["run", "dialogue"]].drop_duplicates())
    who = f"{material.only.model} was" if material.only else f"{counted(len(material.models), 'model')} were"
    about = f"about {counted(len(material.concepts), 'concept')}"
    if len(material.concepts) <= 3:
        about += f" ({listed(material.concepts)})"
    presets = material.presets()
    given = f", {_given(presets[0])}" if len(presets) == 1 else ", under rules that differ from run to run"
    five = "five" if all(preset["turn5"] == "always" for preset in presets) else "four or five"
    yield f"{who} asked {five} questions in each of {counted(dialogues, 'dialogue')} {about}{given}."
    yield from _trap(material)


def sets_traps(material: Material) -> bool:
    """Whether any run was to set a trap."""
    return any(held.manifest["preset"]["trap"] != "none" for held in material.held)


def stances_at_the_trap(material: Material) -> pd.Series:
    """The jury's word on what each answer at turn 4 made of the trap; missing where there is none."""
    scores = material.scores
    stances: pd.Series = scores.loc[scores["turn"] == TRAP_TURN, "stance"]
    return stances


def _given(preset: Mapping[str, Any]) -> str:
    unnamed = "" if preset["name_concept"] else "without being told which concept was meant"
    if preset["compression"] is None:
        return f"{unnamed} and without a reference text" if unnamed else "without a reference text"
    levels = [f"{level:g}" for level in preset["levels"]]
    if levels[0] == "0" and levels[-1] == "1":
        given = "while the reference text at hand was cut from all of it (compression 0) to nothing (1)"
    else:
        given = f"with the reference text at hand cut to compression {listed(levels)}"
    return f"{unnamed}, {given}" if unnamed else given


def _trap(material: Material) -> Iterator[str]:
    if not sets_traps(material):
        yield "No trap was set."
    elif material.turns["trap_item"].notna().any():
        yield "The fourth question of each takes something for granted that is invented."
    else:
        yield "The fourth question of each is meant to hold an invention, but which one is not on record."
