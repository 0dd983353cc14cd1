"""The CI index and Table 2: rows, order and labels, and whether other formulas, thetas and levels rank alike.

DDFT 5.2.1, 7.1, 7.3, 8.1, 8.2.1, 8.3, Table 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from voirdire.ddft.concept_sums import Cells, Floats
from voirdire.ddft.published import JUDGES
from voirdire.papers.claims import ClaimVerdict, Result, reproduced_if
from voirdire.papers.ddft.jury import weighted_mean
from voirdire.papers.ddft.paper import PublishedModel
from voirdire.papers.ddft.study import DRAWS, Score, Study, percentiles
from voirdire.stats.comparison import rank_probabilities
from voirdire.stats.correlation import spearman

_PARTS = ("HOC", "CRI", "FAR_prime", "SAS_prime")
_FEW = 20
"""Fewer turns than this behind FAR' are worth a word."""

_FLAGSHIPS = ("gpt-5", "claude-haiku-4-5")
_HIGHEST = {"Competent": 0.60, "Brittle": 0.30}  # DDFT 8.1
_THETA = 0.80  # DDFT 5.2.1, footnote 1
_STABLE = 0.90  # DDFT 7.1: what the paper itself calls a stable ranking


def table_2_row(study: Study, model: PublishedModel) -> Result:
    """A row of Table 2: the index, and the four parts that the verdict covers too."""
    profile = study.profiles[model.model]
    differ = [name for name in _PARTS if not model.row[name].matches(profile.metrics[name].value)]
    few = profile.n["FAR_prime"]  # FAR' carries the most noise where few answers have low SAS.
    drawn = percentiles(study.ci_draws[study.models.index(model.model)])
    result = Result(_number(profile.ci_score), profile.intervals.get("CI_raw"), "jackknife_log")
    if few < _FEW and drawn is not None:
        result = result.with_params("few_turns", few=few, low=drawn.low, high=drawn.high)
    if not differ:
        return result
    listing = ", ".join(f"{name} {profile.metrics[name].value}" for name in differ)
    note = "differ_and_few_turns" if result.params else "differ"
    return replace(result.with_params(note, differ=listing), verdict=ClaimVerdict.NOT_REPRODUCED)


def table_2_from_mean(study: Study) -> Result:
    """Whether the plain mean of the judges, which the text names, gives Table 2."""
    scores: tuple[Score, ...] = ("far", "sas")
    plain = {score: weighted_mean(study.judged(score), np.ones(len(JUDGES))) for score in scores}
    ci = study.estimates(study.cells(study.scores.assign(**plain, unscored=None)))["CI_raw"]
    equal = sum(model.row["CI_raw"].matches(float(value)) for model, value in zip(study.paper.models, ci, strict=True))
    changed = [
        f"{model} becomes {label}"
        for model, label in study.relative_labels(ci).items()
        if label != study.paper.model(model).phenotype
    ]
    note = "labels_change" if changed else "no_label_changes"
    listing = ", ".join(f"{value:.3f}" for value in ci)
    return Result(equal).with_params(note, indices=listing, changed=" and ".join(changed))


def ci_normalised(study: Study) -> Result:
    """Whether the printed CI index is normalised."""
    low, high = float(np.nanmin(study.ci)), float(np.nanmax(study.ci))
    return Result(f"{low:.3f} to {high:.3f}", verdict=reproduced_if(low == 0 and high == 1))


def phenotype_labels(study: Study) -> Result:
    """Which CI index the labels follow from."""
    by_raw, by_norm = (_labels_equal(study, relative=relative) for relative in (False, True))
    return Result(by_raw, others=(Result(by_norm, definition="by_norm"),))


def phenotype_ranges(study: Study) -> Result:
    """Whether the indices lie in the ranges of their labels."""
    rows = [each for each in study.profiles.values() if study.paper.model(each.model).phenotype in _HIGHEST]
    inside = sum((each.ci_score or 0) <= _HIGHEST[study.paper.model(each.model).phenotype] for each in rows)
    return Result(inside, params={"indices": ", ".join(f"{each.model} {each.ci_score or 0:.3f}" for each in rows)})


