"""Was an item tried until it succeeded? Are repetitions more than copies?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from voirdire.evaluation.checks.check import MOST_QUOTES, Check, Quote, Status, graded, not_measured, quote
from voirdire.evaluation.headline import headlines
from voirdire.evaluation.records import Evaluation, Floats, Places, flat_settings
from voirdire.evaluation.reducers import reduced
from voirdire.evaluation.texts import Bools, plain_texts_of, shares_by_model, texts_of
from voirdire.reason_codes import reason
from voirdire.stats import special

WARN_RETRIED, FAIL_RETRIED = 0.02, 0.10
"""Share of items that were tried again: a few are lost to a network."""
WARN_COPIES, FAIL_COPIES = 0.10, 0.50
_SHORT = 40
"""Signs: repetitions of a shorter answer may well be the same."""
_SURE = 0.001
_FEWEST = 20
_SAME_VALUE = 1e-4
_BEST = re.compile(
    r"\b(?:max|best|any|at_least_1|at_least\(1\))\b|best[_ -]?of|pass(?:ed)?[@_ -]?(?:at[@_ -]?)?(?:k|[2-9]|[1-9]\d+)\b"
    r"|at[_ -]?least[_ -]?1\b",
    re.I,
)
"""Names of reducers and metrics by which one success of several tries counts; pass@1 is none of them."""
_REDUCER = re.compile(r"reducer|aggregat|reduce|metric|scor(?:er|ing)|strategy|selection", re.I)
_COUNT = re.compile(
    r"(?:max_?)?attempts|best_?of|num_?attempts|n_?attempts|retry_?until\w*|retries_until\w*|max_?tries", re.I
)


_REPLIES = re.compile(r"num_?(?:choices|outputs|return_?sequences|samples)|n|repeats|num_?completions", re.I)
"""Settings by which a model gives several replies to one prompt."""


class _Repeated(NamedTuple):
    """Rows of items that one model (and one judge) was given several times."""

    group: Places
    """Shape (rows,): the number of each row's model, item and judge."""
    sizes: Places
    """Shape (groups,)."""


def best_of(evaluation: Evaluation) -> Check:
    """Results that count the best of several tries. Value: the share of items that were tried more than once."""
    id = "best_of"
    if not len(evaluation.rows):
        return not_measured(id, evaluation, "evaluation_no_scores")
    groups = _groups(evaluation)
    several = float((groups.sizes > 1).mean()) if len(groups.sizes) else 0.0
    attempts = evaluation.rows["attempts"].to_numpy(np.float64)
    retried = attempts > 1
    named = _named(evaluation)
    printed = _printed_best(evaluation) if several else []
    gain = _gain(evaluation, printed or evaluation.models) if several else None
    until = _until_right(evaluation, groups) if several else {}
    uneven, one_kept = _uneven(evaluation), _picked_one(evaluation)
    by_model = _by_model(evaluation, retried, ~np.isnan(attempts))
    worst = max(by_model.values(), default=0.0)
    code, value = "evaluation_one_try", max(several, worst)
    status: Status = "pass"
    models: tuple[str, ...] = ()
    if printed:
        code, status, models = "evaluation_printed_best", "fail", tuple(printed)
    elif until:
        code, status, models = "evaluation_until_right", "fail", tuple(until)
        value = _most_tried(evaluation, groups, models)
    elif named:
        code, status = "evaluation_named_best", "fail"
        models = tuple(dict.fromkeys(model for model, _, _ in named if model))
    elif one_kept:
        code, status, models = "evaluation_one_kept", "warn", tuple(one_kept)
    elif worst >= WARN_RETRIED:
        code, status = "evaluation_retried", graded(worst, WARN_RETRIED, FAIL_RETRIED)
        models = tuple(model for model, share in by_model.items() if share >= WARN_RETRIED)
    elif uneven:
        code, status, models = "evaluation_uneven_tries", "warn", tuple(uneven)
    elif several:
        code = "evaluation_mean_of_tries"
    rows = np.flatnonzero(retried)[:MOST_QUOTES]
    quotes = tuple(quote(evaluation, int(row), "output") for row in rows)
    if named and not quotes:
        quotes = tuple(Quote("", model, f"{key}: {value}") for model, key, value in named[:MOST_QUOTES])
    return Check(
        id,
        status,
        evaluation.name,
        reason(
            code,
            share=value,
            gain=gain or 0.0,
            items=sum(until.values()) or int((groups.sizes > 1).sum()),
            of=len(groups.sizes),
            name=named[0][2] if named else "",
        ),
        value,
        len(groups.sizes),
        models,
        () if status == "pass" else quotes,
        {"gain": gain, "named": [list(each) for each in named[:20]], "retried": by_model, "until_right": until},
    )


