"""Train and test: never the same concept in both, and as many examples of each arm where that can be."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from voirdire.adapters.export.records import ExportError
from voirdire.adapters.export.training.records import ArmName, Example
from voirdire.text.counting import counted

Arms = Mapping[ArmName, Sequence[Example]]


class Part(NamedTuple):
    """One side of a split."""

    concepts: tuple[str, ...]
    arms: dict[ArmName, list[Example]]


def split_by_concept(arms: Arms, share: float | None, seed: int) -> dict[str, Part]:
    """Put whole concepts into "train" and "test", the same ones for both arms.

    Args:
        arms: examples by arm.
        share: of the concepts that go to train, between 0 and 1; `None` puts all there, and makes no test part.
        seed: of the draw.

    Raises:
        ExportError: a part would have no example of the first arm.
    """
    concepts = sorted({example.concept for examples in arms.values() for example in examples})
    if share is None:
        return {"train": _part(arms, concepts)}
    if not 0 < share < 1:
        raise ExportError(f"A split is a share of the concepts between 0 and 1; {share:g} was given.")
    random.Random(seed).shuffle(concepts)  # noqa: S311 - a reproducible draw
    count = min(max(round(share * len(concepts)), 1), len(concepts) - 1)
    parts = {"train": _part(arms, concepts[:count]), "test": _part(arms, concepts[count:])}
    first = next(iter(arms))
    empty = [name for name, part in parts.items() if not part.arms[first]]
    if empty:
        raise ExportError(
            f"A split of {share:g} of {counted(len(concepts), 'concept')} leaves {empty[0]} without an example of "
            f"{first}: choose another share or --seed, or leave --split out."
        )
    return parts


def evened(part: Part, seed: int) -> Part:
    """As many examples of the knowledge arm as of the verification arm, drawn by the seed, if there are enough."""
    wanted = len(part.arms.get("verification", ()))
    control = part.arms.get("knowledge", [])
    if "verification" not in part.arms or len(control) <= wanted:
        return part
    chosen = set(random.Random(seed).sample(range(len(control)), wanted))  # noqa: S311 - a reproducible draw
    kept = [example for place, example in enumerate(control) if place in chosen]
    return part._replace(arms={**part.arms, "knowledge": kept})


def _part(arms: Arms, concepts: Sequence[str]) -> Part:
    own = set(concepts)
    return Part(
        tuple(sorted(concepts)),
        {arm: [example for example in examples if example.concept in own] for arm, examples in arms.items()},
    )
