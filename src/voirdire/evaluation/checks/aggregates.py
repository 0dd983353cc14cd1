"""Does the headline follow from the items, and its error? What was left out of it?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from voirdire.evaluation.checks.check import (
    MOST_QUOTES,
    Check,
    Quote,
    Status,
    first_quotes,
    graded,
    not_measured,
    quote,
)
from voirdire.evaluation.headline import ENOUGH_CLUSTERS, Headline, headlines
from voirdire.evaluation.records import Evaluation, Floats, Places, Printed, flat_settings
from voirdire.evaluation.reducers import REDUCERS, reduced
from voirdire.evaluation.texts import Bools, shares_by_model
from voirdire.reason_codes import reason
from voirdire.stats import special

SAME_VALUE = 1e-4
"""0.01 of a percentage point: a printed headline this near, or within its own rounding, is the recomputed one."""
SAME_ERROR = 0.05
"""Of the printed standard error: bootstrapped ones differ by a few percent."""
WARN_DROPPED, FAIL_DROPPED = 0.01, 0.05
_NEARLY_ALL = 0.9
"""Share of the outputs from which a judge is one of all, and no judge of a part."""
WARN_RATIO, FAIL_RATIO = 1.2, 1.5
"""Clustered over printed standard error."""
_WHOLE = 0.8
"""Share of all questions and pairs of models that must stand in the data for the others to be missing there."""
_EXTRACT = 0.5
"""Share of the items that a file says were asked: one that holds no more is an extract."""
_RUN = re.compile(
    r"(?:total|completed|scored|n|num|number_of|evaluated|effective)_?(?:samples|items|instances|rows|examples|questions|docs)"
    r"|items|n-samples|effective|total_rows|n_total",
    re.I,
)
"""Settings, by their name, that say how many items were run."""


def headline_recomputed(evaluation: Evaluation) -> Check:
    """Whether the printed value and error of each model follow from its items. Value: the largest gap.

    A value that follows by another usual rule (a missing score counts as the lowest, the best try counts, a mean over
    rows or clusters) follows, and the rule is named. Where a file holds fewer items than the value rests on, one that
    the missing items could explain is a warning.
    """
    id = "headline_recomputed"
    result = headlines(evaluation)
    printed = [each for each in evaluation.printed if each.model in result and result[each.model].value is not None]
    if not printed:
        lacking = "evaluation_no_items" if evaluation.printed else "evaluation_nothing_printed"
        return not_measured(id, evaluation, lacking)
    gaps, rules, by_rule = {}, {}, {}
    for each in printed:
        gaps[each], rules[each], by_rule[each] = _nearest(each, evaluation, result[each.model])
    wrong = [each for each in printed if gaps[each] > _tolerance(each, evaluation)]
    partial = [each for each in wrong if _explained_by_missing(each, evaluation, result[each.model])]
    wrong_error = [each for each in printed if each not in wrong and not _error_follows(each, by_rule[each])]
    certain = [each for each in wrong if each not in partial]
    otherwise = [each for each in printed if each not in wrong and rules[each] != "mean"]
    inverted = [each for each in certain if _is_inverted(each, result[each.model], evaluation)]
    if not wrong and not wrong_error and any(_is_extract(evaluation, each.model) for each in printed):
        return not_measured(id, evaluation, "evaluation_extract")
    worst = max(gaps.values())
    concerned = sorted(certain or partial or wrong_error, key=lambda each: -gaps[each])
    status: Status = "fail" if certain or wrong_error else "warn" if partial else "pass"
    if certain or wrong_error or not partial:
        code = (
            "evaluation_headline_differs"
            if certain
            else "evaluation_error_differs"
            if wrong_error
            else "evaluation_follows_otherwise"
            if otherwise
            else "evaluation_follows"
        )
        if not certain and wrong_error:
            concerned = wrong_error
            worst = max(abs((each.se or 0.0) - (by_rule[each].se or 0.0)) for each in wrong_error)
        rule = tuple(dict.fromkeys(rules[each] for each in otherwise)) or ("mean",)
        models = len(concerned) if concerned else len(otherwise)
        finding = reason(code, models=models, of=len(printed), gap=worst, rule=rule)
        if inverted and len(inverted) == len(certain):
            first, (low, high) = concerned[0], evaluation.bounds or (0.0, 1.0)
            finding = reason(
                "evaluation_headline_inverted",
                models=models,
                of=len(printed),
                top=low + high,
                value=result[first.model].value or 0.0,
                printed=first.value,
            )
    else:
        first = concerned[0]
        finding = reason("evaluation_headline_partial", items=result[first.model].n, stated=first.n or 0)
    return Check(
        id,
        status,
        evaluation.name,
        finding,
        worst,
        len(printed),
        tuple(dict.fromkeys(each.model for each in concerned)),
        tuple(_printed_quote(each, by_rule[each]) for each in concerned[:MOST_QUOTES]),
        {
            "rules": {each.model: rules[each] for each in otherwise},
            "other_places": _other_places(certain, result, higher_is_better=evaluation.higher_is_better),
        },
    )


def dropped_items(evaluation: Evaluation) -> Check:
    """Items without a score, which the mean leaves out. Value: their share in the model that has most of them.

    Counted are rows without a score; items that most models have and this one, which has most of them, has not; items
    that the file says were run and are not there; scored items that a printed headline says it does not rest on. Where
    an item has several judges or repetitions and lacks some of them, the share is that of its scores. Where none
    of these is found, outputs count that a judge lacks who scored nearly all others.
    """
    id, scores = "dropped_items", evaluation.item_scores
    rows = evaluation.rows
    asked = np.zeros(scores.values.shape, dtype=bool)
    asked[rows["model"].cat.codes, rows["item"].cat.codes] = True
    absent = _absent(evaluation, asked)
    printed = _left_out_of_printed(evaluation, asked.sum(axis=1))
    dropped = np.maximum((asked & np.isnan(scores.values)).sum(axis=1) + absent, printed)
    of = asked.sum(axis=1) + absent
    of = np.where(printed > 0, np.maximum(of, [_stated_in_items(evaluation, model) for model in scores.models]), of)
    if not of.any():
        return not_measured(id, evaluation, "evaluation_no_scores")
    if not dropped.any() and any(_is_extract(evaluation, model) for model in scores.models):
        return not_measured(id, evaluation, "evaluation_extract")
    unscored = rows["score"].isna().to_numpy()
    partial = unscored & ~np.isnan(scores.values[evaluation.codes("model"), evaluation.codes("item")])
    partly, _ = shares_by_model(evaluation, unscored & partial.any(), np.ones(len(rows), dtype=bool))
    whole = dropped / np.maximum(of, 1)
    shares = np.maximum(whole, partly)
    worst = float(shares.max())
    order = [int(place) for place in np.argsort(-shares, kind="stable") if shares[place] > 0]
    bounds = {
        scores.models[place]: _bounds(evaluation, place, int(dropped[place])) for place in order if dropped[place]
    }
    result = reason("evaluation_none_dropped", of=int(of.sum()))
    if order:
        first = scores.models[order[0]]
        code = "evaluation_absent" if absent.any() else "evaluation_dropped"
        ends: Mapping[str, str | float] = {}
        if not absent.any() and (reach := bounds.get(first)) is not None:
            code = "evaluation_dropped_by_one" if len(order) == 1 else "evaluation_dropped_by_several"
            ends = {"model": first, "low": reach[0], "high": reach[1]}
        result = reason(
            code, items=int(dropped.sum()), of=int(of.sum()), models=len(order), absent=int(absent.sum()), **ends
        )
    if worst > float(whole.max()):
        models = int((partly > 0).sum())
        result = reason("evaluation_partly_dropped", items=int(unscored.sum()), of=len(rows), models=models)
    judge, lacking, outputs = _most_gaps(evaluation)
    if not order and lacking.any():
        shares = lacking / np.maximum(outputs, 1)
        worst = float(shares.max())
        order = [int(place) for place in np.argsort(-shares, kind="stable") if shares[place] > 0]
        counts = {"outputs": int(lacking.sum()), "of": int(outputs.sum()), "models": len(order)}
        result = reason("evaluation_judge_gaps", judge=judge, **counts)
    return Check(
        id,
        graded(worst, WARN_DROPPED, FAIL_DROPPED),
        evaluation.name,
        result,
        worst,
        int(of.sum()),
        tuple(scores.models[place] for place in order if shares[place] >= WARN_DROPPED),
        first_quotes(_unscored(evaluation, int(row)) for row in np.flatnonzero(unscored)),
        {"bounds": bounds},
    )


def _most_gaps(evaluation: Evaluation) -> tuple[str, Places, Places]:
    """Of the judges who scored nearly all outputs, but not all: who lacks most; its gaps and all outputs, by model."""
    rows = evaluation.rows
    scored = rows.loc[rows["score"].notna(), ["model", "item", "judge"]].drop_duplicates()
    outputs = _by_model(evaluation, scored[["model", "item"]].drop_duplicates())
    gaps = {judge: outputs - _by_model(evaluation, scored[scored["judge"] == judge]) for judge in evaluation.judges}
    few = {judge: each for judge, each in gaps.items() if 0 < each.sum() <= (1 - _NEARLY_ALL) * outputs.sum()}
    worst = max(few, key=lambda judge: few[judge].sum(), default="")
    return worst, few.get(worst, np.zeros_like(outputs)), outputs


def _by_model(evaluation: Evaluation, rows: pd.DataFrame) -> Places:
    return np.bincount(rows["model"].cat.codes, minlength=len(evaluation.models))


def unclustered_error(evaluation: Evaluation) -> Check:
    """The clustered standard error beside the printed one. Value: their ratio, the median over models.

    Where none is printed, beside that of independent items, which can then only be a warning.
    """
    id, scores = "unclustered_error", evaluation.item_scores
    if not scores.clustered:
        return not_measured(id, evaluation, "evaluation_no_clusters")
    printed = {each.model: each.se for each in evaluation.printed if each.se}
    ratios = {
        model: each.clustered_se / beside
        for model, each in headlines(evaluation).items()
        if each.clustered_se is not None and (beside := printed.get(model) or each.se)
    }
    clusters = len(scores.cluster_names)
    if not ratios or clusters < ENOUGH_CLUSTERS:
        return not_measured(id, evaluation, "evaluation_few_clusters")
    ratio = float(np.median(list(ratios.values())))
    status = graded(ratio, WARN_RATIO, FAIL_RATIO) if ratio > _by_chance(clusters) else "pass"
    if status == "fail" and not printed:  # nobody has claimed the smaller error
        status = "warn"
    return Check(
        id,
        status,
        evaluation.name,
        reason(f"evaluation_clusters{'' if printed else '_unprinted'}", ratio=ratio, clusters=clusters),
        ratio,
        len(ratios),
        tuple(sorted((model for model in ratios if ratios[model] >= WARN_RATIO), key=lambda model: -ratios[model])),
        details={"ratios": ratios},
    )


CHECKS = (headline_recomputed, dropped_items, unclustered_error)


def _nearest(printed: Printed, evaluation: Evaluation, result: Headline) -> tuple[float, str, Headline]:
    """The gap to the mean over items, "mean", and that mean; where another usual rule explains the value, of that."""
    gap = abs(printed.value - (result.value or 0.0))
    near = _tolerance(printed, evaluation)
    if gap <= near:
        return gap, "mean", result
    others = {rule: _mean(values) for rule, values in _by_other_rules(evaluation, printed.model).items()}
    gaps = {rule: abs(printed.value - other.value) for rule, other in others.items() if other.value is not None}
    rule = min(gaps, key=lambda name: gaps[name], default="mean")
    return (gaps[rule], rule, others[rule]) if gaps and gaps[rule] <= near else (gap, "mean", result)


def _by_other_rules(evaluation: Evaluation, model: str) -> dict[str, Floats]:
    """The values whose mean is the headline as other rules that are in use would have it."""
    place = evaluation.models.index(model)
    values = evaluation.item_scores.values[place]
    known = ~np.isnan(values)
    mine = evaluation.codes("model") == place
    scores = evaluation.rows["score"].to_numpy(np.float64)[mine]
    results = {}
    items = len(np.unique(evaluation.codes("item")[mine]))
    if evaluation.bounds is not None and items > known.sum():
        worst = evaluation.bounds[0 if evaluation.higher_is_better else 1]
        results["lowest"] = np.append(values[known], np.full(items - int(known.sum()), worst))
    if mine.sum() > items:
        results["rows"] = scores[~np.isnan(scores)]
        for by in REDUCERS:
            own = reduced(evaluation, by)[place]
            results[by] = own[~np.isnan(own)]
    if evaluation.item_scores.clustered:
        clusters = evaluation.item_scores.clusters[known]
        sums, counts = np.bincount(clusters, values[known]), np.bincount(clusters)
        results["clusters"] = sums[counts > 0] / counts[counts > 0]
    return results


def _mean(values: Floats) -> Headline:
    """A headline of these values, as if they were independent; its error alone."""
    se = float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else None
    return Headline(float(values.mean()) if values.size else None, se, None, None, values.size, se)


def _is_inverted(printed: Printed, result: Headline, evaluation: Evaluation) -> bool:
    """Whether a printed value is as far from the upper end of the scale as the recomputed one is from the lower."""
    if evaluation.bounds is None or result.value is None:
        return False
    return abs(printed.value - (sum(evaluation.bounds) - result.value)) <= _tolerance(printed, evaluation)


def _other_places(
    printed: Sequence[Printed], results: Mapping[str, Headline], *, higher_is_better: bool
) -> Sequence[str]:
    """Models that would have another place by what is printed of them; the only model has none to keep."""
    scores = {model: each.value for model, each in results.items() if each.value is not None}
    as_printed = {**scores, **{each.model: each.value for each in printed}}
    if len(scores) == 1:
        return [each.model for each in printed]
    orders = [
        sorted(own, key=lambda model: (-own[model] if higher_is_better else own[model], model))
        for own in (scores, as_printed)
    ]
    return [each.model for each in printed if orders[0].index(each.model) != orders[1].index(each.model)]


def _explained_by_missing(printed: Printed, evaluation: Evaluation, result: Headline) -> bool:
    """Whether items that a headline rests on and the file lacks could make up for its gap."""
    stated = max(printed.n or 0, _stated_items(evaluation, printed.model) or 0)
    lacking = stated - result.n
    if lacking <= 0 or evaluation.bounds is None or result.value is None:
        return False
    low, high = ((result.value * result.n + lacking * end) / stated for end in evaluation.bounds)
    near = _tolerance(printed, evaluation)
    return bool(low - near <= printed.value <= high + near)


def _stated_items(evaluation: Evaluation, model: str) -> int | None:
    """How many items the settings say were run; `None` where they don't."""
    settings = flat_settings(evaluation.settings.get(model, {}))
    limits = [value for key, value in settings if _RUN.fullmatch(key.split(".")[-1])]
    known = [int(value) for value in limits if isinstance(value, int | float) and not isinstance(value, bool)]
    return max(known, default=None)


