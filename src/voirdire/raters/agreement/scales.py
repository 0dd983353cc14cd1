"""By what ratings of each task are compared."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from voirdire.detectors.records import LABELS, REQUIREMENTS, Require, hallucinated, type_of
from voirdire.integrity.taxonomy import Taxonomy
from voirdire.raters.agreement.categories import Scale
from voirdire.raters.agreement.tables import Value
from voirdire.records import STANCES

TIERS = ("misleading", "speculative", "reliable", "irrefutable")
"""Of cognitive statements, from the lowest (CogniBench 2.2)."""
TYPES = ("irrelevant", "factual", "cognitive")
YES_NO = ("no", "yes")
THRESHOLD = 0.7
"""Of FAR: at or above it a turn counts as accurate (theta, DDFT 5.2.1)."""


class ScoreScale(NamedTuple):
    """A score of a rating."""

    name: str
    of: Callable[[Value], float | None]
    top: float


def label_scales() -> tuple[Scale, ...]:
    """Of the CogniBench task: class, type, hallucinated or not under each requirement, tier."""
    return (
        Scale("label", LABELS, lambda value: str(value["label"])),
        Scale("type", TYPES, lambda value: type_of(value["label"])),
        *(flag_scale(require) for require in REQUIREMENTS),
        Scale("tier", TIERS, lambda value: value["label"] if value["label"] in TIERS else None, ordered=True),
    )


def flag_scale(require: Require) -> Scale:
    """Hallucinated or not, where cognitive statements must be so much."""
    return Scale(f"hallucinated ({require} required)", YES_NO, partial(_hallucinated, require))


def band_scale(taxonomy: Taxonomy) -> Scale:
    """Of the integrity task: bands, from the lowest."""
    names = tuple(band.name for band in reversed(taxonomy.bands))
    return Scale("band", names, lambda value: str(value["band"]), ordered=True)


def turn_scales() -> tuple[Scale, ...]:
    """Of the DDFT task: stance, whether there are claims, and the side of 0.7 that FAR is on."""
    return (
        Scale("stance", STANCES, lambda value: value["stance"]),
        Scale("no claims", YES_NO, lambda value: _yes_no(value["no_claims"])),
        Scale(f"FAR at least {THRESHOLD}", YES_NO, _reaches),
    )


RESPONSE_SCORES = (
    ScoreScale("score", lambda value: float(value["score"]), 100.0),
    ScoreScale("impression", lambda value: float(value["holistic"]), 100.0),
)
TURN_SCORES = (
    ScoreScale("FAR", lambda value: value["far"], 1.0),
    ScoreScale("SAS", lambda value: value["sas"], 1.0),
)


def _hallucinated(require: Require, value: Value) -> str:
    return _yes_no(hallucinated(value["label"], require))


def _reaches(value: Value) -> str | None:
    return None if value["far"] is None else _yes_no(value["far"] >= THRESHOLD)


def _yes_no(holds: bool) -> str:
    return YES_NO[holds]
