"""How far an audit has come, and what is missing of it."""

from __future__ import annotations

from collections import Counter

from voirdire.integrity.session import read_audits, unfinished
from voirdire.run import RunFolder, Standing


def standing_of(folder: RunFolder) -> Standing:
    """How far a run has come: audits and scores that are missing, and why; nothing is asked.

    Raises:
        IntegrityError: the run is no audit.
    """
    audits: Counter[str] = Counter()
    scores: Counter[str] = Counter()
    for each in read_audits(folder.path):
        audits.update(audit.missing for audit in each.decision.audits if audit.missing is not None)
        if each.decision.consensus is None:
            scores[each.decision.unscored or "no consensus"] += 1
    asked = folder.manifest
    left = unfinished(folder.journal, asked["auditors"], asked["items"])
    return Standing(left, missing={"audits": audits, "scores": scores})