def repeated_identical(evaluation: Evaluation) -> Check:
    """Repetitions of an item whose output is a copy of the first. Value: their share of all repetitions.

    Short answers may agree without being copies; where there is nothing else, scores that never differ warn.
    """
    id = "repeated_identical"
    groups = _groups(evaluation)
    if not (groups.sizes > 1).any():
        return not_measured(id, evaluation, "evaluation_no_repetitions")
    output = texts_of(evaluation, "output")
    long = output.where(lambda text: len(text) >= _SHORT)
    if long.sum() >= 2 and (groups.sizes[groups.group[long]] > 1).any():
        rows, values, known = np.flatnonzero(long), output.codes, "evaluation_copies"
    else:
        rows, values, known = np.arange(len(long)), _score_codes(evaluation), "evaluation_same_scores"
        rows = rows[values >= 0]
    if not len(rows):
        return not_measured(id, evaluation, "evaluation_no_scores")
    copies, repetitions, shares, n = _copies(
        groups.group[rows], values[rows], evaluation.codes("model")[rows], evaluation
    )
    if not repetitions:
        return not_measured(id, evaluation, "evaluation_no_repetitions")
    share = float(shares.max())
    status: Status = graded(share, WARN_COPIES, FAIL_COPIES)
    if known == "evaluation_same_scores":
        status = _of_scores(evaluation, share, repetitions)
    order = [int(place) for place in np.argsort(-shares, kind="stable") if shares[place] >= WARN_COPIES]
    return Check(
        id,
        status,
        evaluation.name,
        reason(known, share=share, repetitions=repetitions),
        share,
        repetitions,
        tuple(evaluation.models[place] for place in order) if status != "pass" else (),
        () if status == "pass" else _copied(evaluation, rows[copies], order[:1]),
        {"shares": {evaluation.models[place]: float(shares[place]) for place in np.flatnonzero(n)}},
    )


CHECKS = (best_of, repeated_identical)


def _copied(evaluation: Evaluation, rows: Places, models: Sequence[int]) -> tuple[Quote, ...]:
    """Copies to quote: those of these models first."""
    others = ~np.isin(evaluation.codes("model")[rows], models)
    return tuple(quote(evaluation, int(row)) for row in rows[np.argsort(others, kind="stable")][:MOST_QUOTES])


def _groups(evaluation: Evaluation) -> _Repeated:
    """A row of another judge is no repetition, nor is one that the judge saw in another order."""
    judges = len(evaluation.judges) + 1
    cell = evaluation.codes("model") * (len(evaluation.items) + 1) + _asked(evaluation)
    order = evaluation.rows["position"].fillna(0.0).to_numpy().astype(np.intp)
    key = (cell * judges + evaluation.codes("judge") + 1) * (int(order.max(initial=0)) + 1) + order
    _, group, sizes = np.unique(key, return_inverse=True, return_counts=True)
    return _Repeated(np.asarray(group, dtype=np.intp), np.asarray(sizes, dtype=np.intp))


