"""How far judges agree, and in what they differ: from a table of verdicts; pure.

Items are turns; the concept is the cluster. What each number means, and what none of them can show, stands in
docs/reliability.md.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from voirdire.errors import InputError
from voirdire.jury.reliability_records import (
    CategoryReliability,
    JudgePair,
    Kappa,
    Reliability,
    ScoreName,
    ScoreReliability,
    Spread,
)
from voirdire.jury.self_preference import self_preference
from voirdire.reason_codes import Reason, reason
from voirdire.records import STANCES
from voirdire.stats.agreement import (
    Estimate,
    Intraclass,
    Weighting,
    cohen_kappa,
    effective_raters,
    gwet_ac,
    intraclass,
    item_spread,
    krippendorff_alpha,
    leniency,
    mean_absolute_difference,
    pairwise,
    pearson,
)
from voirdire.stats.intervals import Floats

__all__ = [
    "CUTS",
    "CategoryReliability",
    "Reliability",
    "ReliabilityError",
    "ScoreName",
    "ScoreReliability",
    "reliability",
]

SCORES: dict[ScoreName, str] = {"FAR": "far", "SAS": "sas"}
"""Score, and its column."""

CUTS: dict[str, tuple[float, ...]] = {
    "0.7": (0.7,),  # theta, and the bounds of the danger zone (DDFT 5.2.1, 8.2.3)
    "bands": (0.4, 0.6, 0.8, 1.0),  # where the rubrics' five bands begin (DDFT B.2, B.3)
}
_WEIGHTS: dict[str, Weighting] = {"0.7": None, "bands": "linear"}
"""Two categories know no near misses."""

MIN_CONCEPTS = 3
_LEAST_ICC = -1.0
_ICCS = {"icc_2_1": "ICC(2,1)", "icc_2_k": "ICC(2,k)", "icc_3_1": "ICC(3,1)", "icc_3_k": "ICC(3,k)"}
_ITEM = ["model", "concept", "level", "sample", "turn"]


class ReliabilityError(InputError):
    """Verdicts whose reliability can't be told: one sentence says why."""


def reliability(
    verdicts: pd.DataFrame,
    judges: Sequence[str] | None = None,
    truth: pd.DataFrame | None = None,
    specs: Mapping[str, str] = MappingProxyType({}),
    left_out: Collection[str] = (),
) -> Reliability:
    """Measure how far judges agree.

    A missing verdict, and a FAR that is null because the judge found no claims, is a score the item does not have;
    the item's other scores stay in. Whether there are claims at all is a judgment of its own (`no_claims`).

    Args:
        verdicts: of one jury, one row per turn and judge: model, concept, level, sample, turn, judge, far, sas;
            also no_claims, stance and missing, where they are known.
        judges: their names in order; `None` for all that stand in the table.
        truth: far and sas as they should be, if somebody knows (humans, a simulation): one row per turn, with model,
            concept, level, sample, turn. The effective number of judges then rests on their errors.
        specs: of models that are shown by an alias, by that alias.
        left_out: judges who nearly repeat another, so that coefficients of agreement are computed without them: they
            stand in pairs, leniency and self-preference alone.

    Raises:
        ReliabilityError: fewer than two judges, or two verdicts of one judge on one turn.
    """
    names = tuple(judges or sorted(verdicts["judge"].unique()))
    if len(names) < 2:
        raise ReliabilityError(
            f"Reliability needs at least two judges, and this jury has {len(names)} ({', '.join(names) or 'nobody'}); "
            "have the run judged by several: voirdire score RUN --jury A,B,C."
        )
    if verdicts.duplicated([*_ITEM, "judge"]).any():
        raise ReliabilityError("A judge stands twice on one turn; give the verdicts of one jury only.")
    tables = {name: _table(verdicts, column, names) for name, column in SCORES.items()}
    return Reliability(
        judges=names,
        scores={name: _score(table, _truth_of(truth, SCORES[name], table), left_out) for name, table in tables.items()},
        stance=_stance(verdicts, names, left_out),
        no_claims=_no_claims(verdicts, names, left_out),
        leniency={
            name: dict(zip(names, leniency(_ratings(table), _concepts(table)), strict=True))
            for name, table in tables.items()
        },
        self_preference={
            name: self_preference(_ratings(table), names, _column(table, "model"), _concepts(table), specs)
            for name, table in tables.items()
        },
        notes=_notes(verdicts, names),
    )


