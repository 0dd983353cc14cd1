"""Scores that nobody gave, and scores that can't tell models apart."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from voirdire.evaluation.checks.check import (
    MOST_QUOTES,
    SURE,
    Check,
    Quote,
    Status,
    graded,
    not_measured,
    quote,
    share_of_rows,
)
from voirdire.evaluation.checks.outputs import are_empty, empty_output
from voirdire.evaluation.headline import headlines
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.scales import by_name, judges_apart, most_apart, off_the_scale
from voirdire.evaluation.texts import Bools, is_the_baseline, texts_of
from voirdire.evaluation.unanswered import is_empty, is_error, no_answers, unanswered
from voirdire.reason_codes import Reason, reason
from voirdire.stats import special

WARN_DEFAULTS, FAIL_DEFAULTS = 0.01, 0.05
WARN_ALIKE, FAIL_ALIKE = 0.6, 0.85
"""Share of items on which all models score alike: beyond, most of the evaluation tells nothing."""
NEAR_END, AT_END = 0.03, 0.01
"""How near the mean of a model may be to the end of the scale."""
_SAME = 0.02
"""Of the scale: scores of one item that differ by less are alike."""
_FEWEST = 20
_MODELS = 3
"""Models that an item must tell apart: of two, most items score alike in any sound evaluation."""
_USUAL = 0.5
"""Of a judge's rows that have a verdict's text: then one without is not by design."""
_NO_REPLY = re.compile(
    r"\b(?:evaluation (?:llm|model)|judge|grader)\W+(?:\w+ ){0,3}(?:invalid|malformed|unparse?able)\b", re.I
)
"""A tool's words for a judge whose reply it could not read."""
_SIGNS = (
    re.compile(r"\[\[.{1,8}\]\]"),
    re.compile(r"(?:grade|score|rating|verdict|judge?ment|correct|winner|preference|pass(?:ed)?)\W{0,6}\w", re.I),
    re.compile(r"\d"),
    re.compile(r"\b(?:correct|incorrect|yes|no|true|false|pass|fail|better|worse|tie|win)\b", re.I),
)
"""What a verdict that can be read holds; the first sign that most verdicts have must stand in all."""
_STEPS = 5
"""Different scores from which a judge's scores of one model have a shape."""
_PEAK, _END_PEAK = 1.6, 2.0
"""How many times as many outputs a sound peak has as the steps beside it."""
_STRAY = 0.25
"""Of the rows: a value that stands in more is a step of the scale."""
_ATOM = 0.01
"""Of the rows of a model, beside what is usual, that have one and the same middle value."""
_TIE = re.compile(r"\s*(?:equally good|(?:a )?(?:tie|draw))\s*(?:[.:,;!]|$)|.*\[\[(?:A=B|C|tie)\]\]\W*$", re.I | re.S)
"""A verdict that prefers neither of two."""
_PARTLY = re.compile(r"\bgrade:\W{0,3}P\b|\bpart(?:ial(?:ly)?|ly)\b", re.I)
"""A verdict between right and wrong: Inspect's P, or in words."""
_SELDOM = 0.15
"""Of all scores: a negative one of three in fewer of them, half as many as of either other, is no step of the scale."""
_CODES = (-1.0, -9.0, -99.0, -999.0, -100.0)
"""What usually stands for "nothing was scored"."""
_CLEAR = 2.0
"""How many times as far from all others a value off the scale lies as any two of them from each other."""