def _asked(evaluation: Evaluation) -> Places:
    """The item of each row; where nearly every prompt stands in as many items, the prompt: repetitions with own ids."""
    item, prompt = evaluation.codes("item"), plain_texts_of(evaluation, "prompt").codes
    if not len(item) or (prompt < 0).any() or evaluation.has("choices") or evaluation.mirrored:
        return item
    pairs = np.unique(prompt * len(evaluation.items) + item) // len(evaluation.items)
    sizes = np.unique(pairs, return_counts=True)[1]
    usual = int(np.bincount(sizes).argmax())
    return prompt if usual > 1 and (sizes == usual).mean() >= 0.9 else item


def _copies(group: Places, values: Places, model: Places, evaluation: Evaluation) -> tuple[Places, int, Floats, Places]:
    """Rows that repeat an earlier one of their group, how many repetitions there are, and shares by model."""
    order = np.argsort(group, kind="stable")
    g, v = group[order], values[order]
    later = np.r_[False, g[1:] == g[:-1]]
    pair = g * (int(v.max()) + 1) + v
    _, first = np.unique(pair, return_index=True)
    seen = np.ones(len(pair), dtype=bool)
    seen[first] = False
    copies = order[seen & later]
    size = len(evaluation.models)
    n = np.bincount(model[order][later], minlength=size)
    return copies, int(later.sum()), np.bincount(model[copies], minlength=size) / np.maximum(n, 1), n


def _score_codes(evaluation: Evaluation) -> Places:
    scores = evaluation.rows["score"].to_numpy(np.float64)
    codes = np.full(len(scores), -1, dtype=np.intp)
    known = ~np.isnan(scores)
    codes[known] = np.unique(scores[known], return_inverse=True)[1]
    return codes


def _of_scores(evaluation: Evaluation, share: float, repetitions: int) -> Status:
    """Fine scores that are equal to the last digit are copies; of right and wrong only that none ever differs tells."""
    scores = evaluation.rows["score"].dropna().to_numpy()
    if len(np.unique(scores)) > max(10.0, 0.05 * len(scores)):
        return graded(share, WARN_COPIES, FAIL_COPIES)
    varied = 0.1 < float(np.mean(scores == scores.max())) < 0.9
    return "warn" if share == 1.0 and repetitions >= 2 * _FEWEST and varied else "pass"


def _named(evaluation: Evaluation) -> list[tuple[str, str, str]]:
    """Settings and metrics whose names say that the best counts: model, key, value."""
    matches = [("", "metric", evaluation.metric)] if _BEST.search(evaluation.metric) else []
    for model, settings in evaluation.settings.items():
        for key, value in flat_settings(settings, inside_lists=True):
            says = _REDUCER.search(key) and isinstance(value, str) and _BEST.search(value)
            name = key.split(".")[-1]
            counts = _COUNT.fullmatch(name) and isinstance(value, int | float) and value > 1
            replies = _REPLIES.fullmatch(name) and isinstance(value, int | float) and value > 1 and _drawn(settings)
            until = "until" in name.lower() and _COUNT.fullmatch(name) and value
            if says or counts or replies or until:
                matches.append((model, key, str(value)))
    return matches


def _drawn(settings: Mapping[str, Any]) -> bool:
    """Whether replies are drawn: at a temperature of 0 several are one."""
    known = [value for key, value in flat_settings(settings, inside_lists=True) if key.split(".")[-1] == "temperature"]
    return not known or any(isinstance(value, int | float) and value > 0 for value in known)


def _printed_best(evaluation: Evaluation) -> list[str]:
    """Models whose printed headline is the mean of each item's best score, and not the mean."""
    best, mean = reduced(evaluation, "best"), headlines(evaluation)
    matches = []
    for each in evaluation.printed:
        own = mean.get(each.model)
        if own is None or own.value is None:
            continue
        top = float(np.nanmean(best[evaluation.models.index(each.model)]))
        near = max(_SAME_VALUE, 0.5000001 * 10.0**-each.decimals)
        if abs(each.value - top) <= near < abs(each.value - own.value):
            matches.append(each.model)
    return matches


