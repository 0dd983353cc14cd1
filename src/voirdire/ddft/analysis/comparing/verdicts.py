"""From p-values to words: what the pairs of a comparison say, and what they cannot say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from voirdire.ddft.analysis.comparing.pairs import ModelPair, PairSettings, Verdict
from voirdire.ddft.analysis.comparing.ranking import LOWER_IS_BETTER, RankedModel
from voirdire.ddft.metric_labels import FROM_0_TO_1, QUALITIES, in_full, in_words
from voirdire.ddft.paper_index import LEAST_TURNS
from voirdire.ddft.won_by_silence import OF_ANSWERS, WON_BY
from voirdire.reason_codes import Reason, reason
from voirdire.stats.comparison import holm
from voirdire.text.counting import counted, listed


def with_verdicts(pairs: Sequence[ModelPair], settings: PairSettings) -> list[ModelPair]:
    """The pairs with Holm's correction over all that could be tested, copies once, and with their verdicts.

    A pair cannot be decided when even the smallest p-values that the tests could have given, of this pair and of all
    others, leave it above alpha after the correction.
    """
    pairs = list(_with_repeats(pairs))
    tests = [pair for pair in pairs if pair.is_test]
    corrected = holm([np.nan if pair.p is None else pair.p for pair in tests])
    reachable = holm([np.nan if pair.smallest_p is None else pair.smallest_p for pair in tests])
    of_test = {
        (pair.a, pair.b): (float(p), float(best)) for pair, p, best in zip(tests, corrected, reachable, strict=True)
    }
    return [
        pair
        if pair.p is None
        else _with_verdict(pair, *of_test[pair.repeats or (pair.a, pair.b)], len(tests), settings)
        for pair in pairs
    ]


def _with_repeats(pairs: Sequence[ModelPair]) -> Iterator[ModelPair]:
    """The pairs, and of those of copies which repeat a test on the same scores."""
    originals: dict[str, str] = {}
    for pair in pairs:
        if pair.copies:
            originals[pair.b] = originals.get(pair.a, pair.a)
    first: dict[tuple[frozenset[str], int, float], tuple[str, str]] = {}
    for pair in pairs:
        if pair.p is None:
            yield pair
            continue
        models = (pair.a, pair.b)
        of_originals = frozenset(originals.get(model, model) for model in models)
        original = first.setdefault((of_originals, pair.n_cells, pair.p), models)
        yield pair if original == models else replace(pair, repeats=original)


def _with_verdict(pair: ModelPair, p_holm: float, reachable: float, tested: int, settings: PairSettings) -> ModelPair:
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
            more=settings.more_concepts,
        )
        return replace(pair, verdict="cannot be decided", reasons=(why, *pair.reasons))
    verdict: Verdict = "indistinguishable"
    if p_holm <= settings.alpha:
        verdict = "A is higher" if difference > 0 else "B is higher"
    return replace(pair, verdict=verdict)


def sorted_models(models: Sequence[RankedModel], metric: str) -> list[RankedModel]:
    """The best value first (the lowest, where low is good), then values that take no rank, then none.

    Models that are judged unevenly so far come after other values, as given: their order would tell their values.
    """
    sign = 1 if metric in LOWER_IS_BETTER else -1

    def place(each: RankedModel) -> tuple[bool, bool, bool, float]:
        value = each.exported.value
        return each.value is None, value is None, each.unranked is not None, math.inf if value is None else sign * value

    return sorted(models, key=place)


def doubts(models: Sequence[RankedModel], metric: str) -> Iterator[Reason]:
    """Which models can't be compared, and why."""
    for each in models:
        if each.no_evidence:
            yield reason("model_no_evidence", model=each.model)
        elif each.says_nothing:
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


