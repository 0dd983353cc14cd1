"""How many ratings a judge's check takes, of which items, and whether the decision stands."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.data.json_values import as_plain
from voirdire.jury.worth.records import FEW, GOOD, Conclusion, Worth, WorthError, WorthEstimate
from voirdire.reason_codes import Reason, declare, reason

Floats = NDArray[np.float64]

FIRST = 40
"""Ratings of a first batch: how often intervals hold, and conclusions are right, was measured with them."""
SECONDS = 45.0
"""For one rating, where nobody has measured it."""
STRICT = 0.99
"""The level at which a conclusion must be the same to stand: people look more than once."""
_Z = 1.96
_Z_STRICT = 2.576
_VERY_GOOD = 0.8
"""A correlation."""
_WORST = 0.25
"""The variance of yes and no, where they are as frequent."""

declare(
    {
        "plan_first": "nothing is rated yet; conclusions and intervals are tested from {ratings:count rating} on",
        "plan_stands": f"the decision is the same at {100 * STRICT:.0f} % confidence",
        "plan_open": f"the decision could still change, as it does not hold yet at {100 * STRICT:.0f} % confidence, "
        "which allows for looking at the ratings several times",
        "plan_undecided": "there is no decision yet",
        "plan_wide": "the metric is known to within {reach:.2f}, and {wanted:.2f} is wanted",
        "plan_few": "{ratings:count rating is/ratings are} below the {needed} that a decision needs",
        "plan_models": "each of {models:count model} needs {needed} ratings of its own",
        "plan_empty": "{outputs:count output is/outputs are} empty and left out: {ids:few}",
        "plan_all_rated": "people have rated all {ratings:count item} with a verdict, which give a mean of "
        "{mean:.2f} ({low:.2f} to {high:.2f} for items like these)",
        "plan_all_alike": "people have rated all {ratings:count item} with a verdict, which give a mean of {mean:.2f}",
        "plan_not_decided": "{items:count more item is/more items are} rated but not decided, and not drawn again",
        "plan_flagged": "people have rated {ratings:count flagged sentence} and no others, which tells nothing of what "
        "was missed; the items are drawn at random from all {items:,}, flagged or not",
        "plan_again": "{items:count of the drawn items was/of the drawn items were} rated before, and must be rated "
        "again: only a random part counts for all",
        "plan_exhausted": "only {left:count item is/items are} left that nobody has rated",
    }
)


class Drawn(NamedTuple):
    """An item to be rated."""

    place: int
    probability: float
    """Its chance of being rated by the end of this batch; the same for all, so that no weights are needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorthPlan:
    """What is to be rated next."""

    is_decided: bool
    """Whether nothing more is needed."""
    conclusion: Conclusion | None
    """As it is now; `None` before the first ratings."""
    why: tuple[Reason, ...]
    ratings: int
    """So far."""
    more: int
    """In the next batch."""
    seconds: float
    """For one rating."""
    measured: bool
    """Whether those are the raters' own."""
    reaches: Mapping[str, float]
    """How far the metric's interval will reach either way after the batch, by what the judge may turn out to be."""
    drawn: tuple[Drawn, ...]
    seed: int
    flagged_only: int = 0
    """Flagged sentences that people rated where they rated no others: they are not among `ratings`."""
    disputed: int = 0
    """Rated items that an adjudicator must decide first; 0 where they are few enough to conclude without them."""
    open_judges: tuple[str, ...] = ()
    """Of several judges, those whose decision does not stand yet."""
    cautions: tuple[Reason, ...] = ()
    """What must be known of the ratings that it rests on."""

    @property
    def minutes(self) -> float:
        """Of one person, for the batch."""
        return self.more * self.seconds / 60

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "is_decided": self.is_decided,
            "conclusion": self.conclusion,
            "why": as_plain(self.why),
            "ratings": self.ratings,
            "flagged_only": self.flagged_only,
            "more": self.more,
            "minutes": self.minutes,
            "seconds": self.seconds,
            "measured": self.measured,
            "disputed": self.disputed,
            "open_judges": list(self.open_judges),
            "cautions": as_plain(self.cautions),
            "reaches": dict(self.reaches),
            "seed": self.seed,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What the next batch is to be."""

    ratings: int | None = None
    """How many; `None`: what it takes, by the plan's own account."""
    precision: float | None = None
    """How far the metric's interval may reach either way, as a share of the scale; `None`: no matter."""
    by_model: bool = False
    """Whether the models are to be compared, so that each needs its own ratings."""
    seconds: float | None = None
    """For one rating; `None`: `SECONDS`."""
    stratified: bool = True
    """Spread the sample evenly over models and verdicts."""
    seed: int = 0
    """Of the draw."""


