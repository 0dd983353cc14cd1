"""How long items take a rater, and ratings to ask about: hardly more than one label, or no time to read.

Pure over a project. Times are those of `Rating.seconds`: the page has left idle time out. A warning is no verdict: the
sample may be like that. None is given on few ratings.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from voirdire.raters.records import Project, Rating
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import Effort, Phase
from voirdire.reason_codes import Reason, declare, reason
from voirdire.stats.ranks import kendall_p, theil_sen
from voirdire.text.counting import counted

MIN_LABELS = 40
"""Ratings below which it is not said that they are all alike: 40 of one kind still allow for 9 % of others (95 %)."""
ONE_LABEL = 0.95
"""Share of one value above which it is said."""
HASTY_SECONDS = 2.0
"""Nobody reads an item and decides in less."""
MIN_HASTY, HASTY_SHARE = 10, 0.2
"""Ratings in less than that, and their share of a rater's, from which it is said: some items are seen at a glance."""
FAR_BELOW = 0.25
"""Share of the guide's shortest time below which a rater's median is told to the organiser."""
MIN_TIMED = 8
"""Ratings with a time below which it is not."""
_TOO_FAST = (
    "{fast} of {of} ratings with a known time took less than {seconds:g} seconds each: too short to read an item. Ask "
    "how they were made before you use them"
)
_FAR_BELOW = (
    "{of} ratings took {median} each (median), where the guide reckons with {low} to {high}. Ask how they were made "
    "before you use them"
)
_SPEED = {"too fast": ("ratings_too_fast", _TOO_FAST), "far below the guide": ("ratings_far_below_guide", _FAR_BELOW)}
"""By kind of warning, the code of what is said of it, and what."""
declare({code: f"{{rater}}: {says}" for code, says in _SPEED.values()})
_MINUTE = 60.0
_MIN_FOR_TREND = 20
"""Items below which no trend is told: people get used to the first ones."""
_AT_AN_END = 10
"""Items at the beginning, and at the end, whose medians are shown."""
_CHANCE = 0.05
"""The p of Kendall's test from which a trend is not told."""
_FLAT_SHARE = 0.1
"""Of the median time: a change over all items that is surely no larger is none."""


class Trial(NamedTuple):
    """One finished item of a rater."""

    rater: str
    number: int
    """In the order in which they were finished, from 1."""
    item: str
    seconds: float
    phase: str
    expected: tuple[float, float] | None
    """Seconds that a rater should take; `None` for tasks in which none are expected."""


class Pace(NamedTuple):
    """A rater's trials of one phase beside what is expected."""

    rater: str
    phase: str
    trials: int
    median_minutes: float
    interpretation: str
    """One sentence."""


class Trend(NamedTuple):
    """How a rater's time per item changes."""

    rater: str
    items: int
    per_item: float | None
    """Seconds that each further item takes more (less, where negative): Theil and Sen's slope; `None` with fewer than
    20 items."""
    interval: tuple[float, float] | None
    """Of the slope, 95 %."""
    interpretation: str
    """One sentence."""


class RaterWarning(NamedTuple):
    """Something to ask a rater about."""

    rater: str
    kind: str
    """"too fast", "far below the guide", and what the task says: "one label", "distribution" …"""
    text: str
    """One sentence or two."""


class Common(NamedTuple):
    """A value that nearly all of a rater's ratings have."""

    value: Any
    times: int
    of: int


def trials(project: Project) -> dict[str, list[Trial]]:
    """Every rater's finished live items in order of completion, adjudications left out.

    Those whose time was not measured (rated without script, or imported without it) count in the numbering alone.
    """
    effort = _effort(project)
    measured = {
        rater: [_trial(each, number, effort) for number, each in enumerate(finished, start=1) if each.seconds > 0]
        for rater, finished in finished_by_rater(project).items()
    }
    return {rater: each for rater, each in measured.items() if each}


