"""From verdicts and people's ratings to what a judge is worth: agreement, bias, the metric before and after; pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.jury.worth.records import (
    FEW,
    FEW_GROUPS,
    GOOD,
    LEAST,
    MUCH_DISPUTED,
    OPPOSITE,
    WIDER,
    Conclusion,
    Confusion,
    Crossed,
    Estimator,
    ModelDifference,
    ModelFigure,
    Region,
    Worth,
    WorthError,
    WorthEstimate,
    WorthSettings,
)
from voirdire.reason_codes import Reason, reason
from voirdire.stats import Anchored, Interval, anchored_mean, cohen_kappa, corrected_share
from voirdire.stats.correlation import clustered_pearson
from voirdire.stats.prediction_powered import MIN_GROUPS
from voirdire.stats.prediction_powered_models import Weight, powered_difference, tuned_weight
from voirdire.text.counting import rounded

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Names = NDArray[np.str_]

_AGAINST = frozenset({"worth_opposite", "worth_against"})
_REGIONS = 4
_CONFUSIONS = 30
_SAME = 1e-9
_BEYOND_CHANCE = 1.96
"""Standard errors, two-sided 5 %: of 1,000 random draws 36 to 54 are warned of (15 of 40 items to 40 of 1,000)."""
_MOST_TIMES = 100
"""So many times the ratings that there are, at most, are said to tell."""
_MANY = 10
"""Models from which on not every pair is compared."""


class _Table(NamedTuple):
    """Verdicts and ratings of one judge, on the scale from 0 to 1; NaN where there is none. Shape (items,) each."""

    judge: Floats
    people: Floats
    groups: NDArray[np.intp]
    models: Names
    weights: Floats
    places: NDArray[np.intp]
    """Of each item among those that were given."""

    @property
    def both(self) -> Bools:
        """Items that people rated and the judge scored."""
        rated: Bools = np.isfinite(self.people) & np.isfinite(self.judge)
        return rated

    def of(self, mask: Bools | NDArray[np.intp]) -> _Table:
        """Only some of the items, or some more than once."""
        judge, people, groups, models, weights, places = self
        return _Table(judge[mask], people[mask], groups[mask], models[mask], weights[mask], places[mask])

    def mean(self, lam: float | None, level: float) -> Anchored:
        """The metric; with lam 0 by people alone."""
        return anchored_mean(self.people, self.judge, self.groups, weights=self.weights, lam=lam, level=level)


class _Correlated(NamedTuple):
    value: float
    low: float
    high: float


def judge_worth(
    judge: str,
    verdicts: ArrayLike,
    people: ArrayLike,
    *,
    clusters: Sequence[str] | Names | None = None,
    models: Sequence[str] | Names | None = None,
    same_scale: bool = True,
    weights: ArrayLike | None = None,
    items: Sequence[str] | None = None,
    texts: Sequence[tuple[str, str, str]] | None = None,
    beside: Sequence[Mapping[str, str]] | None = None,
    labels: Sequence[tuple[str, str]] | None = None,
    pairs: bool = False,
    settings: WorthSettings = WorthSettings(),  # noqa: B008 (frozen)
) -> Worth:
    """Hold a judge's verdicts against people's ratings of a part of them.

    Args:
        judge: its name.
        verdicts: shape (items,), scores or 1 and 0; NaN where it gave none.
        people: shape (items,), on the scale of `settings`; NaN where nobody has rated. The rated items are a random
            part of all, or `weights` make up for how they were drawn.
        clusters: what items that depend on one another share, a document say; without them each item is one.
        models: whose outputs the items are; without them there is one.
        same_scale: whether the judge may be on people's scale: it is where its scores also lie within.
        weights: how many items each rated one stands for: one over its chance of being rated.
        items: their names.
        texts: by item, what was judged, the judge's reason, people's reason.
        beside: by item, what it was judged by: texts by name.
        labels: by item, what the judge and what people said in words; "" where only the number is known.
        pairs: whether the items are pairs of outputs, and 0.5 says that both are as good.
        settings: the scale, the bias that is tolerated, the confidence level.

    Raises:
        WorthError: no item has both, or a rating is outside the scale.
    """
    low, span, level = settings.low, settings.span, settings.level
    scores = np.asarray(verdicts, dtype=np.float64)
    table = _Table(
        judge=(scores - low) / span,
        people=(np.asarray(people, dtype=np.float64) - low) / span,
        groups=np.unique(np.arange(scores.size) if clusters is None else np.asarray(clusters), return_inverse=True)[1],
        models=np.array([""] * scores.size if models is None else list(models), dtype=np.str_),
        weights=np.ones(scores.size) if weights is None else np.asarray(weights, dtype=np.float64),
        places=np.arange(scores.size),
    )
    _check(judge, table, settings)
    unscored = int((np.isfinite(table.people) & ~np.isfinite(table.judge)).sum())
    table = table.of(np.isfinite(table.judge))
    same_scale = same_scale and _inside(table.judge)
    binary = _is_binary(table.judge) and _is_binary(table.people)
    alike = (0.0, 0.5, 1.0) if pairs else (0.0, 1.0)
    categorical = _is_among(table.judge, alike) and _is_among(table.people, alike)
    rated = table.of(table.both)
    zeros = rated.of(rated.judge == 0)
    weight = tuned_weight(table.people, table.judge, table.groups, weights=table.weights)
    alone, powered = table.mean(0.0, level), table.mean(None, level)
    correlation = _correlation(rated, level)
    useful, why = _usefulness(rated, weight, settings, table.judge.size)
    shown_above_zero = correlation is not None and correlation.low > 0
    bias = _bias(rated, level) if same_scale else None
    reach = None if bias is None or bias.interval is None else max(abs(bias.interval.low), abs(bias.interval.high))
    figures = _models(table, level, useful=useful, same_scale=same_scale)
    favoured = tuple(each.model for each in figures if each.favoured)
    conclusion, reasons = _conclude(useful, why, bias, reach, favoured, settings)
    if conclusion in ("trust", "correct") and correlation is not None and not shown_above_zero:
        conclusion, reasons = "undecided", (_too_wide(rated, correlation, level, table.judge.size),)
    elif conclusion in ("trust", "correct") and rated.people.size < FEW:
        conclusion, reasons = "undecided", (reason("worth_too_few", ratings=rated.people.size, needed=FEW),)
    is_open = bool((np.isfinite(table.judge) & ~np.isfinite(table.people)).any())
    narrow = is_open and useful and is_narrow(powered.interval, alone.interval)
    by_people, corrected = _estimate(alone, settings), _estimate(powered, settings)
    saves = _saves(alone, powered) if narrow else 0
    is_seen = saves and _as_printed(corrected.interval) != _as_printed(by_people.interval)
    in_vain = conclusion == "correct" and not figures and not is_seen
    chosen: Estimator = "powered" if narrow and not in_vain else "people"
    confusions = _confusions(table, weight.slope, settings, items, texts, beside, labels, same_scale=same_scale)
    return Worth(
        judge=judge,
        conclusion=conclusion,
        why=reasons,
        ratings=int(table.both.sum()),
        verdicts=int(np.isfinite(table.judge).sum()),
        clusters=alone.groups_rated,
        correlation=None
        if correlation is None
        else WorthEstimate(
            correlation.value,
            Interval(correlation.low, correlation.high, level, "jackknife-t")
            if math.isfinite(correlation.low)
            else None,
            int(table.both.sum()),
        ),
        explained=None if not math.isfinite(weight.explained) else weight.explained,
        binary=binary,
        agreement=_agreement(rated, level) if categorical else None,
        kappa=_kappa(rated, level) if binary else None,
        right_zeros=_agreement(zeros, level) if binary and zeros.people.size else None,
        distance=span * float(np.average(np.abs(rated.judge - rated.people), weights=rated.weights))
        if same_scale
        else None,
        bias=None if bias is None else _scaled(bias, span),
        reach=None if reach is None else reach * span,
        counts=corrected_share(table.people, table.judge, table.groups, weights=table.weights, level=level)
        if binary
        else None,
        crossed=_crossed(rated) if binary else None,
        raw=low + span * float(np.nanmean(table.judge)) if same_scale else None,
        raw_rated=low + span * float(np.average(rated.judge, weights=rated.weights)) if same_scale else None,
        raw_interval=_scaled(_own(table, level), span, low).interval if same_scale else None,
        people=by_people,
        powered=corrected,
        weight=powered.lam,
        chosen=chosen,
        saves=saves if chosen == "powered" else 0,
        models=tuple(_scaled_model(each, settings) for each in figures),
        differences=tuple(_differences(table, settings, useful=useful, same_scale=same_scale)),
        regions=_regions(table, settings) if same_scale else (),
        confusions=confusions[:_CONFUSIONS],
        more_confusions=tuple(each.item for each in confusions[_CONFUSIONS:]),
        cautions=_cautions(table, figures, unscored, settings, is_decided=conclusion != "undecided"),
        settings=settings,
    )


def _check(judge: str, table: _Table, settings: WorthSettings) -> None:
    if not table.both.any():
        raise WorthError(
            f"People have rated no item that {judge} gave a verdict on. If there are other judges, name them with "
            "--only-judge."
        )
    if not _inside(table.people):
        ratings = settings.low + settings.span * table.people[np.isfinite(table.people)]
        raise WorthError(
            f"Ratings run from {ratings.min():g} to {ratings.max():g}, and the scale from {settings.low:g} to "
            f"{settings.high:g}. Name the scale, as in --scale {math.floor(ratings.min())},{math.ceil(ratings.max())}."
        )


def _inside(values: Floats) -> bool:
    known = values[np.isfinite(values)]
    return bool(known.size == 0 or (known.min() >= -_SAME and known.max() <= 1 + _SAME))


def _is_binary(values: Floats) -> bool:
    return _is_among(values, (0.0, 1.0))


def _is_among(values: Floats, known: Sequence[float]) -> bool:
    return bool(np.isin(values[np.isfinite(values)], known).all())


def _correlation(rated: _Table, level: float) -> _Correlated | None:
    if rated.people.size < MIN_GROUPS or np.ptp(rated.people) < _SAME or np.ptp(rated.judge) < _SAME:
        return None
    return _correlation_of(rated, level)


def _correlation_of(rated: _Table, level: float, times: float = 1.0) -> _Correlated:
    """With people, if there were so many times the groups."""
    people, judge, groups, weights = rated.people, rated.judge, rated.groups, rated.weights
    return _Correlated(*clustered_pearson(people, judge, groups, weights, level=level, times=times))


def _usefulness(
    rated: _Table, weight: Weight, settings: WorthSettings, verdicts: int
) -> tuple[bool | None, Reason | None]:
    """Whether the verdicts tell something of what people say; `None` where that can't be told. And why not.

    They do where the correlation is above zero, by a one-sided bound of this level, and ratings that took no part in
    tuning the weight are foretold better with the verdicts than without.
    """
    n, groups, level = rated.people.size, np.unique(rated.groups).size, settings.level
    if n < LEAST:
        return None, reason("worth_too_few", ratings=n, needed=FEW)
    if groups < MIN_GROUPS:
        return None, reason("worth_too_few_groups", groups=groups, needed=MIN_GROUPS)
    if np.ptp(rated.people) < _SAME:
        return None, reason("worth_one_sided", ratings=n)
    correlation, shown = _correlation(rated, 2 * level - 1), _correlation(rated, level)
    if correlation is None or shown is None:
        return None if n < FEW else False, reason("worth_constant")
    if _runs_against(rated, level):
        return False, against(*shown, settings.turn)
    is_open = n < FEW or not shown.high < GOOD
    if not correlation.low > 0:
        if is_open:
            return None, _too_wide(rated, shown, level, verdicts)
        return False, reason("worth_not_shown", useful=GOOD, **shown._asdict())
    if not weight.helps:
        return None if is_open else False, reason("worth_no_gain", value=correlation.value)
    return True, None


def _runs_against(rated: _Table, level: float) -> bool:
    correlation = _correlation(rated, max(level, OPPOSITE))
    return correlation is not None and correlation.high < 0


def _too_wide(rated: _Table, shown: _Correlated, level: float, verdicts: int) -> Reason:
    """That ratings are too few to tell whether a judge follows people, and how many would.

    Where the interval rules out a good correlation, it is too early only because a one-sided bound lies above 0.
    """
    code = "worth_one_bound" if rated.people.size >= FEW and shown.high < GOOD else "worth_wide"
    needed, shows = _ratings_that_tell(rated, level)
    params: dict[str, Any] = {"ratings": rated.people.size, "needed": needed, "shows": shows, **shown._asdict()}
    if needed > verdicts:
        return reason(f"{code}_of_all", verdicts=verdicts, **params)
    return reason(code, **params)


def _ratings_that_tell(rated: _Table, level: float) -> tuple[int, Reason]:
    """Ratings that decide if further groups of them are as these are, in tens; and what they would show.

    A few more must show the same: a judge that follows people a little is left at some sizes, and open again beyond.
    """
    n = rated.people.size
    step = 10 * math.ceil(n / 100)
    sizes = range(step * (max(n, FEW - 1) // step + 1), _MOST_TIMES * n, step)
    shown = ((size, _shown(rated, level, size / n)) for size in sizes)
    deciding = ((size, shows) for (size, shows), (_, then) in pairwise(shown) if shows is not None and shows == then)
    return next(deciding, (sizes[-1], reason("worth_would")))


def _shown(rated: _Table, level: float, times: float) -> Reason | None:
    """What so many times the ratings would show."""
    one_sided, shown = (_correlation_of(rated, each, times) for each in (2 * level - 1, level))
    if shown.low > 0:
        return reason("worth_would")
    return reason("worth_would_not", useful=GOOD) if not one_sided.low > 0 and shown.high < GOOD else None


def runs_against(
    people: ArrayLike, judge: ArrayLike, groups: ArrayLike, weights: ArrayLike, turn: tuple[str, ...]
) -> Reason | None:
    """That two lists of scores run opposite ways, and what would turn one; `None` unless that is sure."""
    if not _Correlated(*clustered_pearson(people, judge, groups, weights, level=OPPOSITE)).high < 0:
        return None
    return against(*clustered_pearson(people, judge, groups, weights), turn)


def against(value: float, low: float, high: float, turn: tuple[str, ...]) -> Reason:
    """What is said of a correlation whose whole interval lies below 0, and of what would turn either side."""
    if turn:
        return reason("worth_opposite", value=value, low=low, high=high, options=turn)
    return reason("worth_against", value=value, low=low, high=high)


def _conclude(
    useful: bool | None,
    why: Reason | None,
    bias: WorthEstimate | None,
    reach: float | None,
    favoured: tuple[str, ...],
    settings: WorthSettings,
) -> tuple[Conclusion, tuple[Reason, ...]]:
    if why is not None:
        return ("undecided" if useful is None else "opposite" if why.code in _AGAINST else "leave"), (why,)
    if bias is None or bias.interval is None or reach is None:
        return "correct", (reason("worth_other_scale"),)
    span = settings.span
    favours = (reason("worth_favours", models=favoured),) if favoured else ()
    if not bias.interval.low <= 0 <= bias.interval.high:
        size, ends = abs(bias.value) * span, sorted(abs(end) * span for end in bias.interval[:2])
        side = "high" if bias.value > 0 else "low"
        biased = reason("worth_biased", size=size, side=side, low=ends[0], high=ends[1])
        within = reach <= settings.margin and not favours
        return ("trust" if within else "correct"), (biased, *favours)
    if reach <= settings.margin and not favours:
        return "trust", (reason("worth_within", reach=reach * span),)
    return "correct", (
        *favours,
        reason("worth_bias_open", low=-bias.interval.low * span, high=bias.interval.high * span),
    )


def unless_disputed(worth: Worth, disputed: int) -> Worth:
    """Too early to say, where so many items are in dispute that those on which people agree tell little.

    It says at once where all of them, once decided, are too few.

    Args:
        worth: by the settled items.
        disputed: items that have all their ratings, which differ, and that nobody has decided.
    """
    count = worth.ratings + disputed
    if disputed <= MUCH_DISPUTED * count:
        return worth
    few_then = (reason("worth_few_then", ratings=count, needed=FEW),) if count < FEW else ()
    disputes = reason("worth_disputed", items=disputed, count=count)
    return replace(worth, conclusion="undecided", why=(disputes, *few_then))


def of_flagged_only(worth: Worth) -> Worth:
    """How many flags are right, and nothing that needs ratings of what a detector did not flag.

    As it is where people rated all that was judged.
    """
    if worth.complete:
        return worth
    return replace(
        worth,
        conclusion="undecided",
        why=(reason("worth_only_flagged"),),
        correlation=None,
        explained=None,
        agreement=None,
        kappa=None,
        distance=None,
        bias=None,
        reach=None,
        counts=None,
        powered=worth.people,
        weight=0.0,
        chosen="people",
        saves=0,
        models=(),
        differences=(),
        regions=(),
        cautions=tuple(each for each in worth.cautions if each.code != "worth_not_random"),
    )


def bias_of(
    people: ArrayLike,
    judge: ArrayLike,
    groups: ArrayLike,
    weights: ArrayLike,
    *,
    span: float = 1.0,
    level: float = 0.95,
) -> WorthEstimate:
    """How much too high a judge scores: the mean of judge less people, item by item, clustered by group.

    Args:
        people: shape (items,).
        judge: likewise, on the same scale.
        groups: what items that depend on one another share.
        weights: how many items each stands for.
        span: of the scale; no two scores lie farther apart.
        level: confidence level.
    """
    apart = (np.asarray(judge, dtype=np.float64) - np.asarray(people, dtype=np.float64)) / span
    estimate = anchored_mean((apart + 1) / 2, (apart + 1) / 2, groups, weights=weights, lam=0.0, level=level)
    return _scaled(WorthEstimate(estimate.value, estimate.interval, estimate.n), 2 * span, -span)


def _bias(rated: _Table, level: float) -> WorthEstimate:
    return bias_of(rated.people, rated.judge, rated.groups, rated.weights, level=level)


def _own(table: _Table, level: float) -> WorthEstimate:
    """The mean of the judge's verdicts, with the interval of whoever takes them for the truth."""
    known = table.of(np.isfinite(table.judge))
    if not known.judge.size:
        return WorthEstimate(math.nan, None, 0)
    return _plain(anchored_mean(known.judge, known.judge, known.groups, lam=0.0, level=level))