def _score(table: pd.DataFrame, truth: Floats | None, left_out: Collection[str]) -> ScoreReliability:
    pairs = _pairs(_ratings(table), tuple(table.columns))
    ratings, concepts = _ratings(_without(table, left_out)), _concepts(table)
    correlations, cut = _bounded(intraclass(ratings, clusters=concepts))
    return ScoreReliability(
        intraclass=correlations,
        alpha_interval=krippendorff_alpha(ratings, "interval", concepts),
        alpha_ordinal=krippendorff_alpha(ratings, "ordinal", concepts),
        gwet_ac={
            name: gwet_ac(ratings, cuts=cuts, weights=_WEIGHTS[name], clusters=concepts) for name, cuts in CUTS.items()
        },
        pairs=pairs,
        mean_absolute_difference=_pooled([pair for pair in pairs if not set(left_out).intersection(pair.judges)]),
        spread=_spread(ratings),
        effective_raters=effective_raters(ratings, truth=truth, clusters=concepts),
        cut=cut,
    )


def _bounded(coefficients: Intraclass) -> tuple[Intraclass, Reason | None]:
    """The ICCs and their intervals cut at -1, and which were: on a few turns the ICC of a mean runs away below it."""
    too_low = {field: each for field in _ICCS if min(each := getattr(coefficients, field)) < _LEAST_ICC}
    if not too_low:
        return coefficients, None
    bounded = {field: Estimate(*(max(end, _LEAST_ICC) for end in each)) for field, each in too_low.items()}
    return Intraclass(**(coefficients._asdict() | bounded)), reason(
        "icc_cut", coefficients=tuple(_ICCS[field] for field in too_low), least=_LEAST_ICC
    )


def _table(verdicts: pd.DataFrame, column: str, judges: tuple[str, ...]) -> pd.DataFrame:
    """Scores with the items as rows and the judges as columns."""
    return verdicts.set_index([*_ITEM, "judge"])[column].unstack("judge").reindex(columns=list(judges))


def _without(table: pd.DataFrame, left_out: Collection[str]) -> pd.DataFrame:
    return table.drop(columns=list(left_out), errors="ignore")


def _ratings(table: pd.DataFrame) -> Floats:
    return table.to_numpy(dtype=np.float64)


def _concepts(table: pd.DataFrame) -> NDArray[np.object_]:
    return _column(table, "concept")


def _column(table: pd.DataFrame, name: str) -> NDArray[np.object_]:
    return table.index.get_level_values(name).to_numpy(dtype=object)


def _truth_of(truth: pd.DataFrame | None, column: str, table: pd.DataFrame) -> Floats | None:
    if truth is None:
        return None
    return truth.set_index(_ITEM)[column].reindex(table.index).to_numpy(dtype=np.float64)


def _pairs(ratings: Floats, judges: tuple[str, ...]) -> tuple[JudgePair, ...]:
    items = pairwise(ratings, lambda a, _: len(a))
    correlation, difference = pairwise(ratings, pearson), pairwise(ratings, mean_absolute_difference)
    kappas = {name: _kappas(ratings, cuts, _WEIGHTS[name]) for name, cuts in CUTS.items()}
    return tuple(
        JudgePair(
            (judges[one], judges[other]),
            int(items[one, other]),
            float(correlation[one, other]),
            float(difference[one, other]),
            {name: float(kappa[one, other]) for name, kappa in kappas.items()},
        )
        for one, other in zip(*np.triu_indices(len(judges), k=1), strict=True)
    )


def _kappas(ratings: Floats, cuts: Sequence[float], weights: Weighting) -> Floats:
    return pairwise(ratings, lambda a, b: cohen_kappa(a, b, cuts=cuts, weights=weights))


def _pooled(pairs: Sequence[JudgePair]) -> float:
    items = np.array([pair.items for pair in pairs])
    differences = np.array([pair.mean_absolute_difference for pair in pairs])
    return float(np.average(differences[items > 0], weights=items[items > 0])) if items.any() else float("nan")