def paces(project: Project) -> list[Pace]:
    """Median minutes per trial of each rater and phase beside what is expected, in tasks where something is."""
    effort = _effort(project)
    if not effort.expected:
        return []
    return [
        _pace(rater, phase, [trial.seconds for trial in finished if trial.phase == phase.name])
        for rater, finished in trials(project).items()
        for phase in effort.phases
        if any(trial.phase == phase.name for trial in finished)
    ]


def trends(project: Project) -> list[Trend]:
    """How each rater's time per item changes over items."""
    return [_trend(rater, [each.seconds for each in finished]) for rater, finished in trials(project).items()]


def finished_by_rater(project: Project) -> dict[str, list[Rating]]:
    """Ratings of live items by raters (not adjudicators), each rater's in order of completion."""
    people = _finished_by_person(project).items()
    as_rater = {rater: [each for each in finished if each.role == "rater"] for rater, finished in people}
    return {rater: finished for rater, finished in as_rater.items() if finished}


def _finished_by_person(project: Project) -> dict[str, list[Rating]]:
    """The same with adjudicators'."""
    result: dict[str, list[Rating]] = {}
    for rating in sorted(project.ratings, key=lambda each: (each.at, each.seq)):
        if rating.pool == "live":
            result.setdefault(rating.rater, []).append(rating)
    return result


def _effort(project: Project) -> Effort:
    return task_of(project.settings).effort(project.settings.mode)


def phase_at(phases: Sequence[Phase], number: int) -> int:
    """Which phase a rater's rating lies in.

    Args:
        phases: in their order; the last has no end.
        number: of the rating, from 1.
    """
    end = 0
    for place, phase in enumerate(phases):
        end += phase.ratings or 0
        if phase.ratings is None or number <= end:
            return place
    return len(phases) - 1


def _trial(rating: Rating, number: int, effort: Effort) -> Trial:
    phase = effort.phases[phase_at(effort.phases, number)]
    expected = (phase.seconds.low, phase.seconds.high) if effort.expected else None
    return Trial(rating.rater, number, rating.item, rating.seconds, phase.name, expected)


def _pace(rater: str, phase: Phase, seconds: Sequence[float]) -> Pace:
    minutes = statistics.median(seconds) / _MINUTE
    low, high = phase.seconds.low / _MINUTE, phase.seconds.high / _MINUTE
    where = "faster than" if minutes < low else "slower than" if minutes > high else "within"
    title = f"{phase.name.capitalize()}, {len(seconds)} done"
    interpretation = f"{title}: {minutes:.1f} minutes each (median), {where} the guide's "
    return Pace(rater, phase.name, len(seconds), minutes, f"{interpretation}{low:g} to {high:g}.")


def _trend(rater: str, seconds: Sequence[float]) -> Trend:
    """Theil and Sen's slope, which single long items hardly move; whether it is chance, by Kendall's test.

    The test decides, as times in tenths of a second have many ties, which put an end of the slope's interval on 0.
    """
    items = len(seconds)
    if items < _MIN_FOR_TREND:
        few = f"{counted(items, 'item is', 'items are')} too few for a trend; {_MIN_FOR_TREND} are needed."
        return Trend(rater, items, None, None, few)
    slope, p = theil_sen(seconds), kendall_p(range(items), seconds)
    first, last = statistics.median(seconds[:_AT_AN_END]), statistics.median(seconds[-_AT_AN_END:])
    is_flat = items * max(abs(slope.low), abs(slope.high)) <= _FLAT_SHARE * statistics.median(seconds)
    is_same = p < _CHANCE and duration(first) == duration(last)
    if is_same:
        interpretation = "The time for an item hardly changes as the work goes on"
    elif p < _CHANCE:
        interpretation = f"Items take {'less and less' if last < first else 'more and more'} time"
    elif is_flat:
        interpretation = "Items take neither more nor less time as the work goes on"
    else:
        interpretation = "Whether items take more or less time as the work goes on can't be told yet"
    ends = f"the first ten took {duration(first)} each (median), the last ten {duration(last)}"
    test = "" if math.isnan(p) or is_same else f" (Kendall's test, p {'< 0.001' if p < 0.001 else f'= {p:.2g}'})"
    return Trend(rater, items, slope.slope, (slope.low, slope.high), f"{interpretation}: {ends}{test}.")


