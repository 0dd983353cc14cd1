"""How long items take over a rater's trials; pure over a project.

Times are those of `Rating.seconds`: the page has left idle time out.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Literal, NamedTuple

from voirdire.raters.records import Project, Rating
from voirdire.text.counting import counted

PhaseName = Literal["trials 1-5", "trials 6-15", "trials from 16 on"]
"""By their numbers: "calibration" is a phase of a project, which it need not have."""


class Phase(NamedTuple):
    """A stretch of a rater's trials, and how long the guide expects one to take."""

    name: PhaseName
    first: int
    """Number of its first trial, from 1."""
    last: int | None
    """Of its last; `None` for all that follow."""
    minutes: tuple[float, float]


PHASES = (  # guide, "Calibration Process"; its last trial is the 30th, and later ones are counted with the last phase
    Phase("trials 1-5", 1, 5, (25.0, 30.0)),
    Phase("trials 6-15", 6, 15, (18.0, 22.0)),
    Phase("trials from 16 on", 16, None, (15.0, 20.0)),
)
_BLOCK = {"integrity": 5, "cognibench": 25, "ddft": 10}
"""Items of a block, about an hour's work or less."""
_MIN_FOR_TREND = 8
"""Items below which the interval of a trend says nothing."""


class Trial(NamedTuple):
    """One finished item of a rater."""

    rater: str
    number: int
    """In the order in which they were finished, from 1."""
    item: str
    seconds: float
    phase: PhaseName
    expected: tuple[float, float] | None
    """Seconds that the guide expects; `None` for tasks that it does not speak of."""


class Pace(NamedTuple):
    """A rater's trials of one phase beside what the guide expects."""

    rater: str
    phase: PhaseName
    trials: int
    median_minutes: float
    expected_minutes: tuple[float, float]
    reading: str
    """One sentence."""


class Block(NamedTuple):
    """Some items, one finished after the other."""

    first: int
    last: int
    median_seconds: float


class Trend(NamedTuple):
    """How a rater's time per item changes."""

    rater: str
    items: int
    median_seconds: float
    blocks: tuple[Block, ...]
    per_item: float | None
    """Seconds that each further item takes more (less, where negative): Theil and Sen's slope; `None` with fewer than
    8 items."""
    interval: tuple[float, float] | None
    """Of the slope, 95 %."""
    reading: str
    """One sentence."""


def phase_of(number: int) -> PhaseName:
    """The phase of a rater's trial of this number, from 1."""
    return _phase(number).name


def trials(project: Project) -> dict[str, list[Trial]]:
    """Every rater's finished live items in order of completion, adjudications left out.

    Those whose time was not measured (rated without script, or imported without it) count in the numbering alone.
    """
    expecting = project.settings.task == "integrity"
    found = {
        rater: [_trial(each, number, expecting) for number, each in enumerate(finished, start=1) if each.seconds > 0]
        for rater, finished in finished_by_rater(project).items()
    }
    return {rater: measured for rater, measured in found.items() if measured}


def paces(project: Project) -> list[Pace]:
    """Median minutes per trial of each rater and phase beside the guide's expectation; integrity projects only."""
    if project.settings.task != "integrity":
        return []
    return [
        _pace(rater, phase, [trial.seconds for trial in done if trial.phase == phase.name])
        for rater, done in trials(project).items()
        for phase in PHASES
        if any(trial.phase == phase.name for trial in done)
    ]


def trends(project: Project, block: int | None = None) -> list[Trend]:
    """How each rater's time per item changes over items.

    Args:
        project: as it stands.
        block: items per block; `None` for the task's (integrity 5, ddft 10, cognibench 25).
    """
    size = block or _BLOCK[project.settings.task]
    return [_trend(rater, [each.seconds for each in done], size) for rater, done in trials(project).items()]


def finished_by_rater(project: Project) -> dict[str, list[Rating]]:
    """Ratings of live items by raters (not adjudicators), each rater's in order of completion."""
    found: dict[str, list[Rating]] = {}
    for rating in sorted(project.ratings, key=lambda each: (each.at, each.seq)):
        if rating.pool == "live" and rating.role == "rater":
            found.setdefault(rating.rater, []).append(rating)
    return found


def _phase(number: int) -> Phase:
    return next(phase for phase in PHASES if phase.last is None or number <= phase.last)


def _trial(rating: Rating, number: int, expecting: bool) -> Trial:
    phase = _phase(number)
    low, high = phase.minutes
    expected = (60 * low, 60 * high) if expecting else None
    return Trial(rating.rater, number, rating.item, rating.seconds, phase.name, expected)


def _pace(rater: str, phase: Phase, seconds: Sequence[float]) -> Pace:
    minutes = statistics.median(seconds) / 60
    low, high = phase.minutes
    where = "faster than" if minutes < low else "slower than" if minutes > high else "within"
    done = f"{phase.name.capitalize()}, {len(seconds)} done"
    reading = f"{done}: {minutes:.1f} minutes each (median), {where} the guide's "
    return Pace(rater, phase.name, len(seconds), minutes, phase.minutes, f"{reading}{low:g} to {high:g}.")


def _trend(rater: str, seconds: Sequence[float], size: int) -> Trend:
    blocks = tuple(
        Block(start + 1, min(start + size, len(seconds)), statistics.median(seconds[start : start + size]))
        for start in range(0, len(seconds), size)
    )
    slope = _slope(seconds)
    median = statistics.median(seconds)
    per_item, interval = (None, None) if slope is None else (slope[0], (slope[1], slope[2]))
    return Trend(rater, len(seconds), median, blocks, per_item, interval, _read_slope(slope, len(seconds)))


def _slope(seconds: Sequence[float]) -> tuple[float, float, float] | None:
    """Theil and Sen's slope over item numbers with its interval: single long items hardly move it."""
    if len(seconds) < _MIN_FOR_TREND:
        return None
    from scipy.stats import theilslopes

    found = theilslopes(seconds, alpha=0.95)
    return float(found.slope), float(found.low_slope), float(found.high_slope)


def _read_slope(slope: tuple[float, float, float] | None, items: int) -> str:
    if slope is None:
        return f"{counted(items, 'item is', 'items are')} too few for a trend; {_MIN_FOR_TREND} are needed."
    per_item, low, high = slope
    span = f"{_signed(per_item)} seconds per item, {_signed(low)} to {_signed(high)}"
    if high < 0:
        return f"Items take less and less time ({span})."
    if low > 0:
        return f"Items take more and more time ({span})."
    return f"No trend can be told from chance ({span})."


def _signed(seconds: float) -> str:
    """With its sign, but where it rounds to 0."""
    return f"{seconds:+.1f}" if round(seconds, 1) else "0.0"