def _gain(evaluation: Evaluation, models: Sequence[str]) -> float | None:
    """By how much counting the best try raises the mean, the median over these models."""
    places = [evaluation.models.index(model) for model in models]
    best, mean = reduced(evaluation, "best")[places], evaluation.item_scores.values[places]
    with np.errstate(invalid="ignore"):
        gain = best - mean
    known = [np.nanmean(own) for own in gain if not np.isnan(own).all()]
    return float(np.median(np.abs(known))) if len(known) else None


def _most_tried(evaluation: Evaluation, groups: _Repeated, models: Sequence[str]) -> float:
    """The share of items that were tried more than once, in the one of these models with most of them."""
    model = np.zeros(len(groups.sizes), dtype=np.intp)
    model[groups.group] = evaluation.codes("model")
    return max(float((groups.sizes[model == evaluation.models.index(each)] > 1).mean()) for each in models)


def _until_right(evaluation: Evaluation, groups: _Repeated) -> dict[str, int]:
    """By model the items that were repeated until a success, where its repetitions never go on after one.

    Of k tries with one success it is the last by chance in one of k cases.
    """
    scores = evaluation.rows["score"].to_numpy(np.float64)
    low, high = np.nanmin(scores, initial=np.inf), np.nanmax(scores, initial=-np.inf)
    if not low < high or len(np.unique(groups.sizes)) < 2:
        return {}
    order = np.lexsort((evaluation.rows["epoch"].fillna(0).to_numpy(), groups.group))
    g, top, model = groups.group[order], (scores == high)[order], evaluation.codes("model")[order]
    last = np.r_[g[1:] != g[:-1], True]
    again = groups.sizes[g] > 1
    results = {}
    for place in np.unique(model[again]):
        mine = again & (model == place)
        early, late = int((top & ~last & mine).sum()), int((top & last & mine).sum())
        even = float(np.mean(1 / groups.sizes[g[mine]]))
        chance = special.bdtrc(late - 1, late + early, even) if late else 1.0
        uneven = len(np.unique(groups.sizes[g[model == place]])) > 1
        if early <= 0.02 * late and late >= 5 and chance < _SURE and uneven:
            results[evaluation.models[place]] = late
    return results


def _uneven(evaluation: Evaluation) -> list[str]:
    """Models that were given their items more often than others."""
    size, judges = len(evaluation.models), len(evaluation.judges) + 1
    rows = np.bincount(evaluation.codes("model"), minlength=size)
    cells = evaluation.codes("model") * len(evaluation.items) + evaluation.codes("item")
    scored = np.unique(cells * judges + evaluation.codes("judge") + 1) // judges
    rates = rows / np.maximum(np.bincount(scored // len(evaluation.items), minlength=size), 1)
    usual = float(np.median(rates))
    return [evaluation.models[place] for place in np.flatnonzero(rates >= 1.5 * usual)] if size > 1 else []


def _picked_one(evaluation: Evaluation) -> list[str]:
    """Models with one row an item whose numbers of repetition differ: of several repetitions one was picked."""
    epoch, model = evaluation.rows["epoch"].to_numpy(np.float64), evaluation.codes("model")
    size, item = len(evaluation.models), evaluation.codes("item")
    cells = np.unique(np.column_stack([model, item, np.nan_to_num(epoch)]), axis=0)[:, 0].astype(np.intp)
    pairs = np.unique(model * len(evaluation.items) + item) // len(evaluation.items)
    once = np.bincount(cells, minlength=size) == np.bincount(pairs, minlength=size)
    later = np.bincount(model[epoch > 1], minlength=size)
    first = np.bincount(model[epoch == 1], minlength=size)
    picked = once & (later >= _FEWEST // 4) & (first >= _FEWEST // 4)
    return [evaluation.models[place] for place in np.flatnonzero(picked)]


def _by_model(evaluation: Evaluation, hits: Bools, among: Bools) -> dict[str, float]:
    """Shares by model, the largest first; models without such rows are left out."""
    shares, n = shares_by_model(evaluation, hits, among)
    named = {evaluation.models[place]: float(shares[place]) for place in np.flatnonzero(n)}
    return dict(sorted(named.items(), key=lambda each: -each[1]))
