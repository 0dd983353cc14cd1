"""What the checks need of a run, from its folder."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from voirdire.ddft.judging import jury_kind
from voirdire.ddft.tables import ANSWERING, Tables
from voirdire.ddft.validity.records import RunRecord
from voirdire.records import Concept
from voirdire.run import RunFolder


def read_record(folder: RunFolder, jury_id: str, tables: Tables, concepts: Mapping[str, Concept]) -> RunRecord:
    """Gather what the checks look at.

    Args:
        folder: an open run.
        jury_id: whose verdicts count; that jury has sat in this run.
        tables: of the run, as `build_tables` makes them.
        concepts: those whose texts the run holds, by id.
    """
    manifest = folder.manifest
    sent = folder.journal.sent(ANSWERING, turn=1)
    return RunRecord(
        turns=tables.turns,
        verdicts=_of(tables.verdicts, jury_id),
        scores=_of(tables.scores, jury_id),
        judges=tuple(folder.journal.note_of("", 0, jury_kind(jury_id))["judges"]),
        interviewer=manifest["interviewer"],
        trap=manifest["preset"]["trap"],
        samples=manifest["preset"]["samples"],
        concepts={name: concepts.get(name) or _nameless(name) for name in manifest["concepts"]},
        openings={name: "\n\n".join(each["content"] for each in messages) for name, messages in sent.items()},
        imported="imported_sha256" in manifest,
    )


def _of(frame: pd.DataFrame, jury_id: str) -> pd.DataFrame:
    return frame[frame["jury"] == jury_id].reset_index(drop=True)


def _nameless(name: str) -> Concept:
    """A concept of a published record that the package does not know."""
    return Concept(name, name, "", "", (), (), (), ())
