"""From recurring errors to contrastive examples: a draft that people edit (CogniBench 3.1, step 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from voirdire.cognibench.diagnosis.cases import Case, Side
from voirdire.cognibench.diagnosis.errors import ErrorKind
from voirdire.cognibench.diagnosis.excerpt import excerpt
from voirdire.cognibench.diagnosis.groups import ErrorGroup
from voirdire.detectors.contrastive import Contrast

_LONG = 45
"""Words; a longer statement makes a poor example, and is taken only when there is no other."""
_Error = tuple[ErrorKind, Case]


def draft(errors: Sequence[ErrorGroup], number: int) -> tuple[Contrast, ...]:
    """Draft contrastive examples of the errors that cost most.

    Missed hallucinations and false alarms take turns, so that the prompt shows both sides of the line, and within a
    side the kinds of error, the largest first; what changes no side comes last. Within a kind the most typical comes
    first. Each example is from a dialogue group of its own, as long as there are enough.

    Args:
        errors: of a diagnosis.
        number: of examples, at most; fewer when there are not so many errors.
    """
    missed, alarms, others = (_of_side(errors, side) for side in ("missed", "false alarm", "same side"))
    decisive = sorted((missed, alarms), key=len, reverse=True)
    return tuple(_contrast(*each) for each in _chosen([*_in_turn(decisive), *others], number))


def _of_side(errors: Sequence[ErrorGroup], side: Side) -> list[_Error]:
    groups = [group for group in errors if group.kind.side == side]
    return _in_turn([[(group.kind, case) for case in group.cases] for group in groups])


def _in_turn(queues: Sequence[Sequence[_Error]]) -> list[_Error]:
    """One of each queue, then the next of each, and so on."""
    return [each for row in zip_longest(*queues) for each in row if each is not None]


def _chosen(queue: Sequence[_Error], number: int) -> list[_Error]:
    """The first ones that are short and from a new group; then from a new group; then any."""
    rules: tuple[Callable[[Case, set[str]], bool], ...] = (
        lambda case, used: case.pair.answer.group not in used and case.pair.statement.words <= _LONG,
        lambda case, used: case.pair.answer.group not in used,
        lambda case, used: True,
    )
    taken: list[int] = []
    used: set[str] = set()
    for rule in rules:
        for place, (_, case) in enumerate(queue):
            if len(taken) < number and place not in taken and rule(case, used):
                taken.append(place)
                used.add(case.pair.answer.group)
    return [queue[place] for place in sorted(taken)]


def _contrast(kind: ErrorKind, case: Case) -> Contrast:
    pair = case.pair
    return Contrast(
        reference=excerpt(pair.answer.context, pair.statement.text),
        claim=pair.statement.text,
        wrong=pair.machine,
        right=pair.human,
        reason=kind.reason(case),
        source_group=pair.answer.group,
        error=kind.name,
    )
