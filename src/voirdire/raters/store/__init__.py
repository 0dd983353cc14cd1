"""The project's file: what is rated, who rates, and every answer, in an append-only table."""

from voirdire.raters.store.reading import Reader
from voirdire.raters.store.store import Seat, Stale, Store, Transaction

__all__ = ["Reader", "Seat", "Stale", "Store", "Transaction"]