def findings(
    models: Sequence[RankedModel],
    pairs: Sequence[ModelPair],
    metric: str,
    *,
    unlike: Reason | None = None,
    repeated: bool = False,
    other_traps: bool = False,
    brief: bool = False,
) -> tuple[str, ...]:
    """Which model comes first and by how much, or that none does; then what stands apart, and what must be said of it.

    Args:
        models: each by itself.
        pairs: every two of them, with their verdicts.
        metric: what is compared.
        unlike: why no order holds for all of them, although each pair can be compared.
        repeated: whether a model stands there several times, once for each of its runs.
        other_traps: whether runs set different traps, which the first sentence then says.
        brief: whether it is for one line, which has no scales of metrics.

    Returns:
        Sentences; the first is the verdict.
    """
    best = sorted_models(models, metric)[0]
    if best.value is None:
        return (f"Nothing can be compared: {called(metric)} has no value for any of the models.",)
    noun = "result" if repeated else "model"
    if unordered := _unordered(pairs, unlike, metric):
        first, *others = unordered
    else:
        verdict, others = _findings(models, best, pairs, metric, noun, brief=brief)
        first = verdict.after(f"With different fabrications{'' if brief else ' in the runs'}, " if other_traps else "")
    of_models = doubts([each for each in models if not each.no_evidence], metric)
    return (
        first,
        *others,
        *_caveat(best, metric),
        *(each.sentence for each in _merged(list(of_models))),
        *beside_values(models),
    )


def beside_values(models: Sequence[RankedModel]) -> Iterator[str]:
    """What must be said beside values, each once."""
    by_note: dict[Reason, list[str]] = {}
    for each in models:
        if each.note is not None and each.uneven is None:
            by_note.setdefault(each.note, []).append(each.model)
    yield from (f"{listed(named)}: {note}" for note, named in by_note.items())


def _merged(of_models: Sequence[Reason]) -> Iterator[Reason]:
    """The same with one sentence for all models that are judged unevenly alike."""
    uneven = [each for each in of_models if each.code == "model_uneven"]
    for what in dict.fromkeys(each["what"] for each in uneven):
        alike = [each for each in uneven if each["what"] == what]
        models = tuple(str(each["model"]) for each in alike)
        several = reason("models_uneven", metric=alike[0]["metric"], models=models, what=what)
        yield several if len(alike) > 1 else alike[0]
    yield from (each for each in of_models if each.code != "model_uneven")


class _Verdict(NamedTuple):
    """A verdict as it stands within a sentence, and the model that it begins with, which keeps its case."""

    words: str
    model: str = ""

    def after(self, opening: str) -> str:
        """The whole sentence; `opening` ends in a space, or is empty."""
        words = self.words if opening or self.model else f"{self.words[:1].upper()}{self.words[1:]}"
        return f"{opening}{self.model}{words}."


def called(metric: str, *, brief: bool = False) -> str:
    """A metric's name as a sentence that comes first on a screen has it."""
    if metric in OF_ANSWERS:
        return f"the {OF_ANSWERS[metric].called}"
    return in_full(metric, "" if brief else FROM_0_TO_1) if metric in QUALITIES else in_words(metric)


def _unordered(pairs: Sequence[ModelPair], unlike: Reason | None, metric: str) -> list[str]:
    """What is said where no order holds for all models; nothing where one may."""
    apart = [pair for pair in pairs if pair.unlike]
    if apart:
        why = f"{_which(apart, pairs)} {_why_unlike(apart)}, and not compared"
        first = f"No model can be put first: {why}."
    elif unlike is not None:
        nothing_shared = [pair for pair in pairs if not pair.n_cells]
        why = (
            _share_no_turn(nothing_shared) if nothing_shared else f"the runs were {unlike}{_only_shared(pairs, metric)}"
        )
        first = f"No model can be put first: {why}."
    else:
        return []
    return [first, *_differing([pair for pair in pairs if pair.differs])]


