"""What the verdict says of several models: what they range over, and which differences tests support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voirdire.ddft.analysis.comparing.compare import Comparison, Pair
from voirdire.report.ddft._metrics import BY_NAME, root_of
from voirdire.report.ddft._shown import counted, listed, metric, metric_interval
from voirdire.report.ddft.material import Material

_NAMED = 6
"""Supported differences that are named; a paragraph can't hold more."""


_CALLED = {"ER": "Reliability as a whole (ER, from 0 to 1)", "CI_raw": "CI"}


def how_they_differ(material: Material) -> Iterator[str]:
    """Sentences on a comparison: the extremes, what is supported, what can't be told or decided, how sure that is."""
    found = material.comparison
    if found is None:
        return
    yield from _why_not_er(material, found)
    yield from _extremes(found)
    yield from _ranges(material)
    yield from _supported(found)
    yield from _undecided(found)
    yield from _how_sure(material, found)


def _why_not_er(material: Material, found: Comparison) -> Iterator[str]:
    if found.metric == "ER":
        without = [profile for profile in material.profiles if profile.metrics["ER"].value is None]
        if without:
            names = listed([profile.model for profile in without], 3)
            yield f"ER has no value for {names} ({root_of(without[0].metrics['ER'].reason)})."
        return
    reason = next((each.metrics["ER"].reason for each in material.profiles if each.metrics["ER"].reason), None)
    why = f": {root_of(reason)}" if reason else ""
    yield f"Their reliability as a whole (ER) can't be compared{why}. The paper's CI stands in, with all its faults."


def _extremes(found: Comparison) -> Iterator[str]:
    known = [model for model in found.models if model.value is not None]
    label = _CALLED.get(found.metric, BY_NAME[found.metric].label)
    if not known:
        yield f"{label} has no value for any of them."
        return
    told = []
    for model in dict.fromkeys((known[-1], known[0])):
        reach = metric_interval(found.metric, model.interval)
        of = f", 95 % interval {reach}" if reach else ""
        told.append(f"{metric(found.metric, model.value)} ({model.model}{of})")
    yield f"{label} runs from {told[0]} to {told[1]}." if len(told) == 2 else f"{label} is {told[0]}."


def _ranges(material: Material) -> Iterator[str]:
    """What the models range over in the two figures that a reader asks for first."""
    rejected = _lowest_and_highest(material, "V_E", 100)
    if rejected:
        yield f"Inventions rejected: {rejected}."
    danger = _lowest_and_highest(material, "danger_zone_pct", 1)
    if danger:
        yield f"Turns that are fluent and wrong at once: {danger}."


def _lowest_and_highest(material: Material, name: str, to_percent: float) -> str:
    known = [
        (value * to_percent, profile.model)
        for profile in material.profiles
        if (value := profile.metrics[name].value) is not None
    ]
    if len(known) < 2:
        return ""
    (low, lowest), (high, highest) = min(known), max(known)
    return f"from {low:.0f} % ({lowest}) to {high:.0f} % ({highest})"


def _supported(found: Comparison) -> Iterator[str]:
    apart = [pair for pair in found.pairs if pair.told_apart]
    if not apart:
        yield f"Tests support no difference between any two of them ({counted(len(found.pairs), 'pair')})."
        return
    names = "; ".join(f"{higher} above {lower}" for higher, lower in map(_ordered, apart[:_NAMED]))
    more = f"; and {len(apart) - _NAMED} more" if len(apart) > _NAMED else ""
    yield (
        f"Tests support a difference in {len(apart)} of {counted(len(found.pairs), 'pair')}, with allowance for so "
        f"many tests: {names}{more}."
    )


def _ordered(pair: Pair) -> tuple[str, str]:
    return (pair.a, pair.b) if pair.verdict == "A is higher" else (pair.b, pair.a)


def _undecided(found: Comparison) -> Iterator[str]:
    alike = [pair for pair in found.pairs if pair.verdict == "indistinguishable"]
    if alike:
        yield (
            f"No difference shows between {_which(alike)}, which does not make them equal: one may have gone unseen."
        )
    undecided = [pair for pair in found.pairs if pair.verdict == "cannot be decided"]
    if undecided:
        which = "None of the pairs" if len(undecided) == len(found.pairs) else f"Of {_which(undecided)} nothing"
        yield f"{which} can be decided at all: {_why(undecided[0], found)}."


def _why(pair: Pair, found: Comparison) -> str:
    if pair.p is None:
        return pair.reasons[0]
    tests = sum(each.p is not None for each in found.pairs)
    return f"{pair.n_units} shared {found.unit}s are too few for {counted(tests, 'comparison')}, whatever was answered"


def _which(pairs: Sequence[Pair]) -> str:
    if len(pairs) > _NAMED // 2:
        return f"{len(pairs)} pairs"
    return "; ".join(f"{pair.a} and {pair.b}" for pair in pairs)


def _how_sure(material: Material, found: Comparison) -> Iterator[str]:
    fewest = min(profile.n["concepts"] for profile in material.profiles)
    if not any(profile.intervals for profile in material.profiles):
        yield (
            f"There are no intervals: they need three concepts, and there are {fewest}. Take all this for an "
            "impression, not a measurement."
        )
        return
    yield f"All of it rests on {counted(len(material.concepts), 'concept')}; others might give another order."
