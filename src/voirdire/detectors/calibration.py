"""The threshold of a detector, chosen on labelled answers, and what it is worth on answers it was not chosen on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.data.json_values import as_object, as_plain
from voirdire.detectors.base import Detector
from voirdire.detectors.flag_counts import USUAL_ERRORS, FlagCounts
from voirdire.detectors.records import (
    Answer,
    DetectorError,
    History,
    Require,
    hallucinated,
    passage_of,
    without_headers,
)
from voirdire.detectors.scoring import (
    GUESS,
    Metric,
    Score,
    WordCounts,
    add_counts,
    count_words,
    reaches,
    round_scores,
    score_difference,
    score_interval,
    word_score,
)
from voirdire.detectors.training.splits import assign_folds
from voirdire.reason_codes import Param, Reason, declare, reason
from voirdire.stats.auroc import auroc, auroc_interval
from voirdire.stats.clustered import share
from voirdire.stats.intervals import Interval
from voirdire.text.counting import counted

_BESIDE_EVERYTHING = (
    "held out, F1 is {held:.3f} with a threshold chosen anew and {own:.3f} with the default, against {everything:.3f} "
    "for flagging every sentence (differences {held_ends}, and {own_ends})"
)

declare(
    {
        "default_as_good": "The default does as well: keep it. Held out, {metric:label} is {held:.3f} with a threshold "
        "chosen anew, and {own:.3f} with the default (difference {ends})",
        "default_better": "The default does better: keep it. Held out, {metric:label} is {held:.3f} with a threshold "
        "chosen anew, and {own:.3f} with the default (difference {ends})",
        "chosen_better": "Held out, {metric:label} is {held:.3f} with a threshold chosen anew, and {own:.3f} with the "
        "default (difference {ends})",
        "floor_kept": "{metric:label} {floor:.2f} was asked; held out it is {held:.2f} ({ends}; by words): kept",
        "floor_unsure": "These answers are too few to show that {metric:label} {floor:.2f} is kept on others: held out "
        "it is {held:.2f} ({ends}; by words)",
        "floor_not_kept": "Not kept: {metric:label} {floor:.2f} was asked, and on answers that the threshold was not "
        "chosen on it is {held:.2f} ({ends}; by words)",
        "floor_not_shown": "These answers are too few to tell whether {metric:label} {floor:.2f} is kept: on answers "
        "that the threshold was not chosen on it is {held:.2f} ({ends}; by words)",
        "floor_out_of_reach": "No threshold is worth using here: {metric:label} {floor:.2f} was asked, and none "
        "reaches it on these answers; the nearest has {nearest:.2f}, and the default {own:.2f}",
        "floor_undefined": "Not kept: {metric:label} {floor:.2f} was asked, and on answers that the threshold was not "
        "chosen on nothing is flagged",
        "only_chosen_beats_everything": "Only a threshold chosen anew is shown to beat flagging every sentence, which "
        "has F1 {everything:.3f}: held out, it has {held:.3f} (difference {held_ends}), and the default {own:.3f} "
        "(difference {own_ends})",
        "only_default_beats_everything": "Only the default is shown to beat flagging every sentence, which has F1 "
        "{everything:.3f}: it has {own:.3f} (difference {own_ends}), and a threshold chosen anew, held out, {held:.3f} "
        "(difference {held_ends})",
        "no_better_than_everything": f"No threshold is worth using here: {_BESIDE_EVERYTHING}",
        "too_few_to_beat_everything": (
            f"These answers are too few to show that a threshold is worth using: {_BESIDE_EVERYTHING}"
        ),
        "flags_too_much": "No threshold is recommended here: {which:label} flags so many right sentences that, where "
        "{usual:percent} of all are wrong, only {precision:percent} of those flagged would be; less than "
        "{least:percent}, twice as many, is hardly better than reading at random",
        "scores_untold": "These labels are too few to recommend a threshold: nothing shows that the scores tell "
        "unsupported sentences from supported ones; the best on these would be {best:.6g}",
        "default_keeps_floor": "The default keeps {metric:label} {floor:.2f}: here it has {own:.2f} ({ends}; by "
        "words), and nothing was chosen on these answers",
        "default_floor_unsure": "These answers are too few to show that the default keeps {metric:label} {floor:.2f} "
        "on others: here it has {own:.2f} ({ends}; by words)",
    },
    {"f1": "F1", "own": "the default", "chosen": "a threshold chosen anew"},
)


class Recommendation(NamedTuple):
    """What to give to `--threshold`, and why."""

    threshold: float | None
    """`None` where no threshold is shown to be worth using."""
    which: Literal["own", "chosen"] | None
    """The detector's own threshold, or the one that was chosen: to use, or, where it flags too much, the better."""
    floor_reached: bool | None
    """Whether the floor that was asked is reached held out; `None` where none was asked."""
    reasons: tuple[Reason, ...]
    doubt: Reason | None = None
    """That these answers are too few to show that the recommended threshold keeps the floor on others."""
    worthless: Reason | None = None
    """Why none is recommended: for F1, neither is shown to do better than flagging every sentence; of a floor, none
    reaches it, or keeps it held out; of either, too many right sentences are flagged, or nothing shows that the scores
    tell anything."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "threshold": self.threshold,
            "which": self.which,
            "floor_reached": self.floor_reached,
            "doubt": None if self.doubt is None else self.doubt.as_dict(),
            "reasons": [each.as_dict() for each in self.reasons],
        }


def recommend(
    own: Sequence[WordCounts],
    held_out: Sequence[WordCounts],
    thresholds: tuple[float, float],
    metric: Metric = "f1",
    floor: float = 0.0,
    *,
    everything: Sequence[WordCounts] = (),
    nearest: float | None = None,
) -> Recommendation:
    """Keep the detector's own threshold, unless choosing another gains more than noise on answers it was not chosen on.

    For F1, a threshold that is shown to beat flagging every sentence goes before one that is not if its F1 is no lower.

    Args:
        own: by group of answers, with the detector's own threshold.
        held_out: by the same groups, each with a threshold chosen without it.
        thresholds: the detector's own, and the one chosen on all groups.
        metric: what it was chosen for; with a floor, what must reach it.
        floor: that `metric` must reach; of the thresholds that do, the one with more of the other metric is wanted.
        everything: by the same groups, with every claim flagged; empty where that does not count.
        nearest: the highest that `metric` can be here, where no threshold reaches the floor.
    """
    if metric == "f1":
        better, gain_reason = _compare(own, held_out, "f1")
        result = _recommendation(thresholds, better, None, (gain_reason,))
        return _beating(result, own, held_out, everything, thresholds) if everything else result
    figure = getattr(add_counts(held_out).score, metric)
    keeps_floor = figure is not None and figure >= floor
    floor_reason, doubt = _floor_reason(held_out, figure, metric, floor)
    default = getattr(add_counts(own).score, metric)
    if default is None or default < floor:
        if nearest is not None:
            none = reason("floor_out_of_reach", metric=metric, floor=floor, nearest=nearest, own=default or 0.0)
            return Recommendation(None, None, False, (none,), worthless=none)
        if not keeps_floor:
            return Recommendation(None, None, False, (floor_reason,), worthless=floor_reason)
        return _recommendation(thresholds, True, keeps_floor, (floor_reason,), doubt)
    default_reason, default_doubt = _default_floor_reason(own, default, metric, floor)
    if not keeps_floor:
        return _recommendation(thresholds, False, keeps_floor, (floor_reason, default_reason), default_doubt)
    better, gain_reason = _compare(own, held_out, "recall" if metric == "precision" else "precision")
    reasons = (floor_reason if better else default_reason, gain_reason)
    return _recommendation(thresholds, better, keeps_floor, reasons, doubt if better else default_doubt)


def _recommendation(
    thresholds: tuple[float, float],
    better: bool,
    keeps_floor: bool | None,
    reasons: tuple[Reason, ...],
    doubt: Reason | None = None,
) -> Recommendation:
    return Recommendation(thresholds[better], "chosen" if better else "own", keeps_floor, reasons, doubt)


def _compare(own: Sequence[WordCounts], held_out: Sequence[WordCounts], metric: Metric) -> tuple[bool, Reason]:
    """Whether the held-out figure is higher beyond noise, and the reason that says so."""
    first, second = (getattr(add_counts(each).score, metric) or 0.0 for each in (held_out, own))
    interval = score_difference(held_out, own, metric)
    better = interval.low > 0
    low, high = interval.low, interval.high
    code = "chosen_better" if better else "default_better" if high < 0 else "default_as_good"
    return better, reason(code, metric=metric, held=first, own=second, ends=f"{low:+.3f} to {high:+.3f}")


def _beating(
    result: Recommendation,
    own: Sequence[WordCounts],
    held_out: Sequence[WordCounts],
    everything: Sequence[WordCounts],
    thresholds: tuple[float, float],
) -> Recommendation:
    """The recommendation, now that both thresholds were held against flagging every sentence."""
    gains = [score_difference(each, everything, "f1") for each in (own, held_out)]
    beats = [gain.low > 0 for gain in gains]
    better = result.which == "chosen"
    if beats[better]:
        return result
    own_ends, held_ends = (f"{gain.low:+.3f} to {gain.high:+.3f}" for gain in gains)
    figures = {
        name: add_counts(each).score.f1 or 0.0
        for name, each in (("own", own), ("held", held_out), ("everything", everything))
    }
    params: dict[str, Param] = {**figures, "own_ends": own_ends, "held_ends": held_ends}
    if any(beats):
        code = "only_default_beats_everything" if better else "only_chosen_beats_everything"
        other, its = ("own", "held") if better else ("held", "own")
        if figures[other] < figures[its]:
            return result._replace(reasons=(*result.reasons, reason(code, **params)))
        return _recommendation(thresholds, not better, None, (reason(code, **params),))
    may_beat = any(gain.high >= _WORTHWHILE for gain in gains)
    code = "too_few_to_beat_everything" if may_beat else "no_better_than_everything"
    worthless = reason(code, **params)
    return Recommendation(None, None, None, (worthless,), worthless=worthless)


def _floor_reason(
    counts: Sequence[WordCounts], figure: float | None, metric: Metric, floor: float
) -> tuple[Reason, Reason | None]:
    """Whether a threshold chosen anew keeps a floor, and again where that is in doubt."""
    if figure is None:
        return reason("floor_undefined", metric=metric, floor=floor), None
    interval = score_interval(counts, metric)
    if figure < floor:
        code = "floor_not_shown" if interval is None or interval.high >= floor else "floor_not_kept"
    else:
        code = "floor_kept" if _keeps(interval, floor) else "floor_unsure"
    result = reason(code, metric=metric, floor=floor, held=figure, ends=_ends(interval))
    return result, result if code == "floor_unsure" else None


def _default_floor_reason(
    counts: Sequence[WordCounts], figure: float, metric: Metric, floor: float
) -> tuple[Reason, Reason | None]:
    """That the default keeps a floor here, and again where that is in doubt on others."""
    interval = score_interval(counts, metric)
    reached = _keeps(interval, floor)
    code = "default_keeps_floor" if reached else "default_floor_unsure"
    result = reason(code, metric=metric, floor=floor, own=figure, ends=_ends(interval))
    return result, None if reached else result


def _keeps(interval: Interval | None, floor: float) -> bool:
    return interval is not None and interval.low >= floor


def _ends(interval: Interval | None) -> str:
    return "no interval" if interval is None else f"{interval.low:.2f} to {interval.high:.2f}"


_WORTHWHILE = 0.05
"""A gain of F1 over flagging every sentence that must be ruled out before no threshold is called worth using."""
_LEAST_PRECISION = 2 * USUAL_ERRORS
"""Share of wrong sentences among those flagged, at `USUAL_ERRORS`, below which reading flags is little better than
reading sentences at random."""
MIN_GROUPS = 3
OTHER_FOLDS = "labelled sentences that are left when a part of the contexts is put aside to judge by"
"""What a fold learns from, in words."""
_FOLDS = 5


class Objective(NamedTuple):
    """What a threshold is chosen for: the highest F1, or the most of one when the other reaches a floor."""

    metric: Metric = "f1"
    floor: float = 0.0
    """That precision, or recall, must reach."""

    def __str__(self) -> str:
        """As a user writes it."""
        return self.metric if self.metric == "f1" else f"{self.metric}={self.floor:g}"


class ScoredSample(NamedTuple):
    """Labelled statements that a detector has scored; all of shape (n,)."""

    scores: NDArray[np.float64]
    """NaN where the detector can't say, and for small talk: never flagged."""
    gold: NDArray[np.bool_]
    """Whether each is a hallucination."""
    words: NDArray[np.int64]
    groups: NDArray[np.str_]
    """Which statements share their context."""
    small_talk: NDArray[np.bool_]
    """Whether each claims nothing."""
    unlabelled: NDArray[np.float64] = np.empty(0)
    """The scores of the other statements of these answers, of any shape (m,): `detect` flags them, too."""

    def part(self, mask: NDArray[np.bool_]) -> ScoredSample:
        """The statements where `where` is true."""
        return ScoredSample(
            self.scores[mask], self.gold[mask], self.words[mask], self.groups[mask], self.small_talk[mask]
        )

    def score(self, flagged: NDArray[np.bool_]) -> Score:
        """Word-weighted score of these flags."""
        return word_score(flagged.tolist(), self.gold.tolist(), self.words.tolist())

    def counts(self, flagged: NDArray[np.bool_]) -> list[WordCounts]:
        """Word counts of each group under these flags."""
        return [
            count_words(flagged[inside].tolist(), self.gold[inside].tolist(), self.words[inside].tolist())
            for inside in (self.groups == group for group in np.unique(self.groups))
        ]


