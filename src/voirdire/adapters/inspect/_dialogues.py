"""A DDFT dialogue as a sample of Inspect's: its score, and from the scores of many the profile."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from inspect_ai.scorer import Metric, SampleScore, Score, Value, metric

from voirdire.adapters.inspect._plain import rows_of, with_ends

if TYPE_CHECKING:
    from voirdire.ddft.profile import Profile
    from voirdire.ddft.tables import Tables

STORED = "voirdire.dialogue"
"""Where a sample's store holds its dialogue."""

_TRAP, _AFTER = 4, 5
_FIRST = ("ER", "K", "V_E", "danger_zone_pct", "HOC")
"""Metrics that stand first in a log; the very first is what its users see in lists."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One dialogue under one jury; rows as in a run's tables, in order of turns."""

    turns: list[Row]
    verdicts: list[Row]
    scores: list[Row]
    jury: str
    banner: str | None
    """What must be said beside this jury's scores."""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)


def stored(dialogue: Dialogue, preset: Mapping[str, Any], concept: str) -> dict[str, Any]:
    """What a sample's store holds, so that another jury can judge it.

    Args:
        dialogue: as it was held and judged.
        preset: its identity, as a run records it.
        concept: the text of its file.
    """
    return {"dialogue": dialogue.as_dict(), "preset": dict(preset), "concept": concept}


def dialogues(tables: Tables, jury: str, banner: str | None) -> list[Dialogue]:
    """The dialogues of a run, or of a sample, as one jury judged them."""
    verdicts = _by_dialogue(rows_of(tables.verdicts[tables.verdicts["jury"] == jury]))
    scores = _by_dialogue(rows_of(tables.scores[tables.scores["jury"] == jury]))
    return [
        Dialogue(turns, verdicts.get(name, []), scores.get(name, []), jury, banner)
        for name, turns in _by_dialogue(rows_of(tables.turns)).items()
    ]


def score_of(dialogue: Dialogue) -> Score:
    """The score of a sample.

    `value` holds the means of FAR and SAS over the turns that have one, the panel's stance on the trap (and in turn 5),
    and how many turns made no claim or went unscored. All verdicts stand in `metadata`, in words in `explanation`.
    """
    scores = dialogue.scores
    stance = {row["turn"]: row["stance"] for row in scores}
    answers = {row["turn"]: row["answer"] for row in dialogue.turns}
    return Score(
        value={
            "far": _mean(row["far"] for row in scores),
            "sas": _mean(row["sas"] for row in scores),
            "stance": stance.get(_TRAP),
            "stance_5": stance.get(_AFTER),
            "no_claims": sum(bool(row["no_claims"]) for row in scores),
            "unscored": sum(row["unscored"] is not None for row in scores),
        },
        answer=answers.get(_TRAP) or next(reversed(answers.values()), None),
        explanation=_explained(dialogue),
        metadata={
            "jury": dialogue.jury,
            "banner": dialogue.banner,
            "scores": scores,
            "verdicts": dialogue.verdicts,
        },
    )


@metric(name="profile", scores="unreduced")
def profile_metrics(theta: float = 0.70, seed: int = 0) -> Metric:
    """The model's profile over all dialogues: every metric that is defined, with the ends of its interval.

    Args:
        theta: FAR below which a level counts as failed.
        seed: of the bootstrap.
    """

    def compute(scores: list[SampleScore]) -> Value:
        profile = profile_of((score.score for score in scores), theta=theta, seed=seed)
        return {} if profile is None else metrics_of(profile)

    return compute


def profile_of(scores: Iterable[Score], *, theta: float = 0.70, seed: int = 0) -> Profile | None:
    """The profile that the scores of a log's samples give; `None` where there is nothing to profile."""
    import pandas as pd

    from voirdire.ddft.profile import profiles

    rows = [row for score in scores for row in (score.metadata or {}).get("scores", ())]
    return profiles(pd.DataFrame(rows), theta=theta, seed=seed)[0] if rows else None


def metrics_of(profile: Profile) -> dict[str, float]:
    """A profile's metrics and intervals as numbers by name."""
    values = {name: value.value for name, value in profile.metrics.items()}
    ordered = {name: values.pop(name) for name in _FIRST if name in values} | values
    return with_ends(ordered, profile.intervals)


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of those that are there, to as many places as a list of samples has room for."""
    known = [value for value in values if value is not None]
    return round(math.fsum(known) / len(known), 4) if known else None


def _by_dialogue(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["dialogue"], []).append(row)
    return found


def _explained(dialogue: Dialogue) -> str:
    """Turn by turn, what the panel decided and why each judge scored as it did."""
    scores = {row["turn"]: row for row in dialogue.scores}
    parts = [] if dialogue.banner is None else [dialogue.banner]
    for turn in dialogue.turns:
        lines = [_decided(turn, scores.get(turn["turn"]))]
        lines += [f"- {_said(row)}" for row in dialogue.verdicts if row["turn"] == turn["turn"]]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _decided(turn: Row, score: Row | None) -> str:
    trap = f" (trap, {turn['trap_kind']}: {turn['trap_item']})" if turn["trap_item"] and turn["turn"] == _TRAP else ""
    if score is None:
        return f"Turn {turn['turn']}{trap}: not judged."
    if score["unscored"]:
        return f"Turn {turn['turn']}{trap}: unscored, {score['unscored']}."
    return f"Turn {turn['turn']}{trap}: {_scores(score)}."


def _said(row: Row) -> str:
    if row["missing"]:
        return f"{row['judge']}: missing, {row['missing']}"
    return f"{row['judge']}: {_scores(row)}. {row['justification']}"


def _scores(row: Row) -> str:
    given = [f"{name.upper()} {row[name]:.2f}" for name in ("far", "sas") if row[name] is not None]
    given += ["no claims"] if row["no_claims"] else []
    given += [row["stance"]] if row["stance"] else []
    return ", ".join(given)
