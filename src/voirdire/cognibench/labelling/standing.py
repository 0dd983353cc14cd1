"""How far a labelling run has come, and what is missing of it: told by its notes alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from voirdire.cognibench.labelling.records import NOTE
from voirdire.run import Journal, RunFolder, Standing

_LONGEST = 200


def done_in(journal: Journal) -> set[str]:
    """Ids of the answers that are labelled, as far as they can be: no call of theirs failed."""
    return {note.dialogue for note in journal.notes((NOTE,)) if not note.body["failed_calls"]}


def unfinished(journal: Journal, answers: int) -> str | None:
    """How many of the answers are still to be asked about, if any, in a sentence."""
    lacking = answers - len(done_in(journal))
    if not lacking:
        return None
    return f"calls failed for {lacking:,} of {answers:,} answers; the same command asks again."


def standing_of(folder: RunFolder) -> Standing:
    """How far a run has come: labels and votes that are missing, and why; nothing is asked."""
    labels: Counter[str] = Counter()
    votes: Counter[str] = Counter()
    for note in folder.journal.notes((NOTE,)):
        why = "; ".join(dict.fromkeys(note.body["reasons"]))[:_LONGEST] or "no vote"
        for judged in note.body["judged"]:
            votes[why] += _absent(judged)
            if judged["label"] is None:
                labels[judged["why"] or "undecided"] += 1
    missing = {"labels": labels, "votes": +votes}
    return Standing(unfinished(folder.journal, folder.manifest.get("answers", 0)), missing=missing)


def _absent(judged: Mapping[str, Any]) -> int:
    return sum(vote is None for vote in judged["votes"])
