"""Holding one model's dialogues, look by look, until its interval is narrow enough."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from voirdire.ddft.protocol import DialogueSpec
from voirdire.ddft.stopping.interim import Row, cells_of, first_look, look_after, look_at, scored_turns
from voirdire.ddft.stopping.records import NOTE, InterimLooks, Look
from voirdire.ddft.stopping.rule import StopRule
from voirdire.run import Journal


async def hold_until_narrow(
    queue: Sequence[DialogueSpec],
    rule: StopRule,
    hold: Callable[[Sequence[DialogueSpec]], Awaitable[None]],
    journal: Journal,
    jury_id: str,
) -> InterimLooks:
    """Hold a model's dialogues in their order, and look between; the looks are written down.

    No dialogue is begun before the look that calls for it, so that none is paid for in vain; until then all of them
    are held at once. What a look sees depends on the order alone, not on which dialogue ended first: a run that goes on
    looks again at what it has, and comes to the same decisions.

    Args:
        queue: all dialogues of the full grid, as drawn.
        rule: when to stop.
        hold: holds and judges those of a batch that are not in the journal yet.
        journal: of the run.
        jury_id: of the jury that the rule goes by.
    """
    levels, samples = (
        len({planned.level for planned in queue}),
        len({planned.sample for planned in queue}),
    )
    first = size = first_look(rule, levels, len(queue))
    looks: list[Look] = []
    rows: list[Row] = []
    at = 0
    while True:
        batch = queue[at:size]
        await hold(batch)
        for planned in batch:
            rows += scored_turns(journal, jury_id, planned)
        looks.append(look_at(cells_of(rows), rule, size, first))
        looked = InterimLooks(rule, tuple(looks), len(queue), len(queue) // samples, first)
        await journal.note(queue[0].model, 0, NOTE, looked.body())
        if looked.ended:
            return looked
        at, size = size, look_after(looks[-1], rule, levels, len(queue))