def _findings(
    models: Sequence[RankedModel],
    best: RankedModel,
    pairs: Sequence[ModelPair],
    metric: str,
    noun: str,
    *,
    brief: bool,
) -> tuple[_Verdict, list[str]]:
    """The verdict, and the sentences that follow it."""
    ranked = [each.model for each in models if each.unranked is None]
    if not ranked:
        of = f" in {called(metric)}" if metric in QUALITIES else ""
        shares_few = pairs and all(pair.reasons[0].code == "pair_shares_few_concepts" for pair in pairs)
        why = [f"No pair can be decided: {pairs[0].reasons[0]}."] if shares_few else []
        return _Verdict(f"no model can be put first{of}"), why
    if len(ranked) == 1:
        kind = _kind(models)
        value = f"{_value_text(metric, best.value)}{_reach(best, metric)}"
        only = f"only {best.model} has a {kind} of {called(metric)}, {value}"
        return _Verdict(f"nothing can be compared: of {len(models)} {noun}s {only}"), []
    apart = [pair for pair in pairs if not pair.n_cells and {pair.a, pair.b} <= set(ranked)]
    if apart:
        differing = list(_differing([pair for pair in pairs if pair.differs]))
        return _Verdict(f"no model can be put first: {_share_no_turn(apart)}"), differing
    first = _first(models, best, pairs, metric, noun, brief=brief)
    if all(pair.verdict == "cannot be decided" for pair in pairs):
        undecided = next((pair for pair in pairs if not pair.copies), pairs[0])
        return first, [f"No pair can be decided: {undecided.reasons[0]}."]
    return first, list(_details(models, best, pairs, ranked, metric, noun))


def _details(
    models: Sequence[RankedModel],
    best: RankedModel,
    pairs: Sequence[ModelPair],
    ranked: Sequence[str],
    metric: str,
    noun: str,
) -> Iterator[str]:
    """How the others stand to the best, and who differs from all."""
    with_best = _pairs_of(best.model, pairs)
    ranked_after = next((each.model for each in models if each is not best and each.model in ranked), "")
    next_pair = with_best.get(ranked_after)
    if best.reliable and next_pair is not None and next_pair.difference and _interval_alone_differs(next_pair):
        of = "" if metric == "ER" else f" --metric {metric}"
        detect = f"{abs(next_pair.difference):.2g}"
        yield f"How many concepts would settle it: voirdire plan --pilot RUN --detect {detect}{of}."
    if not all(pair.holds_for_new_concepts for pair in with_best.values()):
        against = {other: pair for other, pair in with_best.items() if other in ranked}
        yield from _against_the_best(best.model, against) if best.reliable else ()
    apart = [each.model for each in models if each is not best and _differs_from_all(each.model, pairs)]
    if len(models) > 2 and len(apart) == len(models) - 1:
        yield f"All {noun}s differ from one another."
    elif len(models) > 2 and apart:
        yield f"{listed(apart)} {'differs' if len(apart) == 1 else 'differ'} from all other {noun}s."


def _only_shared(pairs: Sequence[ModelPair], metric: str) -> str:
    """What a difference can be of, where models were asked at different levels; of one pair, the difference."""
    if len(pairs) > 1:
        return ", so each two are compared only on what both were asked"
    (pair,) = pairs
    difference = _difference_text(pair, pair.a, metric)
    return f"; on what both were asked, {pair.a} is {difference}" if difference else ""


def _which(some: Sequence[ModelPair], pairs: Sequence[ModelPair]) -> str:
    if len(some) == 1:
        return f"{some[0].a} and {some[0].b} were"
    return "the models of all pairs were" if len(some) == len(pairs) else f"the models of {len(some)} pairs were"


def _why_unlike(pairs: Sequence[ModelPair]) -> str:
    return " and ".join(dict.fromkeys(str(why) for pair in pairs for why in pair.unlike))


def _kind(models: Sequence[RankedModel]) -> str:
    return "usable value" if any(each.unranked not in (None, "no value") for each in models) else "value"


def _share_no_turn(pairs: Sequence[ModelPair]) -> str:
    return f"{_pair_names(pairs)} share no scored turn"


