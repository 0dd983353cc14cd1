"""Runs of `jury injection`: their verdicts stand beside the journal, and are not made again."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.adapters.verifying.instruments import Instrument
from voirdire.adapters.verifying.records import Finding
from voirdire.run import RunFolder

_RECORD = "verdicts.jsonl"


def _beside(folder: RunFolder) -> Iterator[Finding]:
    there = (folder.path / _RECORD).is_file()
    said = "verdicts on attacks and on honest answers: not compared; the judge's replies are in the journal"
    yield Finding(_RECORD, "note", said if there else "nothing has been judged yet, or it is gone")


INSTRUMENT = Instrument(beside=_beside)
