"""From p-values to words: what the pairs of a comparison say, and what they cannot say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from voirdire.ddft.analysis.comparing.pairs import Pair, Settings, Verdict
from voirdire.ddft.analysis.comparing.ranking import LOWER_IS_BETTER, Standing
from voirdire.ddft.metric_labels import in_words
from voirdire.ddft.paper_index import LEAST_TURNS
from voirdire.ddft.won_by_silence import OF_ANSWERS, WON_BY
from voirdire.reason_codes import Reason, reason
from voirdire.stats.comparison import holm
from voirdire.text.counting import listed


def with_verdicts(pairs: Sequence[Pair], settings: Settings) -> list[Pair]:
    """The pairs with Holm's correction over all that could be tested, and with their verdicts.

    A pair cannot be decided when even the smallest p-values that the tests could have given, of this pair and of all
    others, leave it above alpha after the correction.
    """
    corrected = holm([np.nan if pair.p is None else pair.p for pair in pairs])
    reachable = holm([np.nan if pair.smallest_p is None else pair.smallest_p for pair in pairs])
    tested = sum(pair.p is not None for pair in pairs)
    return [
        _with_verdict(pair, float(p), float(best), tested, settings)
        for pair, p, best in zip(pairs, corrected, reachable, strict=True)
    ]


def _with_verdict(pair: Pair, p_holm: float, reachable: float, tested: int, settings: Settings) -> Pair:
    difference, smallest_p = pair.difference, pair.smallest_p
    if difference is None or smallest_p is None:
        return pair
    pair = replace(pair, p_holm=p_holm)
    if reachable > settings.alpha:
        why = reason(
            "p_too_coarse" if tested == 1 else "p_too_coarse_corrected",
            units=pair.n_units,
            unit=settings.unit,
            smallest_p=smallest_p,
            corrected=reachable,
            tests=tested,
        )
        return replace(pair, verdict="cannot be decided", reasons=(why, *pair.reasons))
    verdict: Verdict = "indistinguishable"
    if p_holm <= settings.alpha:
        verdict = "A is higher" if difference > 0 else "B is higher"
    return replace(pair, verdict=verdict)


def sorted_models(models: Sequence[Standing], metric: str) -> list[Standing]:
    """The best value first (the lowest, where low is good), then values that take no rank, then none."""
    sign = 1 if metric in LOWER_IS_BETTER else -1

    def place(each: Standing) -> tuple[bool, bool, float]:
        return each.value is None, each.unranked is not None, math.inf if each.value is None else sign * each.value

    return sorted(models, key=place)


def doubts(models: Sequence[Standing], metric: str) -> Iterator[Reason]:
    """Which models can't be compared: they claim little or nothing, are judged unevenly, or have too few turns."""
    for each in models:
        if each.says_nothing:
            yield reason("model_silent", metric=metric, model=each.model)
        elif each.value is not None and each.uneven:
            yield reason("model_uneven", metric=metric, model=each.model, what=each.uneven)
        elif each.caution is not None:
            yield reason(
                "model_seldom_answers",
                metric=metric,
                model=each.model,
                claiming=each.caution["claiming"],
                answers=each.caution["answers"],
            )
        elif each.value is not None and each.fails_on is not None:
            failing, concepts = each.fails_on
            yield reason("model_seldom_fails", metric=metric, model=each.model, failing=failing, concepts=concepts)
        elif each.value is not None:
            for part, turns in each.too_few.items():
                yield reason(
                    "model_few_turns", metric=metric, model=each.model, part=part, turns=turns, needed=LEAST_TURNS
                )


def summary(
    models: Sequence[Standing],
    pairs: Sequence[Pair],
    metric: str,
    *,
    unlike: Reason | None = None,
    repeated: bool = False,
) -> str:
    """Which models stand apart, and which cannot be told from the best; what is not reliable leads nothing.

    Args:
        models: each by itself.
        pairs: every two of them, with their verdicts.
        metric: what is compared.
        unlike: why no order holds for all of them, although each pair can be compared.
        repeated: whether a model stands there several times, once for each of its runs.
    """
    best = sorted_models(models, metric)[0]
    if best.value is None:
        return f"{in_words(metric)} has no value for any of the models: nothing can be compared."
    noun = "result" if repeated else "model"
    sentence, caveat = _unordered(pairs, unlike) or _findings(models, best, pairs, metric, noun), _caveat(best, metric)
    return " ".join([*sentence, *caveat, *(each.sentence for each in doubts(models, metric))])


