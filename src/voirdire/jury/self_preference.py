"""Whether a judge favours models of its own developer: a difference in differences; pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.jury.families import family_of
from voirdire.stats.agreement import Estimate, leniency_shift
from voirdire.stats.intervals import Floats

_NONE = Estimate(math.nan, math.nan, math.nan)


class SelfPreference(NamedTuple):
    """How much more lenient a judge is, compared with judges of other families, towards its own family."""

    judge: str
    family: str | None
    shift: Estimate
    """In units of the score; NaN where it can't be estimated."""
    own: tuple[str, ...]
    """Subjects of its family."""
    others: tuple[str, ...]
    """Subjects it is compared on."""
    reason: str | None
    """Why it can't be estimated."""
    caution: str | None


def self_preference(
    ratings: Floats,
    judges: tuple[str, ...],
    subjects: NDArray[np.object_],
    concepts: NDArray[np.object_],
    specs: Mapping[str, str] = MappingProxyType({}),
) -> tuple[SelfPreference, ...]:
    """For each judge: its leniency towards subjects of its own family, minus that towards subjects of others.

    Leniency is measured against the judges of other families, on the items they share, so that a family whose answers
    are simply better is no preference. Subjects that are kin to another judge are left out of the comparison, where
    others remain: that judge's own preference would enter. Subjects of unknown family are always left out.

    Args:
        ratings: shape (items, judges), NaN where missing.
        judges: their names.
        subjects: shape (items,), whose answer it is.
        concepts: shape (items,), the cluster for the interval.
        specs: of subjects that are named by an alias, which tells no family.
    """
    families = {subject: family_of(specs.get(str(subject), str(subject))) for subject in dict.fromkeys(subjects)}
    kin = tuple(family_of(judge) for judge in judges)
    return tuple(_of_judge(place, ratings, judges, kin, families, subjects, concepts) for place in range(len(judges)))


def _of_judge(
    place: int,
    ratings: Floats,
    judges: tuple[str, ...],
    kin: tuple[str | None, ...],
    families: dict[str, str | None],
    subjects: NDArray[np.object_],
    concepts: NDArray[np.object_],
) -> SelfPreference:
    judge, family = judges[place], kin[place]
    own = tuple(subject for subject, owner in families.items() if owner is not None and owner == family)
    strangers = [other for other, owner in enumerate(kin) if other != place and owner != family]
    rest = {subject: owner for subject, owner in families.items() if owner is not None and owner != family}
    neutral = tuple(subject for subject, owner in rest.items() if owner not in kin)
    reason = _why_not(family, own, strangers, tuple(rest))
    if reason is not None:
        return SelfPreference(judge, family, _NONE, own, (), reason, None)
    others = neutral or tuple(rest)
    scored = np.isin(subjects, [*own, *others])
    shift = leniency_shift(ratings[scored][:, [place, *strangers]], 0, np.isin(subjects[scored], own), concepts[scored])
    if math.isnan(shift.value):
        return SelfPreference(judge, family, _NONE, own, others, "too few items are scored by it and others", None)
    return SelfPreference(judge, family, shift, own, others, None, _caution(family, own, bool(neutral)))


def _why_not(family: str | None, own: tuple[str, ...], strangers: list[int], others: tuple[str, ...]) -> str | None:
    if family is None:
        return "its family is unknown, or it has none"
    if not own:
        return f"no subject is of its family ({family})"
    if not strangers:
        return f"all judges are of its family ({family})"
    return None if others else f"all subjects of known family are of its own ({family})"


def _caution(family: str | None, own: tuple[str, ...], neutral: bool) -> str | None:
    cautions = []
    if len(own) == 1:
        cautions.append(f"{own[0]} is the only subject of the family {family}: model and family can't be separated")
    if not neutral:
        cautions.append("every other subject is kin to another judge, whose own preference enters")
    return "; ".join(cautions) or None
