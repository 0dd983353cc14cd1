"""Turns against the CI index: Table 4, and what the paper reads from it (DDFT 6.2, 8.3, appendices A.1 and D.1)."""

from __future__ import annotations

import numpy as np

from voirdire.ddft.published.claims import Claim, Found, compared, held
from voirdire.ddft.published.study import DRAWS, Study
from voirdire.stats.association import ExactCorrelation, exact_correlation
from voirdire.stats.correlation import spearman

TURNS = range(1, 6)

_METHOD = "Fisher's z with Bonett and Wright's variance, over the nine models"


def claims_table_4(study: Study) -> list[Claim]:
    """The five correlations of Table 4, and their p-values."""
    found = {turn: _with_ci(study, turn) for turn in TURNS}
    return [_rho(study, turn, found[turn]) for turn in TURNS] + [_p(study, turn, found[turn]) for turn in TURNS]


def claim_turn_4_interval(study: Study) -> Claim:
    """The interval of turn 4's correlation."""
    said = study.said("turn-4-interval")
    found = spearman(study.far_at_turn(4), study.ci, groups=np.arange(len(study.ci)), draws=DRAWS)
    fisher = spearman(study.far_at_turn(4), study.ci)
    low, high = said.numbers
    definition = f"Percentiles of {DRAWS:,} bootstraps of the nine models (the abstract's method), Spearman's rho."
    why = f"By Fisher's z with Bonett and Wright's variance it is {fisher.low:.2f} to {fisher.high:.2f}."
    same = low.matches(found.low) and high.matches(found.high)
    return held(said, same, Found(f"{found.low:.2f} to {found.high:.2f}", definition), why=why)


def claim_turn_3_against_4(study: Study) -> Claim:
    """Turn 3 against turn 4."""
    found = exact_correlation(study.far_at_turn(3), study.far_at_turn(4), kind="spearman")
    definition = "Spearman's rho over the nine models of mean FAR at turn 3 and at turn 4."
    why = (
        f"p = {found.p_asymptotic:.3f} by t, {found.p:.3f} over all orders. The number that is printed is that of "
        "turn 4 against the CI index (Table 4)."
    )
    return compared(
        study.said("turn-3-against-4"), Found(found.value, definition, (found.low, found.high), _METHOD), why=why
    )


def claim_turn_3_positive(study: Study) -> Claim:
    """Turn 3 against the CI index, as 8.3 has it."""
    found = spearman(study.far_at_turn(3), study.ci)
    definition = "Spearman's rho over the nine models of mean FAR at turn 3 and the CI index."
    why = "Table 4 prints -0.483 for the same pair."
    return compared(
        study.said("turn-3-positive"), Found(found.rho, definition, (found.low, found.high), _METHOD), why=why
    )


def claim_turn_4_strongest(study: Study) -> Claim:
    """Which turn has the strongest relation."""
    rho = np.array([spearman(study.far_at_turn(turn), study.ci).rho for turn in TURNS])
    strongest = TURNS[int(np.argmax(np.abs(rho)))]
    others = ", ".join(f"turn {turn} {value:+.2f}" for turn, value in zip(TURNS, rho, strict=True))
    definition = "The turn whose mean FAR has the largest |Spearman's rho| with the CI index over the nine models."
    return compared(study.said("turn-4-strongest"), Found(strongest, definition), why=f"All five: {others}.")


def claim_rejecting_helps(study: Study) -> Claim:
    """What the sign of turn 4's correlation means."""
    found = spearman(study.far_at_turn(4), study.ci)
    definition = (
        "Spearman's rho over the nine models of mean FAR at turn 4 and the CI index; a FAR of 1 is a correct answer to "
        "the trap, so that the claim needs rho > 0."
    )
    why = (
        "The better a model answered the trap, the lower its CI index; the paper reads its own negative rho the other "
        "way round. FAR at turn 4 is no more than a proxy: whether a trap was rejected was not recorded."
    )
    shown = Found(found.rho, definition, (found.low, found.high), _METHOD)
    return held(study.said("rejecting-helps"), found.rho > 0, shown, why=why if found.rho <= 0 else "")


def _with_ci(study: Study, turn: int) -> ExactCorrelation:
    return exact_correlation(study.far_at_turn(turn), study.ci, kind="spearman")


def _rho(study: Study, turn: int, found: ExactCorrelation) -> Claim:
    definition = f"Spearman's rho over the nine models of mean FAR at turn {turn} and the CI index."
    return compared(study.said(f"turn-{turn}-rho"), Found(found.value, definition, (found.low, found.high), _METHOD))


def _p(study: Study, turn: int, found: ExactCorrelation) -> Claim:
    definition = f"Two-sided p of that rho, from t with {found.n - 2} degrees of freedom, as scipy gives it."
    why = f"Over all orders of nine models p is {found.p:.3f}."
    if turn == 4:
        why += f" Corrected for the five turns (Bonferroni) it is {min(1.0, len(TURNS) * found.p):.3f}."
    return compared(study.said(f"turn-{turn}-p"), Found(found.p_asymptotic, definition), why=why)