class Calibration(NamedTuple):
    """A threshold, and how it does."""

    objective: Objective
    threshold: float
    """The chosen one; `recommendation` says whether to use it."""
    reached: bool
    """Whether the objective's floor is reached on the sample itself."""
    own_threshold: float
    """The detector's, as it was opened."""
    own: Score
    """With the detector's own threshold; nothing was chosen on the sample."""
    everything: Score
    """With every sentence flagged that claims something: what any detector must beat."""
    in_sample: Score
    """With the chosen threshold, on the statements that it was chosen on: too favourable."""
    cross_validated: Score
    """Each group judged with a threshold that was chosen without it."""
    own_flags: FlagCounts
    """By the detector's own threshold."""
    held_out_flags: FlagCounts
    """By a threshold chosen without each group."""
    precision_interval: Interval | None
    """95 %, of the share of wrong ones among `flag_counts`, clustered by group."""
    usual_precision_interval: Interval | None
    """The same, where errors are as rare as in a product."""
    interval: Interval | None
    """Of the cross-validated F1, clustered by group."""
    recommendation: Recommendation
    """Which threshold to use, by the cross-validated figures."""
    worthless: Reason | None
    """Why no threshold is recommended."""
    fold_thresholds: tuple[float, ...]
    """What was chosen without each fold; far apart: the sample is too small to settle it."""
    n_statements: int
    n_hallucinated: int
    n_unscored: int
    """Statements that the detector gave no score, small talk aside."""
    n_small_talk: int
    n_groups: int
    auroc: float | None
    """Chance that a hallucinated sentence scores higher than another, whatever the threshold; 0.5 is a guess. `None`
    where one kind has no score, or the scores only say yes or no."""
    auroc_interval: Interval | None
    """95 %, clustered by group."""
    flagged: float | None
    """Share of the scored statements that the recommended threshold flags, as `voirdire detect` counts it; `None`
    where none is recommended."""

    @property
    def flag_counts(self) -> FlagCounts:
        """By the default, where it is recommended, else by a threshold chosen without each group."""
        return self.own_flags if self.recommendation.which == "own" else self.held_out_flags

    def as_dict(self) -> dict[str, Any]:
        """For JSON; `None` for what is undefined. Its threshold is the recommended one, if there is one."""
        chosen = {"threshold": self.threshold, "reached": self.reached, "in_sample": as_object(self.in_sample)}
        others = {name: value for name, value in as_object(self).items() if name not in chosen}
        return {
            "threshold": self.recommendation.threshold,
            "chosen": chosen,
            **others,
            "objective": str(self.objective),
            "own": as_object(self.own),
            "everything": as_object(self.everything),
            "cross_validated": as_object(self.cross_validated),
            "own_flags": self.own_flags.as_dict(),
            "held_out_flags": self.held_out_flags.as_dict(),
            "flag_counts": self.flag_counts.as_dict(),
            "precision_interval": as_plain(self.precision_interval),
            "usual_precision_interval": as_plain(self.usual_precision_interval),
            "interval": as_plain(self.interval),
            "auroc_interval": as_plain(self.auroc_interval),
            "recommendation": self.recommendation.as_dict(),
            "worthless": None if self.worthless is None else self.worthless.as_dict(),
            "fold_thresholds": list(self.fold_thresholds),
        }


