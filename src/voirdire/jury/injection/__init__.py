"""Hostile answers: what a subject may write to sway whoever reads it, and what a judge makes of it."""

from voirdire.jury.injection.attacks import (
    CONTROLS,
    TARGETS,
    Attack,
    Target,
    attacks,
    controls,
    families,
)
from voirdire.jury.injection.cases import CASES, Case, CaseName, cases
from voirdire.jury.injection.summary import ALL_ATTACKS, MOVED, Shift, Tally, shifts, tallies
from voirdire.jury.injection.trial import Progress, TrialVerdict, choose_attacks, run_trial
from voirdire.jury.injection.undefended import Undefended

__all__ = [
    "ALL_ATTACKS",
    "CASES",
    "CONTROLS",
    "MOVED",
    "TARGETS",
    "Attack",
    "Case",
    "CaseName",
    "Progress",
    "Shift",
    "Tally",
    "Target",
    "TrialVerdict",
    "Undefended",
    "attacks",
    "cases",
    "choose_attacks",
    "controls",
    "families",
    "run_trial",
    "shifts",
    "tallies",
]
