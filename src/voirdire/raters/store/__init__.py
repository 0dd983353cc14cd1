"""The project's file: what is rated, who rates, and every answer, in an append-only table."""

from voirdire.raters.store.reader import Reader
from voirdire.raters.store.store import NotSaved, Stale, Store
from voirdire.raters.store.transaction import RaterLink, Transaction

__all__ = ["NotSaved", "RaterLink", "Reader", "Stale", "Store", "Transaction"]
