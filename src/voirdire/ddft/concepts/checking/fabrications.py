"""Rules for what turn 4 needs: fabrications of all five kinds, none of them real, in a question that may be put."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.ddft.concepts.checking.findings import Finding, error, warning
from voirdire.ddft.questions import TRAP_TURN, Ask, interview_setting, question_faults, scripted_question, situation_of
from voirdire.ddft.traps import TrapError, draw_trap, giveaway_in, trap_seed
from voirdire.records import TRAP_KINDS, Concept, Trap, TrapKind

SEEDS = 25
"""Draws of each kind; a study of five levels and five samples takes as many."""
MAX_REJECTED = 2.0
"""Draws rejected per trap above which the lists, or the topics, leave little room."""


def trap_findings(concept: Concept, seeds: int = SEEDS) -> Iterator[Finding]:
    """What is wrong with the fabrications that can be drawn for a concept; without topics there are none to draw."""
    for kind in TRAP_KINDS if concept.topics else ():
        yield from _kind_findings(concept, kind, seeds)


def _kind_findings(concept: Concept, kind: TrapKind, seeds: int) -> Iterator[Finding]:
    reference = concept.reference.casefold()
    named = giveaway_in(concept.name)  # said once, of the name
    rejected = 0
    for number in range(seeds):
        seed = trap_seed(number, concept.id, 0.5, 0)
        try:
            draw = draw_trap(concept, kind, seed)
        except TrapError as failure:
            yield error("traps", "topics", str(failure))
            return
        rejected += len(draw.rejected)
        if draw.trap.item.casefold() in reference:
            yield error("traps", "reference", f"A fabricated {kind} stands in the reference: {draw.trap.item}.")
            return
        faults = [] if named else question_faults(_question(concept, draw.trap, seed), _ask(concept, draw.trap, seed))
        if faults:
            yield error("traps", "topics", f"The question with {draw.trap.item} can't be put: {'; '.join(faults)}.")
            return
    if rejected > MAX_REJECTED * seeds:
        yield warning(
            "traps", "topics", f"{rejected} draws of {kind} were rejected for {seeds} that stand: little room is left."
        )


def _ask(concept: Concept, trap: Trap, seed: str) -> Ask:
    place, topic = interview_setting(concept, seed)
    return Ask(TRAP_TURN, situation_of(TRAP_TURN, trap, None), concept.name, None, trap, place, topic, seed)


def _question(concept: Concept, trap: Trap, seed: str) -> str:
    return scripted_question(_ask(concept, trap, seed))
