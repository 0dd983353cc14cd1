"""Runs that are different tests, or that were judged differently: models of such runs can't be compared.

What counts is what is asked and how it is judged. A preset's name, prices and addresses make no other test.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Any

import pandas as pd

from voirdire.data.json_values import as_object
from voirdire.ddft import wording as wording  # what the reasons below read like
from voirdire.ddft.analysis.judges.leave_one_out import PanelSettings, panel_settings_of
from voirdire.ddft.presets import own_rubric
from voirdire.ddft.questions import TRAP_TURN
from voirdire.ddft.results import Result
from voirdire.reason_codes import Reason, reason
from voirdire.text.counting import listed

_TEST = {
    "trap": "fabrication",
    "compression": "compression",
    "name_concept": "concept named",
    "turn5": "turn 5",
    "subject_max_tokens": "longest answer in tokens",
    "subject_temperature": "temperature",
    "subject_reasoning": "thinking effort",
    "prompts": "prompts of the preset's own",
    "interviewer": "interviewer",
}
"""What is asked, and how it is answered. Levels are not among them: pairs are compared on those that both share."""
_JUDGING = {
    "separate_calls": "FAR and SAS in calls of their own",
    "tell_level_and_turn": "judges told the level and turn",
    "no_claims": "answers without claims",
    "show_history": "judges shown the earlier turns",
    "consensus": "how verdicts become one",
    "quorum": "fewest judges",
    "granularity": "judged by",
    "max_tokens": "a judge's longest verdict in tokens",
}

_DIALOGUE = ["concept", "level", "sample"]
"""What tells the dialogues of a model apart."""

Runs = Mapping[str, Result]
"""By the name that is shown of each."""


def incomparability_reasons(one: Result, other: Result, *, ignoring: Collection[str] = ()) -> tuple[Reason, ...]:
    """Why no model of one run can be compared with one of the other; empty where they can be.

    Args:
        one: a run.
        other: another.
        ignoring: settings in which they are meant to differ.
    """
    reasons, a, b = [], _test_settings(one), _test_settings(other)
    differing = [label for key, label in _TEST.items() if key not in ignoring and a.get(key) != b.get(key)]
    if differing:
        reasons.append(reason("different_tests", what=tuple(differing)))
    if one.jury != other.jury:
        reasons.append(reason("different_rubrics" if _only_rubrics_differ(one, other) else "different_juries"))
    elif a.get("judge_reference") != b.get("judge_reference"):
        reasons.append(reason("different_judge_reference"))
    return tuple(reasons)


def different_levels(runs: Runs) -> list[str]:
    """The levels of the runs; empty where these are the same."""
    return list(_differences({run: _test_settings(result) for run, result in runs.items()}, {"levels": "levels"}))


def different_tests(runs: Runs) -> list[str]:
    """By what the tests differ: "trap: none in a, mixed in b"; empty where they are the same."""
    return list(_differences({run: _test_settings(result) for run, result in runs.items()}, _TEST))


def different_judging(runs: Runs) -> list[str]:
    """By what the judging differs; empty where all runs have the same jury."""
    settings = {run: _test_settings(result) for run, result in runs.items()}
    differences = list(_differences(settings, {"judge_reference": "judges given the reference"}))
    if len({result.jury for result in runs.values()}) < 2:
        return differences
    seatings = _panel_settings(runs)
    differences += _differences(
        {run: {"judges": list(each.judges)} for run, each in seatings.items()}, {"judges": "judges"}
    )
    differences += _differences({run: as_object(each.rules) for run, each in seatings.items()}, _JUDGING)
    return differences or [
        "the judges' names and rules are the same, but not what they are made of, such as their prompts"
    ]


def different_traps(runs: Runs) -> Reason | None:
    """In how many of the dialogues that runs share turn 4 named different fabrications; `None` where in none.

    A trap is drawn from the seed, the concept, the level and its place among the levels, and the sample.
    """
    if len(runs) < 2:
        return None
    traps = pd.concat([_traps(result.tables.turns) for result in runs.values()])
    named = traps.groupby(_DIALOGUE)["trap_item"].agg(["size", "nunique"])
    shared = named[named["size"] > 1]
    different = int((shared["nunique"] > 1).sum())
    return reason("note_different_traps", different=different, shared=len(shared)) if different else None


def cautions(runs: Runs) -> Iterator[str]:
    """What stands above everything that is made of such runs."""
    tests, judging = different_tests(runs), different_judging(runs)
    if tests:
        alike = "The runs were not held alike: they are different tests, whose models can't be compared."
        yield f"{alike} {_as_sentence(tests)}"
    elif (traps := different_traps(runs)) is not None:
        yield str(traps)
    if judging:
        yield f"The runs were judged differently, so their scores can't be compared. {_as_sentence(judging)}"
    levels = different_levels(runs)
    if levels:
        yield (
            "The runs were held at different levels: two models are compared at the levels that both were asked at, "
            f"and a model's own values are of its own levels. {_as_sentence(levels)}"
        )


def short_caution(runs: Runs) -> str:
    """The same for a sentence: "These runs are different tests and were judged differently"; empty if none holds."""
    verbs = []
    if different_tests(runs):
        verbs.append("are different tests")
    if different_judging(runs):
        verbs.append("were judged differently")
    if not verbs and different_levels(runs):
        verbs.append("were held at different levels")
    return f"These runs {' and '.join(verbs)}" if verbs else ""


def differences_in_brief(runs: Runs) -> list[str]:
    """How the runs are not alike, each in a few words: "held as different tests (trap)"."""
    matches = [str(why) for one, other in combinations(runs.values(), 2) for why in incomparability_reasons(one, other)]
    if different_levels(runs):
        matches.append(str(reason("different_levels")))
    if not different_tests(runs) and different_traps(runs) is not None:
        matches.append("held with different fabrications")
    return list(dict.fromkeys(matches))


def _traps(turns: pd.DataFrame) -> pd.DataFrame:
    """The fabrications of a run, one row per concept, level and sample: they are the same for all its models."""
    named = turns[(turns["turn"] == TRAP_TURN) & turns["trap_item"].notna()]
    return named[[*_DIALOGUE, "trap_item"]].drop_duplicates(_DIALOGUE)


def _only_rubrics_differ(one: Result, other: Result) -> bool:
    """Whether the same judges judged both, told other things by the prompts of their presets."""
    if any(result.jury != result.default_jury for result in (one, other)):
        return False
    same_judges = one.manifest.get("jury") == other.manifest.get("jury")
    return same_judges and own_rubric(one.manifest["preset"]) != own_rubric(other.manifest["preset"])


def _test_settings(result: Result) -> dict[str, Any]:
    preset = result.manifest["preset"]
    own = {
        name: hashlib.sha256(text.encode()).hexdigest()[:10]
        for name, text in preset.get("prompts", {}).items()
        if name not in own_rubric(preset)  # what judges are shown belongs to the jury
    }
    return {**preset, "prompts": own or None, "interviewer": result.manifest["interviewer"]}


def _panel_settings(runs: Runs) -> dict[str, PanelSettings]:
    """Who judged, by the runs that the same jury judged."""
    by_jury: dict[str, list[str]] = {}
    for run, result in runs.items():
        by_jury.setdefault(result.jury, []).append(run)
    return {listed(names): panel_settings_of(runs[names[0]].path, jury) for jury, names in by_jury.items()}


def _differences(of_run: Mapping[str, Mapping[str, Any]], labels: Mapping[str, str]) -> Iterator[str]:
    for key, label in labels.items():
        runs: dict[str, list[str]] = {}
        for run, values in of_run.items():
            runs.setdefault(_value_text(values.get(key)), []).append(run)
        if len(runs) > 1:
            yield f"{label}: {'; '.join(f'{value} in {listed(names)}' for value, names in runs.items())}"


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return listed([_value_text(part) for part in value])
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value_text(part)}" for name, part in value.items())
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _as_sentence(differences: list[str]) -> str:
    text = " · ".join(differences)
    return f"{text[:1].upper()}{text[1:]}."