def parse_objective(text: str) -> Objective:
    """Read "f1", "precision=0.9" or "recall=0.9".

    Raises:
        DetectorError: it is none of these.
    """
    metric, _, floor = text.partition("=")
    try:
        if metric == "f1" and not floor:
            return Objective()
        if metric in ("precision", "recall") and 0 < float(floor) <= 1:
            return Objective("precision" if metric == "precision" else "recall", float(floor))
    except ValueError:
        pass
    raise DetectorError(f"The objective {text!r} is unknown; give f1, precision=0.9 or recall=0.9.")


def score_answers(
    detector: Detector, answers: Sequence[Answer], *, require: Require = "grounded", history: History = "none"
) -> ScoredSample:
    """Let a detector score answers, and keep the statements that carry a label.

    Small talk has no score, as `voirdire detect` never flags it. Header rows of tables are left out, as there.

    Raises:
        DetectorError: no statement carries one.
    """
    labelled = [answer for answer in map(without_headers, answers) if answer.labelled]
    scored = [
        (answer, statement, math.nan if statement.small_talk else score)
        for answer, scores in zip(labelled, detector.flag_many([passage_of(a, history) for a in labelled]), strict=True)
        for score, statement in zip(scores, answer.statements, strict=True)
    ]
    rows = [
        (score, hallucinated(statement.label, require), statement.words, answer.group, statement.small_talk)
        for answer, statement, score in scored
        if statement.label is not None
    ]
    others = [score for answer, each, score in scored if each.label is None and not answer.is_header(each)]
    if not rows:
        raise DetectorError(
            "None of these answers has a label for its sentences. Simplest is a CSV with the columns context, answer "
            "(one sentence in each row) and label (supported or unsupported); or have a model label them (voirdire "
            "label)."
        )
    scores, gold, words, groups, small_talk = zip(*rows, strict=True)
    return ScoredSample(
        np.array(scores, np.float64),
        np.array(gold, np.bool_),
        np.array(words, np.int64),
        np.array(groups),
        np.array(small_talk, np.bool_),
        np.array(others, np.float64),
    )


