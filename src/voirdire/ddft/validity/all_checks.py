"""Was the test itself sound? The checks of a run, each with what it measured and examples."""

from __future__ import annotations

from collections.abc import Callable

from voirdire.ddft.validity.answer_checks import answers_in_prose, constant_answers
from voirdire.ddft.validity.compression_check import compression_effect
from voirdire.ddft.validity.hostile_answers_check import hostile_answers
from voirdire.ddft.validity.question_checks import (
    clarification_rate,
    concept_named,
    context_delivered,
    question_length,
    trap_signalled,
)
from voirdire.ddft.validity.quoted_examples_check import example_quoted
from voirdire.ddft.validity.records import Check, RunRecord
from voirdire.ddft.validity.run_checks import (
    duplicate_dialogues,
    missing_verdicts,
    self_judging,
    simulated_judge,
    truncated_responses,
)
from voirdire.ddft.validity.score_checks import hoc_monotone, judge_agreement, rare_cells, stance_agreement

CHECKS: tuple[Callable[[RunRecord], Check], ...] = (
    concept_named,
    context_delivered,
    clarification_rate,
    example_quoted,
    trap_signalled,
    question_length,
    compression_effect,
    judge_agreement,
    stance_agreement,
    rare_cells,
    hoc_monotone,
    self_judging,
    simulated_judge,
    missing_verdicts,
    truncated_responses,
    answers_in_prose,
    constant_answers,
    duplicate_dialogues,
    hostile_answers,
)
"""In the order in which they are shown; each check's id is its name."""

CHECK_IDS: tuple[str, ...] = tuple(check.__name__ for check in CHECKS)


def validate(record: RunRecord) -> tuple[Check, ...]:
    """All checks of a run."""
    return tuple(check(record) for check in CHECKS)