_USUAL = Batch()


def first_batch(scores: ArrayLike, models: Sequence[str] | None = None, batch: Batch = _USUAL) -> WorthPlan:
    """What to rate before anything is: what the precision takes at worst, at least the first batch of `FIRST`.

    Args:
        scores: shape (items,), one judge's verdicts, or the mean of several; NaN where there is none, and nothing that
            people say could count.
        models: of each item.
        batch: what it is to be.

    Raises:
        WorthError: there is nothing to draw from.
    """
    verdicts = np.asarray(scores, dtype=np.float64)
    count = len(set(models)) if models is not None else 1
    why = [reason("plan_first", ratings=FIRST)]
    needed = FIRST
    if batch.by_model and count > 1:
        needed = max(needed, FEW * count)
        why.append(reason("plan_models", models=count, needed=FEW))
    if batch.precision is not None:
        alone = _WORST * (_Z / batch.precision) ** 2
        needed = max(needed, _with_judge(alone, GOOD**2, int(np.isfinite(verdicts).sum())))
    return _plan(
        verdicts,
        models,
        np.zeros(verdicts.size, dtype=np.bool_),
        needed if batch.ratings is None else batch.ratings,
        why=why,
        worth=None,
        batch=batch,
    )


def next_batch(
    worth: Worth,
    strict: Worth,
    scores: ArrayLike,
    rated: ArrayLike,
    models: Sequence[str] | None = None,
    batch: Batch = _USUAL,
) -> WorthPlan:
    """Whether the decision stands, and what to rate if it doesn't.

    Args:
        worth: what the judge is worth by the ratings so far.
        strict: the same at the level `STRICT`.
        scores: shape (items,), as for `first_batch`.
        rated: shape (items,), whether people have rated an item. They were drawn as `first_batch` draws, or at random.
        models: of each item.
        batch: what it is to be.

    Raises:
        WorthError: nothing is left to rate, and more is needed.
    """
    verdicts, known = np.asarray(scores, dtype=np.float64), np.asarray(rated, dtype=np.bool_)
    why: list[Reason] = []
    needed = worth.ratings
    if worth.ratings < FEW:
        why.append(reason("plan_few", ratings=worth.ratings, needed=FEW))
        needed = worth.ratings if worth.needed else FIRST
    undecided = worth.conclusion == "undecided"
    if undecided or strict.conclusion != worth.conclusion:
        why.append(reason("plan_undecided") if undecided else reason("plan_open"))
        needed = max(needed, _for_conclusion(worth))
    count = len(set(models)) if models is not None else 1
    fewest = min((each.people.n for each in worth.models), default=0) if len(worth.models) == count else 0
    if batch.by_model and count > 1 and fewest < FEW:
        why.append(reason("plan_models", models=count, needed=FEW))
        needed = max(needed, worth.ratings + count * (FEW - fewest))
    reach = _reach(worth.best)
    if batch.precision is not None and reach is not None and reach > batch.precision * worth.settings.span:
        wanted = batch.precision * worth.settings.span
        why.append(reason("plan_wide", reach=reach, wanted=wanted))
        r2, items = _foretold(worth), int(np.isfinite(verdicts).sum())
        alone = worth.ratings / _left(r2, worth.ratings, items) * (reach / wanted) ** 2
        needed = max(needed, _with_judge(alone, r2, items))
    left = int((~known & np.isfinite(verdicts)).sum())
    if not left:
        why = [_all_rated(worth)]
    more = max(needed - worth.ratings, 1) if why and left else 0
    if not why:
        why.append(reason("plan_stands"))
    if more > left:
        why.append(reason("plan_exhausted", left=left))
    return _plan(
        verdicts,
        models,
        known,
        more if batch.ratings is None else batch.ratings,
        why=why,
        worth=worth,
        batch=batch,
        is_decided=more == 0,
    )


def _all_rated(worth: Worth) -> Reason:
    """What was reached."""
    mean, interval = worth.people.value, worth.people.interval
    if interval is None:
        return reason("plan_all_alike", ratings=worth.ratings, mean=mean)
    return reason("plan_all_rated", ratings=worth.ratings, mean=mean, low=interval.low, high=interval.high)


def _left(r2: float, n: int, items: int) -> float:
    """What is left of the variance of people's own mean once a judge's verdicts correct it.

    The verdicts foretell a part of what people would say of the items that nobody has rated; where all are rated, there
    is nothing to foretell.

    Args:
        r2: the share of people's variance that the verdicts foretell.
        n: ratings, at most one for each item.
        items: with a verdict.
    """
    return 1 - r2 * (1 - n / items)