def _pair_names(pairs: Sequence[ModelPair]) -> str:
    return "; ".join(f"{pair.a} and {pair.b}" for pair in pairs)


def _differing(pairs: Sequence[ModelPair]) -> Iterator[str]:
    if pairs:
        yield f"These differ on what both were asked: {_pair_names(pairs)}."


def _first(
    models: Sequence[RankedModel], best: RankedModel, pairs: Sequence[ModelPair], metric: str, noun: str, *, brief: bool
) -> _Verdict:
    """Which model comes first and how far it is ahead of the next, or that it can't be told from another."""
    if not best.reliable:
        value = _value_text(metric, best.value)
        of_best = f"{called(metric, brief=brief)} of {best.model}"
        return _Verdict(f"no model can be put first: {of_best}, {value}, has no interval")
    ranked = [each for each in sorted_models(models, metric) if each.unranked is None]
    left_out = len(ranked) < len(models)
    among = f" of the {len(ranked)} {noun}s that can be ranked (of {len(models)})" if left_out else ""
    after = _next(best, ranked, pairs)
    pair = None if after is None else _pairs_of(best.model, pairs).get(after.model)
    to_next = "" if after is None or pair is None else _to_the_next(best, after, pair, metric)
    if after is not None and pair is not None and pair.copies:
        values = f"{_value_text(metric, best.value)} and {_value_text(metric, after.value)}"
        front = f"no {noun} can be put first in {called(metric, brief=brief)}"
        copies = f"{best.model} and {after.model} have the same scores on all that both were asked ({values})"
        return _Verdict(f"{front}{among}: {copies}")
    if after is None or pair is None or (pair.differs and not _ahead(best, pair, metric)):
        return _Verdict(f"{_lead(best, metric, brief=brief)}{_tied(models, best)}{among}{to_next}", best.model)
    if not pair.differs:
        both = after.value is not None and abs(after.value - (best.value or 0.0)) < _TIED
        of_best = _value_text(metric, best.value)
        value = (
            f"both have {of_best}{_of_equals(best, pair, metric)}" if both else f"{best.model} has {of_best}{to_next}"
        )
        front = f"{among.strip()}, " if among else ""
        two, what = f"{best.model} and {after.model}", called(metric, brief=brief)
        why = _why_the_test_decides(pair, pairs)
        if pair.verdict == "indistinguishable":
            return _Verdict(f"{front}no difference in {what} shows between {two}: {value}{why}")
        return _Verdict(f"{front}whether {two} differ in {what} can't be decided: {value}{why}")
    with_best = _pairs_of(best.model, pairs)
    clear = all(each.holds_for_new_concepts for each in with_best.values())
    others = f", and differs from {_every(list(with_best), noun)}"
    ending = others if clear and len(with_best) > 1 and not brief else ""
    if metric not in QUALITIES:
        text = f"{_lead(best, metric, brief=brief)}{_tied(models, best)}{among}{to_next}{ending}"
        return _of_the_first(best, text, pair, pairs)
    degree = "most" if len(ranked) > 2 else "more"
    of = among or ("" if brief else f" of {len(ranked)} {noun}s")
    value = f"its {called(metric, brief=brief)} is {_value_text(metric, best.value)}{to_next}{ending}"
    return _of_the_first(best, f" is the {degree} {QUALITIES[metric]}{of}: {value}", pair, pairs)


def _next(best: RankedModel, ranked: Sequence[RankedModel], pairs: Sequence[ModelPair]) -> RankedModel | None:
    """The first other model that can't be told from the best, whatever stands between them; or else the second."""
    with_best = _pairs_of(best.model, pairs)
    others = [each for each in ranked if each is not best]
    alike = (each for each in others if each.model in with_best and not with_best[each.model].differs)
    return next(alike, next(iter(others), None))