def _crossed(rated: _Table) -> Crossed:
    judge, people = rated.judge == 1, rated.people == 1
    return Crossed(*(int(each.sum()) for each in (judge & people, judge & ~people, ~judge & people, ~judge & ~people)))


def _agreement(rated: _Table, level: float) -> WorthEstimate:
    """The share of the items on which both say the same."""
    return share_of(rated.judge == rated.people, rated.groups, rated.weights, level)


def share_of(hits: ArrayLike, clusters: ArrayLike, weights: ArrayLike, level: float = 0.95) -> WorthEstimate:
    """How large a share of some items are hits, with an interval clustered by what these share.

    Args:
        hits: shape (items,), 1 or 0.
        clusters: shape (items,), what items that depend on one another share.
        weights: shape (items,), how many each stands for.
        level: of confidence.
    """
    shares, groups = np.asarray(hits, dtype=np.float64), np.unique(np.asarray(clusters), return_inverse=True)[1]
    estimate = anchored_mean(
        shares, shares, groups, weights=np.asarray(weights, dtype=np.float64), lam=0.0, level=level
    )
    return WorthEstimate(estimate.value, estimate.interval, estimate.n)


def _kappa(rated: _Table, level: float) -> WorthEstimate | None:
    from voirdire.stats.agreement_draws import crossed_table, drawn_agreement, kappas

    value = float(cohen_kappa(rated.judge, rated.people, cuts=(0.5,), weights=None))
    if not math.isfinite(value):
        return None
    crossed = crossed_table(rated.judge, rated.people, 2)
    drawn = drawn_agreement(value, crossed, rated.groups, lambda tables: kappas(tables, np.eye(2)), level=level)
    known = math.isfinite(drawn.low + drawn.high)
    interval = Interval(drawn.low, drawn.high, level, "weights of groups, drawn") if known else None
    return WorthEstimate(value, interval, int(rated.people.size))