def _with_judge(alone: float, r2: float, items: int) -> int:
    """Ratings that with a judge's verdicts tell as much as so many alone; all, and more, where these don't suffice."""
    return math.ceil(alone if alone >= items else alone * (1 - r2) / (1 - alone * r2 / items))


def _foretold(worth: Worth) -> float:
    """The share of people's variance that the verdicts foretell, where the metric is corrected by them."""
    return 0.0 if worth.chosen == "people" or worth.correlation is None else worth.correlation.value**2


def _for_conclusion(worth: Worth) -> int:
    """Ratings, all told, after which the conclusion will stand if the judge is what it looks like now."""
    n = worth.ratings
    if worth.needed is not None:
        return worth.needed
    if worth.correlation is None:
        return 2 * n
    z = math.atanh(max(-0.99, min(0.99, worth.correlation.value)))
    gap = z if worth.conclusion in ("correct", "trust") else max(abs(z), math.atanh(GOOD) - z)
    by_correlation = 3 + math.ceil((_Z_STRICT / max(gap, 0.1)) ** 2)
    if worth.conclusion != "trust" or worth.bias is None or worth.reach is None:
        return max(by_correlation, n + 10)
    room = worth.settings.margin * worth.settings.span - abs(worth.bias.value)
    half = (worth.reach - abs(worth.bias.value)) * _Z_STRICT / _Z
    return max(by_correlation, n + 10, math.ceil(n * (half / room) ** 2) if room > 0 else 2 * n)


def _reach(estimate: WorthEstimate) -> float | None:
    interval = estimate.interval
    return None if interval is None else (interval.high - interval.low) / 2


def _plan(
    verdicts: Floats,
    models: Sequence[str] | None,
    rated: NDArray[np.bool_],
    more: int,
    *,
    why: Sequence[Reason],
    worth: Worth | None,
    batch: Batch,
    is_decided: bool = False,
) -> WorthPlan:
    judged = np.isfinite(verdicts)
    left = np.flatnonzero(~rated & judged)
    if not judged.any():
        raise WorthError("No item has a verdict: there is nothing to draw from.")
    if more and not left.size:
        raise WorthError(
            "People have rated every item that has a verdict: there is nothing left to draw, and what they say is the "
            "result."
        )
    more = min(more, left.size)
    before = int((rated & judged).sum())
    chosen = random.Random(batch.seed)  # noqa: S311 (a draw to be repeated, not a secret)
    places = _draw(verdicts, models, left, more, chosen, stratified=batch.stratified)
    chance = (before + more) / int(judged.sum())
    return WorthPlan(
        is_decided=is_decided,
        conclusion=None if worth is None else worth.conclusion,
        why=tuple(why),
        ratings=before,
        more=more,
        seconds=SECONDS if batch.seconds is None else batch.seconds,
        measured=batch.seconds is not None,
        reaches=_reaches(worth, before, more, int(judged.sum())),
        drawn=tuple(Drawn(place, chance) for place in places),
        seed=batch.seed,
    )


def _reaches(worth: Worth | None, before: int, more: int, items: int) -> dict[str, float]:
    n = before + more
    if worth is None:
        worst = _Z * math.sqrt(_WORST / max(n, 1))
        judges = {"people": 0.0, "good": GOOD, "very_good": _VERY_GOOD}
        return {name: worst * math.sqrt(_left(each**2, n, items)) for name, each in judges.items()}
    reach = _reach(worth.best)
    if reach is None:
        return {}
    r2 = _foretold(worth)
    shrunk = before * _left(r2, n, items) / (n * _left(r2, before, items))
    return {"now": reach, "then": reach * math.sqrt(shrunk)}


def _draw(
    verdicts: Floats,
    models: Sequence[str] | None,
    left: NDArray[np.intp],
    n: int,
    chance: random.Random,
    *,
    stratified: bool,
) -> list[int]:
    """So many places, each with the same chance; stratified: at equal steps through models and verdicts in order.

    In a random order, so that raters don't learn what the judge says.
    """
    if not n:
        return []
    places: list[int] = left.tolist()
    chance.shuffle(places)
    if stratified:
        places.sort(key=lambda place: ("" if models is None else models[place], float(verdicts[place])))
        step, begin = len(places) / n, chance.random()
        places = [places[int((begin + number) * step)] for number in range(n)]
        chance.shuffle(places)
    return places[:n]
