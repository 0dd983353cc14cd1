"""Means and ratios over a large set that a machine has rated, and people in part: prediction-powered inference.

With e of the units that people rated, f the machine's values and lam from 0 upward, the estimate is

    lam · mean of f over all units + mean over the rated of (e - lam · f):

what the machine says, less what people show it to be wrong by (Angelopoulos, Duchi and Zrnic, arXiv:2311.01453). It is
as good as unbiased whatever the machine does, and narrow where the machine is good.

`ppi_py` takes the mean of f over the unrated. That is the same with a smaller lam while all units are as likely to be
rated, and biased when those that the machine flags are likelier: they are missing among the unrated. It also takes
units for independent. Here units of a group may depend on one another, the figure may be a ratio of two such means
(words in hallucinated statements over all words), and the interval is made for a few dozen ratings: a jackknife over
groups that tunes lam anew each time, Student's t of the groups, the arcsine scale, and a floor under the variance that
counts the more, the fewer of the ratings differ from the machine: errors that are rare are seldom among those seen.
`benchmarks/statistics/raters_anchor.py`, `judge_worth.py` and `few_groups.py` count how often it contains the truth.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.stats import special
from voirdire.stats.intervals import Interval, least_repetition, share_interval
from voirdire.stats.prediction_powered_parts import PSEUDO, Parts, best_lam, jackknifed, make_parts, totals

Floats = NDArray[np.float64]

MIN_GROUPS = 3
"""Groups with a rating below which there is no interval, and the machine's values are not used."""
_FLOOR_DF = 2.0
"""Weight of the floor beside the variance between groups. It is the variance of independent units of which 2/3 more are
rated a full range away from the machine, times what the groups show units to depend on one another (at least a bit)."""
_NOTHING = 1e-9
_METHOD = "prediction-powered jackknife-t"


class Anchored(NamedTuple):
    """A figure of the whole set, held to what people said of a part of it."""

    value: float
    """Within the range of the figure."""
    interval: Interval | None
    """`None` with fewer than `MIN_GROUPS` groups in which people have rated something."""
    lam: float
    """How far the machine's values were used: 0 not at all; the more, the better they foretell people's ratings."""
    n: int
    """Units that people rated."""
    units: int
    groups_rated: int
    groups: int
    variance: float
    """Of `value`; NaN without an interval."""
    sampling: float
    """The part of it that is there because people rated some of the units only."""


class FurtherRatings(NamedTuple):
    """What it takes to narrow an interval."""

    ratings: int | None
    """Further ratings, in the same way; `None`: no number of them is enough, the set itself is too small."""
    groups: int | None
    """Where ratings are not enough: further groups, with every unit rated."""
    remains: float
    """Share of today's width that is left when every unit of the set is rated."""


def anchored_mean(
    people: ArrayLike,
    machine: ArrayLike,
    groups: ArrayLike,
    *,
    sizes: tuple[ArrayLike, ArrayLike] | None = None,
    weights: ArrayLike | None = None,
    documents: ArrayLike | None = None,
    top: float | None = 1.0,
    lam: float | None = None,
    level: float = 0.95,
) -> Anchored:
    """The prediction-powered mean, or ratio of two means, with an interval clustered by group.

    The estimand is the population that the set's groups are a sample of; rated units are a random part of the set.

    Args:
        people: shape (units,), NaN where nobody has rated; numerators, where there are `sizes`.
        machine: shape (units,); NaN, where the machine has no value, counts as its mean.
        groups: shape (units,), what units that depend on one another share.
        sizes: the denominators by people and by the machine, shape (units,) each; `None`: all 1.
        weights: shape (units,), how many units each rated one stands for (one over its chance of being rated).
        documents: shape (units,), what was drawn to be rated, where several units come at once; `None`: units.
        top: the highest value of a unit, the lowest being 0; `None`: values have no upper end.
        lam: `None` tunes it, from 0 upward, if `MIN_GROUPS` groups are rated; 0 takes people's ratings alone.
        level: confidence level.

    Raises:
        ValueError: nobody has rated a unit that counts, or the shapes differ.
    """
    parts = make_parts(people, machine, groups, sizes, weights, documents)
    if not parts.rated.any() or not totals(parts, 0.0)[1] > 0:
        raise ValueError("People have rated no unit that counts for this figure.")
    rated_groups = np.unique(parts.groups[parts.rated]).size
    tuned = best_lam(parts) if rated_groups >= MIN_GROUPS else 0.0
    own = tuned if lam is None else lam
    top_sum, bottom = totals(parts, own)
    value = float(top_sum / bottom) if bottom > 0 else float(np.divide(*totals(parts, 0.0)))
    interval, variance, sampling = None, math.nan, math.nan
    if rated_groups >= MIN_GROUPS:
        variance, freedom = _variance(parts, own, lam, value, top)
        sampling = min(_sampling(parts, own, value, top), variance)
        error = math.sqrt(variance)
        if top is None:
            interval = _open_ended(value, error, freedom, level)
        elif _one_sided(parts, top):
            interval = _exact(parts, value / top, top, level)
        else:
            interval = _between(value / top, error / top, freedom, parts.effective_n, top, level)
    return Anchored(
        value=max(value, 0.0) if top is None else min(max(value, 0.0), top),
        interval=interval,
        lam=own,
        n=int(parts.rated.sum()),
        units=parts.rated.size,
        groups_rated=int(rated_groups),
        groups=int(np.unique(parts.groups).size),
        variance=variance,
        sampling=sampling,
    )


