"""Whether a run's test was sound, as text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.ddft.results import Result
    from voirdire.ddft.validity import Check

_STYLES = {"pass": "green", "warn": "yellow", "fail": "bold red", "not measured": "dim"}
_HEADS = {"not measured": "–"}
_COUNTS = {"rare_cells"}
"""Checks whose value is a number of turns."""
_DIFFERENCES = {"compression_effect", "judge_agreement"}
"""Checks whose value is no share."""

# What a value is, beside it.
_MEASURED = {
    "concept_named": "dialogues that name the concept",
    "context_delivered": "dialogues sent what their level promises",
    "clarification_rate": "first answers that ask what is meant",
    "trap_signalled": "trap questions that give the trap away",
    "question_length": "questions of 50 words or more",
    "compression_effect": "fall of FAR over the levels, turns 1-3",
    "judge_agreement": "ICC(2,1), the lower of FAR and SAS",
    "rare_cells": "fewest turns behind FAR' or SAS' of a model",
    "hoc_monotone": "FAR curves that fail and pass again",
    "self_judging": "models judged by their own family",
    "simulated_judge": "models that are real, and scored by a simulated judge",
    "missing_verdicts": "judged turns without a verdict or a score",
    "truncated_responses": "answers cut at the limit",
    "answers_in_prose": "answers that are not prose",
    "constant_answers": "answers that say the same of another concept",
    "duplicate_dialogues": "dialogues that repeat another",
    "hostile_answers": "answers that speak to their judges",
}


def checks(found: Result) -> str:
    """Every check with its value and what it saw; the tally last."""
    parts: list[RenderableType] = []
    for check in found.checks:
        parts += _check(check)
    return render(*parts, _tally(found))


def banner(found: Result) -> str | None:
    """One line where a check fails."""
    failed = found.failed_checks
    if not failed:
        return None
    many = counted(len(failed), "check")
    return f"Validity: {many} failed ({', '.join(failed)}): voirdire ddft validate {found.path}"


def _check(check: Check) -> list[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    style = _STYLES[check.status]
    said = _HEADS.get(check.status, check.status.upper())
    head = Text.assemble((f"{said:<5}", style), (f"{check.id:<21}", "bold"), _value(check))
    return [
        head,
        *(Padding(Text(line, style="" if check.status == "fail" else "dim"), (0, 0, 0, 5)) for line in check.evidence),
    ]


def _value(check: Check) -> str:
    if check.value is None:
        return "not measured"
    ends = (
        "" if check.interval is None else f" [{_number(check, check.interval[0])}, {_number(check, check.interval[1])}]"
    )
    value = f"{_number(check, check.value)}{ends}"
    if check.count is not None:
        hits, of = check.count
        value = f"{hits:,} of {of:,} ({value})"
    return f"{value}  {_MEASURED[check.id]}"


def _number(check: Check, value: float) -> str:
    if check.id in _COUNTS:
        return f"{value:.0f}"
    if check.id in _DIFFERENCES:
        return f"{value:z.2f}"
    return "under 0.1 %" if 0 < value < 0.0005 else f"{100 * value:z.1f} %"


def _tally(found: Result) -> str:
    from rich.markup import escape

    counts = Counter(check.status for check in found.checks)
    told = ", ".join(f"{counts[status]} {status}" for status in ("fail", "warn", "pass", "not measured"))
    also = f"\n{found.also_judged}" if found.also_judged else ""
    return escape(f"\n{told}. Jury {found.jury}; what each check means: docs/validity.md.{also}")
