"""Whether scores spread over the bands as the guide expects. A warning is no verdict: the sample may be like that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from voirdire.integrity.taxonomy import Band, load_taxonomy
from voirdire.raters.records import Project, Rating
from voirdire.raters.timing import RaterWarning, finished_by_rater

MIN_SCORES = 10
"""Scores below which nothing is said: an interval of a share of fewer may be wider than half the scale."""
_HIGH, _FAIR = (90, 95), (50, 70)  # guide, "Expected Score Distribution"


class BandShare(NamedTuple):
    """How many of a rater's scores lie in a band."""

    band: str
    range: str
    trials: int
    pct: float
    interval_pct: tuple[float, float]
    """Jeffreys, 95 %."""
    target_pct: tuple[float, float]
    """What the guide expects."""

    @property
    def off(self) -> bool:
        """Whether the whole interval lies outside what the guide expects."""
        return self.interval_pct[1] < self.target_pct[0] or self.interval_pct[0] > self.target_pct[1]


def band_shares(project: Project) -> dict[str, list[BandShare]]:
    """By rater: the distribution of their scores over the bands, beside the guide's."""
    return {rater: _bands(_scores(done)) for rater, done in finished_by_rater(project).items()}


def score_warnings(rater: str, ratings: Sequence[Rating]) -> Iterator[RaterWarning]:
    """Scores from 90 to 95, or from 50 to 70, whose share is above what the guide expects of the band there.

    That is by the lower end of its interval. Also bands whose interval lies outside the guide's distribution.
    """
    scores = _scores(ratings)
    if len(scores) < MIN_SCORES:
        return
    inside = {ends: sum(ends[0] <= score <= ends[1] for score in scores) for ends in (_HIGH, _FAIR)}
    if _above(inside[_HIGH], len(scores), _band(_HIGH).target_pct[1]):
        told = _told(inside[_HIGH], len(scores), _HIGH)
        yield RaterWarning(
            rater, "under-penalising", f"{told}; small violations may be missed. Read the minor types again."
        )
    if _above(inside[_FAIR], len(scores), _band(_FAIR).target_pct[1]):
        told = _told(inside[_FAIR], len(scores), _FAIR)
        yield RaterWarning(
            rater, "over-penalising", f"{told}; minor violations may be charged as moderate ones. Hold them apart."
        )
    off = [share for share in _bands(scores) if share.off]
    if off:
        parts = [f"{each.band} {each.pct:.0f} % ({_span(each.target_pct)} expected)" for each in off]
        text = f"Of {len(scores)} trials, {', '.join(parts)}: not as the guide expects; the sample may be why."
        yield RaterWarning(rater, "distribution", text)


def _scores(ratings: Sequence[Rating]) -> list[float]:
    return [rating.value["score"] for rating in ratings]


def _bands(scores: Sequence[float]) -> list[BandShare]:
    taxonomy = load_taxonomy()
    counts = Counter(taxonomy.band_of(score).name for score in scores)
    return [
        BandShare(
            band=band.name,
            range=band.range,
            trials=counts[band.name],
            pct=100 * counts[band.name] / len(scores),
            interval_pct=_interval_pct(counts[band.name], len(scores)),
            target_pct=band.target_pct,
        )
        for band in taxonomy.bands
    ]


def _band(ends: tuple[int, int]) -> Band:
    """The band that a cluster begins in."""
    return load_taxonomy().band_of(ends[0])


def _above(count: int, trials: int, pct: float) -> bool:
    return _interval_pct(count, trials)[0] > pct


def _interval_pct(count: int, trials: int) -> tuple[float, float]:
    from voirdire.stats.intervals import share_interval

    found = share_interval(count, trials)
    return 100 * found.low, 100 * found.high


def _told(count: int, trials: int, ends: tuple[int, int]) -> str:
    expected = _span(_band(ends).target_pct)
    return f"{count} of {trials} scores lie from {ends[0]} to {ends[1]}, where the guide expects {expected}"


def _span(pct: tuple[float, float]) -> str:
    return f"{pct[0]:g} to {pct[1]:g} %"