def choose_threshold(
    scores: ArrayLike,
    gold: ArrayLike,
    words: ArrayLike,
    objective: Objective | str = "f1",
    *,
    what: str = "labelled sentences",
) -> float:
    """The threshold that serves an objective best on these statements, counted in words.

    Scores count to six decimals, and so does the threshold. Every cut between two neighbouring scores is tried, and the
    middle between them is given, so that a statement a little below the last flagged one is not flagged by chance.
    Where no cut reaches the floor of an objective, the one that comes nearest is taken. Of equally good cuts the one
    that flags fewest wins.

    Args:
        scores: shape (n,); NaN is never flagged.
        gold: shape (n,), whether each statement is a hallucination.
        words: shape (n,), lengths in words.
        objective: "f1"; "precision=0.9": the highest recall with at least that precision; "recall=0.9": the reverse.
        what: the statements are, for an error's sentence.

    Raises:
        DetectorError: no statement has a score, or none is a hallucination.
    """
    aim = parse_objective(objective) if isinstance(objective, str) else objective
    score, true = round_scores(scores), np.asarray(gold, np.bool_)
    length = np.asarray(words, np.float64)
    labelled = float(length[true].sum())
    order = np.argsort(-score, kind="stable")
    order = order[np.isfinite(score[order])]
    if not order.size or not labelled:
        lacks = "is a hallucination" if order.size else "has a score"
        raise DetectorError(f"None of the {score.size} {what} {lacks}; no threshold can be chosen on them.")
    ranked = score[order]
    last = np.append(np.flatnonzero(np.diff(ranked)), ranked.size - 1)
    flagged, hit = np.cumsum(length[order])[last], np.cumsum(length[order] * true[order])[last]
    best = _best(flagged, hit, labelled, aim)
    return _between(ranked, int(last[best]))


