"""A person checks a sample of a run's turns, and the jury is held against what the person says."""

from voirdire.ddft.crosscheck.comparing import Crosscheck, crosscheck
from voirdire.ddft.crosscheck.records import CrosscheckError
from voirdire.ddft.crosscheck.sampling import sample_turns
from voirdire.ddft.crosscheck.sheet import sheet_text

__all__ = ["Crosscheck", "CrosscheckError", "crosscheck", "sample_turns", "sheet_text"]