def missing_scored(evaluation: Evaluation) -> Check:
    """Rows that have a score though nothing was scored. Value: their share in the model with most of them.

    They ended in an error, have no verdict or none that can be read, no output, or stand with others on one value that
    looks like a default: the middle of a scale that is else not used, or a value apart from all other scores. Where
    `empty_output` fails for all of them, this warns: it is one defect.
    """
    id = "missing_scored"
    rows = evaluation.rows
    scored = rows["score"].notna().to_numpy()
    if not scored.any():
        return not_measured(id, evaluation, "evaluation_no_scores")
    status = rows["status"].astype(object).to_numpy()
    output, verdict = texts_of(evaluation, "output"), texts_of(evaluation, "verdict")
    silent = output.codes < 0
    judged = bool(evaluation.judges) or evaluation.has("verdict")
    failed = np.isin(status, ("error", "missing"))
    failed |= (status == "limit") & (silent | output.where(lambda text: not text.strip()))
    if judged:
        failed |= status == "unparsed"
    failed |= evaluation.rows["error"].notna().to_numpy() & (silent | output.where(lambda text: not text.strip()))
    if evaluation.has("output"):
        failed |= silent & ~np.isin(evaluation.codes("model"), _without_outputs(evaluation))
    if judged:
        failed |= no_answers(evaluation, is_empty) & _in_better_half(evaluation)
    else:  # no code can score what is not there: the call failed, and counts as wrong
        failed |= no_answers(evaluation, lambda text: not text.strip() or is_error(text))
    unread = _unread(evaluation, verdict.codes, verdict.unique)
    default, value = _defaults(evaluation, judged=judged)
    hits = scored & (failed | unread | default)
    check = share_of_rows(
        id,
        evaluation,
        hits,
        scored,
        warn=WARN_DEFAULTS,
        fail=FAIL_DEFAULTS,
        column="verdict" if evaluation.has("verdict") else "output",
        details={
            "without_result": int((scored & failed).sum()),
            "unread_verdicts": int((scored & unread).sum()),
            "at_a_default": int((scored & default).sum()),
            "default": value,
        },
    )
    if value is not None and not (hits & ~default).any():
        return replace(check, finding=reason("evaluation_at_a_default", **dict(check.finding.params), value=value))
    if (
        check.status == "fail"
        and are_empty(evaluation)[hits].all()
        and _fails_for(empty_output(evaluation), check.models)
    ):
        return replace(check, status="warn", finding=reason("evaluation_empty_and_scored", why=check.finding))
    return check


def _fails_for(check: Check, models: Collection[str]) -> bool:
    return check.status == "fail" and {*models} <= {*check.models}


def saturation(evaluation: Evaluation) -> Check:
    """Items on which all models score alike, and means at the end of the scale. Value: the share of such items.

    Of one model: how near its mean is to the end of the scale, as 1 - distance.
    """
    id, scores = "saturation", evaluation.item_scores
    values = scores.values
    models = np.flatnonzero((~np.isnan(values)).sum(axis=1) >= _FEWEST)
    span = None if evaluation.bounds is None else evaluation.bounds[1] - evaluation.bounds[0]
    if not len(models) or (span is not None and span <= 0):
        return not_measured(id, evaluation, "evaluation_too_few_items")
    ends = _ends(evaluation)
    if len(models) < _MODELS:
        if span is None:
            return not_measured(id, evaluation, "evaluation_no_bounds")
        near = min(ends.values())
        pairwise = evaluation.has("baseline")
        all_near = max(ends.values()) <= NEAR_END and not pairwise
        status: Status = ("fail" if max(ends.values()) <= AT_END else "warn") if all_near else "pass"
        result = reason("evaluation_at_the_end", distance=near, models=len(ends))
        names = tuple(ends) if status != "pass" else ()
        return Check(
            id, status, evaluation.name, result, 1 - near, int(headlines(evaluation)[next(iter(ends))].n), names
        )
    part = values[models]
    shared = (~np.isnan(part)).sum(axis=0) >= _MODELS
    if shared.sum() < _FEWEST:
        return not_measured(id, evaluation, "evaluation_too_few_items")
    with np.errstate(invalid="ignore"):
        spread = np.nanmax(part[:, shared], axis=0) - np.nanmin(part[:, shared], axis=0)
    scale = span if span is not None else float(np.nanmax(part) - np.nanmin(part))
    alike = spread <= _SAME * scale
    share = float(alike.mean())
    items = np.flatnonzero(shared)[alike]
    means = np.nanmean(part[:, items], axis=0) if len(items) else np.zeros(0)
    top = evaluation.bounds[1] if evaluation.bounds is not None else float(np.nanmax(part))
    ceiling = int((means >= top - _SAME * scale).sum())
    at_end = [name for name, distance in ends.items() if distance <= NEAR_END]
    status = graded(share, WARN_ALIKE, FAIL_ALIKE)
    if status == "pass" and len(at_end) >= max(2, 0.5 * len(models)) and not evaluation.has("baseline"):
        status = "warn"
    firsts = dict(zip(evaluation.codes("item")[::-1], range(len(evaluation.rows) - 1, -1, -1), strict=True))
    return Check(
        id,
        status,
        evaluation.name,
        reason("evaluation_alike", items=len(items), of=int(shared.sum()), ceiling=ceiling),
        share,
        int(shared.sum()),
        tuple(at_end) if status != "pass" else (),
        () if status == "pass" else tuple(quote(evaluation, firsts[place], "prompt") for place in items[:MOST_QUOTES]),
        {"alike": len(items), "at_ceiling": ceiling, "near_the_end": at_end},
    )


