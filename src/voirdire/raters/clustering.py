"""Ratings to ask about: hardly more than one label, one part of the scale, or no time to read. Pure over a project.

A warning is no verdict: the sample may be like that. None is given on fewer ratings than `MIN_SCORES` or `MIN_LABELS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from voirdire.integrity.taxonomy import Band, load_taxonomy
from voirdire.raters.records import Project, Rating
from voirdire.raters.timing import finished_by_rater

WarningKind = Literal[
    "under-penalising", "over-penalising", "distribution", "one label", "one score", "one stance", "too fast"
]

MIN_SCORES = 10
"""Integrity scores below which nothing is said: an interval of a share of fewer may be wider than half the scale."""
MIN_LABELS = 40
"""Labels, or scores of turns, below which nothing is said: 40 of one kind still allow for 9 % of others (95 %)."""
ONE_LABEL = 0.95
"""Share of one label above which it is said."""
HASTY_SECONDS = 2.0
"""Nobody reads an item and decides in less."""
MIN_HASTY, HASTY_SHARE = 10, 0.2
"""Ratings in less than that, and their share of a rater's, from which it is said: some items are seen at a glance."""
_HIGH, _FAIR = (90, 95), (50, 70)  # guide, "Expected Score Distribution"


class ClusterWarning(NamedTuple):
    """Something to ask a rater about."""

    rater: str
    kind: WarningKind
    text: str
    """One sentence or two."""


class BandShare(NamedTuple):
    """How many of a rater's integrity scores lie in a band."""

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


def clustering(project: Project) -> list[ClusterWarning]:
    """What clusters in each rater's live ratings, adjudications left out.

    Integrity: scores from 90 to 95, or from 50 to 70, whose share is above what the guide expects of the band there (by
    the lower end of its interval), and bands whose interval lies outside the guide's distribution. CogniBench: one
    label on more than 95 %. DDFT: one FAR, one SAS or one stance on more than 95 %. All: ratings in less time than
    reading takes.
    """
    find = {"integrity": _of_scores, "cognibench": _of_labels, "ddft": _of_turns}[project.settings.task]
    return [
        warning
        for rater, done in finished_by_rater(project).items()
        for warning in (*_of_times(rater, done), *find(rater, done))
    ]


def hasty(project: Project) -> list[str]:
    """A sentence for each rater with too many live ratings that were given in less time than reading takes."""
    return [
        f"{project.raters[rater].name}: {warning.text}"
        for rater, done in finished_by_rater(project).items()
        for warning in _of_times(rater, done)
    ]


def band_shares(project: Project) -> dict[str, list[BandShare]]:
    """By rater: the distribution of their integrity scores over the bands, beside the guide's; {} for other tasks."""
    if project.settings.task != "integrity":
        return {}
    return {rater: _bands(_scores(done)) for rater, done in finished_by_rater(project).items()}


def _of_times(rater: str, ratings: Sequence[Rating]) -> Iterator[ClusterWarning]:
    measured = [rating.seconds for rating in ratings if rating.seconds > 0]
    fast = sum(seconds < HASTY_SECONDS for seconds in measured)
    if fast >= MIN_HASTY and fast >= HASTY_SHARE * len(measured):
        took = f"{fast} of {len(measured)} ratings took less than {HASTY_SECONDS:g} seconds each"
        text = f"{took}: too short to read an item. Ask how they were made before you use them."
        yield ClusterWarning(rater, "too fast", text)


def _of_scores(rater: str, ratings: Sequence[Rating]) -> Iterator[ClusterWarning]:
    scores = _scores(ratings)
    if len(scores) < MIN_SCORES:
        return
    inside = {ends: sum(ends[0] <= score <= ends[1] for score in scores) for ends in (_HIGH, _FAIR)}
    if _above(inside[_HIGH], len(scores), _band(_HIGH).target_pct[1]):
        told = _told(inside[_HIGH], len(scores), _HIGH)
        yield ClusterWarning(
            rater, "under-penalising", f"{told}; small violations may be missed. Read the minor types again."
        )
    if _above(inside[_FAIR], len(scores), _band(_FAIR).target_pct[1]):
        told = _told(inside[_FAIR], len(scores), _FAIR)
        yield ClusterWarning(
            rater, "over-penalising", f"{told}; minor violations may be charged as moderate ones. Hold them apart."
        )
    off = [share for share in _bands(scores) if share.off]
    if off:
        parts = [f"{each.band} {each.pct:.0f} % ({_span(each.target_pct)} expected)" for each in off]
        text = f"Of {len(scores)} trials, {', '.join(parts)}: not as the guide expects; the sample may be why."
        yield ClusterWarning(rater, "distribution", text)


def _of_labels(rater: str, ratings: Sequence[Rating]) -> Iterator[ClusterWarning]:
    found = _single([rating.value["label"] for rating in ratings])
    if found is not None:
        yield ClusterWarning(rater, "one label", f"{found[1]} of {found[2]} statements are labelled {found[0]}.")


def _of_turns(rater: str, ratings: Sequence[Rating]) -> Iterator[ClusterWarning]:
    values: Sequence[Mapping[str, Any]] = [rating.value for rating in ratings]
    for name in ("far", "sas"):
        found = _single([value[name] for value in values if value.get(name) is not None])
        if found is not None:
            text = f"{found[1]} of {found[2]} turns have {name.upper()} {found[0]:g}."
            yield ClusterWarning(rater, "one score", text)
    found = _single([value["stance"] for value in values if value.get("stance") is not None])
    if found is not None:
        text = f"{found[1]} of {found[2]} turns with a fabrication have the stance {found[0]}."
        yield ClusterWarning(rater, "one stance", text)


def _single(values: Sequence[Any]) -> tuple[Any, int, int] | None:
    """The value that nearly all have, how many have it, and of how many; `None` where there is none, or too few."""
    if len(values) < MIN_LABELS:
        return None
    counts: Counter[Hashable] = Counter(values)
    ((value, count),) = counts.most_common(1)
    return (value, count, len(values)) if count > ONE_LABEL * len(values) else None


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
