"""Answers that can be learnt from, the examples made of them, and which are for training and which for testing."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from voirdire.adapters.export.records import ExportError
from voirdire.text.counting import counted

ArmName = Literal["verification", "knowledge"]
Messages = tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer of a run with all that decides whether it is learnt from."""

    run: str
    model: str
    concept: str
    level: float
    sample: int
    turn: int
    text: str
    """Empty where there is no answer."""
    prompt: Messages
    """What the model was shown before it answered, the question last."""
    trap_kind: str | None
    trap_item: str | None
    stance: str | None
    far: float | None
    no_claims: bool
    finish_reason: str

    @property
    def question(self) -> str:
        """The question it answers."""
        return self.prompt[-1]["content"]

    @property
    def given(self) -> str:
        """What the model was told before the first question; empty for nothing."""
        return self.prompt[0]["content"] if self.prompt[0]["role"] == "system" else ""

    def source(self) -> dict[str, Any]:
        """Where it comes from, for an example's metadata."""
        return {
            "run": self.run,
            "model": self.model,
            "sample": self.sample,
            "far": self.far,
            "stance": self.stance,
        }


@dataclass(frozen=True, slots=True)
class Example:
    """One row of training data."""

    arm: ArmName
    concept: str
    row: Mapping[str, Any]
    """As it is written: what trainers read, and `metadata`."""
    same_prompt: bool = True
    """Of a pair: whether both answers were given to exactly this prompt."""


@dataclass(slots=True)
class Sorted:
    """The answers of one arm: those to learn, those to learn from as the contrary, and why the others are left out."""

    good: list[Answered] = field(default_factory=list)
    bad: list[Answered] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """How many answers, by the reason."""

    @property
    def seen(self) -> int:
        """All answers that were looked at."""
        return len(self.good) + len(self.bad) + self.left_out.total()

    def counts(self, names: tuple[str, str]) -> dict[str, Any]:
        """For the manifest."""
        return {"seen": self.seen, names[0]: len(self.good), names[1]: len(self.bad), "left_out": dict(self.left_out)}


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


Arms = Mapping[ArmName, Sequence[Example]]


class Part(NamedTuple):
    """One side of a split."""

    concepts: tuple[str, ...]
    arms: dict[ArmName, list[Example]]


def split_by_concept(arms: Arms, share: float | None, seed: int) -> dict[str, Part]:
    """Put whole concepts into "train" and "test", the same ones for both arms.

    Args:
        arms: examples by arm.
        share: of the concepts that go to train, between 0 and 1; `None` puts all there, and makes no test part.
        seed: of the draw.

    Raises:
        ExportError: a part would have no example of the first arm.
    """
    concepts = sorted({example.concept for examples in arms.values() for example in examples})
    if share is None:
        return {"train": _part(arms, concepts)}
    if not 0 < share < 1:
        raise ExportError(f"A split is a share of the concepts between 0 and 1; {share:g} was given.")
    random.Random(seed).shuffle(concepts)  # noqa: S311 - a reproducible draw
    count = min(max(round(share * len(concepts)), 1), len(concepts) - 1)
    parts = {"train": _part(arms, concepts[:count]), "test": _part(arms, concepts[count:])}
    first = next(iter(arms))
    empty = [name for name, part in parts.items() if not part.arms[first]]
    if empty:
        raise ExportError(
            f"A split of {share:g} of {counted(len(concepts), 'concept')} leaves {empty[0]} without an example of "
            f"{first}: choose another share or --seed, or leave --split out."
        )
    return parts


def evened(part: Part, seed: int) -> Part:
    """As many examples of the knowledge arm as of the verification arm, drawn by the seed, if there are enough."""
    wanted = len(part.arms.get("verification", ()))
    control = part.arms.get("knowledge", [])
    if "verification" not in part.arms or len(control) <= wanted:
        return part
    chosen = set(random.Random(seed).sample(range(len(control)), wanted))  # noqa: S311 - a reproducible draw
    kept = [example for place, example in enumerate(control) if place in chosen]
    return part._replace(arms={**part.arms, "knowledge": kept})


def _part(arms: Arms, concepts: Sequence[str]) -> Part:
    own = set(concepts)
    return Part(
        tuple(sorted(concepts)),
        {arm: [example for example in examples if example.concept in own] for arm, examples in arms.items()},
    )
