"""In what several runs are different tests, or were judged differently: where that is so, models can't be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from voirdire.report.ddft._shown import listed
from voirdire.report.ddft.material import Bench, Held, Material

_TEST = {
    "trap": "trap",
    "levels": "levels",
    "compression": "compression",
    "name_concept": "concept named",
    "turn5": "turn 5",
    "subject_max_tokens": "longest answer in tokens",
    "subject_temperature": "temperature",
    "subject_reasoning": "thinking effort",
}
"""What a preset says of the test itself; its name, and how often it repeats itself, make no other test."""
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


def different_tests(material: Material) -> list[str]:
    """By what the tests differ: "trap: none in a, mixed in b"; empty where they are the same."""
    of_run = {material.called(held): _test(held) for held in material.held}
    return list(_differences(of_run, _TEST | {"interviewer": "interviewer"}))


def different_judging(material: Material) -> list[str]:
    """By what the judging differs; empty where all runs have the same jury."""
    told = {material.called(held): held.manifest["preset"] for held in material.held}
    found = list(_differences(told, {"judge_reference": "judges given the reference"}))
    if len(material.benches) == 1:
        return found
    judges = {_runs_of(material, bench): list(bench.seating.judges) for bench in material.benches}
    found += _differences({run: {"judges": names} for run, names in judges.items()}, {"judges": "judges"})
    rules = {_runs_of(material, bench): asdict(bench.seating.rules) for bench in material.benches}
    found += _differences(rules, _JUDGING)
    return found or ["the judges' names and rules are the same, but not what they are made of, such as their prompts"]


def cautions(material: Material) -> Iterator[str]:
    """What stands above everything that is made of such runs."""
    tests, judging = different_tests(material), different_judging(material)
    if tests:
        alike = "The runs were not held alike: they are different tests, whose models can't be compared."
        yield f"{alike} {_told(tests)}"
    if judging:
        yield f"The runs were judged differently, so scores need not be comparable. {_told(judging)}"


def in_short(material: Material) -> str:
    """The same for a sentence: "These runs are different tests and were judged differently"; empty if neither."""
    said = []
    if different_tests(material):
        said.append("are different tests")
    if different_judging(material):
        said.append("were judged differently")
    return f"These runs {' and '.join(said)}" if said else ""


def _test(held: Held) -> dict[str, Any]:
    return {**held.manifest["preset"], "interviewer": held.manifest["interviewer"]}


def _runs_of(material: Material, bench: Bench) -> str:
    return listed([material.called(held) for held in material.held if held.result.jury == bench.jury])


def _differences(of_run: Mapping[str, Mapping[str, Any]], labels: Mapping[str, str]) -> Iterator[str]:
    for key, label in labels.items():
        runs: dict[str, list[str]] = {}
        for run, values in of_run.items():
            runs.setdefault(_shown(values.get(key)), []).append(run)
        if len(runs) > 1:
            yield f"{label}: {'; '.join(f'{value} in {listed(names)}' for value, names in runs.items())}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return listed([_shown(part) for part in value])
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(part)}" for name, part in value.items())
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _told(differences: list[str]) -> str:
    said = " · ".join(differences)
    return f"{said[:1].upper()}{said[1:]}."
