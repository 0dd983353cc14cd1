"""What the checks need of a run, from its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from voirdire.ddft import aliases
from voirdire.ddft.call_failures import call_failures
from voirdire.ddft.exported_tables import ANSWERING, Tables
from voirdire.ddft.judging import jury_kind
from voirdire.ddft.study import completed_dialogues
from voirdire.ddft.thresholds import Thresholds
from voirdire.ddft.validity.records import RunRecord
from voirdire.records import Concept
from voirdire.runs import RunFolder


def read_record(
    folder: RunFolder,
    jury_id: str,
    tables: Tables,
    concepts: Mapping[str, Concept],
    thresholds: Thresholds,
    answers: Callable[[], Iterator[pd.Series[Any]]] | None = None,
    justifications: Callable[[], Iterator[pd.Series[Any]]] | None = None,
) -> RunRecord:
    """Gather what the checks look at.

    Args:
        folder: an open run.
        jury_id: whose verdicts count; that jury has sat in this run.
        tables: of the run, as `build_tables` makes them.
        concepts: those whose texts the run holds, by id.
        thresholds: what the metrics count by.
        answers: pieces of them, where the table of turns comes without.
        justifications: the same, where the table of verdicts comes without.
    """
    manifest = folder.manifest
    sent = folder.journal.sent(ANSWERING, turn=1)
    return RunRecord(
        turns=tables.turns,
        verdicts=_rows_of_jury(tables.verdicts, jury_id),
        scores=_rows_of_jury(tables.scores, jury_id),
        judges=tuple(folder.journal.note_of("", 0, jury_kind(jury_id))["judges"]),
        interviewer=manifest["interviewer"],
        trap=manifest["preset"]["trap"],
        samples=manifest["preset"]["samples"],
        concepts={name: concepts.get(name) or _unknown_concept(name) for name in manifest["concepts"]},
        openings=_Openings(sent),
        completed_dialogues=completed_dialogues(folder.journal),
        specs=manifest.get(aliases.FIELD, {}),
        imported="imported_sha256" in manifest,
        thresholds=thresholds,
        call_failures=call_failures(folder),
        answer_pieces=answers,
        justification_pieces=justifications,
    )


def _rows_of_jury(frame: pd.DataFrame, jury_id: str) -> pd.DataFrame:
    if "jury" not in frame:
        return frame  # read for this jury alone
    of_jury = frame["jury"] == jury_id
    return frame if of_jury.all() else frame[of_jury].reset_index(drop=True)


def _unknown_concept(name: str) -> Concept:
    """A concept of a published record that the package does not know."""
    return Concept(name, name, "", "", (), (), (), ())


class _Openings(Mapping[str, str]):
    """What subjects were sent with the first question, as one text each."""

    def __init__(self, sent: Mapping[str, Sequence[Mapping[str, str]]]) -> None:
        self._sent = sent

    def __getitem__(self, dialogue: str) -> str:
        return "\n\n".join(message["content"] for message in self._sent[dialogue])

    def __iter__(self) -> Iterator[str]:
        return iter(self._sent)

    def __len__(self) -> int:
        return len(self._sent)
