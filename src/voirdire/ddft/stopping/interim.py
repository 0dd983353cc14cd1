"""Interim analyses: a run before it is complete: one model, run until its interval is narrow enough."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from voirdire.ddft.concept_sums import COLUMNS, Cells, cells, checked, read_answers
from voirdire.ddft.judging import DIALOGUE_NOTE, verdicts_kind
from voirdire.ddft.metric_intervals import MIN_CONCEPTS, default_intervals
from voirdire.ddft.metrics import values, with_parts
from voirdire.ddft.protocol import DialogueSpec
from voirdire.ddft.stopping.records import NOTE, InterimAnalyses, InterimAnalysis, NoteReader
from voirdire.ddft.stopping.rule import FEWEST_CONCEPTS, StopRule
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.runs import Journal
from voirdire.stats.sequential import next_analysis_size, nominal_level

_FIRST = 30
_FIRST_PER_LEVEL = 6
"""At fewer dialogues a level, areas over levels and their standard errors are too rough to act on."""

_SCORES = ("far", "sas", "no_claims", "stance", "unscored")

Row = dict[str, Any]


def first_analysis_size(rule: StopRule, levels: int, dialogues: int) -> int:
    """At how many dialogues to analyse first: 30, six a level, and eight concepts; everything, where there is less."""
    each = max(_FIRST_PER_LEVEL, -(-_FIRST // levels), FEWEST_CONCEPTS if rule.by_concept else 0)
    return min(each * levels, dialogues)


def size_after(analysis: InterimAnalysis, rule: StopRule, levels: int, dialogues: int) -> int:
    """At how many dialogues to analyse next; blocks hold every level once."""
    return next_analysis_size(analysis.dialogues, analysis.half_width, rule.half_width, block=levels, last=dialogues)


def analysis_at(scores: Cells | None, rule: StopRule, dialogues: int, first: int) -> InterimAnalysis:
    """How wide a metric's interval is after so many dialogues.

    Args:
        scores: the model's, in these dialogues; `None` where no turn of them was judged.
        rule: whose metric is analysed.
        dialogues: how many were held.
        first: at how many the first analysis was.
    """
    if scores is None or len(scores.concepts) < MIN_CONCEPTS:
        return InterimAnalysis(dialogues, None)
    estimates = values(scores, with_parts(rule.metric))
    level = nominal_level(dialogues, first)
    interval = default_intervals(scores, estimates, level=level)[0].get(rule.metric)
    return InterimAnalysis(dialogues, None if interval is None else (interval.high - interval.low) / 2)


def cells_of(rows: Sequence[Row], thresholds: Thresholds = PAPER) -> Cells | None:
    """A model's scores, laid out to be analysed; `None` where there are none."""
    if not rows:
        return None
    return cells(read_answers(checked(pd.DataFrame(rows, columns=list(COLUMNS))), thresholds))


def scored_turns(journal: NoteReader, jury_id: str, planned: DialogueSpec) -> list[Row]:
    """A dialogue's scores by a jury: the rows that a run's tables will have of it."""
    dialogue_note: Mapping[str, Any] = journal.note_of(planned.id, 0, DIALOGUE_NOTE) or {"answers": []}
    cell = {
        "model": planned.model,
        "concept": planned.concept.id,
        "level": planned.level,
        "sample": planned.sample,
    }
    rows = []
    for turn, answer in enumerate(dialogue_note["answers"], start=1):
        decision = journal.note_of(planned.id, turn, verdicts_kind(jury_id))
        if decision is not None and decision["answer_sha256"] == answer:
            rows.append({**cell, "turn": turn, **{name: decision["consensus"][name] for name in _SCORES}})
    return rows


async def run_until_narrow(
    queue: Sequence[DialogueSpec],
    rule: StopRule,
    run_batch: Callable[[Sequence[DialogueSpec]], Awaitable[None]],
    journal: Journal,
    jury_id: str,
    thresholds: Thresholds = PAPER,
) -> InterimAnalyses:
    """Run a model's dialogues in their order, with interim analyses between, which are recorded.

    No dialogue is begun before the analysis that calls for it, so that none is paid for in vain; until then all of them
    are held at once. What an analysis sees depends on the order alone, not on which dialogue ended first: a run that
    goes on analyses again what it has, and comes to the same decisions.

    Args:
        queue: all dialogues of the full grid, as drawn.
        rule: when to stop.
        run_batch: runs and judges those of a batch that are not in the journal yet.
        journal: of the run.
        jury_id: of the jury that the rule goes by.
        thresholds: what metrics count by.
    """
    levels, samples = (
        len({planned.level for planned in queue}),
        len({planned.sample for planned in queue}),
    )
    first = size = first_analysis_size(rule, levels, len(queue))
    history: list[InterimAnalysis] = []
    rows: list[Row] = []
    at = 0
    while True:
        batch = queue[at:size]
        await run_batch(batch)
        for planned in batch:
            rows += scored_turns(journal, jury_id, planned)
        history.append(analysis_at(cells_of(rows, thresholds), rule, size, first))
        result = InterimAnalyses(rule, tuple(history), len(queue), len(queue) // samples, first)
        await journal.note(queue[0].model, 0, NOTE, result.body())
        if result.ended:
            return result
        at, size = size, size_after(history[-1], rule, levels, len(queue))
