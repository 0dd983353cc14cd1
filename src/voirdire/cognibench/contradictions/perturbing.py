"""Change one thing in a faithful statement, so that its context contradicts it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from voirdire.cognibench.contradictions.edits import EDITS
from voirdire.cognibench.contradictions.grounds import Grounds
from voirdire.cognibench.contradictions.records import Kind, Perturbed
from voirdire.detectors import Answer


def perturb(answers: Sequence[Answer], seed: int = 0, limit: int | None = None) -> list[Perturbed]:
    """Every faithful statement, changed once in each kind that it has a place for.

    The same statement is changed in the same way whatever else stands in `answers`. Unlabelled answers give nothing:
    what is not known to be faithful can't be made false.

    Args:
        answers: labelled.
        seed: of what is changed, and into what.
        limit: at most so many of a kind, spread evenly over the answers; `None`: all.
    """
    found = [change for answer in answers for change in _of_answer(answer, seed)]
    return found if limit is None else _thinned(found, limit)


def _of_answer(answer: Answer, seed: int) -> list[Perturbed]:
    places = [place for place, statement in enumerate(answer.statements) if statement.label == "faithful"]
    if not places:
        return []
    grounds = Grounds.of(answer.context)
    found = []
    for place in places:
        original = answer.statements[place].text
        for kind, edit in EDITS.items():
            chance = random.Random(f"{seed}\0{answer.id}\0{place}\0{kind}")  # noqa: S311 (no secret)
            text = edit(original, grounds, chance)
            if text is not None and text != original:
                found.append(Perturbed(answer.id, place, kind, original, text))
    return found


def _thinned(found: Sequence[Perturbed], limit: int) -> list[Perturbed]:
    """Every so many-th of each kind, in order."""
    totals = Counter(each.kind for each in found)
    seen: Counter[Kind] = Counter()
    kept = []
    for each in found:
        total, place = totals[each.kind], seen[each.kind]
        seen[each.kind] += 1
        if total <= limit or place * limit // total != (place + 1) * limit // total:
            kept.append(each)
    return kept
