"""The contradiction suite: faithful statements with one thing changed, and how many of them a detector flags.

from voirdire.cognibench.contradictions import contradiction_rates
contradiction_rates(open_detector("lexical"), answers).rates["number"].rate
"""

from voirdire.cognibench.contradictions.perturbing import perturb
from voirdire.cognibench.contradictions.rates import contradiction_rates
from voirdire.cognibench.contradictions.records import KINDS, ContradictionRates, Count, Kind, Perturbed

__all__ = ["KINDS", "ContradictionRates", "Count", "Kind", "Perturbed", "contradiction_rates", "perturb"]