def _saves(alone: Anchored, powered: Anchored) -> int:
    if alone.interval is None or powered.interval is None or not _width(powered.interval) > 0:
        return 0
    return max(0, round(alone.n * ((_width(alone.interval) / _width(powered.interval)) ** 2 - 1)))


def is_narrow(corrected: Interval | None, alone: Interval | None) -> bool:
    """Whether an interval with the judge may be chosen: it is hardly wider than that of people alone."""
    return _width(corrected) <= WIDER * _width(alone)


def _as_printed(interval: Interval | None) -> tuple[str, str] | None:
    return None if interval is None else (rounded(interval.low), rounded(interval.high))


def _width(interval: Interval | None) -> float:
    return math.inf if interval is None else interval.high - interval.low


# --- models ----------------------------------------------------------------------------------------------------------


def _models(table: _Table, level: float, *, useful: bool | None, same_scale: bool) -> list[ModelFigure]:
    """By name, those of which people rated something; on the scale from 0 to 1."""
    names = _rated_models(table)
    lam = _lam_within(table) if useful else 0.0
    favoured = _favoured(table, names, level) if same_scale else frozenset()
    figures = []
    for name in names:
        own = table.of(table.models == name)
        rated = own.of(own.both)
        alone, powered = own.mean(0.0, level), own.mean(lam, level)
        chosen = powered if is_narrow(powered.interval, alone.interval) else alone
        figures.append(
            ModelFigure(
                model=name,
                items=own.judge.size,
                judge=float(np.nanmean(own.judge)) if same_scale else None,
                judge_interval=_own(own, level).interval if same_scale else None,
                people=_plain(alone),
                corrected=_plain(chosen),
                weight=chosen.lam,
                bias=_bias(rated, level) if same_scale and rated.people.size else None,
                favoured=name in favoured,
            )
        )
    return figures