def clustering(project: Project) -> list[RaterWarning]:
    """What clusters in each person's live ratings.

    Ratings in less time than reading takes, and what the task says of the values that raters give.
    """
    task, effort = task_of(project.settings), _effort(project)
    return [
        warning
        for rater, finished in _finished_by_person(project).items()
        for warning in (
            *_speed_warning(rater, finished, effort),
            *task.warnings(rater, [rating for rating in finished if rating.role == "rater"]),
        )
    ]


def hasty(project: Project) -> list[Reason]:
    """For each person who was too fast to read, or far faster than the guide reckons, that it is so."""
    effort = _effort(project)
    return [
        reason(_SPEED[speed.kind][0], rater=project.raters[rater].name, **speed.counts)
        for rater, finished in _finished_by_person(project).items()
        if (speed := _speed(finished, effort)) is not None
    ]


def hasty_times(seconds: Mapping[str, Sequence[float]]) -> list[Reason]:
    """For each rater who was too fast to read, that it is so: by the times that their ratings took."""
    counts = {rater: _too_fast(spent) for rater, spent in seconds.items()}
    return [reason(_SPEED["too fast"][0], rater=rater, **each) for rater, each in counts.items() if each]


def _too_fast(seconds: Iterable[float]) -> dict[str, float]:
    """How many ratings took less than how many seconds, of how many; empty where that is not too many."""
    measured = [spent for spent in seconds if spent > 0]
    fast = sum(spent < HASTY_SECONDS for spent in measured)
    if fast < MIN_HASTY or fast < HASTY_SHARE * len(measured):
        return {}
    return {"fast": fast, "of": len(measured), "seconds": HASTY_SECONDS}


class _TooSoon(NamedTuple):
    kind: str
    """Of `_SPEED`."""
    counts: Mapping[str, Any]


def _speed(ratings: Sequence[Rating], effort: Effort) -> _TooSoon | None:
    """That a rater was too fast to read, or else far faster than the guide reckons."""
    if counts := _too_fast(rating.seconds for rating in ratings):
        return _TooSoon("too fast", counts)
    below = _far_below_guide(ratings, effort)
    return _TooSoon("far below the guide", below) if below else None


def _speed_warning(rater: str, ratings: Sequence[Rating], effort: Effort) -> Iterator[RaterWarning]:
    speed = _speed(ratings, effort)
    if speed is not None:
        yield RaterWarning(rater, speed.kind, f"{_SPEED[speed.kind][1].format(**speed.counts)}.")


def _far_below_guide(ratings: Sequence[Rating], effort: Effort) -> dict[str, Any]:
    """The median time of a rater for whom it is far below what the guide reckons with at that number of items."""
    timed = [_trial(each, number, effort) for number, each in enumerate(ratings, start=1) if each.seconds > 0]
    phases = [effort.phases[phase_at(effort.phases, each.number)].seconds for each in timed]
    shares = [each.seconds / phase.low for each, phase in zip(timed, phases, strict=True)]
    if len(shares) < MIN_TIMED or statistics.median(shares) >= FAR_BELOW:
        return {}
    median = duration(statistics.median(each.seconds for each in timed))
    return {"of": len(timed), "median": median, "low": duration(phases[-1].low), "high": duration(phases[-1].high)}


def nearly_all(values: Sequence[Hashable]) -> Common | None:
    """The value that nearly all have; `None` where there is none, or there are too few."""
    if len(values) < MIN_LABELS:
        return None
    ((value, count),) = Counter(values).most_common(1)
    return Common(value, count, len(values)) if count > ONE_LABEL * len(values) else None


def duration(seconds: float) -> str:
    """A span of time as people say it: "1.5 s", "45 s", "12 min", "3.5 h"."""
    if seconds < 10:
        return f"{round(seconds, 1):g} s"
    if seconds < 100:
        return f"{round(seconds)} s"
    return f"{round(seconds / 60)} min" if seconds < 100 * 60 else f"{round(seconds / 360) / 10:.1f} h"
