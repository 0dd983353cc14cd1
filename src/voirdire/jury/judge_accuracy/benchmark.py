"""What is an offline judge worth? Its verdicts on the published DDFT turns, against the published consensus.

Read the numbers with two things in mind. The published judges never saw a reference, and the published dialogues name
no concept, so that low correlations say as much of the data as of the judge. And the published record does not say
whether a subject asks what is meant; a judge's `no_claims` is compared with the rule `asks_what_is_meant` on first
answers, and with labels set by hand where there are any. The reference panel uses that very rule, so that for it only
the hand labels are independent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire.data.json_values import as_object
from voirdire.jury.clarification import asks_what_is_meant
from voirdire.jury.judge_accuracy.verdict_file import BenchRecord, BenchRecordError
from voirdire.jury.published import (
    DialogueKey,
    PublishedDataError,
    PublishedTurn,
    read_labels,
    sample_turns,
)
from voirdire.records import Concept, JudgeTask, Verdict

if TYPE_CHECKING:
    from voirdire.jury.panel import Judge
    from voirdire.stats.correlation import Correlation

__all__ = [
    "BenchRecordError",
    "BenchResult",
    "DialogueKey",
    "JudgedTurn",
    "PublishedDataError",
    "PublishedTurn",
    "judge_turns",
    "read_labels",
    "sample_turns",
    "summarise",
    "task_of",
]

Progress = Callable[[int, int], None]
"""Told after each turn: turns done, turns in all."""


class JudgedTurn(NamedTuple):
    """A published turn, what the judge said of it, and how long that took."""

    turn: PublishedTurn
    verdict: Verdict
    seconds: float


class BenchResult(NamedTuple):
    """How one judge fared. Correlations are Spearman's, with a 95 % interval that resamples dialogues."""

    judge: str
    turns: int
    missing: int
    """Turns on which the judge failed."""
    no_claims: int
    """Turns it gave no FAR, as nothing in them could be true or false."""
    far: Correlation
    sas: Correlation
    asks: Correlation
    """First answers: the judge's `no_claims` with the rule `asks_what_is_meant`."""
    asks_by_hand: Correlation
    """The same with labels set by hand; n is 0 where none were given."""
    seconds_per_call: float
    """Mean over turns, wall clock; NaN without turns."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; a number that is undefined is `None`."""
        return as_object(self)


def task_of(turn: PublishedTurn, concept: Concept) -> JudgeTask:
    """What a judge is shown of a published turn: our reference and facts, which the published judges did not have."""
    return JudgeTask(
        dialogue=f"{turn.model}/{turn.concept}/{turn.level:g}",
        turn=turn.turn,
        concept=concept.name,
        question=turn.question,
        answer=turn.response,
        reference=concept.reference,
        level=turn.level,
        facts=concept.facts,
    )


async def judge_turns(
    turns: Sequence[PublishedTurn],
    judge: Judge,
    concepts: Mapping[str, Concept],
    *,
    record: Path | None = None,
    progress: Progress | None = None,
) -> list[JudgedTurn]:
    """Have `judge` judge the turns, one after the other.

    Args:
        turns: what to judge, in this order.
        judge: any judge of the jury.
        concepts: our concept for each name the published data use.
        record: a JSON-lines file that every verdict is appended to at once. Turns that stand in it under this judge's
            name are not judged again, unless the judge failed on them: the same command goes on after a kill.
        progress: told after each turn.

    Raises:
        PublishedDataError: a turn's concept is not among `concepts`.
        BenchRecordError: `record` holds something else.
    """
    unknown = sorted({turn.concept for turn in turns} - set(concepts))
    if unknown:
        raise PublishedDataError(
            f"No concept is known under the published name {unknown[0]!r}; known: {sorted(concepts)}."
        )
    book = BenchRecord.open(record, judge.name) if record else BenchRecord.in_memory(judge.name)
    judged = []
    for number, turn in enumerate(turns, start=1):
        name = json.dumps([*turn.dialogue, turn.turn])
        if name not in book:
            started = perf_counter()
            verdict = await judge.judge(task_of(turn, concepts[turn.concept]))
            book.add(name, verdict, perf_counter() - started)
        judged.append(JudgedTurn(turn, *book[name]))
        if progress:
            progress(number, len(turns))
    return judged


def summarise(
    judge: str, judged: Sequence[JudgedTurn], asks_labels: Mapping[DialogueKey, bool] | None = None
) -> BenchResult:
    """Correlate a judge's verdicts with the published consensus; a value missing on either side leaves the pair out."""
    first = [each for each in judged if each.turn.turn == 1]
    labels = asks_labels or {}
    seconds = [each.seconds for each in judged]
    return BenchResult(
        judge=judge,
        turns=len(judged),
        missing=sum(each.verdict.missing is not None for each in judged),
        no_claims=sum(each.verdict.no_claims for each in judged),
        far=_correlate(judged, lambda each: each.verdict.far, lambda each: each.turn.far),
        sas=_correlate(judged, lambda each: each.verdict.sas, lambda each: each.turn.sas),
        asks=_correlate(first, _claims_nothing, lambda each: float(asks_what_is_meant(each.turn.response))),
        asks_by_hand=_correlate(first, _claims_nothing, lambda each: _number(labels.get(each.turn.dialogue))),
        seconds_per_call=sum(seconds) / len(seconds) if seconds else float("nan"),
    )


def _correlate(
    judged: Sequence[JudgedTurn],
    mine: Callable[[JudgedTurn], float | None],
    theirs: Callable[[JudgedTurn], float | None],
) -> Correlation:
    from voirdire.stats.correlation import spearman

    pairs = [(mine(each), theirs(each), each.turn.dialogue) for each in judged]
    known = [(x, y, str(dialogue)) for x, y, dialogue in pairs if x is not None and y is not None]
    return spearman([x for x, _, _ in known], [y for _, y, _ in known], groups=[dialogue for _, _, dialogue in known])


def _claims_nothing(each: JudgedTurn) -> float | None:
    return None if each.verdict.missing is not None else float(each.verdict.no_claims)


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
