"""How far an audit has come, and what is missing of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.instruments import RunProgress
from voirdire.integrity.auditing import RULES, UNSPACED
from voirdire.integrity.results import audit_kind, read_audits
from voirdire.runs import Journal, RunFolder, RunStatus
from voirdire.text.counting import counted

_IN_VAIN = (
    ", and no further call brings one: it refused, or wrote none that can be used, and its replies stand on record"
)


def audited_by(journal: Journal, auditor: str) -> set[str]:
    """Ids of the responses that an auditor has audited."""
    return {response for response, audit in _audits(journal, auditor).items() if audit["missing"] is None}


def unfinished(journal: Journal, auditors: Sequence[str], items: int) -> str | None:
    """Of which responses audits are missing, if any, and whether asking again would bring them, in a sentence."""
    unasked, settled = [], []
    for name in auditors:
        audits = _audits(journal, name).values()
        in_vain = sum(audit["missing"] is not None and not audit["call_failed"] for audit in audits)
        lacking = items - sum(audit["missing"] is None for audit in audits) - in_vain
        if lacking:
            unasked.append(f"{name} gave no audit of {counted(lacking, 'response')} (the same command asks again)")
        if in_vain:
            why = f": {UNSPACED}" if name == RULES else _IN_VAIN
            settled.append(
                f"{name} gave no audit of {counted(in_vain, 'response')}{why} (begin a run with other auditors to "
                "ask those)"
            )
    return f"{'; '.join([*unasked, *settled])}." if unasked or settled else None


def progress_of(folder: RunFolder) -> RunProgress:
    """How many audits are made, as far as its auditors can make them."""
    auditors: Sequence[str] = folder.manifest["auditors"]
    audits = [audit for name in auditors for audit in _audits(folder.journal, name).values()]
    done = sum(audit["missing"] is None or not audit["call_failed"] for audit in audits)
    return RunProgress(done, len(auditors) * folder.manifest["items"], "audits")


def status_of(folder: RunFolder) -> RunStatus:
    """How far a run has come: audits and scores that are missing, and why; nothing is asked.

    Raises:
        IntegrityError: the run is no audit.
    """
    audits: Counter[str] = Counter()
    scores: Counter[str] = Counter()
    for each in read_audits(folder.path):
        audits.update(audit.missing for audit in each.decision.audits if audit.missing is not None)
        if each.decision.unscored == "few_auditors":
            scores[each.decision.why] += 1
    manifest = folder.manifest
    unfinished_note = unfinished(folder.journal, manifest["auditors"], manifest["items"])
    return RunStatus(unfinished_note, missing={"audits": audits, "scores": scores})


def _audits(journal: Journal, auditor: str) -> dict[str, Mapping[str, Any]]:
    """By response that was asked about: the auditor's note."""
    return {note.dialogue: note.body for note in journal.notes((audit_kind(auditor),))}
