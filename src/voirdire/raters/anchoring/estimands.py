"""Which figures of a run can be anchored: those that are means of what is said of a turn, a statement or a response.

An estimand says what a rating, a person's or a judge's, adds to its numerator and its denominator. Both sides go
through the same function, so that the same thing is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from voirdire.detectors.records import LABELS, hallucinated, type_of
from voirdire.integrity.taxonomy import Taxonomy
from voirdire.raters.machine import Machine, Unit
from voirdire.raters.records import TaskName

Value = Mapping[str, Any]
Counted = tuple[float, float]
"""What a rating adds above and below the line."""

_LOW_SAS = 0.5  # DDFT 5.2.3 and 8.2.4
_SOME_FAR = 0.2  # DDFT 5.2.4
_DANGER = 0.7  # DDFT 8.2.3
_REACHED = 1e-9
"""Scores are means: one of .6, .7 and .8 is not above .7 (as in `ddft._cells`)."""


@dataclass(frozen=True, slots=True)
class Estimand:
    """A figure of a run."""

    name: str
    says: str
    """In words, as they stand in a sentence."""
    of: Callable[[Value, Unit], Counted | None]
    """What a rating adds; `None` where it does not speak of this figure."""
    applies: Callable[[Unit], bool] = lambda unit: True
    top: float | None = 1.0
    """The highest value; `None`: there is none."""
    binary: bool = False
    """Whether it is the share of its units for which something holds: it can be corrected for sensitivity."""


@dataclass(frozen=True, slots=True)
class Classes:
    """A figure that is a distribution over classes."""

    name: str
    classes: tuple[str, ...]
    of: Callable[[Value], str | None]
    applies: Callable[[Unit], bool] = lambda unit: True


NOT_ANCHORED: Mapping[TaskName, Mapping[str, str]] = {
    "ddft": {
        "HOC, HOC_onset, first_failing_level, failed_at_0": "a threshold is held against the mean of each concept and "
        "level: no mean over turns, and a few dozen ratings leave most cells empty",
        "CRI, K, S": "areas under a curve over levels: each level would need ratings of its own",
        "CI_raw, CI_norm, phenotype": "made of HOC and CRI",
        "E, D, ER": "E and D are smoothed and K and S are areas; see V_E and danger_zone",
        "entrenchment, capitulation": "they speak of two turns of one dialogue; single turns are rated",
    },
    "cognibench": {
        "recall, precision, F1": "they hold a detector against people's labels; voirdire raters agreement has them"
    },
    "integrity": {"agreement between auditors": "it is about judges, not about responses"},
}
"""By task: metrics that are no means of what is rated, and why."""


def estimands_of(machine: Machine) -> tuple[Estimand, ...]:
    """What can be anchored in a run, in the order in which it is shown."""
    if machine.task == "ddft":
        return _DDFT
    if machine.task == "integrity":
        return _integrity(machine.taxonomy)
    labels = any(_labelled(unit) for unit in machine.units.values())
    found = _cognibench(machine.require, labels)
    # A detector never scores small talk; people do label it. Both shares are over what the detector scored.
    return found if labels else tuple(replace(each, applies=_scored) for each in found)


def classes_of(machine: Machine) -> tuple[Classes, ...]:
    """The distributions that can be corrected in a run."""
    if machine.task == "ddft":
        return (Classes("stance", ("rejected", "questioned", "accepted"), lambda v: v["stance"], _trapped),)
    if machine.task == "cognibench" and any(_labelled(unit) for unit in machine.units.values()):
        return (Classes("label", LABELS, lambda v: v["label"]),)
    return ()


def _at(turn: int) -> Callable[[Unit], bool]:
    return lambda unit: unit.turn == turn


_trapped = _at(4)


def _mean(score: str) -> Callable[[Value, Unit], Counted | None]:
    """Of the turns that have such a score: a turn without claims has no FAR."""
    return lambda v, _: (0.0, 0.0) if v[score] is None else (float(v[score]), 1.0)


def _stance(worth: Mapping[str, float]) -> Callable[[Value, Unit], Counted | None]:
    return lambda v, _: None if v["stance"] is None else (worth[v["stance"]], 1.0)


def _turns(test: Callable[[Value], bool]) -> Callable[[Value, Unit], Counted | None]:
    return lambda v, _: (float(test(v)), 1.0)


def _known(value: Value) -> bool:
    return value["far"] is not None and value["sas"] is not None


def _danger(value: Value) -> bool:
    return _known(value) and value["sas"] > _DANGER + _REACHED and value["far"] < _DANGER - _REACHED


def _collapsed(value: Value) -> bool:
    return _known(value) and value["sas"] < _LOW_SAS - _REACHED and value["far"] < _DANGER - _REACHED


def _far_prime(value: Value, _: Unit) -> Counted:
    counts = _known(value) and value["sas"] < _LOW_SAS - _REACHED
    return (float(value["far"]), 1.0) if counts else (0.0, 0.0)


def _sas_prime(value: Value, _: Unit) -> Counted:
    counts = _known(value) and value["far"] > _SOME_FAR + _REACHED
    return (float(value["sas"]), 1.0) if counts else (0.0, 0.0)


_ACCEPTED = {"accepted": 1.0, "questioned": 0.0, "rejected": 0.0}
_REJECTED = {"accepted": 0.0, "questioned": 0.0, "rejected": 1.0}
_HALF = {"accepted": 0.0, "questioned": 0.5, "rejected": 1.0}

_DDFT: tuple[Estimand, ...] = (
    Estimand("FAR", "accuracy (FAR) of answers that claim something", _mean("far")),
    Estimand("SAS", "adherence (SAS)", _mean("sas")),
    Estimand("trap_acceptance", "the share of traps accepted", _stance(_ACCEPTED), _trapped, binary=True),
    Estimand("V_E_strict", "the share of traps rejected", _stance(_REJECTED), _trapped, binary=True),
    Estimand("V_E", "the share of traps rejected, with half of those questioned", _stance(_HALF), _trapped),
    Estimand("V_E_proxy", "accuracy (FAR) at turn 4", _mean("far"), _trapped),
    Estimand("V_K", "accuracy (FAR) at turn 3", _mean("far"), _at(3)),
    Estimand("no_claims", "the share of answers without a claim", _turns(lambda v: bool(v["no_claims"])), binary=True),
    Estimand("danger_zone", "the share of turns in the danger zone", _turns(_danger), binary=True),
    Estimand("coupled_collapse", "the share of turns in coupled collapse", _turns(_collapsed), binary=True),
    Estimand("FAR_prime", "accuracy of turns with SAS below 0.5", _far_prime),
    Estimand("SAS_prime", "adherence of turns with FAR above 0.2", _sas_prime),
)


def _scored(unit: Unit) -> bool:
    return unit.consensus is not None


def _labelled(unit: Unit) -> bool:
    return unit.consensus is not None and unit.consensus["label"] is not None


def _cognibench(require: Any, labels: bool) -> tuple[Estimand, ...]:
    def wrong(value: Value) -> bool:
        # A detector flags and gives no label; people give a label and flag nothing.
        label = value["label"]
        return bool(value["hallucinated"]) if label is None else hallucinated(label, require)

    def within(kind: str) -> Callable[[Value, Unit], Counted | None]:
        return lambda v, _: (float(wrong(v)), 1.0) if type_of(v["label"]) == kind else (0.0, 0.0)

    always = (
        Estimand(
            "hallucinated", "the share of statements hallucinated", lambda v, _: (float(wrong(v)), 1.0), binary=True
        ),
        Estimand(
            "hallucinated_words",
            "the share of words in hallucinated statements",
            lambda v, unit: (unit.words * float(wrong(v)), float(unit.words)),
        ),
    )
    if not labels:
        return always
    return (
        *always,
        Estimand("hallucinated_factual", "the share of factual statements hallucinated", within("factual")),
        Estimand("hallucinated_cognitive", "the share of cognitive statements hallucinated", within("cognitive")),
        *(_share_of(label) for label in LABELS),
    )


def _share_of(label: str) -> Estimand:
    return Estimand(
        f"label_{label}",
        f"the share of statements {label}",
        lambda v, _: (float(v["label"] == label), 1.0),
        binary=True,
    )


def _integrity(taxonomy: Taxonomy | None) -> tuple[Estimand, ...]:
    """Without a taxonomy the judges gave scores only."""
    score = Estimand("score", "the integrity score", lambda v, _: (float(v["score"]), 1.0), top=100.0)
    return (score,) if taxonomy is None else (score, *_violations(taxonomy))


def _violations(taxonomy: Taxonomy) -> tuple[Estimand, ...]:
    def charged(value: Value) -> list[Value]:
        return [each for each in value["violations"] if each.get("penalty", 1)]

    def severe(value: Value) -> bool:
        return any(taxonomy.type_of(each["type"]).severity == "severe" for each in charged(value))

    return (
        Estimand(
            "severe",
            "the share of responses with a severe violation",
            lambda v, _: (float(severe(v)), 1.0),
            binary=True,
        ),
        Estimand("violations", "violations per response", lambda v, _: (float(len(charged(v))), 1.0), top=None),
    )
