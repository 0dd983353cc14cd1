"""The rules pass: suggestions without any model. Keywords suggest; they never convict."""

from voirdire.integrity.rules.coverage import Coverage, Status
from voirdire.integrity.rules.inspection import Inspection, inspect_response
from voirdire.integrity.rules.prepared_facts import PreparedFacts

__all__ = ["Coverage", "Inspection", "PreparedFacts", "Status", "inspect_response"]
