"""How far judges agree: coefficients, pairs, and on which answers; from what the reliability module found."""

from __future__ import annotations

import math
from collections.abc import Callable

from voirdire.ddft.report._estimates import SCORES, ends_of, estimate_cells, with_ends
from voirdire.ddft.report._shown import count_cell, number, number_cell, text_cell
from voirdire.documents.document import Column, Table
from voirdire.jury.reliability import CategoryReliability, Reliability, ScoreReliability
from voirdire.stats.agreement import Estimate
from voirdire.text.counting import counted

_ESTIMATES: tuple[tuple[str, str, Callable[[ScoreReliability], Estimate]], ...] = (
    ("ICC(2,1)", "one judge, and a lenient one counts as disagreeing", lambda s: s.intraclass.icc_2_1),
    ("ICC(2,k)", "the same of the mean of all, which is what the scores are", lambda s: s.intraclass.icc_2_k),
    ("ICC(3,1)", "one judge, leniency forgiven", lambda s: s.intraclass.icc_3_1),
    ("ICC(3,k)", "the mean of all, leniency forgiven", lambda s: s.intraclass.icc_3_k),
    ("alpha, interval", "Krippendorff's, by squared differences", lambda s: s.alpha_interval),
    ("alpha, ordinal", "Krippendorff's, by ranks", lambda s: s.alpha_ordinal),
    ("AC1 at 0.7", "Gwet's: are they on the same side of 0.7?", lambda s: s.gwet_ac["0.7"]),
    ("AC2, bands", "Gwet's: in the same band of the rubric, or near it?", lambda s: s.gwet_ac["bands"]),
    ("independent judges", "how many judges with errors of their own the panel is worth", lambda s: _worth(s)),
)


def agreement(found: Reliability, suffix: str) -> Table:
    """Coefficients of agreement on FAR, SAS, stances, claims."""
    columns = [Column("measure", "Measure")]
    for score in SCORES:
        columns += with_ends(score, score)
    rows = []
    for name, says, of in _ESTIMATES:
        row = {"measure": text_cell(name), "says": text_cell(says)}
        for score in SCORES:
            row |= estimate_cells(score, of(found.scores[score]))
        rows.append(row)
    difference = {"measure": text_cell("mean difference"), "says": text_cell("between two judges, in points of 1")}
    for score in SCORES:
        difference |= estimate_cells(score, Estimate(found.scores[score].mean_absolute_difference, math.nan, math.nan))
    return Table(
        f"agreement{suffix}",
        (*columns, Column("says", "What it is")),
        (*rows, difference),
        "Agreement",
        "From and to: 95 % intervals, over concepts.",
    )


def pairs(found: Reliability, suffix: str) -> Table:
    """Every two judges: correlation, difference, kappa."""
    columns = [Column("first", "Judge"), Column("second", "Judge")]
    for score in SCORES:
        columns += [
            Column(f"{score}_r", f"{score}, r", numeric=True, help="Pearson's correlation"),
            Column(f"{score}_difference", "difference", numeric=True, help="Mean absolute difference"),
            Column(f"{score}_kappa", "kappa, 0.7", numeric=True, help="Cohen's: on the same side of 0.7"),
            Column(f"{score}_bands", "kappa, bands", numeric=True, help="Weighted, over the rubric's five bands"),
        ]
    kappas = {"stance": found.stance, "claims": found.no_claims}
    columns += [
        Column(name, f"kappa, {name}", numeric=True) for name, categories in kappas.items() if categories is not None
    ]
    rows = []
    for place, (far, sas) in enumerate(zip(found.scores["FAR"].pairs, found.scores["SAS"].pairs, strict=True)):
        row = {"first": text_cell(far.judges[0]), "second": text_cell(far.judges[1])}
        for score, pair in zip(SCORES, (far, sas), strict=True):
            row |= {
                f"{score}_r": number_cell(pair.pearson, 2),
                f"{score}_difference": number_cell(pair.mean_absolute_difference, 2),
                f"{score}_kappa": number_cell(pair.kappa["0.7"], 2),
                f"{score}_bands": number_cell(pair.kappa["bands"], 2),
            }
        row |= {
            name: number_cell(categories.pairs[place].kappa, 2)
            for name, categories in kappas.items()
            if categories is not None
        }
        rows.append(row)
    return Table(f"judge-pairs{suffix}", tuple(columns), tuple(rows), "Every two judges", _categories(found))


def spread(found: Reliability, suffix: str) -> Table:
    """Disagreement by how good the answer is."""
    columns = [Column("region", "Mean score of the turn")]
    for score in SCORES:
        columns += [
            Column(score, f"{score}, deviation", numeric=True, help="Mean standard deviation between judges"),
            Column(f"{score}_n", "Turns", numeric=True),
        ]
    rows = []
    for far, sas in zip(found.scores["FAR"].spread, found.scores["SAS"].spread, strict=True):
        rows.append(
            {
                "region": text_cell(far.region),
                "FAR": number_cell(far.sd),
                "FAR_n": count_cell(far.items),
                "SAS": number_cell(sas.sd),
                "SAS_n": count_cell(sas.items),
            }
        )
    caption = "Judges whose mean is above 0.9 can't differ much: no score exceeds 1."
    return Table(f"judge-spread{suffix}", tuple(columns), tuple(rows), "On which answers they differ", caption)


def remarks(found: Reliability) -> tuple[str, ...]:
    """What is undefined, and what must be kept in mind beside self-preference."""
    told = []
    for score in SCORES:
        reason = found.scores[score].effective_raters.reason
        if reason:
            told.append(f"Independent judges, {score}: no value, since {reason}.")
        elif found.scores[score].effective_raters.basis == "least alike pair":
            told.append(f"Independent judges, {score}, is an upper bound: errors that all share can't be seen.")
    for each in found.self_preference["FAR"]:
        remark = each.reason or each.caution
        if remark:
            told.append(f"Own kin, {each.judge}: {remark}.")
    return tuple(told)


def _categories(found: Reliability) -> str:
    told = [
        _category(name, categories)
        for name, categories in (("stances towards the trap", found.stance), ("claims or none", found.no_claims))
        if categories is not None
    ]
    return " ".join(["Kappa falls towards 0 where nearly all turns are alike, however often judges agree.", *told])


def _category(name: str, categories: CategoryReliability) -> str:
    parts = [
        f"{label} {number(each.value, 2)}"
        + ("" if (ends := ends_of(each)) is None else f" ({ends[0]:z.2f} to {ends[1]:z.2f})")
        for label, each in (("nominal alpha", categories.alpha), ("AC1", categories.ac1))
    ]
    return f"On {name}: {', '.join(parts)}; {counted(categories.items, 'turn')}."


def _worth(score: ScoreReliability) -> Estimate:
    return score.effective_raters.raters
