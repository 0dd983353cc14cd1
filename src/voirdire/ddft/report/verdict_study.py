"""What the verdict says of several models: which comes first, and which differences tests support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from voirdire.ddft.analysis.comparability import short_caution
from voirdire.ddft.analysis.comparing.compare import ModelComparison, ModelPair
from voirdire.ddft.analysis.comparing.ranking import Unranked
from voirdire.ddft.metric_labels import FROM_0_TO_1, LABELS, in_full
from voirdire.ddft.profile import Profile
from voirdire.ddft.report.jury_description import basis_text
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.number_format import metric, metric_interval, percent
from voirdire.ddft.report.profiles import answered_share_text
from voirdire.ddft.report.verdict_one import NOTHING_SCORED
from voirdire.ddft.soundness import conclusion_of
from voirdire.ddft.won_by_silence import silence
from voirdire.reason_codes import Reason
from voirdire.text.counting import capitalised, counted, listed

_NAMED = 3
"""Supported differences that are named; a paragraph can't hold more."""


def findings(material: Material) -> Iterator[list[str]]:
    """Which model comes first and by how much, or why none does; traps and danger zone; what tests support."""
    comparison = material.comparison
    if comparison is None:
        return
    yield [comparison.finding]
    tests = "By these figures, tests" if conclusion_of(material.runs.results).warns_first else "Tests"
    if short_caution(material.result_by_name):
        yield list(_each_by_itself(material))
        yield list(_supported(comparison, tests))
        return
    instead = [_why_not_er(material)] if comparison.metric != "ER" else []
    yield [*instead, *_left_out(comparison)]
    yield list(_ranges(material))
    yield [*_supported(comparison, tests), *_undecided(comparison)]


def certainty(material: Material) -> Iterator[str]:
    """What it rests on."""
    if not any(profile.any_interval for profile in material.profiles):
        if not any(profile.n["scored"] for profile in material.profiles):
            yield NOTHING_SCORED
            return
        fewest = min(profile.n["concepts"] for profile in material.profiles)
        yield f"There are no intervals, which need three concepts, not {fewest}: an impression, not a measurement."
        return
    yield f"All of it rests on {counted(len(material.concepts), 'concept')} and {basis_text(material)}."


def details(material: Material) -> Iterator[str]:
    """What must be said beside single values; what tests support beyond what the paragraph names."""
    comparison = material.comparison
    if comparison is None:
        return
    yield from comparison.beside_values
    if short_caution(material.result_by_name):
        return
    apart = [pair for pair in comparison.counted_pairs if pair.differs]
    if len(apart) > _NAMED:
        yield f"Differences that tests support: {'; '.join(_pair_texts(apart))}."


def _each_by_itself(material: Material) -> Iterator[str]:
    if len(material.profiles) <= _NAMED:
        yield f"{capitalised(in_full('ER', FROM_0_TO_1))}: {'; '.join(map(er_text, material.profiles))}."


def er_text(profile: Profile) -> str:
    """A model with its ER and interval, or why it has none."""
    er, reach = profile.metrics["ER"], metric_interval("ER", profile.intervals.get("ER"))
    if profile.uneven is not None:
        return f"{profile.model} can't be told yet"
    if er.value is None:
        return f"{profile.model} has none ({er.cause})"
    interval = f"95 % interval {reach}" if reach else "no interval"
    beside = "; ".join(filter(None, (interval, answered_share_text(profile, "ER"))))
    return f"{profile.model} {metric('ER', er.value)} ({beside})"


def _why_not_er(material: Material) -> str:
    known = [profile for profile in material.profiles if profile.metrics["ER"].value is not None]
    if len(known) == 1:
        whose = f"only {known[0].model} has one, {metric('ER', known[0].metrics['ER'].value)}"
    elif known:
        whose = "too few have one"
    else:
        whose = f"no model has one{' yet' if any(profile.uneven for profile in material.profiles) else ''}"
    return f"{capitalised(in_full('ER'))} can't be compared ({whose}); accuracy stands in."


WHY_LEFT_OUT: Mapping[Unranked, str] = {
    "no value": "without a value",
    "no evidence behind it": "since the test was not sound for it",
    "few answers that claim anything": "since silence can win it",
    "no answer that claims anything": "since silence can win it",
    "turns judged unevenly so far": "since turns are judged unevenly so far",
    "levels judged unevenly so far": "since levels are judged unevenly so far",
    "concepts judged unevenly so far": "since concepts are judged unevenly so far",
    "too few turns": "with too few turns behind the value",
    "concepts on which it never fails": "since the metric rests on the concepts on which a model fails",
}


def _left_out(comparison: ModelComparison) -> Iterator[str]:
    """Which models have a value and no rank, by the reason; a value that can't be told yet is not shown."""
    by_reason: dict[str, list[str]] = {}
    for model in comparison.models:
        if model.value is not None and model.unranked is not None:
            value = "" if model.uneven else f" ({metric(comparison.metric, model.value)})"
            by_reason.setdefault(WHY_LEFT_OUT[model.unranked], []).append(f"{model.model}{value}")
    for why, models in by_reason.items():
        yield f"Left out, {why}: {listed(models, _NAMED)}."


def _ranges(material: Material) -> Iterator[str]:
    """What the models range over in the two figures that a reader asks for first."""
    seldom = [profile for profile in material.profiles if silence(profile.metrics) is not None]
    not_counted = [*(profile.model for profile in seldom), *material.runs.no_evidence]
    answering = [profile for profile in material.profiles if profile.model not in not_counted and not profile.uneven]
    rejected = _lowest_and_highest(material, answering, "V_E", 100)
    if rejected:
        yield f"Fabrications rejected, doubt counting half: {rejected}."
    danger = _lowest_and_highest(material, answering, "danger_zone_pct", 1)
    if danger:
        yield f"Turns that are fluent and wrong at once: {danger}."
    if danger or rejected:
        yield from _not_in_ranges(material, not_counted)
    if seldom:
        yield (
            f"Left out of fabrications rejected ({LABELS['V_E']}) and of the danger zone, since silence can win both: "
            f"{listed([_how_seldom(each) for each in seldom], _NAMED)}."
        )


