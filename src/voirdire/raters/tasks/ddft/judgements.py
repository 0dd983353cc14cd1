"""Turns as the jury of a run scored them: read, compared with people, and anchored in people's ratings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.ddft.exported_tables import build_tables
from voirdire.ddft.folders import open_examination
from voirdire.ddft.judging import juries_in
from voirdire.ddft.person_check.records import key_of
from voirdire.ddft.thresholds import PAPER, thresholds_of
from voirdire.jury.choice import choose_jury
from voirdire.raters.anchoring.records import Classes, Counted, Estimand
from voirdire.raters.comparison.comparison import ComparisonParts, text_differs_error
from voirdire.raters.comparison.rated_items import ComparisonData, Placed
from voirdire.raters.machine_ratings import Machine, Unit, live_items, match_units
from voirdire.raters.records import Project, RatersError
from voirdire.raters.tasks.base import Judgements, Value
from voirdire.raters.tasks.ddft.task import TASK

if TYPE_CHECKING:
    import pandas as pd

_REACHED = 1e-9
"""Scores are means: one of .6, .7 and .8 is not above .7 (as in `ddft.concept_sums`)."""

At = tuple[str, int]


def read_turns(project: Project, run: Path, jury: str | None = None) -> Machine:
    """Every turn of a run that has an answer.

    Raises:
        RatersError: no turn has been judged yet.
        JuryError: no such jury has judged the run.
        RunFolderError: there is no run, or its manifest is damaged.
    """
    with open_examination(run, read_only=True) as folder:
        juries = juries_in(folder.journal)
        tables = build_tables(folder.journal)
        thresholds = thresholds_of(folder.manifest["preset"])
    if tables.scores.empty or not juries:
        raise RatersError(f"No turn of {run} has been judged yet; continue the run first.")
    chosen = choose_jury(juries, jury, run)
    scores, verdicts = (frame[frame["jury"] == chosen] for frame in (tables.scores, tables.verdicts))
    units = _units(tables.turns, _consensus(scores), _verdicts(verdicts))
    banner = juries[chosen].get("banner")
    by_id, unmatched = match_units(project, units, {name: name for name in live_items(project)})
    return Machine(
        task="ddft",
        run=run,
        by=chosen,
        judges=tuple(juries[chosen]["judges"]),
        units=by_id,
        unmatched=unmatched,
        notes=(
            *([] if banner is None else [banner]),
            *([f"{thresholds.note} Figures beside people's count by the paper's."] if thresholds.note else []),
        ),
    )


def _units(
    turns: pd.DataFrame, consensus: Mapping[At, Mapping[str, Any]], judges: Mapping[At, Mapping[str, Any]]
) -> list[Unit]:
    units = []
    for row in turns[turns["answer"].notna()].to_dict("records"):
        at = str(row["dialogue"]), int(row["turn"])
        key = key_of(*at, row["answer"])
        units.append(
            Unit(
                id=key,
                document=key,
                group=row["concept"],
                dialogue=at[0],
                model=row["model"],
                turn=at[1],
                level=float(row["level"]),
                consensus=consensus.get(at),
                judges=judges.get(at, {}),
            )
        )
    return units


def _consensus(scores: pd.DataFrame) -> dict[At, Mapping[str, Any]]:
    rows = scores[scores["unscored"].isna()].to_dict("records")
    return {(str(row["dialogue"]), int(row["turn"])): _value(row) for row in rows}


def _verdicts(verdicts: pd.DataFrame) -> dict[At, dict[str, Mapping[str, Any]]]:
    result: dict[At, dict[str, Mapping[str, Any]]] = {}
    for row in verdicts[verdicts["missing"].isna()].to_dict("records"):
        verdict = _value(row) | {"comment": row.get("justification") or ""}
        result.setdefault((str(row["dialogue"]), int(row["turn"])), {})[row["judge"]] = verdict
    return result


def _value(row: Mapping[Any, Any]) -> dict[str, Any]:
    """A verdict in the form of the task's ratings."""
    stance = row["stance"]
    return {
        "far": _number(row["far"]),
        "sas": _number(row["sas"]),
        "no_claims": bool(row["no_claims"]),
        "stance": stance if isinstance(stance, str) else None,
    }


def _number(value: Any) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


