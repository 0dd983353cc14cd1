"""Choosing concepts by the paper's four criteria (DDFT 4.2): rules and counts, and a small run for the fourth."""

from voirdire.ddft.pilot.criteria import Criterion, PilotAnswers, criteria, discriminative_power
from voirdire.ddft.pilot.session import SAMPLES, Pilot, Piloted, pilot_plan, run_pilot

__all__ = [
    "SAMPLES",
    "Criterion",
    "Pilot",
    "PilotAnswers",
    "Piloted",
    "criteria",
    "discriminative_power",
    "pilot_plan",
    "run_pilot",
]
