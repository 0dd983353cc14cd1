"""The CI index and Table 2: rows, order, labels, and how firm they are (DDFT 5.2.1, 7.1, 7.3, 8.1, 8.2.1)."""

from __future__ import annotations

import numpy as np

from voirdire.ddft.published.claims import Claim, Found, compared, elsewise, ends, held, uncheckable
from voirdire.ddft.published.claims_jury import weighted_mean
from voirdire.ddft.published.paper import PublishedModel
from voirdire.ddft.published.record import JUDGES
from voirdire.ddft.published.study import BOOTSTRAP, DRAWS, JACKKNIFE, Study, percentiles
from voirdire.stats.comparison import rank_probabilities
from voirdire.stats.correlation import spearman

CI = "CI index = HOC · CRI / (FAR' + 1 - SAS') of the published consensus, theta 0.70"

_FEW = 20
"""Fewer turns than this behind FAR' are worth a word."""


def claims_table_2(study: Study) -> list[Claim]:
    """A claim per row of Table 2."""
    return [_row(study, model) for model in study.paper.models]


def claim_table_2_from_mean(study: Study) -> Claim:
    """Whether the plain mean of the judges, which the text names, gives Table 2."""
    plain = {score: weighted_mean(study.judged(score), np.ones(len(JUDGES))) for score in ("far", "sas")}
    ci = study.estimates(study.cells(study.scores.assign(**plain, unscored=None)))["CI_raw"]
    equal = sum(model.row["CI_raw"].matches(float(value)) for model, value in zip(study.paper.models, ci, strict=True))
    changed = [
        f"{model} becomes {label}"
        for model, label in study.relative_labels(ci).items()
        if label != study.paper.model(model).phenotype
    ]
    why = "From the mean, the CI index runs " + ", ".join(f"{value:.3f}" for value in ci) + " in the order of Table 2"
    why += f"; by CI_norm {' and '.join(changed)}." if changed else "; no label changes."
    definition = f"Rows whose CI index equals the printed one when the judges' arithmetic mean is the consensus. {CI}."
    return compared(study.said("table-2-from-mean"), Found(equal, definition), why=why)


def claim_ci_normalised(study: Study) -> Claim:
    """Whether the printed CI index is normalised."""
    low, high = float(np.nanmin(study.ci)), float(np.nanmax(study.ci))
    definition = f"Lowest and highest CI_raw, which is what Table 2 prints. {CI}."
    why = "Table 2 prints the raw CI index; only its phenotypes come from the normalised one."
    said = study.said("ci-normalised")
    return held(said, low == 0 and high == 1, Found(f"{low:.3f} to {high:.3f}", definition), why=why)


def claim_phenotype_labels(study: Study) -> Claim:
    """Which CI index the labels follow from."""
    by_raw, by_norm = (_labels_equal(study, relative=relative) for relative in (False, True))
    raw = Found(by_raw, "Models whose phenotype by the thresholds on the index that Table 2 prints is the printed one.")
    norm = Found(
        by_norm, "Models whose phenotype by the thresholds on CI_norm = (index - min) / (max - min) is as printed."
    )
    why = (
        "By CI_norm the last model is Brittle and the first Robust whatever they do, and a label changes with who else "
        "is in the study."
    )
    return compared(study.said("phenotype-labels"), raw, other=norm, why=why)


def claim_phenotype_ranges(study: Study) -> Claim:
    """Whether the indices lie in the ranges of their labels."""
    highest = {"Competent": 0.60, "Brittle": 0.30}  # DDFT 8.1
    rows = [each for each in study.profiles.values() if study.paper.model(each.model).phenotype in highest]
    inside = [each.model for each in rows if (each.ci_score or 0) <= highest[study.paper.model(each.model).phenotype]]
    shown = ", ".join(f"{each.model} {each.ci_score or 0:.3f}" for each in rows)
    definition = f"Models labelled Competent or Brittle whose CI index is at most 0.60 or 0.30. {CI}."
    return compared(study.said("phenotype-ranges"), Found(len(inside), definition), why=f"Their CI index: {shown}.")


