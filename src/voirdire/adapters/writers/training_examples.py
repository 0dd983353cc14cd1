"""Answers of runs that a model can learn from, the examples made of them, and which are for training and testing."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from voirdire.adapters.export_files import ExportError
from voirdire.adapters.loading import LoadedRun
from voirdire.ddft.questions import TRAP_TURN
from voirdire.runs import RunFolder
from voirdire.text.counting import counted

ArmName = Literal["verification", "knowledge"]
Messages = tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class RunAnswer:
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
class SortedAnswers:
    """The answers of one arm: those to learn, those to learn from as the contrary, and why the others are left out."""

    good: list[RunAnswer] = field(default_factory=list)
    bad: list[RunAnswer] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """How many answers, by the reason."""

    @property
    def seen(self) -> int:
        """All answers that were looked at."""
        return len(self.good) + len(self.bad) + self.left_out.total()

    def counts(self, names: tuple[str, str]) -> dict[str, Any]:
        """For the manifest."""
        return {"seen": self.seen, names[0]: len(self.good), names[1]: len(self.bad), "left_out": dict(self.left_out)}


def pairs(arm: ArmName, answers: SortedAnswers) -> list[Example]:
    """Good answers against bad ones to the same trap (or the same question), in the layout of preference data.

    Every answer of the larger side stands in one pair, those of the smaller side come again in turn; a partner that
    was asked in the same words is preferred. The prompt is that of the good answer.
    """
    shared = _match_key(arm)
    groups: dict[Hashable, tuple[list[RunAnswer], list[RunAnswer]]] = defaultdict(lambda: ([], []))
    for answer in answers.good:
        groups[shared(answer)][0].append(answer)
    for answer in answers.bad:
        groups[shared(answer)][1].append(answer)
    examples = [_pair(arm, *pair) for good, bad in groups.values() for pair in _matched(good, bad)]
    return _distinct(example for example in examples if example.row["chosen"] != example.row["rejected"])


def singles(arm: ArmName, answers: SortedAnswers) -> list[Example]:
    """Good answers alone, each with its prompt: only the answer is to be learnt, not what was said before it."""
    return _distinct(_single(arm, answer) for answer in answers.good)


def both_sides(arm: ArmName, answers: SortedAnswers) -> tuple[int, int]:
    """How many traps (or questions) have answers at all, and how many of them good and bad ones."""
    shared = _match_key(arm)
    good, bad = ({shared(answer) for answer in side} for side in (answers.good, answers.bad))
    return len(good | bad), len(good & bad)


def _match_key(arm: ArmName) -> Callable[[RunAnswer], Hashable]:
    """What two answers must have in common. What was given goes in: of two references one may hold the answer."""
    if arm == "verification":
        return lambda answer: (answer.concept, answer.level, answer.given, answer.trap_item)
    return lambda answer: (answer.concept, answer.level, answer.given, answer.turn, answer.question)


def _matched(good: Sequence[RunAnswer], bad: Sequence[RunAnswer]) -> Iterator[tuple[RunAnswer, RunAnswer]]:
    if not good or not bad:
        return
    if len(good) >= len(bad):
        yield from ((answer, _partner(answer, bad, place)) for place, answer in enumerate(good))
    else:
        yield from ((_partner(answer, good, place), answer) for place, answer in enumerate(bad))


def _partner(answer: RunAnswer, others: Sequence[RunAnswer], place: int) -> RunAnswer:
    near = [other for other in others if other.question == answer.question] or others
    return near[place % len(near)]


def _pair(arm: ArmName, good: RunAnswer, bad: RunAnswer) -> Example:
    same = good.prompt == bad.prompt
    row = {"prompt": list(good.prompt), "chosen": [_as_message(good)], "rejected": [_as_message(bad)]}
    more = {"same_question": good.question == bad.question, "same_prompt": same}
    sources = {"chosen": good.source(), "rejected": bad.source()}
    return Example(arm, good.concept, row | {"metadata": _metadata(arm, good, row) | more | sources}, same)


def _single(arm: ArmName, answer: RunAnswer) -> Example:
    row = {"prompt": list(answer.prompt), "completion": [_as_message(answer)]}
    return Example(arm, answer.concept, row | {"metadata": _metadata(arm, answer, row) | {"answer": answer.source()}})


def _as_message(answer: RunAnswer) -> dict[str, str]:
    return {"role": "assistant", "content": answer.text}


def _metadata(arm: ArmName, answer: RunAnswer, row: dict[str, Any]) -> dict[str, Any]:
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
    by_id: dict[str, Example] = {}
    for example in examples:
        by_id.setdefault(example.row["metadata"]["id"], example)
    return list(by_id.values())


Arms = Mapping[ArmName, Sequence[Example]]


class SplitPart(NamedTuple):
    """One side of a split."""

    concepts: tuple[str, ...]
    arms: dict[ArmName, list[Example]]


def split_by_concept(arms: Arms, share: float | None, seed: int) -> dict[str, SplitPart]:
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


def evened(part: SplitPart, seed: int) -> SplitPart:
    """As many examples of the knowledge arm as of the verification arm, drawn by the seed, if there are enough."""
    wanted = len(part.arms.get("verification", ()))
    control = part.arms.get("knowledge", [])
    if "verification" not in part.arms or len(control) <= wanted:
        return part
    sample = set(random.Random(seed).sample(range(len(control)), wanted))  # noqa: S311 - a reproducible draw
    examples = [example for place, example in enumerate(control) if place in sample]
    return part._replace(arms={**part.arms, "knowledge": examples})


def _part(arms: Arms, concepts: Sequence[str]) -> SplitPart:
    own = set(concepts)
    return SplitPart(
        tuple(sorted(concepts)),
        {arm: [example for example in examples if example.concept in own] for arm, examples in arms.items()},
    )


def answers_of(run: LoadedRun) -> list[RunAnswer]:
    """The answers at turns 1 to 4 of a run, with what the model was shown and what the jury made of them."""
    scores = run.scores[["dialogue", "turn", "far", "no_claims", "stance"]]
    judged = run.turns[run.turns["turn"] <= TRAP_TURN].merge(scores, on=["dialogue", "turn"], how="left")
    rows = [
        {str(name): _none_if_missing(value) for name, value in row.items() if name != "question_notes"}
        for row in judged.to_dict("records")
    ]
    prompts = _recorded_prompts(run)
    turns = {(row["dialogue"], row["turn"]): row for row in rows}
    return [_run_answer(row, run, prompts.get((row["dialogue"], row["turn"])) or _rebuild(row, turns)) for row in rows]


def for_verification(answers: Iterable[RunAnswer]) -> SortedAnswers:
    """Answers to a trap: good ones reject it, bad ones accept it; who questions it and answers is neither."""
    sorted_answers = SortedAnswers()
    for answer in answers:
        if answer.turn != TRAP_TURN:
            continue
        reason = _unusable(answer)
        if answer.trap_item is None:
            sorted_answers.left_out["no fabricated item is on record"] += 1
        elif reason is not None:
            sorted_answers.left_out[reason] += 1
        elif answer.stance == "rejected":
            sorted_answers.good.append(answer)
        elif answer.stance == "accepted":
            sorted_answers.bad.append(answer)
        else:
            sorted_answers.left_out["questioned it" if answer.stance else "no stance is known"] += 1
    return sorted_answers


def for_knowledge(answers: Iterable[RunAnswer], theta: float) -> SortedAnswers:
    """Answers at turns 1 to 3: good ones are accurate (FAR of theta or more), bad ones are not."""
    sorted_answers = SortedAnswers()
    for answer in answers:
        if answer.turn >= TRAP_TURN:
            continue
        reason = _unusable(answer)
        if reason is not None:
            sorted_answers.left_out[reason] += 1
        elif answer.no_claims:
            sorted_answers.left_out["no claim is made"] += 1
        elif answer.far is None:
            sorted_answers.left_out["no score"] += 1
        else:
            (sorted_answers.good if answer.far >= theta else sorted_answers.bad).append(answer)
    return sorted_answers


def _unusable(answer: RunAnswer) -> str | None:
    """Why nobody should learn from an answer, whatever it says."""
    if not answer.text.strip():
        return "no answer"
    if answer.finish_reason == "length":
        return "cut at the limit of tokens"
    return "refused by the provider" if answer.finish_reason == "refusal" else None


def _run_answer(row: Mapping[str, Any], run: LoadedRun, prompt: Messages) -> RunAnswer:
    return RunAnswer(
        run=run.path.resolve().name,
        model=row["model"],
        concept=row["concept"],
        level=row["level"],
        sample=int(row["sample"]),
        turn=int(row["turn"]),
        text=row["answer"] or "",
        prompt=prompt,
        trap_kind=row["trap_kind"],
        trap_item=row["trap_item"],
        stance=row["stance"],
        far=row["far"],
        no_claims=bool(row["no_claims"]),
        finish_reason=row["finish_reason"],
    )


def _recorded_prompts(run: LoadedRun) -> dict[tuple[str, int], Messages]:
    """What subjects were shown, by dialogue and turn, as it was sent."""
    with RunFolder.open(run.path, read_only=True) as folder:
        return {
            (dialogue, turn): tuple(messages)
            for turn in range(1, TRAP_TURN + 1)
            for dialogue, messages in folder.journal.sent(("subject",), turn).items()
        }


def _rebuild(row: Mapping[str, Any], turns: Mapping[tuple[str, int], Mapping[str, Any]]) -> Messages:
    """The dialogue up to a question, of an imported record: what was sent is not known."""
    earlier = [turns[row["dialogue"], turn] for turn in range(1, row["turn"]) if (row["dialogue"], turn) in turns]
    messages = [
        {"role": role, "content": turn[name] or ""}
        for turn in earlier
        for role, name in (("user", "question"), ("assistant", "answer"))
    ]
    return (*messages, {"role": "user", "content": row["question"]})


def _none_if_missing(value: Any) -> Any:
    """`None` for what is missing: NaN, or pandas' own mark."""
    import pandas as pd

    return None if pd.isna(value) else value