def _rated_models(table: _Table) -> list[str]:
    names = sorted(set(table.models.tolist()))
    rated = set(table.models[np.isfinite(table.people)].tolist())
    return [name for name in names if name in rated] if len(names) > 1 else []


def _lam_within(table: _Table) -> float:
    """The weight within models; 0 where it foretells nothing there."""
    weight = tuned_weight(table.people, table.judge, table.groups, within=table.models, weights=table.weights)
    return weight.lam if weight.helps else 0.0


def _pairs(table: _Table) -> list[tuple[str, str]]:
    """All pairs of models; of many, those with the one that people rate best."""
    names = _rated_models(table)
    if len(names) <= _MANY:
        return list(combinations(names, 2))
    best = max(names, key=lambda name: table.of(table.models == name).mean(0.0, 0.95).value)
    return [(best, name) for name in names if name != best]


def _favoured(table: _Table, names: Sequence[str], level: float) -> frozenset[str]:
    """The models that the judge scores higher, against people, than it scores the others.

    By Holm's rule, over those with enough ratings of their own and of the others.
    """
    left = {name for name in names if min((table.both & side).sum() for side in _own_and_others(table, name)) >= FEW}
    favoured: frozenset[str] = frozenset()
    while shown := {name for name in left if _is_favoured(table, name, 1 - (1 - level) / len(left))}:
        favoured, left = favoured | shown, left - shown
    return favoured


