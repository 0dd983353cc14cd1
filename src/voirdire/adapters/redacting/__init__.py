"""A copy of a run for others to read, without what is private."""

from voirdire.adapters.redacting.records import Redacted, RedactPlan
from voirdire.adapters.redacting.redacting import redact_run
from voirdire.run.redacting import RedactError

__all__ = ["RedactError", "RedactPlan", "Redacted", "redact_run"]
