"""How well sentences were flagged, counted in words (CogniBench 4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.detectors.records import DetectorError

if TYPE_CHECKING:
    from voirdire.stats.intervals import Interval


Metric = Literal["f1", "precision", "recall"]

GUESS = 0.5
"""The area under the curve (AUROC) of scores that tell nothing."""
SCORE_DECIMALS = 6
"""Decimals of a score that count: what differs by less is rounding noise, and a threshold so printed does the same."""


_NO_SPREAD = 1e-12


def round_scores(scores: ArrayLike) -> NDArray[np.float64]:
    """Scores as they are compared with a threshold, which is rounded in the same way."""
    return np.asarray(scores, np.float64).round(SCORE_DECIMALS)


def reaches(scores: ArrayLike, threshold: float) -> NDArray[np.bool_]:
    """Which scores reach a threshold; NaN reaches none."""
    return round_scores(scores) >= round_scores(threshold)


class Score(NamedTuple):
    """Precision, recall and F1 in [0, 1]; `None` where one is undefined."""

    precision: float | None
    """`None`: nothing was flagged."""
    recall: float | None
    """`None`: nothing is hallucinated."""
    f1: float | None
    """`None`: neither. 0 when there was something to find and nothing was found."""


class WordCounts(NamedTuple):
    """What a score is made of. Counts of several answers may be added field by field."""

    hit: int
    """Words in hallucinated sentences that were flagged."""
    flagged: int
    """Words in flagged sentences."""
    labelled: int
    """Words in hallucinated sentences."""

    @property
    def score(self) -> Score:
        """Precision hit / flagged, recall hit / labelled, and their harmonic mean 2 hit / (flagged + labelled)."""
        return Score(
            _ratio(self.hit, self.flagged),
            _ratio(self.hit, self.labelled),
            _ratio(2 * self.hit, self.flagged + self.labelled),
        )


def count_words(flagged: Sequence[bool], gold: Sequence[bool], words: Sequence[int]) -> WordCounts:
    """Count the words of statements that were flagged, that are hallucinated, and both.

    Raises:
        DetectorError: the lengths differ.
    """
    if not len(flagged) == len(gold) == len(words):
        raise DetectorError(
            f"Flags: {len(flagged)}, labels: {len(gold)}, lengths: {len(words)}; give one of each per statement."
        )
    lengths = [int(length) for length in words]
    hit = sum(length for flag, label, length in zip(flagged, gold, lengths, strict=True) if flag and label)
    return WordCounts(hit, sum(compress(lengths, flagged)), sum(compress(lengths, gold)))


def add_counts(counts: Iterable[WordCounts]) -> WordCounts:
    """Pool the counts of several answers."""
    rows = list(counts)
    return WordCounts(sum(row.hit for row in rows), sum(row.flagged for row in rows), sum(row.labelled for row in rows))


def score_interval(clusters: Sequence[WordCounts], metric: Metric = "f1", *, level: float = 0.95) -> Interval | None:
    """Jackknife-t interval of the pooled F1, precision or recall, on the logit scale.

    Args:
        clusters: the counts of each group of answers (those of one context, or one dialogue).
        metric: which of the three.
        level: confidence level.

    Returns:
        `None` with fewer than three clusters that have something to count, or where no interval can be had: a value of
        0 or 1, or one that does not change with any of them left out.
    """
    from voirdire.stats.intervals import jackknife_t

    rows = [row for row in clusters if row.flagged or row.labelled]
    value = getattr(add_counts(rows).score, metric)
    left_out = _leave_one_out(rows, metric)
    if len(rows) < 3 or value is None or None in left_out:
        return None
    try:
        return jackknife_t(value, [each for each in left_out if each is not None], level=level, scale="logit")
    except ValueError:
        return None


class Ends(NamedTuple):
    """How far down and up a value may lie."""

    low: float
    high: float


def score_difference(one: Sequence[WordCounts], other: Sequence[WordCounts], metric: Metric = "f1") -> Ends:
    """How much higher one pooled figure is than another of the same groups: the 95 % jackknife-t interval.

    A figure that is undefined counts as 0: nothing was flagged, or there was nothing to find. Where leaving out any
    group changes nothing, both ends are the difference itself.
    """
    from voirdire.stats.intervals import jackknife_t

    firsts, seconds = ([each or 0.0 for each in _leave_one_out(rows, metric)] for rows in (one, other))
    first, second = (getattr(add_counts(rows).score, metric) or 0.0 for rows in (one, other))
    without = [a - b for a, b in zip(firsts, seconds, strict=True)]
    if max(without) - min(without) < _NO_SPREAD:
        return Ends(first - second, first - second)
    interval = jackknife_t(first - second, without)
    return Ends(max(interval.low, -1.0), min(interval.high, 1.0))


def _leave_one_out(rows: Sequence[WordCounts], metric: Metric) -> list[float | None]:
    """The pooled figure without each group."""
    whole = add_counts(rows)
    return [getattr(WordCounts(*(a - b for a, b in zip(whole, row, strict=True))).score, metric) for row in rows]


def word_score(flagged: Sequence[bool], gold: Sequence[bool], words: Sequence[int]) -> Score:
    """Word-weighted precision, recall and F1 of flagged statements (CogniBench 4.1); see `count_words`.

    Example:
        >>> word_score([True, True, False], [True, False, True], [6, 2, 4])
        Score(precision=0.75, recall=0.6, f1=0.6666666666666666)
    """
    return count_words(flagged, gold, words).score


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
