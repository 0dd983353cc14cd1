"""From recurring errors to contrastive examples with the part of the context that matters: a draft to edit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from voirdire.cognibench.diagnosis.cases import Case, Side
from voirdire.cognibench.diagnosis.errors import ErrorKind
from voirdire.cognibench.diagnosis.groups import ErrorGroup
from voirdire.detectors.contrastive import Contrast
from voirdire.evidence import ContextIndex
from voirdire.text import content_words, split_sentences

GAP = "[…]"
"""Stands where something is left out."""
_SENTENCES = 2
"""Beside the first one, which says what the context is about."""
_LONG = 50
"""Words; of a longer piece, only so many are shown."""


def excerpt(context: str, claim: str) -> str:
    """The first sentence of a context and the two that share most with the claim, in the context's order.

    Lines are cut apart too: a context without full stops would else be one sentence.
    """
    pieces = [
        " ".join(line.split())
        for sentence in split_sentences(context, layout=True)
        for line in sentence.text.splitlines()
        if content_words(line)
    ]
    index = ContextIndex.of_sentences(dict.fromkeys(pieces))
    best = index.closest(claim, _SENTENCES)
    parts: list[str] = []
    before = -1
    for place in sorted({0, *best}) if index.sentences else ():
        parts += [GAP] if place > before + 1 else []
        parts.append(_cut(index.sentences[place].text))
        before = place
    return " ".join(parts)


def _cut(sentence: str) -> str:
    words = sentence.split()
    return sentence if len(words) <= _LONG else f"{' '.join(words[:_LONG])} {GAP}"


_LONG_STATEMENT = 45
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
        lambda case, used: case.pair.answer.group not in used and case.pair.statement.words <= _LONG_STATEMENT,
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
