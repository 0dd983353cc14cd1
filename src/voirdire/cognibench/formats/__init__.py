"""Readers and writers of grounded dialogues: one type, `Answer`, whatever the file looked like."""

from voirdire.cognibench.formats.released import read_released

__all__ = ["read_released"]
