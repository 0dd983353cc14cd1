"""What the CogniBench paper prints, and what holds on recomputing it."""

from voirdire.cognibench.dynamics.published.paper import Paper, Said, load_paper
from voirdire.cognibench.dynamics.published.replicate import ASSUMED, Replication, replicate
from voirdire.cognibench.dynamics.published.trivial import Baseline, baselines
from voirdire.cognibench.dynamics.published.verdicts import RULE, VERDICTS, Claim

__all__ = [
    "ASSUMED",
    "RULE",
    "VERDICTS",
    "Baseline",
    "Claim",
    "Paper",
    "Replication",
    "Said",
    "baselines",
    "load_paper",
    "replicate",
]