def _unordered(pairs: Sequence[Pair], unlike: Reason | None) -> list[str]:
    """What is said where no order holds for all models; nothing where one may."""
    apart = [pair for pair in pairs if pair.unlike]
    if apart:
        first = f"No model can be put first: {_which(apart, pairs)} {_why_unlike(apart)}."
    elif unlike is not None:
        first = f"No model can be put first: the runs were {unlike}."
    else:
        return []
    return [first, *_differing([pair for pair in pairs if pair.differs])]


def _findings(
    models: Sequence[Standing], best: Standing, pairs: Sequence[Pair], metric: str, noun: str
) -> Iterator[str]:
    ranked = [each.model for each in models if each.unranked is None]
    if not ranked:
        yield "No model can be put first."
        return
    if len(ranked) == 1:
        kind = _kind(models)
        yield f"Nothing can be compared: of {len(models)} {noun}s only {best.model} has a {kind} of {in_words(metric)}."
        return
    apart = [pair for pair in pairs if not pair.n_cells and {pair.a, pair.b} <= set(ranked)]
    if apart:
        yield f"No model can be put first: {_pair_names(apart)} share no scored turn."
        yield from _differing([pair for pair in pairs if pair.differs])
        return
    with_best = _pairs_of(best.model, pairs)
    if all(pair.verdict == "cannot be decided" for pair in pairs):
        undecided = next((pair for pair in pairs if not pair.copies), pairs[0])
        yield f"No pair can be decided: {undecided.reasons[0]}."
        yield from _first(models, best, pairs, metric, noun, ", which on its own settles nothing")
        return
    if all(pair.holds_for_new_concepts for pair in with_best.values()):
        yield from _first(models, best, pairs, metric, noun, f", and differs from {_every(list(with_best), noun)}")
    else:
        yield from _first(models, best, pairs, metric, noun, "")
        against = {other: pair for other, pair in with_best.items() if other in ranked}
        yield from _against_the_best(against) if best.reliable else ()
    for model in models if len(models) > 2 else ():
        if model is not best and _stands_apart(model.model, pairs):
            yield f"{model.model} differs from all other {noun}s."


def _which(some: Sequence[Pair], pairs: Sequence[Pair]) -> str:
    if len(some) == 1:
        return f"{some[0].a} and {some[0].b} were"
    return "the models of all pairs were" if len(some) == len(pairs) else f"the models of {len(some)} pairs were"


def _why_unlike(pairs: Sequence[Pair]) -> str:
    return " and ".join(dict.fromkeys(str(why) for pair in pairs for why in pair.unlike))


def _kind(models: Sequence[Standing]) -> str:
    return "reliable value" if any(each.unranked not in (None, "no value") for each in models) else "value"


def _pair_names(pairs: Sequence[Pair]) -> str:
    return "; ".join(f"{pair.a} and {pair.b}" for pair in pairs)


def _differing(pairs: Sequence[Pair]) -> Iterator[str]:
    if pairs:
        yield f"These differ on what both were asked: {_pair_names(pairs)}."


def _first(
    models: Sequence[Standing], best: Standing, pairs: Sequence[Pair], metric: str, noun: str, ending: str
) -> Iterator[str]:
    if not best.reliable:
        yield f"No model can be put first: {in_words(metric)} of {best.model} has no interval."
        return
    ranked = sum(each.unranked is None for each in models)
    among = "" if ranked == len(models) else f" of the {ranked} of {len(models)} {noun}s with a {_kind(models)}"
    first = f"{_lead(best, metric)}{_tied(models, best)}{among}"
    yield f"{first}{_lead_over_the_next(models, best, pairs, metric)}{ending}."


