"""From p-values to words: what the pairs of a comparison say, and what they cannot say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from voirdire.ddft.analysis.comparing.hollow import WON_BY, of_answers
from voirdire.ddft.analysis.comparing.pairs import Pair, Settings, Verdict
from voirdire.ddft.analysis.comparing.standings import LOWER_IS_BETTER, Standing
from voirdire.stats.comparison import holm
from voirdire.text.counting import counted


def judged(pairs: Sequence[Pair], settings: Settings) -> list[Pair]:
    """The pairs with Holm's correction over all that could be tested, and with their verdicts.

    A pair cannot be decided when even the smallest p-values that the tests could have given, of this pair and of all
    others, leave it above alpha after the correction.
    """
    corrected = holm([np.nan if pair.p is None else pair.p for pair in pairs])
    reachable = holm([np.nan if pair.smallest_p is None else pair.smallest_p for pair in pairs])
    tested = sum(pair.p is not None for pair in pairs)
    return [
        _decided(pair, float(p), float(best), tested, settings)
        for pair, p, best in zip(pairs, corrected, reachable, strict=True)
    ]


def _decided(pair: Pair, p_holm: float, reachable: float, tested: int, settings: Settings) -> Pair:
    difference = pair.difference
    if difference is None:
        return pair
    pair = replace(pair, p_holm=p_holm)
    if reachable > settings.alpha:
        swapped = f"with {counted(pair.n_units, f'shared {settings.unit}')} to swap"
        why = f"{swapped}, p cannot fall below {pair.smallest_p:.2g}"
        if tested > 1:
            why += f", which is {reachable:.2g} after Holm's correction for {tested} pairs"
        return replace(pair, verdict="cannot be decided", reasons=(why, *pair.reasons))
    verdict: Verdict = "indistinguishable"
    if p_holm <= settings.alpha:
        verdict = "A is higher" if difference > 0 else "B is higher"
    return replace(pair, verdict=verdict)


def ordered(models: Sequence[Standing], metric: str) -> list[Standing]:
    """The best value first (the lowest, where low is good); what has none last.

    Where silence or incoherence would win, the lowest upper end of the interval of what was answered comes first.
    """
    sign = 1 if metric in LOWER_IS_BETTER else -1

    def place(each: Standing) -> tuple[float, float]:
        value = math.inf if each.value is None else sign * each.value
        return (value if each.answered is None else each.answered.worst, value)

    return sorted(models, key=place)


def summary(models: Sequence[Standing], pairs: Sequence[Pair], metric: str) -> str:
    """Which models stand apart, and which cannot be told from the best."""
    best = ordered(models, metric)[0]
    if best.value is None:
        return f"{metric} has no value for any of the models: nothing can be compared."
    lead = _lead(best, metric)
    caveat = "".join(f" {sentence}" for sentence in _caveat(models, best, metric))
    if all(pair.verdict == "cannot be decided" for pair in pairs):
        return f"No pair can be decided: {pairs[0].reasons[0]}. {lead}, which on its own settles nothing.{caveat}"
    with_best = _pairs_of(best.model, pairs)
    if all(pair.told_apart for pair in with_best.values()):
        sentences = [f"{lead} and differs from {_every(list(with_best))}.{caveat}"]
    else:
        sentences = [f"{lead}.{caveat}", *_against_the_best(with_best)]
    apart = [model.model for model in models if model is not best and _stands_apart(model.model, pairs)]
    if apart and len(models) > 2:
        sentences.append(f"Different from every other model: {', '.join(apart)}.")
    return " ".join(sentences)


def _lead(best: Standing, metric: str) -> str:
    """Who comes first, and by what."""
    value = _shown(metric, best.value)
    if best.answered is not None:
        return f"{best.model} comes first by what was answered: {of_answers(metric, best.answered)} ({metric} {value})"
    return f"{best.model} has the {'lowest' if metric in LOWER_IS_BETTER else 'highest'} {metric} ({value})"


def _shown(metric: str, value: float | None) -> str:
    return "no value" if value is None else f"{value:.1f}" if metric.endswith("_pct") else f"{value:.3f}"


def _caveat(models: Sequence[Standing], best: Standing, metric: str) -> Iterator[str]:
    """That silence or incoherence can win the metric, and how much of either the first model shows."""
    by = WON_BY.get(metric, ())
    if not by:
        return
    told = f"{best.model} claims something in {_percent(best.share_answered)} of its answers"
    if "incoherence" in by and best.coherence is not None:
        told += f", with a mean SAS of {best.coherence:.2f}"
    yield f"{' or '.join(by).capitalize()} can win {metric}: {told}."
    for each in models:
        if each.answered is not None and _outdoes(each, best, metric):
            value = _shown(metric, each.value)
            yield f"{each.model} has a better value ({value}): {of_answers(metric, each.answered)}."


def _outdoes(each: Standing, best: Standing, metric: str) -> bool:
    if each.value is None or best.value is None:
        return False
    return each.value < best.value if metric in LOWER_IS_BETTER else each.value > best.value


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.0f} %"


def _against_the_best(pairs: dict[str, Pair]) -> Iterator[str]:
    groups = {
        "Indistinguishable from it": [other for other, pair in pairs.items() if pair.verdict == "indistinguishable"],
        "Different from it": [other for other, pair in pairs.items() if pair.told_apart],
        "Not decided against it": [other for other, pair in pairs.items() if pair.verdict == "cannot be decided"],
    }
    return (f"{what}: {', '.join(others)}." for what, others in groups.items() if others)


def _pairs_of(model: str, pairs: Sequence[Pair]) -> dict[str, Pair]:
    """The pairs that a model is in, by the other model."""
    return {pair.b if pair.a == model else pair.a: pair for pair in pairs if model in (pair.a, pair.b)}


def _stands_apart(model: str, pairs: Sequence[Pair]) -> bool:
    return all(pair.told_apart for pair in _pairs_of(model, pairs).values())


def _every(others: list[str]) -> str:
    return others[0] if len(others) == 1 else "every other model"
