"""Examples to train on: pairs of answers to the same question (preference), single answers (imitation)."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from voirdire.adapters.export.training.records import Answered, ArmName, Example, Sorted


def pairs(arm: ArmName, found: Sorted) -> list[Example]:
    """Good answers against bad ones to the same trap (or the same question), in the layout of preference data.

    Every answer of the larger side stands in one pair, those of the smaller side come again in turn; a partner that
    was asked in the same words is preferred. The prompt is that of the good answer.
    """
    shared = _shared(arm)
    groups: dict[Hashable, tuple[list[Answered], list[Answered]]] = defaultdict(lambda: ([], []))
    for answer in found.good:
        groups[shared(answer)][0].append(answer)
    for answer in found.bad:
        groups[shared(answer)][1].append(answer)
    made = [_pair(arm, *pair) for good, bad in groups.values() for pair in _matched(good, bad)]
    return _distinct(example for example in made if example.row["chosen"] != example.row["rejected"])


def singles(arm: ArmName, found: Sorted) -> list[Example]:
    """Good answers alone, each with its prompt: only the answer is to be learnt, not what was said before it."""
    return _distinct(_single(arm, answer) for answer in found.good)


def both_sides(arm: ArmName, found: Sorted) -> tuple[int, int]:
    """How many traps (or questions) have answers at all, and how many of them good and bad ones."""
    shared = _shared(arm)
    good, bad = ({shared(answer) for answer in side} for side in (found.good, found.bad))
    return len(good | bad), len(good & bad)


def _shared(arm: ArmName) -> Callable[[Answered], Hashable]:
    """What two answers must have in common. What was given goes in: of two references one may hold the answer."""
    if arm == "verification":
        return lambda answer: (answer.concept, answer.level, answer.given, answer.trap_item)
    return lambda answer: (answer.concept, answer.level, answer.given, answer.turn, answer.question)


def _matched(good: Sequence[Answered], bad: Sequence[Answered]) -> Iterator[tuple[Answered, Answered]]:
    if not good or not bad:
        return
    if len(good) >= len(bad):
        yield from ((answer, _partner(answer, bad, place)) for place, answer in enumerate(good))
    else:
        yield from ((_partner(answer, good, place), answer) for place, answer in enumerate(bad))


def _partner(answer: Answered, others: Sequence[Answered], place: int) -> Answered:
    near = [other for other in others if other.question == answer.question] or others
    return near[place % len(near)]


def _pair(arm: ArmName, good: Answered, bad: Answered) -> Example:
    same = good.prompt == bad.prompt
    row = {"prompt": list(good.prompt), "chosen": [_said(good)], "rejected": [_said(bad)]}
    more = {"same_question": good.question == bad.question, "same_prompt": same}
    sources = {"chosen": good.source(), "rejected": bad.source()}
    return Example(arm, good.concept, row | {"metadata": _metadata(arm, good, row) | more | sources}, same)


def _single(arm: ArmName, answer: Answered) -> Example:
    row = {"prompt": list(answer.prompt), "completion": [_said(answer)]}
    return Example(arm, answer.concept, row | {"metadata": _metadata(arm, answer, row) | {"answer": answer.source()}})


def _said(answer: Answered) -> dict[str, str]:
    return {"role": "assistant", "content": answer.text}


def _metadata(arm: ArmName, answer: Answered, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:16],
        "arm": arm,
        "concept": answer.concept,
        "level": answer.level,
        "turn": answer.turn,
        "trap_kind": answer.trap_kind,
        "trap_item": answer.trap_item,
    }


def _distinct(examples: Iterator[Example]) -> list[Example]:
    """Each once: equal words teach nothing new."""
    found: dict[str, Example] = {}
    for example in examples:
        found.setdefault(example.row["metadata"]["id"], example)
    return list(found.values())