def _check_texts(project: Project, machine: Machine, rated: Sequence[str]) -> None:
    """A turn's id is made of its answer: one that is missing though its dialogue is there was answered anew."""
    there = {(unit.dialogue, unit.turn) for unit in machine.units.values()}
    units = machine.by_item
    for name in rated:
        source = project.documents[project.items[name].document].source
        if name not in units and (source.get("dialogue"), source.get("turn")) in there:
            raise text_differs_error(f"Turn {source['turn']} of {source['dialogue']}", machine.run)


def _compare(project: Project, machine: Machine, data: ComparisonData) -> ComparisonParts:
    scales: list[Placed] = [(scale, scale.number) for scale in TASK.scales()]
    scores = TASK.scores()
    return {
        "scores": data.scores(scores),
        "confusions": data.confusions(scales),
        "closeness": (*data.score_closeness(scores), *data.category_closeness(scales)),
    }


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
    return _known(value) and value["sas"] > PAPER.fluent_sas + _REACHED and value["far"] < PAPER.wrong_far - _REACHED


def _collapsed(value: Value) -> bool:
    return (
        _known(value) and value["sas"] < PAPER.incoherent_sas - _REACHED and value["far"] < PAPER.wrong_far - _REACHED
    )


def _far_prime(value: Value, _: Unit) -> Counted:
    counts = _known(value) and value["sas"] < PAPER.incoherent_sas - _REACHED
    return (float(value["far"]), 1.0) if counts else (0.0, 0.0)


def _sas_prime(value: Value, _: Unit) -> Counted:
    counts = _known(value) and value["far"] > PAPER.partly_right_far + _REACHED
    return (float(value["sas"]), 1.0) if counts else (0.0, 0.0)


_ACCEPTED = {"accepted": 1.0, "questioned": 0.0, "rejected": 0.0}
_REJECTED = {"accepted": 0.0, "questioned": 0.0, "rejected": 1.0}
_HALF = {"accepted": 0.0, "questioned": 0.5, "rejected": 1.0}

ESTIMANDS: tuple[Estimand, ...] = (
    Estimand("FAR", "accuracy (FAR) of answers that claim something", _mean("far")),
    Estimand("SAS", "adherence (SAS)", _mean("sas")),
    Estimand("trap_acceptance", "the share of fabrications accepted", _stance(_ACCEPTED), _trapped, binary=True),
    Estimand("V_E_strict", "the share of fabrications rejected", _stance(_REJECTED), _trapped, binary=True),
    Estimand("V_E", "the share of fabrications rejected, with half of those questioned", _stance(_HALF), _trapped),
    Estimand("V_E_proxy", "accuracy (FAR) at turn 4", _mean("far"), _trapped),
    Estimand("V_K", "accuracy (FAR) at turn 3", _mean("far"), _at(3)),
    Estimand("no_claims", "the share of answers without a claim", _turns(lambda v: bool(v["no_claims"])), binary=True),
    Estimand("danger_zone", "the share of turns in the danger zone", _turns(_danger), binary=True),
    Estimand("coupled_collapse", "the share of turns in coupled collapse", _turns(_collapsed), binary=True),
    Estimand("FAR_prime", "accuracy of turns with SAS below 0.5", _far_prime),
    Estimand("SAS_prime", "adherence of turns with FAR above 0.2", _sas_prime),
)


_STANCES = Classes("stance", ("rejected", "questioned", "accepted"), lambda v: v["stance"], _trapped)

JUDGEMENTS = Judgements(
    read_run=read_turns,
    juries=True,
    check_texts=_check_texts,
    compare=_compare,
    leading=(("FAR",), ("SAS",)),
    estimands=lambda _: ESTIMANDS,
    distributions=lambda _: (_STANCES,),
    not_anchored={
        "HOC, HOC_onset, first_failing_level, failed_at_0": "a threshold is held against the mean of each concept and "
        "level: no mean over turns, and a few dozen ratings leave most cells empty",
        "CRI, K, S": "areas under a curve over levels: each level would need ratings of its own",
        "CI_raw, CI_norm, phenotype": "made of HOC and CRI",
        "E, D, ER": "E and D are smoothed and K and S are areas; see V_E and danger_zone",
        "entrenchment, capitulation": "they speak of two turns of one dialogue; single turns are rated",
    },
)
