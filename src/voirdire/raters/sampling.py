"""Drawing a sample of documents: by strata, with weights, shuffled by a seed."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from voirdire.raters.records import RatersError

Allocation = Literal["proportional", "equal"]
"""How many are drawn of each stratum: as its size has it, or as many of each."""

LOW, MIDDLE, HIGH, UNKNOWN = "low", "middle", "high", "unknown"


class SampledUnit(NamedTuple):
    """One unit of a sample."""

    unit: str
    stratum: str
    weight: float
    """How many units of its stratum it stands for: those there are over those drawn, N_h / n_h."""


def stratified(
    units: Sequence[str], strata: Sequence[str], n: int, seed: int, allocation: Allocation = "proportional"
) -> list[SampledUnit]:
    """Draw `n` units without replacement, from every stratum at least one, and shuffle them.

    The weights of a stratum add up to its size, so that weighted means over the sample estimate means over all units
    without bias (Horvitz and Thompson, doi:10.1080/01621459.1952.10483446).

    Args:
        units: ids of what can be drawn.
        strata: the stratum of each, in the same order.
        n: how many; with as many as there are, or more, everything is drawn, each for itself.
        seed: the same one gives the same sample in the same order.
        allocation: shares of the strata in the sample; what a small stratum can't give, others do.

    Raises:
        RatersError: nothing to draw from, fewer than one wanted, or fewer than there are strata: those left out would
            be spoken for by no one.
    """
    if not units:
        raise RatersError("There is nothing to draw a sample from.")
    if n < 1:
        raise RatersError(f"A sample of {n} was asked for; it must hold at least 1.")
    members: dict[str, list[str]] = {}
    for unit, stratum in zip(units, strata, strict=True):
        members.setdefault(stratum, []).append(unit)
    sizes = allocate({stratum: len(each) for stratum, each in members.items()}, n, allocation)
    chance = random.Random(seed)  # noqa: S311 (a draw to be repeated, not a secret)
    sample = [
        SampledUnit(unit, stratum, len(each) / sizes[stratum])
        for stratum, each in members.items()
        for unit in chance.sample(each, sizes[stratum])
    ]
    chance.shuffle(sample)
    return sample


def simple(units: Sequence[str], n: int, seed: int) -> list[SampledUnit]:
    """Draw `n` units without strata, and shuffle them; see `stratified`."""
    return stratified(units, [""] * len(units), n, seed)


def allocate(sizes: Mapping[str, int], n: int, allocation: Allocation = "proportional") -> dict[str, int]:
    """How many to draw of each stratum: at least one, never more than it has, `n` in all.

    Args:
        sizes: units there are, by stratum; each at least 1.
        n: how many in all; what goes beyond the number of units is left.
        allocation: see `stratified`.

    Raises:
        RatersError: `n` is smaller than the number of strata.
    """
    if n < len(sizes):
        raise RatersError(f"A sample of {n} can't hold all {len(sizes)} kinds of items; draw at least {len(sizes)}.")
    total = min(n, sum(sizes.values()))
    share = {stratum: size if allocation == "proportional" else 1 for stratum, size in sizes.items()}
    allocated = dict.fromkeys(sizes, 1)
    for _ in range(total - len(sizes)):
        # One at a time, to whoever is furthest below its share: no remainders to settle, and never above a size.
        open_ones = [stratum for stratum in sizes if allocated[stratum] < sizes[stratum]]
        allocated[min(open_ones, key=lambda stratum: (allocated[stratum] + 0.5) / share[stratum])] += 1
    return allocated


def terciles(values: Sequence[float]) -> list[str]:
    """Which third of their order each value lies in, "low", "middle" or "high"; "unknown" for NaN.

    Equal values share a third: with many ties the thirds are uneven, and some may be empty.
    """
    known = sorted(value for value in values if not math.isnan(value))
    if not known:
        return [UNKNOWN] * len(values)
    first, second = (known[math.ceil(len(known) * part / 3) - 1] for part in (1, 2))

    def third(value: float) -> str:
        if math.isnan(value):
            return UNKNOWN
        return LOW if value <= first else MIDDLE if value <= second else HIGH

    return [third(value) for value in values]
