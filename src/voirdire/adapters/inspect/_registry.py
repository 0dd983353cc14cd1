"""What Inspect finds through the entry point `inspect_ai`: the tasks, their solvers, scorers and metrics."""

from voirdire.adapters.inspect.cognibench import cognibench, grounded_answer, rate_metrics, statement_labels
from voirdire.adapters.inspect.ddft import cross_examination, ddft, jury_scores, profile_metrics
from voirdire.adapters.inspect.integrity import audit_panel, deduction_metrics, informed_answer, integrity

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