def _why_the_test_decides(pair: ModelPair, pairs: Sequence[ModelPair]) -> str:
    """Why no difference shows, or none can, although the interval leaves out 0; nothing where it doesn't."""
    if not _leaves_out_0(pair) or pair.p_holm is None:
        return ""
    corrected = _corrected(pairs)
    unit = "concept" if pair.n_units == pair.n_concepts else "dialogue"
    decides = ", but the swap test decides"
    if pair.verdict == "cannot be decided":
        return f"{decides}, and {counted(pair.n_units, unit)} are too few for it{corrected}"
    few = ""
    if pair.smallest_p is not None and pair.smallest_p >= _COARSE:
        few = f", and with {counted(pair.n_units, unit)} no p can be below {pair.smallest_p:.3f}"
    return f"{decides}: p = {pair.p_holm:.3f}{corrected}{few}"


def _corrected(pairs: Sequence[ModelPair]) -> str:
    tests = sum(each.is_test for each in pairs)
    return f" after Holm's correction for {tests} pairs" if tests > 1 else ""


_COARSE = 0.001
"""Smallest p-values from here on are worth a word."""


def _interval_alone_differs(pair: ModelPair) -> bool:
    """Whether the interval leaves out 0, and the test supports no difference."""
    return pair.verdict == "indistinguishable" and _leaves_out_0(pair)


def _leaves_out_0(pair: ModelPair) -> bool:
    ends = pair.interval
    return ends is not None and not ends.low <= 0 <= ends.high


def _of_the_first(best: RankedModel, text: str, pair: ModelPair, pairs: Sequence[ModelPair]) -> _Verdict:
    """What is said of the best model, whose lead may hold on these concepts only, as the swap test alone decides."""
    if pair.holds_for_new_concepts:
        return _Verdict(text, best.model)
    test = f"by the swap test (p = {pair.p_holm:.2g}{_corrected(pairs)})"
    return _Verdict(f"on these concepts only, {test}, {best.model}{text}; it is not shown to hold for other concepts")


def _reach(model: RankedModel, metric: str) -> str:
    """A model's own interval in brackets; nothing where it has none."""
    ends = model.interval
    if ends is None:
        return ""
    digits = 1 if metric.endswith("_pct") else 3
    return f" ({100 * ends.level:g} % interval {ends.low:z.{digits}f} to {ends.high:z.{digits}f})"


def _ahead(best: RankedModel, pair: ModelPair, metric: str) -> bool:
    """Whether the first model is the better one on what both were asked, too."""
    difference = pair.difference_from(best.model) or 0.0
    return difference < 0 if metric in LOWER_IS_BETTER else difference > 0


def _to_the_next(best: RankedModel, after: RankedModel, pair: ModelPair, metric: str) -> str:
    """How far the second is from the first, with the interval; nothing where no difference is known."""
    difference = pair.difference_from(best.model)
    if difference is None:
        return ""
    own = (best.value or 0.0) - (after.value or 0.0)
    digits = _digits(metric)
    alike = f"{own:z.{digits}f}" == f"{difference:z.{digits}f}"
    return f"{', ' if alike else '; on what both were asked, '}{_difference_text(pair, best.model, metric)}"


def _of_equals(best: RankedModel, pair: ModelPair, metric: str) -> str:
    """What is to be said of the difference of two models that have one value."""
    difference = pair.difference_from(best.model)
    if difference is None:
        return ""
    digits, unit = _digits(metric), " points" if metric.endswith("_pct") else ""
    if abs(difference) < 0.5 * 10**-digits:
        return f" (difference {0:.{digits}f}{unit}, {_pair_reach(pair, metric)})"
    return f"; on what both were asked, {best.model} is {_difference_text(pair, best.model, metric)}"


def _difference_text(pair: ModelPair, model: str, metric: str) -> str:
    """How far a model of a pair is above or below the other, with the interval; empty where that is not known."""
    difference = pair.difference_from(model)
    if difference is None:
        return ""
    digits, unit = _digits(metric), " points" if metric.endswith("_pct") else ""
    size = f"{abs(difference):.{digits}f}{unit} {'below' if difference < 0 else 'above'}"
    if abs(difference) < 0.5 * 10**-digits:
        size = f"within {10**-digits:.{digits}f}{unit} of"
    return f"{size} {pair.b if pair.a == model else pair.a} ({_pair_reach(pair, metric)})"


