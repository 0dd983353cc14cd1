"""What Inspect finds through the entry point `inspect_ai`: the tasks, their solvers, scorers and metrics."""

from voirdire.adapters.inspect._audits import deduction_metrics
from voirdire.adapters.inspect._dialogues import profile_metrics
from voirdire.adapters.inspect._statements import rate_metrics
from voirdire.adapters.inspect.cognibench import cognibench, grounded_answer, statement_labels
from voirdire.adapters.inspect.ddft import cross_examination, ddft, jury_scores
from voirdire.adapters.inspect.integrity import audit_panel, informed_answer, integrity

__all__ = [
    "audit_panel",
    "cognibench",
    "cross_examination",
    "ddft",
    "deduction_metrics",
    "grounded_answer",
    "informed_answer",
    "integrity",
    "jury_scores",
    "profile_metrics",
    "rate_metrics",
    "statement_labels",
]
