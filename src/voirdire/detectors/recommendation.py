"""Which threshold to use, by what the chosen one does on answers that it was not chosen on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from voirdire.detectors.scoring import Metric, WordCounts, add_counts, score_difference, score_interval
from voirdire.reasons import Reason, declare, reason
from voirdire.stats.intervals import Interval

declare(
    {
        "default_as_good": "The default does as well: keep it. Held out, {metric:label} is {held:.3f} with a threshold "
        "chosen anew, and {own:.3f} with the default (difference {ends})",
        "chosen_better": "Held out, {metric:label} is {held:.3f} with a threshold chosen anew, and {own:.3f} with the "
        "default (difference {ends})",
        "floor_kept": "{metric:label} {floor:.2f} was asked; held out it is {held:.2f} ({ends}): kept",
        "floor_not_kept": "{metric:label} {floor:.2f} was asked; held out it is {held:.2f} ({ends}): not kept",
        "floor_undefined": "{metric:label} {floor:.2f} was asked; held out nothing is flagged: not kept",
        "default_keeps_floor": "The default keeps it: its {metric:label} is {own:.2f}, and nothing was chosen on these "
        "answers",
    },
    {"f1": "F1"},
)


class Recommendation(NamedTuple):
    """What to give to `--threshold`, and why."""

    threshold: float
    which: Literal["own", "chosen"]
    """The detector's own threshold, or the one that was chosen."""
    kept: bool | None
    """Whether the floor that was asked is reached held out; `None` where none was asked."""
    reasons: tuple[Reason, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self._asdict(), "reasons": [each.as_dict() for each in self.reasons]}


def recommend(
    own: Sequence[WordCounts],
    held_out: Sequence[WordCounts],
    thresholds: tuple[float, float],
    metric: Metric = "f1",
    floor: float = 0.0,
) -> Recommendation:
    """Keep the detector's own threshold, unless choosing another gains more than noise on answers it was not chosen on.

    Args:
        own: by group of answers, with the detector's own threshold.
        held_out: by the same groups, each with a threshold chosen without it.
        thresholds: the detector's own, and the one chosen on all groups.
        metric: what it was chosen for; with a floor, what must reach it.
        floor: that `metric` must reach; of the thresholds that do, the one with more of the other metric is wanted.
    """
    if metric == "f1":
        better, said = _compared(own, held_out, "f1")
        return _of(thresholds, better, None, (said,))
    held = getattr(add_counts(held_out).score, metric)
    kept = held is not None and held >= floor
    told = _floor(held_out, held, metric, floor, kept)
    default = getattr(add_counts(own).score, metric)
    if default is None or default < floor:
        return _of(thresholds, True, kept, (told,))
    if not kept:
        return _of(thresholds, False, kept, (told, reason("default_keeps_floor", metric=metric, own=default)))
    better, said = _compared(own, held_out, "recall" if metric == "precision" else "precision")
    return _of(thresholds, better, kept, (told, said))


def _of(
    thresholds: tuple[float, float], better: bool, kept: bool | None, reasons: tuple[Reason, ...]
) -> Recommendation:
    return Recommendation(thresholds[better], "chosen" if better else "own", kept, reasons)


def _compared(own: Sequence[WordCounts], held_out: Sequence[WordCounts], metric: Metric) -> tuple[bool, Reason]:
    """Whether the held-out figure is higher beyond noise, and the sentence."""
    first, second = (getattr(add_counts(each).score, metric) or 0.0 for each in (held_out, own))
    found = score_difference(held_out, own, metric)
    better = found.low > 0
    low, high = found.low, found.high
    code = "chosen_better" if better else "default_as_good"
    return better, reason(code, metric=metric, held=first, own=second, ends=f"{low:+.3f} to {high:+.3f}")


def _floor(counts: Sequence[WordCounts], held: float | None, metric: Metric, floor: float, kept: bool) -> Reason:
    if held is None:
        return reason("floor_undefined", metric=metric, floor=floor)
    code = "floor_kept" if kept else "floor_not_kept"
    return reason(code, metric=metric, floor=floor, held=held, ends=_ends(score_interval(counts, metric)))


def _ends(interval: Interval | None) -> str:
    return "no interval" if interval is None else f"{interval.low:.2f} to {interval.high:.2f}"