def claim_flagships_brittle(study: Study) -> Claim:
    """The labels of the two models that the abstract names."""
    said, flagships = study.said("flagships-brittle"), ("gpt-5", "claude-haiku-4-5")
    raw = ", ".join(str(study.profiles[model].paper_index.phenotype) for model in flagships)
    norm = ", ".join(str(study.profiles[model].paper_index.phenotype_relative) for model in flagships)
    by_raw = Found(raw, f"Phenotypes by the thresholds 0.60 and 0.30 on the CI index. {CI}.")
    if raw != said.printed and norm == said.printed:
        found = Found(
            norm, "Phenotypes by the thresholds on CI_norm = (index - min) / (max - min) over the nine models."
        )
        return elsewise(
            said, found, f"By the thresholds on the index itself they are {raw}. {_who_asked(study, flagships)}"
        )
    return held(said, raw == said.printed, by_raw, why=_who_asked(study, flagships))


def claim_ranking(study: Study) -> Claim:
    """The order of Table 2, and how firm it is."""
    order = np.argsort(-study.ci, kind="stable")
    same = bool((order == np.arange(len(order))).all())
    thin = min(study.profiles.values(), key=lambda each: each.n["FAR_prime"])
    first = study.models[0]
    why = (
        f"{_how_firm(study)} FAR' rests on {study.profiles[first].n['FAR_prime']} turns for {first}, on "
        f"{thin.n['FAR_prime']} for {thin.model}."
    )
    found = Found(study.said("ranking").printed if same else "another order", f"Order of the nine models. {CI}.")
    return held(study.said("ranking"), same, found, why=why)


def claim_gpt_5_rank(study: Study) -> Claim:
    """The rank of gpt-5."""
    place = study.models.index("gpt-5")
    draws = study.ci_draws[:, ~np.isnan(study.ci_draws).any(axis=0)]
    ranks = 1.0 + (draws > draws[place]).sum(axis=0)
    definition = f"1 + the models with a higher CI index. {CI}."
    rank = 1 + int((study.ci > study.ci[place]).sum())
    return compared(study.said("gpt-5-rank"), Found(rank, definition, percentiles(ranks), BOOTSTRAP))


def claim_top_two_close(study: Study) -> Claim:
    """The distance of the first two."""
    apart = study.ci_draws[0] - study.ci_draws[1]
    definition = f"CI index of {study.models[0]} less that of {study.models[1]}. {CI}."
    found = Found(float(study.ci[0] - study.ci[1]), definition, percentiles(apart), BOOTSTRAP)
    return compared(study.said("top-two-close"), found)


def claim_perfect_hoc(study: Study) -> Claim:
    """Models whose HOC is 1."""
    perfect = _perfect(study)
    found = Found(len(perfect), "Models whose mean HOC over the eight concepts is 1, theta 0.70.")
    why = "HOC is the last level that reaches theta, so that FAR may have failed at levels before: " + (
        ", ".join(
            f"{model} ({study.profiles[model].metrics['HOC_onset'].value:.3f} up to the first failure)"
            for model in perfect
        )
    )
    return compared(study.said("perfect-hoc"), found, why=f"{why}.")


def claim_ci_range(study: Study) -> Claim:
    """How far the CI index ranges among models with perfect HOC."""
    ci = [study.profiles[model].ci_score or np.nan for model in _perfect(study)]
    ratio = float(max(ci) / min(ci)) if ci else float("nan")
    return compared(study.said("ci-range"), Found(ratio, f"Highest index over lowest, of models whose HOC is 1. {CI}."))


