"""Choosing concepts by the paper's four criteria (DDFT 4.2): rules and counts, and a small run for the fourth."""

from voirdire.ddft.pilot.criteria import Asked, Criterion, criteria, discriminative_power
from voirdire.ddft.pilot.session import SAMPLES, Pilot, Piloted, hold_pilot, pilot_plan

__all__ = [
    "SAMPLES",
    "Asked",
    "Criterion",
    "Pilot",
    "Piloted",
    "criteria",
    "discriminative_power",
    "hold_pilot",
    "pilot_plan",
]