def flagships_brittle(study: Study) -> Result:
    """The labels of the two models that the abstract names, and how often models asked what is meant."""
    printed = study.paper.claims["flagships-brittle"].printed
    indices = [study.profiles[model].paper_index for model in _FLAGSHIPS]
    raw = ", ".join(str(index.phenotype) for index in indices)
    norm = ", ".join(str(index.phenotype_relative) for index in indices)
    first = study.turns[study.turns["turn"] == 1].groupby("model")["asks"].mean()
    asking_rates = study.turns.groupby("model")["asks"].mean().reindex(list(study.models)).to_numpy()
    by_norm = raw != printed and norm == printed
    if by_norm:
        result = Result(norm, verdict=ClaimVerdict.OTHER_DEFINITION, definition="by_norm")
    else:
        result = Result(raw, verdict=reproduced_if(raw == printed))
    return result.with_params(
        "by_raw" if by_norm else "note",
        asked=" and ".join(f"{100 * first[model]:.0f} %" for model in _FLAGSHIPS),
        rho=spearman(asking_rates, study.ci).rho,
        raw=raw,
    )


def ranking(study: Study) -> Result:
    """The order of Table 2, and how firm it is when the concepts are drawn anew."""
    order = np.argsort(-study.ci, kind="stable")
    same = bool((order == np.arange(len(order))).all())
    printed = study.paper.claims["ranking"].printed if same else "another order"
    thin = min(study.profiles.values(), key=lambda each: each.n["FAR_prime"])
    first = study.models[0]
    result = Result(printed, verdict=reproduced_if(same)).with_params(
        first=first,
        first_turns=study.profiles[first].n["FAR_prime"],
        thin=thin.model,
        thin_turns=thin.n["FAR_prime"],
        draws=DRAWS,
    )
    if np.isnan(study.ci_draws).any(axis=0).all():
        return result.with_params("undefined")
    ranks = rank_probabilities(study.ci_draws)
    firsts = 100 * ranks.probabilities[:, 0]
    most = int(np.argmax(firsts))
    return result.with_params(
        "other_first" if most else "note",
        share=float(firsts[0]),
        most=study.models[most],
        most_share=float(firsts[most]),
        undefined=int(ranks.undefined),
    )


def gpt_5_rank(study: Study) -> Result:
    """The rank of gpt-5: 1 + the models with a higher index."""
    place = study.models.index("gpt-5")
    draws = study.ci_draws[:, ~np.isnan(study.ci_draws).any(axis=0)]
    ranks = 1.0 + (draws > draws[place]).sum(axis=0)
    return Result(1 + int((study.ci > study.ci[place]).sum()), percentiles(ranks), "bootstrap")


def top_two_close(study: Study) -> Result:
    """The distance of the first two."""
    apart = percentiles(study.ci_draws[0] - study.ci_draws[1])
    params = {"first": study.models[0], "second": study.models[1]}
    return Result(float(study.ci[0] - study.ci[1]), apart, "bootstrap", params=params)


def perfect_hoc(study: Study) -> Result:
    """Models whose HOC is 1, and how far each gets before its first failure."""
    perfect = _perfect(study)
    onsets = (f"{model} ({study.profiles[model].metrics['HOC_onset'].value:.3f})" for model in perfect)
    return Result(len(perfect), params={"onsets": ", ".join(onsets) or "none"})


def ci_range(study: Study) -> Result:
    """How far the CI index ranges among models with perfect HOC."""
    ci = [study.profiles[model].ci_score or np.nan for model in _perfect(study)]
    return Result(float(max(ci) / min(ci)) if ci else float("nan"))


def seven_times(study: Study) -> Result:
    """Arithmetic of the stated sizes."""
    sizes = {each.model: each.parameters_billion for each in study.paper.models if each.parameters_billion}
    listing = ", ".join(f"{model} {size:g}" for model, size in sizes.items())
    ratio = Result(max(sizes.values()) / sizes["o4-mini"])
    return ratio.with_params(stated=listing, others=len(study.models) - len(sizes))


def tri_modal(study: Study) -> Result:
    """Nine values show no modes; where the widest gaps are, and where the printed labels change."""
    gaps = -np.diff(np.sort(study.ci)[::-1])
    first, second = (int(place) + 1 for place in np.sort(np.argsort(-gaps)[:2]))
    labels = [each.phenotype for each in study.paper.models]
    changes = [str(rank) for rank in range(1, len(labels)) if labels[rank] != labels[rank - 1]]
    return Result(None, params={"first": first, "second": second, "changes": " and ".join(changes)})


