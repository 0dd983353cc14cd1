"""Rating responses against established facts, by deductions from 100 (the deduction guide, version 1.0)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from voirdire.integrity import Violation, load_taxonomy
from voirdire.integrity.panel import finding_of
from voirdire.integrity.taxonomy import Band, Taxonomy
from voirdire.raters.records import Document, Item, Mode, Rating, Row, Settings
from voirdire.raters.tasks.base import (
    ASSUMED,
    DrawOptions,
    Effort,
    Findings,
    Impression,
    Judgements,
    Mark,
    Materials,
    NewRow,
    Nouns,
    Phase,
    RatingsExchange,
    Scale,
    ScoreScale,
    SourcedRange,
    Task,
    Value,
    Work,
)
from voirdire.raters.tasks.integrity import actions, rating
from voirdire.raters.tasks.integrity.deduction import fold
from voirdire.raters.tasks.integrity.view import feedback, guideline, view, violation_in_words
from voirdire.raters.timing import RaterWarning
from voirdire.text.counting import counted

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


def score_warnings(rater: str, ratings: Sequence[Rating]) -> Iterator[RaterWarning]:
    """Scores from 90 to 95, or from 50 to 70, whose share is above what the guide expects of the band there.

    That is by the lower end of its interval. Also bands whose interval lies outside the guide's distribution.
    """
    scores = _scores(ratings)
    if len(scores) < MIN_SCORES:
        return
    inside = {ends: sum(ends[0] <= score <= ends[1] for score in scores) for ends in (_HIGH, _FAIR)}
    if _above(inside[_HIGH], len(scores), _band(_HIGH).target_pct[1]):
        clustered = _share_of(inside[_HIGH], len(scores), _HIGH)
        yield RaterWarning(
            rater, "under-penalising", f"{clustered}; small violations may be missed. Read the minor types again."
        )
    if _above(inside[_FAIR], len(scores), _band(_FAIR).target_pct[1]):
        clustered = _share_of(inside[_FAIR], len(scores), _FAIR)
        yield RaterWarning(
            rater, "over-penalising", f"{clustered}; minor violations may be charged as moderate ones. Hold them apart."
        )
    off = [share for share in band_shares(scores) if share.off]
    if off:
        parts = [f"{each.band} {each.pct:.0f} % ({_span(each.target_pct)} expected)" for each in off]
        text = f"Of {len(scores)} trials, {', '.join(parts)}: not as the guide expects; the sample may be why."
        yield RaterWarning(rater, "distribution", text)


def _scores(ratings: Sequence[Rating]) -> list[float]:
    return [rating.value["score"] for rating in ratings]


def band_shares(scores: Sequence[float]) -> list[BandShare]:
    """The distribution of a rater's scores over the bands, beside the guide's."""
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

    interval = share_interval(count, trials)
    return 100 * interval.low, 100 * interval.high


def _share_of(count: int, trials: int, ends: tuple[int, int]) -> str:
    expected = _span(_band(ends).target_pct)
    return f"{count} of {trials} scores lie from {ends[0]} to {ends[1]}, where the guide expects {expected}"


def _span(pct: tuple[float, float]) -> str:
    return f"{pct[0]:g} to {pct[1]:g} %"


_MINUTE = 60.0
_GUIDE = 'the guide, "Calibration Process"'  # its last trial is the 30th; later ones are counted with the last phase
_EFFORT = Effort(
    phases=(
        Phase("trials 1-5", 5, SourcedRange(25 * _MINUTE, 30 * _MINUTE, _GUIDE)),
        Phase("trials 6-15", 10, SourcedRange(18 * _MINUTE, 22 * _MINUTE, _GUIDE)),
        Phase("trials from 16 on", None, SourcedRange(15 * _MINUTE, 20 * _MINUTE, _GUIDE)),
    ),
    disagreement=SourcedRange(0.1, 0.4, ASSUMED),
    expected=True,
)


class IntegrityTask(Task):
    """A trial is one response: a score by impression, locked; violations; a second look where the two lie apart."""

    name = "integrity"
    nouns = Nouns("Rating responses", document="response", item="response", group="case", dialogue="response")
    beside = MappingProxyType({"case": "context"})

    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """See `actions.take`."""
        return actions.take(work, action, form)

    def may_undo(self, work: Work, row: Row) -> str | None:
        """Why a row can't be undone, the holistic score for one; `None` if it can."""
        return actions.may_undo(work, row)

    def value(self, work: Work) -> Mapping[str, Any] | None:
        """The rating, once the trial is finished; see `rating.value_of`."""
        return rating.value_of(fold(work))

    def view(self, work: Work) -> Mapping[str, Any]:
        """What the template needs."""
        return view(work)

    def feedback(self, work: Work) -> Mapping[str, Any] | None:
        """In practice and calibration, when finished; see `feedback.feedback`."""
        return feedback(work)

    def differ(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """See `rating.differ`."""
        return rating.differ(one, other)

    def settle(self, values: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """See `rating.settle`."""
        return rating.settle(values)

    def guideline(self, settings: Settings) -> Mapping[str, Any]:
        """See `guideline.guideline`; the same for every project."""
        return guideline()

    def item_in_words(self, document: Document, item: Item) -> str:
        """The response; not its case first: several responses answer the same one."""
        return str(document.body["response"] or document.body["context"])

    def rating_in_words(self, value: Value) -> str:
        """Score, band, violations and the first impression."""
        violations = counted(len(value["violations"]), "violation")
        return f"Score {value['score']} ({value['band']}), {violations}; first impression {value['holistic']}"

    def details_in_words(self, value: Value) -> tuple[str, ...]:
        """Every violation, and the note."""
        return (*map(violation_in_words, value.get("violations", ())), *([value["note"]] if value.get("note") else []))

    def make(self, path: Path, options: DrawOptions) -> Materials:
        """See `builder.make`."""
        from voirdire.raters.tasks.integrity.builder import make

        return make(path, options)

    def practice(self) -> Materials:
        """The packaged practice cases."""
        from voirdire.raters.tasks.integrity.builder import practice

        return practice()

    def effort(self, mode: Mode) -> Effort:
        """The guide's times; no source names a pay."""
        return _EFFORT

    def warnings(self, rater: str, ratings: Sequence[Rating]) -> Iterator[RaterWarning]:
        """See `score_warnings`."""
        return score_warnings(rater, ratings)

    def scales(self) -> tuple[Scale, ...]:
        """Bands of the packaged taxonomy."""
        return (band_scale(load_taxonomy()),)

    def scores(self) -> tuple[ScoreScale, ...]:
        """The score by deductions, and the impression before it."""
        return (
            ScoreScale("score", lambda value: float(value["score"]), 100.0),
            ScoreScale("impression", lambda value: float(value["holistic"]), 100.0),
        )

    def findings(self) -> Findings:
        """Violations by sentence, fact and family; deductions beside impressions."""
        taxonomy = load_taxonomy()
        return Findings(lambda value: marks_of(violations_of(value, taxonomy), taxonomy), _impression)

    def exchange(self) -> RatingsExchange:
        """See `exchange`."""
        from voirdire.raters.tasks.integrity.exchange import EXCHANGE

        return EXCHANGE

    def judgements(self) -> Judgements:
        """What auditors of a run, or judges of scored trials, say."""
        from voirdire.raters.tasks.integrity.judgements import JUDGEMENTS

        return JUDGEMENTS


TASK = IntegrityTask()


def band_scale(taxonomy: Taxonomy) -> Scale:
    """Bands, from the lowest."""
    names = tuple(band.name for band in reversed(taxonomy.bands))
    return Scale("band", names, lambda value: str(value["band"]), ordered=True)


def violations_of(value: Value, taxonomy: Taxonomy) -> list[Violation]:
    """The violations of a rating, as the instrument has them: omissions concern the whole response.

    Raises:
        IntegrityError: one is of a type that the taxonomy does not have.
    """
    return [
        Violation(
            each["type"],
            None if taxonomy.type_of(each["type"]).rung is not None else each.get("sentence"),
            each.get("span"),
            each.get("fact"),
            each.get("reason", ""),
            "rater",
        )
        for each in value["violations"]
    ]


def marks_of(violations: Iterable[Violation], taxonomy: Taxonomy) -> list[Mark]:
    """Violations as marks, which are compared with others."""
    return [Mark(finding_of(each, taxonomy), taxonomy.type_of(each.type).name, each.span) for each in violations]


def _impression(value: Value) -> Impression:
    look: Value = value.get("second_look") or {}
    return Impression(value["holistic"], look.get("score_before", value["score"]), value["score"])