def calibrate(
    sample: ScoredSample, objective: Objective | str = "f1", *, own_threshold: float = 0.5, seed: int = 0
) -> Calibration:
    """Choose a threshold on all of a sample, and judge it by grouped cross-validation.

    Five folds, or one for each group where there are fewer. The interval is the jackknife's over groups and takes the
    folds' thresholds as given.

    Raises:
        DetectorError: fewer than three groups, or too few hallucinations to leave a fold out.
    """
    aim = parse_objective(objective) if isinstance(objective, str) else objective
    sizes = Counter(sample.groups.tolist())
    if len(sizes) < MIN_GROUPS:
        raise DetectorError(
            f"The labelled answers rest on {counted(len(sizes), 'context')}; a threshold needs "
            f"{MIN_GROUPS} or more, better thirty, to say anything of new ones."
        )
    threshold = choose_threshold(sample.scores, sample.gold, sample.words, aim)
    flagged, chosen = _held_out(sample, assign_folds(sizes, min(_FOLDS, len(sizes)), seed), aim)
    in_sample = sample.score(reaches(sample.scores, threshold))
    best = None if aim.metric == "f1" else getattr(in_sample, aim.metric) or 0.0
    reached = best is None or best >= aim.floor
    own, held_out = reaches(sample.scores, own_threshold), sample.counts(flagged)
    advice = recommend(
        sample.counts(own),
        held_out,
        (own_threshold, threshold),
        aim.metric,
        aim.floor,
        everything=sample.counts(~sample.small_talk),
        nearest=None if reached else best,
    )
    counted_flags = own if advice.which == "own" else flagged
    known = ~np.isnan(sample.scores)
    graded = np.unique(sample.scores[known]).size > 2
    area = auroc_interval(sample.scores[known], sample.gold[known], sample.groups[known]) if graded else None
    advice = _unless_untold(_unless_too_many(advice, FlagCounts.of(counted_flags, sample.gold)), area)
    return Calibration(
        objective=aim,
        threshold=threshold,
        reached=reached,
        own_threshold=own_threshold,
        own=sample.score(own),
        everything=sample.score(~sample.small_talk),
        in_sample=in_sample,
        cross_validated=sample.score(flagged),
        own_flags=FlagCounts.of(own, sample.gold),
        held_out_flags=FlagCounts.of(flagged, sample.gold),
        precision_interval=share(sample.gold[counted_flags], sample.groups[counted_flags]).interval,
        usual_precision_interval=_usual_precision_interval(counted_flags, sample),
        interval=score_interval(held_out),
        recommendation=advice,
        worthless=advice.worthless,
        fold_thresholds=chosen,
        n_statements=int(sample.gold.size),
        n_hallucinated=int(sample.gold.sum()),
        n_unscored=int((np.isnan(sample.scores) & ~sample.small_talk).sum()),
        n_small_talk=int(sample.small_talk.sum()),
        n_groups=len(sizes),
        auroc=auroc(sample.scores[known], sample.gold[known]) if graded else None,
        auroc_interval=area,
        flagged=None if advice.threshold is None else _share_flagged(sample, advice.threshold),
    )