def further_ratings(estimate: Anchored, part: float = 0.5, whole: Anchored | None = None) -> FurtherRatings | None:
    """How many further ratings would narrow an interval to a part of its width.

    The variance is what rating only n of N units adds, which falls with 1/n - 1/N, and what remains of it when all are
    rated, which falls only with more groups.

    Args:
        estimate: a figure with an interval.
        part: of today's width.
        whole: the same figure by the machine alone, of all units: how far the groups differ by it remains, too. What
            ratings in a few groups show of that is too little to go by.

    Returns:
        `None` without an interval, and where it is the exact one of ratings that all lie at one end: what others
        would say, nothing tells.
    """
    if estimate.interval is None or estimate.interval.method != _METHOD or not estimate.variance > 0:
        return None
    rest, target = estimate.variance - estimate.sampling, part**2 * estimate.variance
    if whole is not None and whole.variance > rest:
        rest = min(whole.variance, estimate.variance)
    remains = math.sqrt(rest / estimate.variance)
    if estimate.n >= estimate.units or rest >= target:
        return FurtherRatings(None, max(1, math.ceil(estimate.groups * (rest / target - 1))), remains)
    now = 1 / estimate.n - 1 / estimate.units
    needed = 1 / ((target - rest) / estimate.sampling * now + 1 / estimate.units)
    return FurtherRatings(max(1, math.ceil(needed - 1e-9) - estimate.n), None, remains)


def _variance(parts: Parts, lam: float, given: float | None, value: float, top: float | None) -> tuple[float, float]:
    """Variance of the value, and its degrees of freedom: those of the groups, of which the floor knows nothing."""
    left_out = jackknifed(parts, lam, retune=given is None)
    left_out = left_out[np.isfinite(left_out)]
    k, df = left_out.size, max(_even_groups(parts) - 1, 1.0)
    between = (k - 1) / k * float(np.sum((left_out - left_out.mean()) ** 2))
    if top is None:
        return between, df
    residuals, n = _residuals(parts, lam, value), parts.effective_n
    square = float(parts.shares @ residuals**2)
    independent, smoothed = (_of_independent(parts, lam, value, each) for each in (square, _smoothed(square, n, top)))
    floor = smoothed * max(
        least_repetition(parts.shares, parts.groups), between / independent if independent > 0 else 1.0
    )
    seen = min(df, _participating(parts.shares * residuals, top))
    return (seen * between + _FLOOR_DF * floor) / (seen + _FLOOR_DF), df


def _even_groups(parts: Parts) -> float:
    """How many groups of equal weight those with ratings are worth: where a few hold most of it, fewer."""
    of_groups = np.bincount(parts.groups, parts.shares)
    return 1 / float(of_groups @ of_groups)


def _residuals(parts: Parts, lam: float, value: float) -> Floats:
    """What people say beyond lam times the machine, less its mean; 0 for units that nobody has rated."""
    gaps = _gaps(parts, value, lam)
    return np.where(parts.rated, gaps - parts.shares @ gaps, 0.0)