def _own_and_others(table: _Table, model: str) -> tuple[Bools, Bools]:
    own: Bools = table.models == model
    return own, ~own


def _is_favoured(table: _Table, model: str, level: float) -> bool:
    own, others = (table.both & side for side in _own_and_others(table, model))
    excess = (table.judge - table.people + 1) / 2
    difference = powered_difference(excess, table.judge, table.groups, own, others, weights=table.weights, level=level)
    return difference.interval is not None and difference.interval.low > 0


def _differences(
    table: _Table, settings: WorthSettings, *, useful: bool | None, same_scale: bool
) -> list[ModelDifference]:
    lam, differences = _lam_within(table) if useful else 0.0, []
    for first, second in _pairs(table):
        sides = table.models == first, table.models == second
        alone, powered = (
            powered_difference(
                table.people, table.judge, table.groups, *sides, lam=each, weights=table.weights, level=settings.level
            )
            for each in (0.0, lam)
        )
        narrow = is_narrow(powered.interval, alone.interval)
        gap = powered if narrow else alone
        rated = tuple(int(np.isfinite(table.people[side]).sum()) for side in sides)
        by_judge = [float(np.nanmean(table.judge[side])) for side in sides]
        differences.append(
            ModelDifference(
                first=first,
                second=second,
                judge=settings.span * (by_judge[0] - by_judge[1]) if same_scale else None,
                value=settings.span * gap.value,
                interval=None if gap.interval is None else _times(gap.interval, settings.span),
                n=(rated[0], rated[1]),
                weight=lam if narrow else 0.0,
            )
        )
    return differences