def different_scales(evaluation: Evaluation) -> Check:
    """Two models, or two judges, whose scores lie on different scales. Value: how many times as high one reaches.

    See `scales.most_apart`. So does a slip of the pen: a few scores far above the scale of all others.
    """
    id = "different_scales"
    slips = np.flatnonzero(off_the_scale(evaluation))
    if slips.size:
        return _slipped(evaluation, slips)
    by_model, by_judge = by_name(evaluation, "model"), by_name(evaluation, "judge")
    if len(by_model) < 2 and len(by_judge) < 2:
        few = len(evaluation.models) > 1
        return not_measured(id, evaluation, "evaluation_too_few_items" if few else "evaluation_one_model")
    pair = most_apart([*by_model.values()], lower=not evaluation.higher_is_better)
    models = () if pair is None else tuple(list(by_model)[place] for place in pair)
    judges = () if models else judges_apart(evaluation) or ()
    own = by_judge if judges or len(by_model) < 2 else by_model
    reach = {name: float(np.abs(scores).max()) for name, scores in own.items()}
    ends = sorted(reach, key=reach.__getitem__)
    wide, narrow = (reach[name] for name in models or judges or (ends[-1], ends[0]))
    result = _one_scale(evaluation, by_model, by_judge)
    if models or judges:
        code = "evaluation_other_scales" if models else "evaluation_other_scales_of_judges"
        first, second = models or judges
        result = reason(code, first=first, second=second, wide=wide, narrow=narrow)
    return Check(
        id,
        "fail" if models or judges else "pass",
        evaluation.name,
        result,
        wide / narrow,
        sum(map(len, own.values())),
        models,
        details={"highest": {name: float(scores.max()) for name, scores in own.items()}, "judges": list(judges)},
    )


CHECKS = (different_scales, missing_scored, saturation)


def _in_better_half(evaluation: Evaluation) -> Bools:
    """Rows whose score lies in the better half of the scale: nothing that was written earns it."""
    score = evaluation.rows["score"].to_numpy(np.float64)
    low, high = evaluation.bounds or (float(np.nanmin(score)), float(np.nanmax(score)))
    middle = 0.5 * (low + high)
    return np.asarray(score > middle if evaluation.higher_is_better else score < middle)


def _slipped(evaluation: Evaluation, slips: np.ndarray) -> Check:
    """A few scores far above the scale of all others."""
    rows, score = evaluation.rows, evaluation.rows["score"].to_numpy(np.float64)
    others = np.delete(score, slips)
    low, high, top = float(np.nanmin(others)), float(np.nanmax(others)), float(score[slips].max())
    quotes = tuple(
        Quote(str(rows["item"].iloc[row]), str(rows["model"].iloc[row]), f"score {score[row]:g}") for row in slips
    )
    return Check(
        "different_scales",
        "fail",
        evaluation.name,
        reason(
            "evaluation_off_the_scale",
            rows=int(slips.size),
            of=int((~np.isnan(score)).sum()),
            low=low,
            high=high,
            top=top,
        ),
        top / high,
        int((~np.isnan(score)).sum()),
        tuple(dict.fromkeys(quote.model for quote in quotes)),
        quotes[:MOST_QUOTES],
        {"slips": int(slips.size)},
    )