def _participating(errors: Floats, top: float) -> float:
    """How many units the variance rests on: of yes and no, about as many as differ from the machine; 0 if none does."""
    squares = errors**2
    return float(squares.sum() ** 2 / (squares @ squares)) if squares.sum() > (_NOTHING * top) ** 2 else 0.0


def _of_independent(parts: Parts, lam: float, value: float, square: float) -> float:
    """The variance if units were independent, and the residuals of rated ones had this variance."""
    of_machine = lam**2 * float(parts.gaps(parts.machine, value).var()) / parts.rated.size
    return float((square / parts.effective_n + of_machine) / totals(parts, lam)[1] ** 2)


def _sampling(parts: Parts, lam: float, value: float, top: float | None) -> float:
    """What rating a part of the set adds to the variance: that of a sample of documents, less when most are in it."""
    rated, unrated = int(parts.rated.sum()), int((~parts.rated).sum())
    if not unrated:
        return 0.0
    bottom = totals(parts, lam)[1]
    gaps = _gaps(parts, value, lam)
    own = parts.shares * (gaps - parts.shares @ gaps)
    drawn = np.bincount(parts.documents, own)[np.unique(parts.documents[parts.rated])]
    square = float(drawn @ drawn) * drawn.size / max(1, drawn.size - 1)
    if top is not None:
        square = _smoothed(square * drawn.size, drawn.size, top) / drawn.size
    return float(square * unrated / (rated + unrated) / bottom**2)


def _gaps(parts: Parts, value: float, lam: float) -> Floats:
    """What people say beyond lam times the machine, of rated units; 0 elsewhere."""
    gaps = parts.gaps(parts.people, value) - lam * parts.gaps(parts.machine, value)
    return np.where(parts.rated, gaps, 0.0)


def _smoothed(square: float, n: float, top: float) -> float:
    return (n * square + 2 * PSEUDO * top**2) / (n + 2 * PSEUDO)


def _one_sided(parts: Parts, top: float) -> bool:
    """Whether people put all that they rated at one end: there is nothing to hold the machine against."""
    values, size = parts.people[0][parts.rated], parts.people[1][parts.rated]
    return bool((values == 0).all() or (values == top * size).all())


def _exact(parts: Parts, share: float, top: float, level: float) -> Interval:
    ratings = (
        float(parts.shares @ (parts.people[1] > 0)) * parts.effective_n / least_repetition(parts.shares, parts.groups)
    )
    interval = share_interval(min(max(share, 0.0), 1.0) * ratings, ratings, level=level, method="exact")
    return interval._replace(low=interval.low * top, high=interval.high * top)


def _between(share: float, error: float, freedom: float, worth: float, top: float, level: float) -> Interval:
    """On the arcsine scale, where the error of a share depends least on the share."""
    centre = _centre(share, error, worth)
    reach = float(special.stdtrit(freedom, 0.5 + level / 2)) * error / (2 * math.sqrt(centre * (1 - centre)))
    middle = math.asin(math.sqrt(centre))
    low, high = max(middle - reach, 0.0), min(middle + reach, math.pi / 2)
    return Interval(math.sin(low) ** 2 * top, math.sin(high) ** 2 * top, level, _METHOD)


def _centre(share: float, error: float, worth: float) -> float:
    """A share drawn in from 0 and 1 by a third of a trial, of the trials that it is worth (as in `clustered_share`)."""
    inside = centre = min(max(share, 0.0), 1.0)
    for _ in range(3):  # the trials that it is worth depend on where it lies; it settles at once
        trials = max(centre * (1 - centre) / error**2, worth) if error > 0 else worth
        centre = (inside * trials + PSEUDO) / (trials + 2 * PSEUDO)
    return centre


def _open_ended(value: float, error: float, freedom: float, level: float) -> Interval:
    """Of figures without a highest value: on the log scale."""
    half = float(special.stdtrit(freedom, 0.5 + level / 2)) * error
    if value <= 0:
        return Interval(0.0, max(0.0, value + half), level, _METHOD)
    return Interval(value * math.exp(-half / value), value * math.exp(half / value), level, _METHOD)