# --- where they differ -----------------------------------------------------------------------------------------------


def _regions(table: _Table, settings: WorthSettings) -> tuple[Region, ...]:
    """A few ranges of the judge's scores with as many items each, as far as equal scores allow; rated ones in each."""
    known = table.judge[np.isfinite(table.judge)]
    starts = np.unique(np.quantile(known, np.linspace(0, 1, _REGIONS + 1), method="inverted_cdf"))[:-1]
    if np.unique(known).size <= _REGIONS:
        starts = np.unique(known)
    regions = []
    for low, high in pairwise([-np.inf, *_with_ratings(starts, table.judge[table.both]), np.inf]):
        mask = (table.judge >= low) & (table.judge < high)
        own = table.of(mask)
        people_mean = own.mean(0.0, settings.level)
        low_end, high_end, middle = (
            settings.low + settings.span * float(each)
            for each in (np.nanmin(own.judge), np.nanmax(own.judge), np.nanmean(own.judge))
        )
        regions.append(
            Region(
                low=low_end, high=high_end, items=int(mask.sum()), judge=middle, people=_estimate(people_mean, settings)
            )
        )
    return tuple(regions)


def _with_ratings(starts: Floats, rated: Floats) -> list[float]:
    """The starts of ranges, less the first and those whose range has no rated score: it belongs to the one before."""
    ends = [*starts[1:], np.inf]
    filled = [low for low, high in zip(starts, ends, strict=True) if ((rated >= low) & (rated < high)).any()]
    return [float(each) for each in filled[1:]]