def _one_scale(evaluation: Evaluation, by_model: Collection[str], by_judge: Collection[str]) -> Reason:
    """Whose scores were compared, and whose could not be."""
    if len(by_model) < 2:
        return reason("evaluation_one_scale_of_judges", of=len(by_judge))
    left = tuple(model for model in evaluation.models if model not in by_model)
    if left:
        return reason("evaluation_one_scale_of_some", of=len(by_model), all=len(evaluation.models), left=left)
    return reason("evaluation_one_scale", of=len(by_model))


def _without_outputs(evaluation: Evaluation) -> np.ndarray:
    """Models most of whose rows have no output: their file leaves outputs out."""
    model, size = evaluation.codes("model"), len(evaluation.models)
    known = np.bincount(model[texts_of(evaluation, "output").codes >= 0], minlength=size)
    return np.flatnonzero(known < _USUAL * np.bincount(model, minlength=size))


def _unread(evaluation: Evaluation, codes: np.ndarray, texts: object) -> Bools:
    """Rows whose verdict is empty, an error, or lacks what the others have."""
    verdict = texts_of(evaluation, "verdict")
    if not evaluation.has("verdict"):
        return np.zeros(len(codes), dtype=bool)
    judge = evaluation.codes("judge") + 1
    result = np.zeros(len(codes), dtype=bool)
    empty = (verdict.codes < 0) | verdict.where(lambda text: not text.strip())
    broken = verdict.where(lambda text: len(text) < 400 and bool(is_error(text) or _NO_REPLY.search(text)))
    signs = [verdict.where(lambda text, sign=sign: sign.search(text) is not None) for sign in _SIGNS]  # type: ignore[misc]
    for place in np.unique(judge):
        mine = judge == place
        if (mine & ~empty).sum() < max(_USUAL * mine.sum(), 5):
            continue
        usual = next((sign for sign in signs if _is_usual(sign, mine, verdict.codes)), None)
        result |= mine & (empty | broken)
        if usual is not None:
            lacking = mine & ~usual & ~empty
            result |= lacking if lacking.sum() <= 0.25 * mine.sum() else False
    return result


def _is_usual(sign: Bools, mine: Bools, codes: np.ndarray) -> bool:
    """Whether a judge's different verdicts nearly all hold a sign."""
    own = np.unique(codes[mine & (codes >= 0)])
    with_sign = np.unique(codes[mine & sign])
    return len(with_sign) >= max(0.75 * len(own), 5)


def _defaults(evaluation: Evaluation, *, judged: bool) -> tuple[Bools, float | None]:
    """Rows on one value that looks like a default, and that value; of all judges together, else of one of them.

    Not together where judges are on different scales, or one rounds more than another: among tenths, whole numbers
    stand out.
    """
    judge = evaluation.codes("judge")
    if judges_apart(evaluation) is None and not _round_unlike(evaluation):
        together = _defaults_among(evaluation, np.ones(len(judge), dtype=bool), judged=judged)
        if together[0].any() or len(evaluation.judges) < 2:
            return together
    by_judge = [_defaults_among(evaluation, judge == place, judged=judged) for place in np.unique(judge)]
    return max(by_judge, key=lambda each: int(each[0].sum()))


def _round_unlike(evaluation: Evaluation) -> bool:
    """Whether one judge uses fewer than half as many different scores as another."""
    score, judge = evaluation.rows["score"].to_numpy(np.float64), evaluation.codes("judge")
    steps = [len(np.unique(score[(judge == place) & ~np.isnan(score)])) for place in np.unique(judge)]
    return 2 * min(steps, default=0) < max(steps, default=0)