def _lead_over_the_next(models: Sequence[Standing], best: Standing, pairs: Sequence[Pair], metric: str) -> str:
    """How far the first is from the second, with the interval; nothing where the turns both share say otherwise."""
    after = [each for each in sorted_models(models, metric) if each.unranked is None and each is not best]
    pair = _pairs_of(best.model, pairs).get(after[0].model) if after else None
    if pair is None or pair.difference is None or pair.interval is None:
        return ""
    lower = metric in LOWER_IS_BETTER
    sign = (1 if pair.a == best.model else -1) * (-1 if lower else 1)
    if sign * pair.difference <= 0:
        return ""
    low, high = sorted((sign * pair.interval.low, sign * pair.interval.high))
    digits, unit = (1, " points") if metric.endswith("_pct") else (3, "")
    own, next_value = best.value or 0.0, after[0].value or 0.0
    differs = f"{abs(own - next_value):.{digits}f}" != f"{sign * pair.difference:.{digits}f}"
    shared = "; on what both were asked, " if differs else ", "
    return (
        f"{shared}{sign * pair.difference:.{digits}f}{unit} {'below' if lower else 'above'} {after[0].model} "
        f"({100 * pair.interval.level:g} % interval {low:z.{digits}f} to {high:z.{digits}f})"
    )


_TIED = 1e-9
"""Values that differ by less than this are one value."""


def _tied(models: Sequence[Standing], best: Standing) -> str:
    """Which others have the best value too."""
    first = best.value or 0.0
    others = [
        each.model
        for each in models
        if each is not best and each.unranked is None and each.value is not None and abs(each.value - first) < _TIED
    ]
    return f", tied with {listed(others)}" if others else ""


def _lead(best: Standing, metric: str) -> str:
    """Who has the best value of what is compared."""
    superlative = "lowest" if metric in LOWER_IS_BETTER else "highest"
    value, ends = _value_text(metric, best.value), best.interval
    if metric in OF_ANSWERS and best.answered is not None and ends is not None:
        reach = f"{_value_text(metric, ends.low)} to {_value_text(metric, ends.high)}"
        return (
            f"{best.model} has the {superlative} {OF_ANSWERS[metric].called} ({value}, {100 * ends.level:g} % interval "
            f"{reach}; {best.answered.wrong:,} of {best.answered.of:,} are {OF_ANSWERS[metric].fault})"
        )
    return f"{best.model} has the {superlative} {in_words(metric)} ({value})"


def _value_text(metric: str, value: float | None) -> str:
    return "no value" if value is None else f"{value:.1f} %" if metric.endswith("_pct") else f"{value:.3f}"


_ALL_ANSWERED = 0.995
"""Of answers that claim something: what reads as 100 %."""


def _caveat(first: Standing, metric: str) -> Iterator[str]:
    """That silence or incoherence can win the metric, and what the first model shows of either."""
    shares = {}
    if first.share_answered is None or first.share_answered < _ALL_ANSWERED:
        shares["silence"] = f"{first.model} claims something in {_percent(first.share_answered)} of its answers"
    if first.coherence is not None:
        shares["incoherence"] = f"the mean SAS of {first.model} is {first.coherence:.2f}"
    by = [each for each in WON_BY.get(metric, ()) if each in shares]
    if by and first.unranked is None:
        yield f"{' or '.join(by).capitalize()} can win {in_words(metric)}: {listed([shares[each] for each in by])}."


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.0f} %"


def _against_the_best(pairs: dict[str, Pair]) -> Iterator[str]:
    only_here = "Different from it on these concepts only, since the interval over concepts holds 0"
    groups = {
        "Indistinguishable from it": [other for other, pair in pairs.items() if pair.verdict == "indistinguishable"],
        "Different from it": [other for other, pair in pairs.items() if pair.holds_for_new_concepts],
        only_here: [other for other, pair in pairs.items() if pair.differs and not pair.holds_for_new_concepts],
        "A copy of it": [other for other, pair in pairs.items() if pair.copies],
        "Not decided against it": [
            other for other, pair in pairs.items() if pair.verdict == "cannot be decided" and not pair.copies
        ],
    }
    return (f"{what}: {', '.join(others)}." for what, others in groups.items() if others)


def _pairs_of(model: str, pairs: Sequence[Pair]) -> dict[str, Pair]:
    """The pairs that a model is in, by the other model."""
    return {pair.b if pair.a == model else pair.a: pair for pair in pairs if model in (pair.a, pair.b)}


def _stands_apart(model: str, pairs: Sequence[Pair]) -> bool:
    return all(pair.holds_for_new_concepts for pair in _pairs_of(model, pairs).values())


def _every(others: list[str], noun: str) -> str:
    return others[0] if len(others) == 1 else f"every other {noun}"
