"""Judging by batch: who can be asked so, and how many dialogues wait at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.ddft.questions import LAST_TURN
from voirdire.jury import JuryRules, calls_per_turn, judge_spec
from voirdire.models import check_batched
from voirdire.runs import BATCHED_CALLS, DEFAULTS, RunOptions, check_batch_budget

JUDGED_BY_BATCH: Mapping[str, Any] = {"judging": "batch"}
"""What run.json says of a run that is judged by batch: its dialogues are held in another way (design, section 5)."""


def check_batch(jury: Sequence[str], options: RunOptions = DEFAULTS) -> None:
    """See, before anything is asked, that a jury can judge by batch.

    Raises:
        SpecError: a judge's provider takes no batches.
        BudgetError: there is a limit on cost.
    """
    check_batch_budget(options)
    for spec in filter(None, map(judge_spec, jury)):
        check_batched(spec)


def dialogues_by_batch(jury: Sequence[str], rules: JuryRules) -> int:
    """How many dialogues are judged at once, so that the calls which wait fit into memory."""
    calls = sum(calls_per_turn(name, rules) for name in jury) * LAST_TURN
    return max(1, int(BATCHED_CALLS / max(1.0, calls)))
