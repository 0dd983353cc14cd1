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
from voirdire.jury.injection.summary import MOVED, Shift, Tally, shifts, tallies
from voirdire.jury.injection.trial import Heard, Progress, hear, spread
from voirdire.jury.injection.undefended import Undefended

__all__ = [
    "CASES",
    "CONTROLS",
    "MOVED",
    "TARGETS",
    "Attack",
    "Case",
    "CaseName",
    "Heard",
    "Progress",
    "Shift",
    "Tally",
    "Target",
    "Undefended",
    "attacks",
    "cases",
    "controls",
    "families",
    "hear",
    "shifts",
    "spread",
    "tallies",
]