def theta(study: Study) -> Result:
    """Whether theta 0.80 ranks the models alike."""
    cells = study.cells(study.scores, theta=_THETA)
    ci = study.estimates(cells)["CI_raw"]
    changed = [
        f"{model} to {label}"
        for (model, label), old in zip(study.relative_labels(ci).items(), study.labels(relative=True), strict=True)
        if label != old
    ]
    result = _same_ranking(study, cells).with_params(order=_order(study, ci), changed=", ".join(changed) or "none")
    return replace(result, verdict=reproduced_if(isinstance(result.value, float) and result.value > _STABLE))


def three_levels(study: Study) -> Result:
    """Whether three levels rank the models like five."""
    cells = study.cells(study.scores[study.scores["level"].isin([0.0, 0.5, 1.0])])
    moved = [
        f"{model} {old:.2f} to {new:.2f}"
        for model, old, new in zip(study.models, study.ci, study.estimates(cells)["CI_raw"], strict=True)
        if abs(new - old) > 0.1
    ]
    return _same_ranking(study, cells).with_params(moved=", ".join(moved) or "none")


def formula(study: Study, index: Callable[[dict[str, Floats]], Floats]) -> Result:
    """Whether another formula of the same parts ranks the models alike."""
    value, draws = index(study.estimates()), index(study.draws)
    interval = percentiles(_kendall_draws(study.ci_draws, draws))
    params = {"order": _order(study, value)}
    return Result(_kendall(study.ci, value), interval, "bootstrap_of_both", params=params)


def additive(parts: dict[str, Floats]) -> Floats:
    """HOC + CRI - FAR' - (1 - SAS')."""
    return np.asarray(parts["HOC"] + parts["CRI"] - parts["FAR_prime"] - (1 - parts["SAS_prime"]))


def max_based(parts: dict[str, Floats]) -> Floats:
    """max(HOC, CRI) / (FAR' + 1 - SAS')."""
    return np.asarray(np.maximum(parts["HOC"], parts["CRI"]) / (parts["FAR_prime"] + 1 - parts["SAS_prime"]))


def ten_level_cost(study: Study) -> Result:
    """What more levels cost: cost grows with the number of dialogues."""
    levels = study.turns["level"].nunique()
    return Result(study.printed("ten-level-count") / levels, params={"levels": levels, "eleven": 11 / levels})


def _same_ranking(study: Study, cells: list[Cells]) -> Result:
    """Kendall's tau of the index from these cells with the index itself."""
    ci, draws = study.estimates(cells)["CI_raw"], study.metrics(study.weights, cells)["CI_raw"]
    return Result(_kendall(study.ci, ci), percentiles(_kendall_draws(study.ci_draws, draws)), "bootstrap_of_both")


def _order(study: Study, index: Floats) -> str:
    return ", ".join(study.models[place] for place in np.argsort(-index))


def _labels_equal(study: Study, *, relative: bool) -> int:
    printed = [each.phenotype for each in study.paper.models]
    return sum(one == other for one, other in zip(study.labels(relative=relative), printed, strict=True))


def _perfect(study: Study) -> list[str]:
    return [model for model, profile in study.profiles.items() if profile.metrics["HOC"].value == 1.0]


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _kendall(one: Floats, other: Floats) -> float:
    return float(_kendall_draws(one[:, np.newaxis], other[:, np.newaxis])[0])


def _kendall_draws(one: Floats, other: Floats) -> Floats:
    """Kendall's tau of two sets of models' values in each draw; shapes (models, draws); NaN where undefined."""
    above, below = np.triu_indices(len(one), k=1)
    signs = np.sign(one[above] - one[below]) * np.sign(other[above] - other[below])
    return np.asarray(signs.mean(axis=0), dtype=np.float64)


RESULTS: Mapping[str, Callable[[Study], Result]] = {
    "table-2-from-mean": table_2_from_mean,
    "ci-normalised": ci_normalised,
    "phenotype-labels": phenotype_labels,
    "phenotype-ranges": phenotype_ranges,
    "flagships-brittle": flagships_brittle,
    "ranking": ranking,
    "gpt-5-rank": gpt_5_rank,
    "top-two-close": top_two_close,
    "perfect-hoc": perfect_hoc,
    "ci-range": ci_range,
    "seven-times": seven_times,
    "tri-modal": tri_modal,
    "theta-080": theta,
    "formula-additive": partial(formula, index=additive),
    "formula-max": partial(formula, index=max_based),
    "three-levels": three_levels,
    "ten-levels": lambda study: Result(None, params={"levels": study.turns["level"].nunique()}),
    "ten-level-count": lambda study: Result(len(np.arange(0, 11) / 10)),
    "ten-level-cost": ten_level_cost,
}
