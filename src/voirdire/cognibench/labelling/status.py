"""How far a labelling run has come, and what is missing of it: told by its notes alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from voirdire.cognibench.labelling.records import NOTE
from voirdire.run import Journal, RunFolder, RunStatus
from voirdire.text.counting import counted

_LONGEST = 200


def done_in(journal: Journal) -> set[str]:
    """Ids of the answers that are labelled, as far as they can be: no call of theirs failed, and replies stand."""
    return {answer for answer, failed in _failed_calls(journal).items() if not failed}


def unfinished(journal: Journal, answers: int) -> str | None:
    """How many of the answers are still to be asked about, if any, in a sentence."""
    noted = _failed_calls(journal)
    failed, unasked = sum(map(bool, noted.values())), answers - len(noted)
    parts = []
    if failed:
        parts.append(f"calls failed for {failed:,} of {counted(answers, 'answer')}")
    if unasked:
        parts.append(f"not labelled yet: {unasked:,} of {counted(answers, 'answer')}")
    return f"{'; '.join(parts)}; the same command goes on." if parts else None


def _failed_calls(journal: Journal) -> dict[str, int]:
    """By answer that was asked about: how many of its calls failed."""
    return {note.dialogue: note.body["failed_calls"] for note in journal.notes((NOTE,))}


def status_of(folder: RunFolder) -> RunStatus:
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
    return RunStatus(unfinished(folder.journal, folder.manifest["answers"]), missing=missing)


def _absent(judged: Mapping[str, Any]) -> int:
    return sum(vote is None for vote in judged["votes"])
