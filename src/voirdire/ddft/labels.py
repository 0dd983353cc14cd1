"""What metrics are called where people read them; data and code keep their names."""

from __future__ import annotations

import re

LABELS = {
    "V_E_strict": "V_E (strict)",
    "V_E_proxy": "FAR at turn 4",
    "trap_acceptance": "trap accepted",
    "danger_zone_pct": "danger zone, %",
    "coupled_collapse": "coupled collapse",
    "selective_verifier_failure": "selective failure",
    "share_answered": "answered",
    "HOC_onset": "HOC (onset)",
    "first_failing_level": "first failing level",
    "failed_at_0": "failed at 0",
    "FAR_prime": "FAR'",
    "SAS_prime": "SAS'",
    "CI_raw": "CI index",
    "CI_norm": "CI index (min-max)",
}
"""Of metrics that are not called as they are named."""

_NAMES = re.compile(rf"\b(?:{'|'.join(LABELS)})\b")


def worded(sentence: str) -> str:
    """A profile's remark with the metrics as tables call them: FAR', not FAR_prime."""
    return _NAMES.sub(lambda found: LABELS[found.group()], sentence)