def _not_in_ranges(material: Material, not_counted: Sequence[str]) -> Iterator[str]:
    """How many models the ranges leave out, and why, but for those that silence lets win, of whom more is said."""
    others = [profile for profile in material.profiles if profile.model not in not_counted]
    by_reason = {
        "judged unevenly so far": [profile.model for profile in others if profile.uneven],
        "the test was not sound there": sorted(material.runs.no_evidence),
        "no turn scored": [profile.model for profile in others if not profile.uneven and not profile.n["scored"]],
    }
    parts = [
        f"{material.runs.count_models(models)}, {why}: {listed(models, _NAMED)}"
        for why, models in by_reason.items()
        if models
    ]
    if parts:
        yield f"Left out of this: {'; '.join(parts)}."


def _how_seldom(profile: Profile) -> str:
    share = profile.metrics["share_answered"].value or 0.0
    return f"{profile.model} (claims something in {'none' if share == 0 else percent(share)} of its answers)"


def _lowest_and_highest(material: Material, profiles: Sequence[Profile], name: str, to_percent: float) -> str:
    known = [
        (value * to_percent, profile.model)
        for profile in profiles
        if (value := profile.metrics[name].value) is not None
    ]
    if len(known) < 2:
        return ""
    low, high = (f"{end([value for value, _ in known]):.1f}" for end in (min, max))
    if low == high:
        models = [model for _, model in known]
        own = {material.runs.own_names.get(model, model) for model in models}
        if len(own) == 1:
            return f"{low} % for {own.pop()} in each of {counted(len(models), 'run')}"
        return f"{low} % for each of {material.runs.count_models(models)}"
    lowest, highest = (
        listed([model for value, model in known if f"{value:.1f}" == end], _NAMED) for end in (low, high)
    )
    return f"from {low} % ({lowest}) to {high} % ({highest})"


def _supported(comparison: ModelComparison, tests: str) -> Iterator[str]:
    apart = [pair for pair in comparison.counted_pairs if pair.differs]
    if all(pair.verdict == "cannot be decided" for pair in comparison.counted_pairs):
        return
    if not apart:
        pairs = counted(len(comparison.counted_pairs), "pair")
        yield f"{tests} support no difference between any two of them ({pairs})."
        return
    more = f"; and {len(apart) - _NAMED} more" if len(apart) > _NAMED else ""
    yield (
        f"{tests} support a difference in {len(apart)} of {counted(len(comparison.counted_pairs), 'pair')}: "
        f"{'; '.join(_pair_texts(apart[:_NAMED]))}{more}."
    )


def _pair_texts(pairs: Sequence[ModelPair]) -> list[str]:
    return [_pair_text(pair, *_ordered(pair)) for pair in pairs]


def _pair_text(pair: ModelPair, higher: str, lower: str) -> str:
    only_here = "" if pair.holds_for_new_concepts else " (on these concepts only: the interval over concepts holds 0)"
    return f"{higher} above {lower}{only_here}"


def _ordered(pair: ModelPair) -> tuple[str, str]:
    return (pair.a, pair.b) if pair.verdict == "A is higher" else (pair.b, pair.a)


def _undecided(comparison: ModelComparison) -> Iterator[str]:
    alike = [pair for pair in comparison.counted_pairs if pair.verdict == "indistinguishable"]
    if alike:
        yield (
            f"No difference shows between {_which(alike)}, which does not make them equal: one may have gone unseen."
        )
    copies = [pair for pair in comparison.counted_pairs if pair.copies]
    if copies:
        yield f"The same scores, so nothing to test, in {_which(copies)}."
    undecided = [pair for pair in comparison.counted_pairs if pair.verdict == "cannot be decided" and not pair.copies]
    if undecided:
        which = "No pair" if len(undecided) == len(comparison.counted_pairs) else f"Of {_which(undecided)} nothing"
        yield f"{which} can be decided: {_why(undecided, comparison)}."


def _why(undecided: Sequence[ModelPair], comparison: ModelComparison) -> str:
    pair = undecided[0]
    if pair.p is None:
        why = list(_whys([pair for pair in undecided if pair.p is None], of_all=len(undecided)))
        return "; ".join([*why[:_NAMED], *([f"and {len(why) - _NAMED} more"] if len(why) > _NAMED else [])])
    tests = sum(each.is_test for each in comparison.counted_pairs)
    few = counted(pair.n_units, f"shared {comparison.unit} is", f"shared {comparison.unit}s are")
    return f"{few} too few{f' for {tests} comparisons' if tests > 1 else ''}, whatever was answered"


def _whys(pairs: Sequence[ModelPair], *, of_all: int) -> Iterator[str]:
    """Each reason once, behind its pairs where it is one of pairs and does not hold for all."""
    whose: dict[Reason, list[ModelPair]] = {}
    for pair in pairs:
        for why in pair.reasons:
            whose.setdefault(why, []).append(pair)
    for why, of in whose.items():
        named = len(of) < of_all and "model" not in dict(why.params)
        yield f"{', '.join(f'{pair.a} and {pair.b}' for pair in of)}: {why}" if named else str(why)


def _which(pairs: Sequence[ModelPair]) -> str:
    if len(pairs) > _NAMED:
        return f"{len(pairs)} pairs"
    return "; ".join(f"{pair.a} and {pair.b}" for pair in pairs)
