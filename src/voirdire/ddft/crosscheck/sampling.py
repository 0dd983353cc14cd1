"""Turns for a person to check: every scored turn with the same chance, spread over turns and scores."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from voirdire.ddft.crosscheck.records import THRESHOLD, CrosscheckError, DrawnTurn, JudgedRun, SampledTurn, read_judged
from voirdire.text.counting import counted

MIN_TURNS = 5


def sample_turns(path: Path, turns: int, *, seed: int = 0, jury: str | None = None) -> list[SampledTurn]:
    """Turns of a run for a person to check, in random order: see `draw_turns`.

    Args:
        path: of the run folder.
        turns: how many.
        seed: of the draws and the order.
        jury: the id of the jury whose scores spread the sample; `None` for the run's own.

    Raises:
        CrosscheckError: fewer turns are wanted than five, or there are fewer scored ones; no such jury.
        RunFolderError: there is no run.
    """
    judged = read_judged(path, jury)
    if not MIN_TURNS <= turns <= len(judged.turns):
        raise CrosscheckError(
            f"{path} has {counted(len(judged.turns), 'scored turn')}, and {turns} can't be drawn; give a number from "
            f"{MIN_TURNS} to {len(judged.turns)}."
        )
    return [drawn.shown for drawn in draw_turns(judged, turns, seed=seed)]


def draw_turns(judged: JudgedRun, turns: int, *, seed: int = 0) -> list[DrawnTurn]:
    """Draw turns of a run, in random order.

    The scored turns are sorted by number, then by the jury's FAR (those without claims first), and cut into as many
    equal stretches as turns are wanted; one is drawn from each. So every turn has nearly the same chance (the lengths
    of stretches differ by one at most), and plain means of the sample hold for the run.

    Args:
        judged: the run under a jury.
        turns: how many, from 1 to the number of scored turns; all of them are given back as they are, shuffled.
        seed: of the draws and the order.
    """
    scored = judged.turns
    rng = random.Random(f"{seed}/crosscheck")  # noqa: S311 - a reproducible sample
    ordered = scored.assign(lot=[rng.random() for _ in range(len(scored))]).sort_values(
        ["turn", "far", "lot"], na_position="first"
    )
    chosen = [
        (ordered.iloc[rng.randrange(low, high)].to_dict(), high - low) for low, high in _stretches(len(ordered), turns)
    ]
    rng.shuffle(chosen)
    return [
        DrawnTurn(_shown(row, judged), row["dialogue"], row["concept"], _stratum(row), length) for row, length in chosen
    ]


def _stretches(length: int, parts: int) -> list[tuple[int, int]]:
    cuts = [round(part * length / parts) for part in range(parts + 1)]
    return list(pairwise(cuts))


def _stratum(row: Mapping[Any, Any]) -> str:
    if row["no_claims"]:
        side = "no claims"
    else:
        side = f"FAR {THRESHOLD} or more" if row["far"] >= THRESHOLD else f"FAR below {THRESHOLD}"
    return f"turn {row['turn']}, {side}"


def _shown(row: Mapping[Any, Any], judged: JudgedRun) -> SampledTurn:
    said = judged.answered
    before = said[(said["dialogue"] == row["dialogue"]) & (said["turn"] < row["turn"])].sort_values("turn")
    concept = judged.concepts.get(row["concept"])
    trap = row["trap_item"]
    return SampledTurn(
        key=row["key"],
        concept=concept.name if concept else row["concept"],
        turn=int(row["turn"]),
        reference=concept.reference if concept else "",
        history=tuple(zip(before["question"], before["answer"], strict=True)),
        question=row["question"],
        answer=row["answer"],
        fabricated=trap if isinstance(trap, str) else "",
        kind=concept.kind if concept else "established",
        as_of=concept.as_of if concept else "",
    )