def _defaults_among(evaluation: Evaluation, among: Bools, *, judged: bool) -> tuple[Bools, float | None]:
    """The same, among some of the rows.

    Of right or wrong: a few rows between the two, that are the same everywhere, beside verdicts of which none calls
    them a tie. Of fine scores: more rows on one value than such scores allow. Outputs that are the baseline's own are a
    draw in truth, as is what a verdict calls one, or partly right.
    """
    rows = evaluation.rows
    score = rows["score"].to_numpy(np.float64)
    nothing = np.zeros(len(score), dtype=bool)
    known = among & ~np.isnan(score) & ~is_the_baseline(evaluation) & ~_is_in_between(evaluation)
    apart, off_scale = _apart(evaluation, known)
    if apart.any() or known.sum() < _FEWEST:
        return apart, off_scale
    values, number, counts = np.unique(score[known], return_inverse=True, return_counts=True)
    sentinel = _sentinel(values, counts)
    if sentinel is not None and (judged or sentinel in _CODES):
        return known & (score == sentinel), sentinel
    if not judged:
        return nothing, None
    odd = _off_grid(values)
    if odd is not None and (at_odd := _of_one_model(evaluation, known, score == odd)).any():
        return at_odd, odd
    if len(values) < 3:
        return nothing, None
    low, high = evaluation.bounds or (float(values[0]), float(values[-1]))
    model = evaluation.codes("model")[known]
    singles = len(values) > max(20.0, 0.02 * len(number))
    if singles:
        ends = (values <= low) | (values >= high)
        inner = np.flatnonzero(~ends & (values > low + 0.01 * (high - low)) & (values < high - 0.01 * (high - low)))
        others = np.median(counts[inner]) if len(inner) else 0
        suspects = inner[counts[inner] >= max(5, 5 * others)]
    else:
        middle = 0.5 * (low + high)
        steps = len(values) == 3 and values[0] <= low and values[-1] >= high and evaluation.has("verdict")
        suspects = (
            np.arange(1, 2) if steps and values[1] == middle and counts[1] < _STRAY * len(number) else np.arange(0)
        )
    result = nothing.copy()
    if len(values) >= _STEPS and not singles:
        return _spikes(evaluation, score, known, values)
    for place in suspects:
        at = number == place
        n = np.bincount(model)
        shares = np.bincount(model, at, minlength=len(n)) / np.maximum(n, 1)
        usual = _ATOM if singles else 2 * _ATOM
        tail = special.bdtrc(np.maximum(np.rint(shares * n) - 1, 0), np.maximum(n, 1), usual)
        beyond = (shares >= usual) & (tail < SURE / max(len(n), 1))
        if special.bdtrc(int(at.sum()) - 1, len(at), usual) < SURE:
            beyond |= shares > 0
        if beyond.any():
            rows_at = np.flatnonzero(known)[at & beyond[model]]
            result[rows_at] = True
    return _most_frequent(result, score)


def _is_in_between(evaluation: Evaluation) -> Bools:
    """Rows whose verdict prefers neither of two, or calls an output partly right."""
    verdict = texts_of(evaluation, "verdict")
    return verdict.where(lambda text: _TIE.match(text) is not None or _PARTLY.search(text) is not None)


def _sentinel(values: np.ndarray, counts: np.ndarray) -> float | None:
    """A value that lies off the scale of all others: the only negative one, or one ten times as large as the others.

    Of three values it must be seldom as well: lost, tied and won may be -1, 0 and 1, and wrong answers may cost a part
    of a point.
    """
    if len(values) < 3:
        return None
    if values[0] < 0 <= values[1]:
        seldom = counts[0] < _SELDOM * counts.sum() and 2 * counts[0] < counts[1:].min()
        return float(values[0]) if len(values) > 3 or seldom else None
    return float(values[-1]) if values[-1] >= 9 and values[-1] > 10 * max(float(values[-2]), 1.0) else None


def _apart(evaluation: Evaluation, known: Bools) -> tuple[Bools, float | None]:
    """Rows of one model on a value beyond all other scores, with a clear gap to the model's own; and that value.

    Of a few steps only one that is 0 or less counts, where all others lie above 0, or one that doubles the scale: the
    worst step may be earned. What holds no answer may earn it, too.
    """
    score, model = evaluation.rows["score"].to_numpy(np.float64), evaluation.codes("model")
    known = known & ~(unanswered(evaluation) & (score >= 0))
    for place in range(len(evaluation.models)):
        own = np.unique(score[known & (model == place)])
        others = score[known & (model != place)]
        if len(own) < _STEPS or len(others) < _FEWEST:
            continue
        steps = np.diff(own)
        for value, gap, rest in ((own[0], steps[0], steps[1:]), (own[-1], steps[-1], steps[:-1])):
            at = score == value
            beyond = value < others.min() if value == own[0] else value > others.max()
            fine = len(own) > 0.5 * (known & (model == place) & ~at).sum()
            coarse = value <= 0 < others.min() or value == own[-1] >= own[-2] + np.ptp(own[:-1])
            if beyond and gap >= _CLEAR * rest.max() and (fine or coarse):
                result = _of_one_model(evaluation, known, at)
                if result.any():
                    return result, float(value)
    return np.zeros(len(score), dtype=bool), None


