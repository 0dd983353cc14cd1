"""What makes a concept file usable, and what makes a test with it weak (the rules of data/concepts/README.md)."""

from voirdire.ddft.concepts.checking.files import Checked, check_concept, check_files, check_text
from voirdire.ddft.concepts.checking.findings import HOUSE, OWN, BrokenRule, Limits

__all__ = ["HOUSE", "OWN", "BrokenRule", "Checked", "Limits", "check_concept", "check_files", "check_text"]
