"""What figures say, in sentences."""

from __future__ import annotations

from voirdire.raters.machine import Machine
from voirdire.raters.records import Project
from voirdire.stats import Anchored

FEW = 20
"""Ratings below which the coverage of the intervals has not been measured."""
POPULATION = (
    "The intervals speak of all {groups}s that those of the run are a sample of. They hold if the rated ones are a "
    "random part of the run, or carry weights that make up for how they were drawn."
)


def number(value: float, top: float | None) -> str:
    """A figure with as many decimals as it deserves."""
    return f"{value:.1f}" if top is not None and top > 1 else f"{value:.2f}"


def bias(says: str, top: float | None, plain: Anchored, anchored: Anchored | None) -> str:
    """Whether the machine is biased, which way, and by about how much."""
    if anchored is None:
        return f"People have rated nothing that counts for {says}."
    if anchored.interval is None:
        return f"Ratings in {anchored.groups_rated} of the clusters are too few for an interval of {says}."
    gap = plain.value - anchored.value
    side, size = "higher" if gap > 0 else "lower", number(abs(gap), top)
    outside = plain.interval is not None and not plain.interval.low <= anchored.value <= plain.interval.high
    if not anchored.interval.low <= plain.value <= anchored.interval.high:
        return f"The judges are biased: they put {says} {side} than people do, by about {size}."
    if outside:
        return (
            f"The judges seem to put {says} {side} than people do, by about {size}; the ratings do not settle it yet."
        )
    reach = max(plain.value - anchored.interval.low, anchored.interval.high - plain.value)
    return f"No bias of the judges is shown in {says}; one of up to {number(reach, top)} can't be ruled out."


def notes(project: Project, machine: Machine, cluster: str, rated: int) -> tuple[str, ...]:
    """What must be read beside the figures."""
    rated_items = {rating.item for rating in project.ratings if rating.pool == "live"}
    unsettled = len(rated_items - project.gold.keys())
    said = [*machine.notes, POPULATION.format(groups=cluster), _noise(project)]
    if rated < FEW:
        said.append(f"{rated} units are rated; how often such intervals hold was measured from {FEW} upward only.")
    if unsettled:
        said.append(f"{unsettled} items are rated but not settled yet, and left out.")
    lost = [name for name in machine.unmatched if name in project.gold]
    if lost:
        said.append(f"{len(lost)} rated items are not in this run, or are cut otherwise there, and left out.")
    return tuple(said)


def _noise(project: Project) -> str:
    """What stands for the truth, and how sure people are of it."""
    gold = list(project.gold.values())
    agreed = sum(each.how == "agreed" for each in gold)
    if project.settings.raters_per_item < 2:
        return "The truth is what one person said of each item: that person's own errors and bias stay in every figure."
    others = "" if agreed == len(gold) else ", the others by a third person"
    return (
        f"The truth is what people settled on: {agreed} of {len(gold)} items agreed at once{others}. "
        "What errors they share stay in every figure."
    )