def _off_grid(values: np.ndarray) -> float | None:
    """The one value that is no step of a scale whose other values are: 3.5 among 1, 2, 3, 4 and 5."""
    matches = []
    for place, value in enumerate(values):
        others = np.delete(values, place)
        if len(others) < _STEPS or not others[0] < value < others[-1]:
            continue
        steps = (np.append(others, value) - others[0]) / np.diff(others).min()
        off = np.abs(steps - np.rint(steps)) > 1e-6
        if off[-1] and not off[:-1].any():
            matches.append(float(value))
    return matches[0] if len(matches) == 1 else None


def _of_one_model(evaluation: Evaluation, known: Bools, hits: Bools) -> Bools:
    """Those of the rows that lie in models which have far more of them than all others: no habit of the judge."""
    model, size = evaluation.codes("model"), len(evaluation.models)
    n = np.bincount(model[known], minlength=size)
    k = np.bincount(model[known & hits], minlength=size)
    usual = np.maximum((k.sum() - k) / np.maximum(n.sum() - n, 1), _ATOM)
    tail = special.bdtrc(np.maximum(k - 1, 0), np.maximum(n, 1), np.minimum(usual, 0.99))
    return np.asarray(known & hits & ((k >= _STEPS) & (tail < SURE / size))[model])


def _spikes(evaluation: Evaluation, score: np.ndarray, known: Bools, values: np.ndarray) -> tuple[Bools, float | None]:
    """Rows on a step to which a judge gives far more outputs of a model than to the steps beside it.

    Scores of one model and judge have one peak, which is no more than half as high again as the steps beside it (a
    normal spread of a step has 1.6). At the end of the scale a peak counts where there is another one within.
    """
    result = np.zeros(len(score), dtype=bool)
    cell = evaluation.codes("model") * (len(evaluation.judges) + 1) + evaluation.codes("judge") + 1
    cells = np.unique(cell[known])
    for each in cells:
        rows = np.flatnonzero(known & (cell == each))
        counts = np.bincount(np.searchsorted(values, score[rows]), minlength=len(values))
        for place in _default_places(values):
            beside = int(max(counts[place - 1] if place else 0, counts[place + 1] if place + 1 < len(counts) else 0))
            at = int(counts[place])
            if at < _ATOM * len(rows) or at < 5:
                continue
            within = int(np.delete(counts, [place, *([len(counts) - 1] if place == 0 else [])]).max(initial=0))
            is_end = place in (0, len(values) - 1)
            odds = _PEAK if not is_end else _END_PEAK
            chance = special.bdtrc(at - 1, at + beside, odds / (1 + odds))
            if chance < SURE / len(cells) and (not is_end or within > 2 * beside):
                result[rows[score[rows] == values[place]]] = True
    return _most_frequent(result, score)


def _most_frequent(hits: Bools, score: np.ndarray) -> tuple[Bools, float | None]:
    """Of the rows, those with the score that most of them have, and that score."""
    if not hits.any():
        return hits, None
    steps, times = np.unique(score[hits], return_counts=True)
    value = float(steps[times.argmax()])
    return hits & (score == value), value


def _default_places(values: np.ndarray) -> list[int]:
    """Places of values that are usual defaults: the lowest and the middle of the scale."""
    middle = 0.5 * (values[0] + values[-1])
    return [0, int(np.abs(values - middle).argmin())]


def _ends(evaluation: Evaluation) -> dict[str, float]:
    """By model with enough items, how far its mean lies from the nearer end, as a share of the scale."""
    if evaluation.bounds is None:
        return {}
    low, high = evaluation.bounds
    return {
        name: min(each.value - low, high - each.value) / (high - low)
        for name, each in headlines(evaluation).items()
        if each.value is not None and each.n >= _FEWEST
    }
