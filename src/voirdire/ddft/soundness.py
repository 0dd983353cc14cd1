"""Whether a test was sound enough for its figures to be evidence, in one sentence for every output."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.ddft.results import Result

FAILING = {
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
"""What a failed check means."""
NAMED = 2
"""Failures that the sentence names; the report lists the others below it."""


def unsound_runs(results: Sequence[Result]) -> list[Result]:
    """The runs of which a check fails that matters to all figures."""
    return [each for each in results if each.failed_checks and not each.no_effect_alone]


def failed_check_ids(results: Sequence[Result]) -> list[str]:
    """The checks that fail in them, each once."""
    return list(dict.fromkeys(check for result in unsound_runs(results) for check in result.failed_checks))


def qualified(finding: str, results: Sequence[Result], *, concludes: bool = True) -> str:
    """What was found, and that it is no evidence where the test was not sound.

    Args:
        finding: a sentence.
        results: the runs that it rests on.
        concludes: whether it says something of models that could be taken for evidence.
    """
    ids = failed_check_ids(results)
    if not ids:
        return finding
    names = "; ".join(FAILING.get(check, check) for check in ids[:NAMED])
    more = f"; and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    linked, so = ("but", ", so this is not evidence") if concludes else ("besides,", "")
    return f"{finding.removesuffix('.')}; {linked} the test was not sound: {_tally(results, ids)} ({names}{more}){so}."


def _tally(results: Sequence[Result], ids: Sequence[str]) -> str:
    where = "" if len(results) == 1 else f" in {len(unsound_runs(results))} of {len(results)} runs"
    verb = "fails" if len(ids) == 1 else "fail"
    return f"{len(ids)} of its {len(results[0].checks)} checks {verb}{where}"