def _spread(ratings: Floats) -> tuple[Spread, ...]:
    mean, sd = item_spread(ratings)
    regions = {  # DDFT 4.4 names the second and the fourth
        "all": np.ones(len(mean), dtype=np.bool_),
        "above 0.9": mean > 0.9,
        "0.6 to 0.9": (mean >= 0.6) & (mean <= 0.9),
        "between 0.4 and 0.6": (mean > 0.4) & (mean < 0.6),
        "0.4 or below": mean <= 0.4,
    }
    return tuple(
        Spread(region, float(sd[there].mean()) if there.any() else float("nan"), int(there.sum()))
        for region, there in regions.items()
    )


def _stance(verdicts: pd.DataFrame, judges: tuple[str, ...], left_out: Collection[str]) -> CategoryReliability | None:
    if "stance" not in verdicts:
        return None
    known = verdicts[verdicts["stance"].notna()]
    codes = known["stance"].map({stance: float(number) for number, stance in enumerate(STANCES)})
    return _categories(known.assign(code=codes), judges, left_out, cuts=(0.5, 1.5))


def _no_claims(
    verdicts: pd.DataFrame, judges: tuple[str, ...], left_out: Collection[str]
) -> CategoryReliability | None:
    if "no_claims" not in verdicts or not verdicts["no_claims"].eq(True).any():
        return None
    given = verdicts[verdicts["sas"].notna() | verdicts["far"].notna()]
    return _categories(given.assign(code=given["no_claims"].eq(True).astype("float64")), judges, left_out, cuts=(0.5,))


def _categories(
    verdicts: pd.DataFrame, judges: tuple[str, ...], left_out: Collection[str], *, cuts: tuple[float, ...]
) -> CategoryReliability | None:
    table = _table(verdicts, "code", judges)
    kappa = _kappas(_ratings(table), cuts, None)
    ratings, concepts = _ratings(_without(table, left_out)), _concepts(table)
    paired = int(((~np.isnan(ratings)).sum(axis=1) >= 2).sum())
    if not paired:
        return None
    return CategoryReliability(
        krippendorff_alpha(ratings, "nominal", concepts),
        gwet_ac(ratings, cuts=cuts, weights=None, clusters=concepts),
        tuple(
            Kappa((judges[one], judges[other]), float(kappa[one, other]))
            for one, other in zip(*np.triu_indices(len(judges), k=1), strict=True)
        ),
        paired,
    )


def _notes(verdicts: pd.DataFrame, judges: tuple[str, ...]) -> tuple[str, ...]:
    notes = [
        "Agreement is not accuracy: what all judges get wrong alike looks like truth here, and only an outside truth "
        "(people, known answers) could show it."
    ]
    concepts = verdicts["concept"].nunique()
    if concepts < MIN_CONCEPTS:
        notes.append(f"No intervals: they need {MIN_CONCEPTS} concepts, not {concepts}.")
    missing = _missing(verdicts, judges)
    if missing:
        by_judge = ", ".join(f"{judge} {count:,}" for judge, count in missing.items())
        notes.append(f"Missing verdicts: {by_judge}. The items stay in with the scores they have.")
    if "no_claims" in verdicts and verdicts["no_claims"].eq(True).any():
        silent = verdicts["no_claims"].eq(True)
        without = int((silent & verdicts["far"].isna()).sum())
        given = int(verdicts["no_claims"].notna().sum())
        notes.append(
            f"Verdicts that find no claims: {int(silent.sum()):,} of {given:,}; without a FAR, so that they "
            f"take no part in the agreement on FAR: {without:,}. Whether there are claims is compared by itself."
        )
    return tuple(notes)


def _missing(verdicts: pd.DataFrame, judges: tuple[str, ...]) -> Mapping[str, int]:
    """By judge, on how many turns it gave no SAS, which every verdict has; those without any left out."""
    given = _table(verdicts, "sas", judges).notna().sum()
    turns = len(verdicts[_ITEM].drop_duplicates())
    return {judge: turns - int(given[judge]) for judge in judges if given[judge] < turns}
