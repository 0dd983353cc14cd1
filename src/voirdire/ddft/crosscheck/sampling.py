"""Twenty turns for a person to check: every scored turn with the same chance, spread over turns and scores."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from voirdire.ddft.crosscheck.reading import JudgedRun, read_judged
from voirdire.ddft.crosscheck.records import CrosscheckError, SampledTurn

MIN_TURNS = 5


def sample_turns(path: Path, turns: int, *, seed: int = 0, jury: str | None = None) -> list[SampledTurn]:
    """Turns of a run for a person to check, in random order.

    The scored turns are sorted by number, then by the jury's FAR (those without claims first), and cut into as many
    equal stretches as turns are wanted; one is drawn from each. So every turn has nearly the same chance, and plain
    means of the sample hold for the run.

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
    scored = judged.turns
    if not MIN_TURNS <= turns <= len(scored):
        raise CrosscheckError(
            f"{turns} turns can't be drawn from the {len(scored)} scored ones of {path}; give a number from "
            f"{MIN_TURNS} to {len(scored)}."
        )
    rng = random.Random(f"{seed}/crosscheck")  # noqa: S311 - a reproducible sample
    ordered = scored.assign(lot=[rng.random() for _ in range(len(scored))]).sort_values(
        ["turn", "far", "lot"], na_position="first"
    )
    chosen = [ordered.iloc[rng.randrange(low, high)].to_dict() for low, high in _stretches(len(ordered), turns)]
    rng.shuffle(chosen)
    return [_shown(row, judged) for row in chosen]


def _stretches(length: int, parts: int) -> list[tuple[int, int]]:
    cuts = [round(part * length / parts) for part in range(parts + 1)]
    return list(pairwise(cuts))


def _shown(row: Mapping[Any, Any], judged: JudgedRun) -> SampledTurn:
    scored = judged.turns
    before = scored[(scored["dialogue"] == row["dialogue"]) & (scored["turn"] < row["turn"])].sort_values("turn")
    concept = judged.concepts.get(row["concept"])
    trap = row["trap_item"]
    return SampledTurn(
        key=row["key"],
        concept=concept.name if concept else row["concept"],
        turn=int(row["turn"]),
        reference=concept.reference if concept else "",
        earlier=_exchanges(before[["question", "answer"]].values.tolist()),
        question=row["question"],
        answer=row["answer"],
        fabricated=trap if isinstance(trap, str) else "",
    )


def _exchanges(pairs: Sequence[Sequence[str]]) -> str:
    return "\n\n".join(f"Question: {question}\nAnswer: {answer}" for question, answer in pairs)