def _unless_too_many(advice: Recommendation, counts: FlagCounts) -> Recommendation:
    """The recommendation; none, where too few of the flagged sentences would be wrong in a product."""
    precision = counts.precision_at(USUAL_ERRORS)
    if advice.which is None or precision is None or precision >= _LEAST_PRECISION:
        return advice
    none = reason("flags_too_much", which=advice.which, usual=USUAL_ERRORS, precision=precision, least=_LEAST_PRECISION)
    return Recommendation(None, advice.which, advice.floor_reached, (none,), worthless=none)


def _unless_untold(advice: Recommendation, area: Interval | None) -> Recommendation:
    """The recommendation; none, where the interval of the area under the curve has a guess in it."""
    if advice.threshold is None or area is None or area.low > GUESS:
        return advice
    none = reason("scores_untold", best=advice.threshold)
    return Recommendation(None, advice.which, advice.floor_reached, (none,), worthless=none)


def _usual_precision_interval(flagged: NDArray[np.bool_], sample: ScoredSample) -> Interval | None:
    """Made of those of the share found and of the share of false alarms (MOVER: Zou and Donner, doi:10.1002/sim.3095).

    Its odds are their ratio times the odds of an error. `None` where either share is 0 or has no interval.
    """
    hit_rate, alarm_rate = (share(flagged[kind], sample.groups[kind]) for kind in (sample.gold, ~sample.gold))
    if not (hit_rate.value and hit_rate.interval and alarm_rate.value and alarm_rate.interval):
        return None
    down = math.hypot(
        math.log(hit_rate.value / hit_rate.interval.low), math.log(alarm_rate.interval.high / alarm_rate.value)
    )
    up = math.hypot(
        math.log(hit_rate.interval.high / hit_rate.value), math.log(alarm_rate.value / alarm_rate.interval.low)
    )
    odds = hit_rate.value / alarm_rate.value * USUAL_ERRORS / (1 - USUAL_ERRORS)
    low, high = (each / (1 + each) for each in (odds * math.exp(-down), odds * math.exp(up)))
    return Interval(low, high, hit_rate.interval.level, f"MOVER, {alarm_rate.interval.method}")


