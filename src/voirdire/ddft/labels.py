"""What metrics are called where people read them; data and code keep their names."""

from __future__ import annotations

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

_EXPLAINED = {
    "ER": "the whole: geometric mean of K, E, S and D",
    "K": "stays accurate as the reference shrinks",
    "E": "rejects the fabrication (V_E, smoothed)",
    "S": "stays coherent as the reference shrinks",
    "D": "outside the danger zone (smoothed)",
    "V_K": "accuracy of the verifiable detail, turn 3",
    "V_E": "traps rejected (questioned: half), turn 4",
    "entrenchment": "of the accepted, still accepted when asked on",
    "capitulation": "of the rejected, accepted under pressure",
    "danger_zone_pct": "fluent and wrong: SAS > 0.7, FAR < 0.7",
    "share_answered": "answers that make a claim at all",
    "HOC": "highest compression with FAR of 0.70 or more",
    "HOC_onset": "last level before FAR first falls below 0.70",
    "CRI": "area under SAS",
    "FAR_prime": "FAR where SAS < 0.5",
    "SAS_prime": "SAS where FAR > 0.2",
    "CI_raw": "HOC · CRI / (FAR' + 1 - SAS')",
    "CI_norm": "relative to the other models of the run",
}
_OF_ONE_LEVEL = {
    "ER": "the whole, at one level only",
    "K": "accurate about the subject, at one level only",
    "S": "coherent, at one level only",
    "CRI": "mean SAS, at one level only",
}


def explained(metric: str, levels: int) -> str:
    """What a metric says of a run that asked at so many levels, in a few words: with one, nothing shrinks."""
    return _OF_ONE_LEVEL.get(metric, _EXPLAINED[metric]) if levels == 1 else _EXPLAINED[metric]


_IN_SENTENCES = {
    "danger_zone_pct": "danger zone",
    "trap_acceptance": "acceptance of traps",
    "selective_verifier_failure": "selective failure of the verifier",
    "share_answered": "share of answers",
    "V_E_proxy": "accuracy at turn 4",
}


def in_words(metric: str) -> str:
    """What a metric is called within a sentence: FAR', not FAR_prime; danger zone, not danger_zone_pct."""
    return _IN_SENTENCES.get(metric, LABELS.get(metric, metric))
