"""Was the test itself sound?"""

from voirdire.ddft.validity.all_checks import CHECK_IDS, CHECKS, validate
from voirdire.ddft.validity.naming import names_concept
from voirdire.ddft.validity.records import Check, RunRecord, Status

__all__ = ["CHECKS", "CHECK_IDS", "Check", "RunRecord", "Status", "names_concept", "validate"]
