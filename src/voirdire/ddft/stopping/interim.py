"""Looking at a model while its run goes on: is the interval narrow enough, and when is the next look?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from voirdire.ddft._cells import COLUMNS, Cells, cells, checked, read_answers
from voirdire.ddft._uncertainty import MIN_CONCEPTS, default_intervals
from voirdire.ddft.judging import HELD, verdicts_kind
from voirdire.ddft.metrics import values, with_parts
from voirdire.ddft.profile import THETA
from voirdire.ddft.protocol import DialogueSpec
from voirdire.ddft.stopping.records import Look, Noted
from voirdire.ddft.stopping.rule import FEWEST_CONCEPTS, StopRule
from voirdire.stats.sequential import next_look, nominal_level

_FIRST = 30
_FIRST_PER_LEVEL = 6
"""At fewer dialogues a level, areas over levels and their standard errors are too rough to act on."""

_SCORES = ("far", "sas", "no_claims", "stance", "unscored")

Row = dict[str, Any]


def first_look(rule: StopRule, levels: int, dialogues: int) -> int:
    """At how many dialogues to look first: 30, six a level, and eight concepts; everything, where there is less."""
    each = max(_FIRST_PER_LEVEL, -(-_FIRST // levels), FEWEST_CONCEPTS if rule.by_concept else 0)
    return min(each * levels, dialogues)


def look_after(look: Look, rule: StopRule, levels: int, dialogues: int) -> int:
    """At how many dialogues to look next; blocks hold every level once."""
    return next_look(look.dialogues, look.half_width, rule.half_width, block=levels, last=dialogues)


def look_at(scores: Cells | None, rule: StopRule, dialogues: int, first: int) -> Look:
    """How wide a metric's interval is after so many dialogues.

    Args:
        scores: the model's, in these dialogues; `None` where no turn of them was judged.
        rule: whose metric is looked at.
        dialogues: how many were held.
        first: at how many was looked first.
    """
    if scores is None or len(scores.concepts) < MIN_CONCEPTS:
        return Look(dialogues, None)
    estimates = values(scores, with_parts(rule.metric))
    level = nominal_level(dialogues, first)
    interval = default_intervals(scores, estimates, level=level)[0].get(rule.metric)
    return Look(dialogues, None if interval is None else (interval.high - interval.low) / 2)


def cells_of(rows: Sequence[Row]) -> Cells | None:
    """A model's scores, laid out to be looked at; `None` where there are none.

    Args:
        rows: one for each turn, as `scored_turns` gives them.
    """
    if not rows:
        return None
    return cells(read_answers(checked(pd.DataFrame(rows, columns=list(COLUMNS)))), THETA)


def scored_turns(journal: Noted, jury_id: str, planned: DialogueSpec) -> list[Row]:
    """A dialogue's scores by a jury: the rows that a run's tables will have of it."""
    held: Mapping[str, Any] = journal.note_of(planned.id, 0, HELD) or {"answers": []}
    cell = {
        "model": planned.model,
        "concept": planned.concept.id,
        "level": planned.level,
        "sample": planned.sample,
    }
    rows = []
    for turn, answer in enumerate(held["answers"], start=1):
        decided = journal.note_of(planned.id, turn, verdicts_kind(jury_id))
        if decided is not None and decided["answer_sha256"] == answer:
            rows.append({**cell, "turn": turn, **{name: decided["consensus"][name] for name in _SCORES}})
    return rows