def _pair_reach(pair: ModelPair, metric: str) -> str:
    """The interval of how far the higher of two models is above the other, or why there is none."""
    if pair.interval is None:
        return next((str(each) for each in pair.reasons if each.code == "pair_without_interval"), "no interval")
    digits = _digits(metric)
    ends = (pair.interval.low, pair.interval.high)
    low, high = sorted(-end for end in ends) if (pair.difference or 0.0) < 0 else ends
    return f"{100 * pair.interval.level:g} % interval {low:z.{digits}f} to {high:z.{digits}f}"


def _digits(metric: str) -> int:
    return 1 if metric.endswith("_pct") else 3


_TIED = 1e-9
"""Values that differ by less than this are one value."""


def _tied(models: Sequence[RankedModel], best: RankedModel) -> str:
    """Which others have the best value too."""
    first = best.value or 0.0
    others = [
        each.model
        for each in models
        if each is not best and each.unranked is None and each.value is not None and abs(each.value - first) < _TIED
    ]
    return f", tied with {listed(others)}" if others else ""


def _lead(best: RankedModel, metric: str, *, brief: bool) -> str:
    """That the best model has the best value of what is compared; the words after its name."""
    superlative = "lowest" if metric in LOWER_IS_BETTER else "highest"
    value, ends = _value_text(metric, best.value), best.interval
    if metric in OF_ANSWERS and best.answered is not None and ends is not None:
        reach = f"{_value_text(metric, ends.low)} to {_value_text(metric, ends.high)}"
        return (
            f" has the {superlative} {OF_ANSWERS[metric].called} ({value}, {100 * ends.level:g} % interval "
            f"{reach}; {best.answered.wrong:,} of {best.answered.of:,} are {OF_ANSWERS[metric].fault})"
        )
    return (
        f" has the {superlative} {called(metric, brief=brief)}: {value}"
        if metric in QUALITIES
        else f" has the {superlative} {in_words(metric)} ({value})"
    )


def _value_text(metric: str, value: float | None) -> str:
    return "no value" if value is None else f"{value:.1f} %" if metric.endswith("_pct") else f"{value:.3f}"


_ALL_ANSWERED = 0.995
"""Of answers that claim something: what reads as 100 %."""


def _caveat(first: RankedModel, metric: str) -> Iterator[str]:
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


def _against_the_best(best: str, pairs: dict[str, ModelPair]) -> Iterator[str]:
    only_here = f"Different from {best} on these concepts only, since the interval over concepts holds 0"
    groups = {
        f"Indistinguishable from {best}": [
            other for other, pair in pairs.items() if pair.verdict == "indistinguishable"
        ],
        f"Different from {best}": [other for other, pair in pairs.items() if pair.holds_for_new_concepts],
        only_here: [other for other, pair in pairs.items() if pair.differs and not pair.holds_for_new_concepts],
        f"With the same scores as {best}": [other for other, pair in pairs.items() if pair.copies],
        f"Not decided against {best}": [
            other for other, pair in pairs.items() if pair.verdict == "cannot be decided" and not pair.copies
        ],
    }
    return (f"{what}: {', '.join(others)}." for what, others in groups.items() if others)


def _pairs_of(model: str, pairs: Sequence[ModelPair]) -> dict[str, ModelPair]:
    """The pairs that a model is in, by the other model."""
    return {pair.b if pair.a == model else pair.a: pair for pair in pairs if model in (pair.a, pair.b)}


def _differs_from_all(model: str, pairs: Sequence[ModelPair]) -> bool:
    return all(pair.holds_for_new_concepts for pair in _pairs_of(model, pairs).values())


def _every(others: list[str], noun: str) -> str:
    return others[0] if len(others) == 1 else f"every other {noun}"
