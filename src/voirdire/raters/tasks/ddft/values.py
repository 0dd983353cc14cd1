"""The ratings of a turn as data: read from a form, held against one another, settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, TypeVar

from voirdire.raters.records import Refused
from voirdire.records import STANCES

T = TypeVar("T")

STEPS = tuple(round(step / 10, 1) for step in range(11))
"""The scores that can be given: tenths from 0 to 1."""
NO_CLAIMS = "none"
"""What the form sends for FAR where an answer has no checkable claims: one choice, so that nobody can give both."""
FAR_APART = 0.2
"""Two people's scores may lie this far apart: a band of the scale. Beyond it a third person is asked."""
MAX_COMMENT = 4000
"""Characters."""
_ROUNDING = 1e-9
"""0.8 - 0.6 is more than 0.2 to a computer."""


def read_form(form: Mapping[str, str], *, with_stance: bool) -> dict[str, Any]:
    """A rating, from the fields of the form: `far` (a tenth or "none"), `sas`, `stance`, `comment`.

    Args:
        form: as it was sent.
        with_stance: whether something fabricated was brought in.

    Raises:
        Refused: a field is missing, out of range, or does not belong to this turn.
    """
    no_claims = form.get("far", "").strip() == NO_CLAIMS
    return {
        "far": None if no_claims else _score(form, "far", f"or {NO_CLAIMS!r} where nothing in it can be checked"),
        "sas": _score(form, "sas", "for its form and relevance"),
        "no_claims": no_claims,
        "stance": _stance(form.get("stance", "").strip(), has_trap=with_stance),
        "comment": _comment(form.get("comment", "").strip()),
    }


def differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two ratings of a turn need a third person.

    They do when they say different things of whether there are claims or of the stance, and when FAR or SAS lie more
    than 0.2 apart, or than the key of a practice turn allows (`within`).
    """
    return any(differences(one, other).values())


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, bool]:
    """Part by part whether two ratings differ: "far" (which says also whether there are claims), "sas", "stance"."""
    within = {**one.get("within", {}), **other.get("within", {})}
    return {
        "far": one["no_claims"] != other["no_claims"] or _are_apart("far", one, other, within),
        "sas": _are_apart("sas", one, other, within),
        "stance": one["stance"] != other["stance"],
    }


def accepted(name: str, key: Mapping[str, Any]) -> str:
    """Which scores are close enough to that of a key: "0.7 to 1"; "" of what is no score."""
    score = key.get(name)
    if not isinstance(score, float):
        return ""
    reach = key.get("within", {}).get(name, FAR_APART)
    return f"{max(round(score - reach, 1), 0):g} to {min(round(score + reach, 1), 1):g}"


def settle(values: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """What several ratings come to: medians of the scores, what more than half say of claims and stance.

    Medians are over those who gave the score: of FAR, those who found claims. `None` where claims or stance have no
    majority.
    """
    claims = _majority([bool(value["no_claims"]) for value in values])
    stance = _majority([value["stance"] or "" for value in values])
    if claims is None or stance is None:
        return None
    return {
        "far": None if claims else _median("far", values),
        "sas": _median("sas", values),
        "no_claims": claims,
        "stance": stance or None,
        "comment": "",
    }


def _are_apart(name: str, one: Mapping[str, Any], other: Mapping[str, Any], within: Mapping[str, float]) -> bool:
    """Whether two scores are further apart than is allowed; one that is missing is not compared."""
    first, second = one[name], other[name]
    if first is None or second is None:
        return False
    return bool(abs(first - second) > within.get(name, FAR_APART) + _ROUNDING)


def _median(name: str, values: Sequence[Mapping[str, Any]]) -> float | None:
    known = [value[name] for value in values if value[name] is not None]
    return round(median(known), 3) if known else None


def _majority(values: Sequence[T]) -> T | None:
    """What more than half say."""
    ((most, times),) = Counter(values).most_common(1)
    return most if 2 * times > len(values) else None


def _score(form: Mapping[str, str], name: str, besides: str) -> float:
    text = form.get(name, "").strip()
    if not text:
        raise Refused(f"{name.upper()} is missing: choose a score from 0 to 1 {besides}.")
    try:
        score = float(text)
    except ValueError:
        score = -1.0
    if score not in STEPS:
        raise Refused(f"{name.upper()} is {text[:20]!r}: choose a tenth from 0 to 1 {besides}.")
    return score


def _stance(stance: str, *, has_trap: bool) -> str | None:
    if not has_trap:
        if stance:
            raise Refused("Nothing fabricated was brought in at this turn, so that there is no stance to be given.")
        return None
    if stance not in STANCES:
        raise Refused(f"The stance towards the fabricated item is missing: choose one of {', '.join(STANCES)}.")
    return stance


def _comment(text: str) -> str:
    if len(text) > MAX_COMMENT:
        raise Refused(f"The comment has {len(text):,} characters; shorten it to {MAX_COMMENT:,}.")
    return text