def _confusions(
    table: _Table,
    slope: float,
    settings: WorthSettings,
    items: Sequence[str] | None,
    texts: Sequence[tuple[str, str, str]] | None,
    beside: Sequence[Mapping[str, str]] | None,
    labels: Sequence[tuple[str, str]] | None,
    *,
    same_scale: bool,
) -> tuple[Confusion, ...]:
    """The items that lie apart, furthest first: by what they say, or, on different scales, by what is foretold."""
    rated = np.flatnonzero(table.both)
    judge, people = table.judge[rated], table.people[rated]
    apart = judge - people if same_scale else slope * (judge - judge.mean()) - (people - people.mean())
    order = rated[np.argsort(-np.abs(apart), kind="stable")]
    far = set(rated[np.abs(apart) > _SAME].tolist())
    return tuple(
        Confusion(
            item=str(given + 1) if items is None else items[given],
            model=str(table.models[row]) or None,
            judge=settings.low + settings.span * float(table.judge[row]),
            people=settings.low + settings.span * float(table.people[row]),
            text="" if texts is None else texts[given][0],
            judge_reason="" if texts is None else texts[given][1],
            people_reason="" if texts is None else texts[given][2],
            beside={} if beside is None else beside[given],
            judge_label="" if labels is None else labels[given][0],
            label="" if labels is None else labels[given][1],
        )
        for row, given in zip(order.tolist(), table.places[order].tolist(), strict=True)
        if row in far
    )


