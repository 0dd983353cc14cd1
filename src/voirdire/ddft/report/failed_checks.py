"""Failed checks in words, and how grave they are."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.ddft.report.material import Material
from voirdire.ddft.report.run_description import sets_traps
from voirdire.ddft.results import Result
from voirdire.text.counting import listed

_FAILING = {
    "concept_named": "the questions do not say which concept is meant",
    "context_delivered": "the model was not given the text that the test promises",
    "clarification_rate": "many first answers only ask what is meant",
    "trap_signalled": "the questions give the trap away",
    "question_length": "the questions are too long",
    "compression_effect": "taking the reference away made no difference that can be told",
    "judge_agreement": "the judges hardly agree",
    "hoc_monotone": "accuracy fails and comes back at random",
    "self_judging": "models were judged by themselves or their own kin",
    "missing_verdicts": "too many verdicts on a model are missing",
    "truncated_responses": "most answers of a model were cut off",
    "duplicate_dialogues": "dialogues repeat one another",
    "constant_answers": "a model says the same of different concepts",
    "answers_in_prose": "answers are no prose",
    "simulated_judge": "a simulated judge scored real models",
    "hostile_answers": "verdicts repeat what answers say to their judges",
}
_NAMED = 2
"""Failures that a paragraph names; the others stand below it."""


def unsound_clause(material: Material) -> str:
    """That what is found is no evidence, and why, in short; nothing where the test was sound."""
    ids = _failed_check_ids(material)
    if not ids:
        return ""
    names = "; ".join(_FAILING.get(check, check) for check in ids[:_NAMED])
    more = f"; and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    what = "this" if material.only else "the ranking below"
    return f"; but the test was not sound: {_tally(material, ids)} ({names}{more}), so {what} is not evidence."


def no_effect_note(material: Material) -> Iterator[str]:
    """That nothing can be said about compression, where all else stands."""
    runs = _runs_without_effect(material)
    if not runs or _unsound_runs(material):
        return
    where = "" if len(runs) == len(material.report_runs) else f" in {listed(runs)}"
    knows = "it knows" if material.only else "the models know"
    traps = "traps, " if any(map(sets_traps, material.report_runs)) else ""
    whole = all(profile.uneven is None for profile in material.profiles)
    rest = f"; {traps}accuracy and danger zone stand" if whole else ""
    yield (
        f"Taking the reference away made no difference that can be told{where} (the levels do nothing, or {knows} the "
        f"concepts anyway): nothing is shown of compression{rest}."
    )


def all_failures(material: Material) -> Iterator[str]:
    """Everything that makes the test unsound, where a paragraph names but some of it."""
    ids = _failed_check_ids(material)
    if len(ids) > _NAMED:
        yield f"Checks that fail: {'; '.join(_FAILING.get(check, check) for check in ids)}."


def _unsound_runs(material: Material) -> list[Result]:
    return [each for each in material.runs.results if each.failed_checks and not each.no_effect_alone]


def _runs_without_effect(material: Material) -> list[str]:
    return [material.run_name(run) for run in material.report_runs if run.result.no_effect_alone]


def _failed_check_ids(material: Material) -> list[str]:
    return list(dict.fromkeys(check for result in _unsound_runs(material) for check in result.failed_checks))


def _tally(material: Material, ids: list[str]) -> str:
    runs = len(material.report_runs)
    where = "" if runs == 1 else f" in {len(_unsound_runs(material))} of {runs} runs"
    verb = "fails" if len(ids) == 1 else "fail"
    return f"{len(ids)} of its {len(material.runs.results[0].checks)} checks {verb}{where}"