def _absent(evaluation: Evaluation, asked: Bools) -> Places:
    """Of each model how many items were asked, by the file or as most models have them, and have no row."""
    if evaluation.mirrored:
        return _comparisons_absent(evaluation)
    own = asked.sum(axis=1)
    core = asked.mean(axis=0) >= 0.5 if len(own) > 2 else asked.any(axis=0)
    missing = (core & ~asked).sum(axis=1)
    others = np.where((asked & core).sum(axis=1) > 0.5 * core.sum(), missing, 0)
    stated = [_stated_in_items(evaluation, model) for model in evaluation.models]
    absent = [_missing_items(items, int(rows)) for items, rows in zip(stated, own, strict=True)]
    return np.maximum(np.array(absent, dtype=np.intp), others)


def _comparisons_absent(evaluation: Evaluation) -> Places:
    """Of each model the questions that nearly all pairs of models were asked and a pair of its own was not.

    Where pairs were drawn for each question, none is absent.
    """
    absent, size = np.zeros(len(evaluation.models), dtype=np.intp), len(evaluation.models)
    question, pair = evaluation.item_scores.clusters, evaluation.given_to
    questions, pairs = len(np.unique(question)), np.unique(pair)
    cells = np.unique(question * (size * size) + pair)
    if len(cells) < len(pair) or len(pairs) < 2 or len(cells) < _WHOLE * questions * len(pairs):
        return absent
    for each in pairs:
        lacking = questions - int((pair == each).sum())
        absent[each // size] += lacking
        absent[each % size] += lacking
    return absent


def _stated_in_items(evaluation: Evaluation, model: str) -> int:
    """How many items the settings say were run, 0 where they don't; a number of rows is one of items times epochs."""
    stated = _stated_items(evaluation, model) or 0
    mine = evaluation.codes("model") == evaluation.models.index(model)
    items, rows = len(np.unique(evaluation.codes("item")[mine])), int(mine.sum())
    epochs = round(rows / items) if items else 1
    return round(stated / epochs) if epochs > 1 and stated > 1.5 * items else stated


def _missing_items(stated: int, rows: int) -> int:
    """Items that the file says were asked and has no row of; of an extract none."""
    return max(stated - rows, 0) if rows > _EXTRACT * stated else 0


def _is_extract(evaluation: Evaluation, model: str) -> bool:
    """Whether the file holds so few of a model's items that somebody must have cut it."""
    mine = evaluation.codes("model") == evaluation.models.index(model)
    return 0 < len(np.unique(evaluation.codes("item")[mine])) <= _EXTRACT * _stated_in_items(evaluation, model)


def _left_out_of_printed(evaluation: Evaluation, asked: Places) -> Places:
    """Of each model how many items its printed headline does not rest on, by its own number.

    The number may count repetitions: then it is no smaller than the number of items.
    """
    matches = []
    for model, rows in zip(evaluation.models, asked, strict=True):
        numbers = [each.n for each in evaluation.printed if each.model == model and each.n]
        known = max(int(rows), _stated_in_items(evaluation, model))
        matches.append(max(known - max(numbers), 0) if numbers else 0)
    return np.array(matches, dtype=np.intp)


def _by_chance(clusters: int) -> float:
    """The ratio that errors of independent items exceed in one of twenty cases.

    The clustered variance has clusters - 1 degrees of freedom (chi-squared).
    """
    return (
        float(np.sqrt(2 * special.gammaincinv((clusters - 1) / 2, 0.95) / (clusters - 1))) if clusters > 1 else np.inf
    )


def _tolerance(printed: Printed, evaluation: Evaluation) -> float:
    low, high = evaluation.bounds or (0.0, 1.0)
    return max(SAME_VALUE * (high - low), 0.5000001 * 10.0**-printed.decimals)


def _error_follows(printed: Printed, result: Headline) -> bool:
    if printed.se is None or result.se is None:
        return True
    known = [
        result.se,
        result.se * np.sqrt((result.n - 1) / result.n),
        *([result.clustered_se] if result.clustered_se else []),
    ]
    return any(abs(printed.se - each) <= max(SAME_ERROR * each, SAME_VALUE) for each in known)


def _printed_quote(printed: Printed, result: Headline) -> Quote:
    error = (
        ""
        if printed.se is None or result.se is None
        else f"; standard error {printed.se:.4f}, recomputed {result.se:.4f}"
    )
    return Quote("", printed.model, f"{printed.source}: {printed.value:.4f}, recomputed {result.value:.4f}{error}")


def _unscored(evaluation: Evaluation, row: int) -> Quote:
    error = quote(evaluation, row, "error")
    return error if error.text else error._replace(text=str(evaluation.rows["status"].iloc[row]))


def _bounds(evaluation: Evaluation, place: int, dropped: int) -> Sequence[float] | None:
    """The mean if all dropped items had the lowest score, and if they had the highest.

    Where the file holds fewer scored items than its printed headline rests on, that headline stands for them.
    """
    if evaluation.bounds is None:
        return None
    values = evaluation.item_scores.values[place]
    known = values[~np.isnan(values)]
    total, n = float(known.sum()), known.size
    for printed in evaluation.printed:
        if printed.model == evaluation.models[place] and printed.n is not None and printed.n > n:
            total, n = printed.value * printed.n, printed.n
    return [(total + dropped * end) / (n + dropped) for end in evaluation.bounds]