def _cautions(
    table: _Table, figures: Sequence[ModelFigure], unscored: int, settings: WorthSettings, *, is_decided: bool
) -> tuple[Reason, ...]:
    graded = _is_binary(table.judge) and not _is_binary(table.people)
    ratings, groups = int(table.both.sum()), np.unique(table.groups[table.both]).size
    few = tuple(each.model for each in figures if each.few)
    unrated = tuple(sorted(set(table.models.tolist()) - {each.model for each in figures})) if figures else ()
    return (
        *((reason("worth_few", ratings=ratings, needed=FEW),) if is_decided and ratings < FEW else ()),
        *((reason("worth_few_groups", groups=groups, needed=FEW_GROUPS),) if MIN_GROUPS <= groups < FEW_GROUPS else ()),
        *((reason("worth_unscored", items=unscored),) if unscored else ()),
        *_not_random(table, settings),
        *((reason("worth_graded"),) if graded else ()),
        *((reason("worth_few_by_model", models=few, needed=FEW),) if few else ()),
        *((reason("worth_unrated_models", models=unrated),) if unrated else ()),
    )


def _not_random(table: _Table, settings: WorthSettings) -> tuple[Reason, ...]:
    """That the judge's verdicts on what people rated differ from those on the rest by more than a draw explains.

    Within models; of whole groups where these were rated as such. Items that were drawn with weights are passed over.
    """
    rated = table.both
    if not rated.any() or rated.all() or np.ptp(table.weights[rated]) > _SAME:
        return ()
    judge, drawn, strata = table.judge, rated, table.models
    whole = np.bincount(table.groups, rated) / np.maximum(np.bincount(table.groups), 1)
    if np.isin(whole, (0, 1)).all():
        _, place = np.unique(table.groups, return_inverse=True)
        judge = np.bincount(place, judge) / np.bincount(place)
        drawn, strata = np.bincount(place, rated) > 0, np.full(judge.size, "")
    if min(drawn.sum(), (~drawn).sum()) < MIN_GROUPS:
        return ()
    apart = variance = 0.0
    for name in np.unique(strata):
        values, chosen = judge[strata == name], drawn[strata == name]
        if values.size > 1:
            apart += float((values[chosen] - values.mean()).sum())
            variance += chosen.sum() * (1 - chosen.mean()) * float(values.var(ddof=1))
    if not abs(apart) > _BEYOND_CHANCE * math.sqrt(variance) + _SAME:
        return ()
    means = {"rated": table.judge[rated].mean(), "others": table.judge[~rated].mean()}
    on_scale = {name: settings.low + settings.span * float(mean) for name, mean in means.items()}
    return (reason("worth_not_random", **on_scale),)


# --- units -----------------------------------------------------------------------------------------------------------


def _plain(anchored: Anchored) -> WorthEstimate:
    return WorthEstimate(anchored.value, anchored.interval, anchored.n)


def _times(interval: Interval, span: float) -> Interval:
    return interval._replace(low=interval.low * span, high=interval.high * span)


def _scaled(estimate: WorthEstimate, span: float, low: float = 0.0) -> WorthEstimate:
    ends = estimate.interval
    interval = None if ends is None else ends._replace(low=low + span * ends.low, high=low + span * ends.high)
    return WorthEstimate(low + span * estimate.value, interval, estimate.n)


def _estimate(anchored: Anchored, settings: WorthSettings) -> WorthEstimate:
    return _scaled(_plain(anchored), settings.span, settings.low)


def _scaled_model(figure: ModelFigure, settings: WorthSettings) -> ModelFigure:
    low, span = settings.low, settings.span
    return ModelFigure(
        model=figure.model,
        items=figure.items,
        judge=None if figure.judge is None else low + span * figure.judge,
        judge_interval=None
        if figure.judge_interval is None
        else figure.judge_interval._replace(
            low=low + span * figure.judge_interval.low, high=low + span * figure.judge_interval.high
        ),
        people=_scaled(figure.people, span, low),
        corrected=_scaled(figure.corrected, span, low),
        weight=figure.weight,
        bias=None if figure.bias is None else _scaled(figure.bias, span),
        favoured=figure.favoured,
    )
