"""Asking by batch: providers answer within a day, for half the price.

A call waits in its HTTP client's transport until its batch has ended, so that nothing else needs to know of it.
"""

from voirdire.models.batch.providers import BATCHED, Batching, BatchRecord, Ledger, Pace, batch_discount, check_batched

__all__ = [
    "BATCHED",
    "BatchRecord",
    "Batching",
    "Ledger",
    "Pace",
    "batch_discount",
    "check_batched",
]