def _share_flagged(sample: ScoredSample, threshold: float) -> float:
    scores = np.concatenate([sample.scores, sample.unlabelled])
    return float(reaches(scores[~np.isnan(scores)], threshold).mean())


def _held_out(
    sample: ScoredSample, fold_of: dict[str, int], aim: Objective
) -> tuple[NDArray[np.bool_], tuple[float, ...]]:
    """Flags of every statement by the threshold that the other folds choose, and those thresholds."""
    folds = np.array([fold_of[group] for group in sample.groups.tolist()])
    flagged = np.zeros(folds.size, np.bool_)
    chosen = []
    for fold in range(max(fold_of.values()) + 1):
        others = sample.part(folds != fold)
        chosen.append(choose_threshold(others.scores, others.gold, others.words, aim, what=OTHER_FOLDS))
        flagged |= (folds == fold) & reaches(sample.scores, chosen[-1])
    return flagged, tuple(chosen)


def _best(flagged: NDArray[np.float64], hit: NDArray[np.float64], labelled: float, aim: Objective) -> int:
    """Which cut serves the aim; cuts come from few flagged words to all."""
    precision, recall = hit / np.maximum(flagged, 1), hit / labelled
    if aim.metric == "f1":
        return int(np.argmax(2 * hit / (flagged + labelled)))
    bound, gained = (precision, recall) if aim.metric == "precision" else (recall, precision)
    if not (bound >= aim.floor).any():
        return int(np.argmax(bound))
    return int(np.argmax(np.where(bound >= aim.floor, gained, -1.0)))


def _between(ranked: NDArray[np.float64], place: int) -> float:
    """A threshold that flags the scores up to `place`, from the highest, and no others."""
    high = float(ranked[place])
    if place + 1 == ranked.size:
        return high
    middle = float(round_scores((high + float(ranked[place + 1])) / 2))
    return middle if middle > ranked[place + 1] else high
