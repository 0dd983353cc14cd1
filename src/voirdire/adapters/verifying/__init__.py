"""Is a run, an export or a report still what was written? Tables made again, hashes held against what is there."""

from voirdire.adapters.verifying.records import Finding, Verified, VerifyError
from voirdire.adapters.verifying.verifying import verify

__all__ = ["Finding", "Verified", "VerifyError", "verify"]
