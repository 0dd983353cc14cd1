"""What an instrument is, and which there are. Whoever loads, exports, verifies or redacts a run asks here."""

from voirdire.instruments.instrument import Finding, Instrument, KeptFile, Status, Tables
from voirdire.instruments.registry import instrument_of

__all__ = ["Finding", "Instrument", "KeptFile", "Status", "Tables", "instrument_of"]
