"""What must be said beside a profile's numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from voirdire.ddft.metric_intervals import MIN_CONCEPTS
from voirdire.ddft.metrics import Value, turns_with_far
from voirdire.ddft.paper_index import LEAST_TURNS
from voirdire.reason_codes import Reason, reason

EVEN = 0.9
"""A turn judged for a smaller share of dialogues than this, of those that have turn 1 judged, lags behind."""
EVEN_LEVELS = 0.75
"""A level with a smaller share of scored answers, or of concepts, than this of the level with the most lags behind.
Where the concepts that were begun have a smaller share than this of their levels scored, they are not comparable yet.
"""

Unevenness = Literal["turns", "levels", "concepts"]
UNEVEN: Mapping[str, Unevenness] = {
    "note_turns_uneven": "turns",
    "note_levels_uneven": "levels",
    "note_concepts_uneven": "concepts",
}
"""What is judged unevenly so far, by the code of the note that says so."""


def uneven_turns(judged: Mapping[int, int], awaited: Collection[int]) -> Iterator[Reason]:
    """That the early turns of unfinished dialogues weigh more than the later ones.

    Args:
        judged: how many answers have a score, by turn.
        awaited: the turns that every dialogue is still to have judged.
    """
    if any(judged[turn] < EVEN * judged[1] for turn in awaited):
        yield reason("note_turns_uneven", **{f"turn_{turn}": answers for turn, answers in judged.items()})


def uneven_levels(scored: Mapping[float, tuple[int, int]], levels: Collection[float]) -> Iterator[Reason]:
    """That some levels of unfinished dialogues weigh more than others.

    Args:
        scored: how many answers are scored, and on how many concepts, by level.
        levels: that are still to be scored alike.
    """
    by_level = {level: scored.get(level, (0, 0)) for level in sorted(levels)}
    counts = list(zip(*by_level.values(), strict=True))
    if any(min(of_levels) < EVEN_LEVELS * max(of_levels) for of_levels in counts):
        yield reason(
            "note_levels_uneven",
            levels=tuple(
                reason("level_scored", level=level, answers=answers, concepts=concepts)
                for level, (answers, concepts) in by_level.items()
            ),
        )


def uneven_concepts(scored: int, concepts: int, levels: int) -> Iterator[Reason]:
    """That the concepts of unfinished dialogues have been asked at some of their levels only.

    Args:
        scored: pairs of a concept and a level with a scored answer.
        concepts: that have been begun.
        levels: at which each of them is still to be scored.
    """
    if scored < EVEN_LEVELS * concepts * levels:
        yield reason("note_concepts_uneven", scored=scored, pairs=concepts * levels, concepts=concepts)


def few_concepts(concepts: int) -> Iterator[Reason]:
    """That there are no intervals at all."""
    if concepts < MIN_CONCEPTS:
        yield reason("note_few_concepts")


def only_level(level: float | None, levels: int = 1) -> Iterator[Reason]:
    """What one level says nothing of; `levels` are to be asked."""
    if level is None:
        return
    if levels > 1:
        yield reason("note_one_level_yet", levels=levels, range=one_level_range(level))
    else:
        yield reason("note_one_level", range=one_level_range(level))


def without_value(metrics: Mapping[str, Value], *, traps: bool) -> Iterator[Reason]:
    """Which metrics are undefined, and why; one note per reason."""
    yield from _grouped("note_undefined", {name: value.reason for name, value in metrics.items() if value.reason})
    if traps and metrics["V_E"].value is None and metrics["V_E_proxy"].value is not None:
        yield reason("note_stand_in", metric="V_E_proxy")


def few_turns_behind(metrics: Mapping[str, Value]) -> Iterator[Reason]:
    """That ER is not reliable, since K rests on few turns: a comparison then ranks no model by it."""
    turns = turns_with_far("ER", metrics)
    if metrics["ER"].value is not None and turns is not None and turns < LEAST_TURNS:
        yield reason("note_er_on_few_turns", metric="ER", part="K", turns=turns, needed=LEAST_TURNS)


def none_rejected(metrics: Mapping[str, Value]) -> Reason | None:
    """That ER owes its factor E to the smoothing alone, so that both fall with the number of fabrications."""
    rejected = metrics["V_E"]
    if metrics["ER"].value is None or rejected.value != 0:
        return None
    return reason("note_none_rejected", fabrications=rejected.n)


def without_interval(reasons: Mapping[str, Reason]) -> Iterator[Reason]:
    """Which metrics have a value but no interval, and why; one note per reason."""
    yield from _grouped("note_without_interval", reasons)


def one_level_range(level: float) -> str:
    """What HOC of a concept can be where one level was asked."""
    return f"only be {level:g}" if level == 0 else f"only be 0 or {level:g}"


def _grouped(code: str, reasons: Mapping[str, Reason]) -> Iterator[Reason]:
    by_reason: dict[Reason, list[str]] = {}
    for name, why in reasons.items():
        by_reason.setdefault(why, []).append(name)
    for why, names in by_reason.items():
        yield reason(code, metrics=tuple(names), why=why)
