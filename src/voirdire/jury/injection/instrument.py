"""Runs of `jury injection`, described for the rest of the package: their verdicts are not made again."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.instruments import Finding, Instrument
from voirdire.runs import RunFolder

_RECORD = "verdicts.jsonl"


def _findings(folder: RunFolder) -> Iterator[Finding]:
    has_verdicts = (folder.path / _RECORD).is_file()
    message = "verdicts on attacks and on honest answers: not compared; the judge's replies are in the journal"
    yield Finding(_RECORD, "note", message if has_verdicts else "nothing has been judged yet, or it is gone")


INSTRUMENT = Instrument(name="jury-injection", contents="a judge's verdicts on hostile answers", findings=_findings)
