"""Is a run, an export or a report still what was written? Tables made again, hashes held against what is there."""

from voirdire.adapters.verifying.records import Verified, VerifyError
from voirdire.adapters.verifying.verifying import verify
from voirdire.instruments import Finding

__all__ = ["Finding", "Verified", "VerifyError", "verify"]