def claim_seven_times(study: Study) -> Claim:
    """Arithmetic of the stated sizes."""
    sizes = {each.model: each.parameters_billion for each in study.paper.models if each.parameters_billion}
    ratio = max(sizes.values()) / sizes["o4-mini"]
    stated = ", ".join(f"{model} {size:g}" for model, size in sizes.items())
    definition = f"Largest parameter count stated over that of o4-mini, in billions: {stated}."
    why = f"The paper gives no source, and no counts for the other {len(study.models) - len(sizes)} models."
    return compared(study.said("seven-times"), Found(ratio, definition), why=why)


def claim_tri_modal(study: Study) -> Claim:
    """Modes of nine values."""
    gaps = -np.diff(np.sort(study.ci)[::-1])
    after = [int(place) + 1 for place in np.sort(np.argsort(-gaps)[:2])]
    labels = [each.phenotype for each in study.paper.models]
    changes = [rank for rank in range(1, len(labels)) if labels[rank] != labels[rank - 1]]
    why = (
        "Nine values show no modes, and the paper tests none. The two widest gaps of the CI index lie after ranks "
        f"{after[0]} and {after[1]}; the printed labels change after ranks {' and '.join(map(str, changes))}."
    )
    return uncheckable(study.said("tri-modal"), why)


def _row(study: Study, model: PublishedModel) -> Claim:
    profile = study.profiles[model.model]
    parts = ("HOC", "CRI", "FAR_prime", "SAS_prime")
    differ = [name for name in parts if not model.row[name].matches(profile.metrics[name].value)]
    ci = profile.ci_score if profile.ci_score is not None else float("nan")
    # FAR' carries the most noise where few answers have low SAS.
    few = profile.n["FAR_prime"]
    drawn = percentiles(study.ci_draws[study.models.index(model.model)])
    why = ""
    if few < _FEW and drawn is not None:
        why = f"FAR' rests on {few} turns; a bootstrap of concepts gives an index of {drawn[0]:.2f} to {drawn[1]:.2f}."
    definition = f"{CI}. The verdict covers the four parts too."
    interval = ends(profile.intervals.get("CI_raw"))
    said = study.said(f"table-2-{model.model.lower()}")
    found = Found(ci, definition, interval, f"{JACKKNIFE}, on the log scale")
    if differ:
        shown = ", ".join(f"{name} {profile.metrics[name].value}" for name in differ)
        return held(said, False, found, why=f"These parts differ: {shown}. {why}".strip())
    return compared(said, found, why=why)


def _who_asked(study: Study, named: tuple[str, ...]) -> str:
    """How often models asked what is meant, and how that goes with the CI index."""
    first = study.turns[study.turns["turn"] == 1].groupby("model")["asks"].mean()
    asked = study.turns.groupby("model")["asks"].mean().reindex(list(study.models)).to_numpy()
    shares = " and ".join(f"{100 * first[model]:.0f} %" for model in named)
    return (
        f"Of their first answers {shares} ask what is meant; over the nine models the share of answers that ask goes "
        f"with the CI index at Spearman's rho {spearman(asked, study.ci).rho:+.2f}."
    )


def _how_firm(study: Study) -> str:
    """How often the first model is first when concepts are drawn anew."""
    if np.isnan(study.ci_draws).any(axis=0).all():
        return "In no bootstrap of the concepts do all models have a CI index."
    ranks = rank_probabilities(study.ci_draws)
    most = int(np.argmax(ranks.probabilities[:, 0]))
    often = f"; most often {study.models[most]}, {100 * ranks.probabilities[most, 0]:.0f} %" if most else ""
    return (
        f"When the concepts are drawn anew, {study.models[0]} is first in {100 * ranks.probabilities[0, 0]:.0f} % of "
        f"{DRAWS:,} draws{often} ({ranks.undefined} draws undefined)."
    )


def _labels_equal(study: Study, *, relative: bool) -> int:
    printed = [each.phenotype for each in study.paper.models]
    return sum(one == other for one, other in zip(study.labels(relative=relative), printed, strict=True))


def _perfect(study: Study) -> list[str]:
    return [model for model, found in study.profiles.items() if found.metrics["HOC"].value == 1.0]
