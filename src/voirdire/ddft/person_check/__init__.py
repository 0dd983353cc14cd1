"""A person checks a sample of a run's turns, and the jury is compared with what the person says."""

from voirdire.ddft.person_check.comparing import Crosscheck, crosscheck
from voirdire.ddft.person_check.records import CrosscheckError, DrawnTurn, JudgedRun, SampledTurn, key_of, read_judged
from voirdire.ddft.person_check.sheet import draw_turns, drawn_message, sample_turns, sheet_text

__all__ = [
    "Crosscheck",
    "CrosscheckError",
    "DrawnTurn",
    "JudgedRun",
    "SampledTurn",
    "crosscheck",
    "draw_turns",
    "drawn_message",
    "key_of",
    "read_judged",
    "sample_turns",
    "sheet_text",
]
