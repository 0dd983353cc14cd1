"""Taking out of a journal what is private, into a new one."""

from voirdire.run.redacting.cleaner import KINDS, Cleaner, RedactError
from voirdire.run.redacting.journals import copy_journal, private_values

__all__ = ["KINDS", "Cleaner", "RedactError", "copy_journal", "private_values"]
