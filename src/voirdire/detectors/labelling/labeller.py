"""Labelling an answer sentence by sentence with a language model (CogniBench 3, A.7)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from voirdire.detectors.labelling.prompting import (
    escape_marks,
    label_request,
    request_for_missing,
    tier_request,
    type_request,
)
from voirdire.detectors.labelling.records import AnswerLabels, JudgedStatement, LabelPlan, Vote
from voirdire.detectors.labelling.replies import (
    final_label,
    first_stage,
    is_hallucinated,
    median_rung,
    read_numbered_votes,
    read_tiers,
    read_types,
    read_votes,
    remarks_in,
)
from voirdire.detectors.records import Answer, Label, StatementType
from voirdire.jury.hostile_answers import find_addresses, find_echo
from voirdire.jury.structured_replies import Asks, failed
from voirdire.records import CallFailure, Request, Slot
from voirdire.text.smalltalk import is_refusal

T = TypeVar("T")

REPAIRS = 2
"""How often sentences that a reply left out are asked for again."""


@dataclass(slots=True)
class LabelSample(Generic[T]):
    """The answers of one sample, by sentence."""

    answers: dict[int, T] = field(default_factory=dict)
    """By the sentence's place; what is not there is missing."""
    repairs: int = 0
    reasons: list[str] = field(default_factory=list)
    """Why sentences are missing."""
    failed_calls: int = 0
    remarks: list[str] = field(default_factory=list)
    """What replies hold beside what was asked for."""

    def add(self, other: LabelSample[T]) -> None:
        """Put the sample of another part of the sentences beside this one."""
        self.answers |= other.answers
        self.repairs += other.repairs
        self.reasons += other.reasons
        self.failed_calls += other.failed_calls
        self.remarks += other.remarks


async def ask_in_parts(
    asker: Asks,
    spec: str,
    places: Sequence[int],
    per_call: int | None,
    request: Callable[[Collection[int], int], Request],
    read: Callable[[str, Collection[int]], dict[int, T]],
    remarks_of: Callable[[str], str] = lambda reply: "",
) -> LabelSample[T]:
    """Ask about sentences, at most `per_call` of them in one call; the parts at the same time.

    Args:
        asker: makes the calls.
        spec: of the model.
        places: of the sentences.
        per_call: `None` for all at once.
        request: (places, number of the part from 1) -> the call that asks about them.
        read: (reply, places) -> what it says, by place.
        remarks_of: reply -> what it holds beside that.
    """
    size = per_call or max(1, len(places))
    parts = [places[start : start + size] for start in range(0, len(places), size)]
    total: LabelSample[T] = LabelSample()
    for sample in await asyncio.gather(
        *(_ask(asker, spec, part, number, request, read, remarks_of) for number, part in enumerate(parts, 1))
    ):
        total.add(sample)
    return total


async def _ask(
    asker: Asks,
    spec: str,
    places: Collection[int],
    part: int,
    request: Callable[[Collection[int], int], Request],
    read: Callable[[str, Collection[int]], dict[int, T]],
    remarks_of: Callable[[str], str],
) -> LabelSample[T]:
    """A refusal or a failed call ends it: what is missing then stays missing, and nothing takes its place."""
    sample: LabelSample[T] = LabelSample()
    missing = list(places)
    for repair in range(REPAIRS + 1):
        first_request = request(missing, part)
        reply = await asker.ask(spec, request_for_missing(first_request, repair) if repair else first_request)
        if isinstance(reply, CallFailure):
            sample.failed_calls += 1
            sample.reasons.append(failed(reply).why)
            return sample
        if reply.finish_reason == "refusal":
            sample.reasons.append("the model refused")
            return sample
        sample.repairs = repair
        answers = read(reply.text, missing)
        if not answers and is_refusal(reply.text):
            sample.reasons.append("the model refused")
            return sample
        sample.answers |= answers
        sample.remarks += filter(str.strip, [remarks_of(reply.text)])
        missing = [place for place in missing if place not in sample.answers]
        if not missing:
            return sample
    sample.reasons.append(f"left out, or contradicted itself, after {REPAIRS} repairs")
    return sample


_AnySample = LabelSample[Vote] | LabelSample[Label] | LabelSample[bool]


class Labeller:
    """Asks one model for votes, settles types and tiers, and gives every sentence a label where one is decided."""

    def __init__(self, asker: Asks, spec: str, plan: LabelPlan | None = None) -> None:
        self._asker = asker
        self._spec = spec
        self._plan = plan or LabelPlan()

    async def label(self, answer: Answer) -> AnswerLabels:
        """Label one answer. Labels that it brings are neither shown to the model nor kept.

        Raises:
            Exception: only what the asker raises to stop the whole run.
        """
        plan = self._plan
        votes, samples = await self.vote(answer)
        count = len(answer.statements)
        first = [first_stage(each, plan.votes_needed) for each in votes]
        relevant = [place for place in range(count) if first[place] != "irrelevant"]
        cognitive, typing = await self._types(answer, relevant)
        graded = [place for place in relevant if cognitive.get(place, 0.0) >= 0.5]
        gradings = await self._tiers(answer, graded)
        judged = tuple(
            self._judged(
                votes[place], first[place], cognitive.get(place), [each.answers.get(place) for each in gradings]
            )
            for place in range(count)
        )
        parts: list[_AnySample] = [*samples, *gradings, typing]
        return AnswerLabels(
            replace(
                answer,
                statements=tuple(
                    replace(statement, label=match.label)
                    for statement, match in zip(answer.statements, judged, strict=True)
                ),
            ),
            judged,
            repairs=sum(sample.repairs for sample in parts),
            reasons=_reasons({"sample": samples, "grading": gradings, "types": [typing]}),
            failed_calls=sum(sample.failed_calls for sample in parts),
            addresses=tuple(place for place, each in enumerate(answer.statements) if find_addresses(each.text)),
            echoes=_echoes(answer, samples),
        )

    async def vote(self, answer: Answer) -> tuple[list[tuple[Vote | None, ...]], Sequence[LabelSample[Vote]]]:
        """The first stage alone: for each statement, one vote a sample (`None` is missing); and the samples.

        Raises:
            Exception: only what the asker raises to stop the whole run.
        """
        samples = await asyncio.gather(*(self._votes(answer, number) for number in range(1, self._plan.votes + 1)))
        places = range(len(answer.statements))
        return [tuple(sample.answers.get(place) for sample in samples) for place in places], samples

    async def _votes(self, answer: Answer, number: int) -> LabelSample[Vote]:
        sentences = [escape_marks(statement.text) for statement in answer.statements]
        plan = self._plan
        return await ask_in_parts(
            self._asker,
            self._spec,
            range(len(sentences)),
            plan.sentences_per_call,
            lambda places, part: label_request(
                answer, plan, places, Slot(answer.id, part, "label", f"sample-{number}")
            ),
            read_numbered_votes
            if plan.form == "numbers"
            else lambda reply, places: read_votes(reply, sentences, places),
            lambda reply: remarks_in(reply, sentences),
        )

    async def _types(self, answer: Answer, places: Sequence[int]) -> tuple[Mapping[int, float], LabelSample[bool]]:
        """Probabilities of being cognitive, by place; a model's word counts as 0 or 1."""
        plan = self._plan
        if plan.types == "classifier":
            from voirdire.detectors.learned import type_probabilities

            probabilities = type_probabilities(answer.context, [answer.statements[place].text for place in places])
            return dict(zip(places, probabilities, strict=True)), LabelSample()
        sample = await ask_in_parts(
            self._asker,
            self._spec,
            places,
            plan.sentences_per_call,
            lambda wanted, part: type_request(answer, plan, wanted, Slot(answer.id, part, "type")),
            read_types,
        )
        return {place: float(cognitive) for place, cognitive in sample.answers.items()}, sample

    async def _tiers(self, answer: Answer, places: Sequence[int]) -> Sequence[LabelSample[Label]]:
        plan = self._plan
        if not plan.tiers or not places:
            return []
        return await asyncio.gather(
            *(self._grading(answer, places, number) for number in range(1, plan.tier_votes + 1))
        )

    async def _grading(self, answer: Answer, places: Sequence[int], number: int) -> LabelSample[Label]:
        plan = self._plan
        return await ask_in_parts(
            self._asker,
            self._spec,
            places,
            plan.sentences_per_call,
            lambda wanted, part: tier_request(answer, plan, wanted, Slot(answer.id, part, "tier", f"grading-{number}")),
            read_tiers,
        )

    def _judged(
        self,
        votes: tuple[Vote | None, ...],
        first: Vote | None,
        cognitive: float | None,
        tiers: Sequence[Label | None],
    ) -> JudgedStatement:
        plan = self._plan
        kind = _kind(first, cognitive)
        graded = tuple(tiers) if kind == "cognitive" else ()
        label, why = final_label(first, kind, median_rung(graded), tiers=plan.tiers, require=plan.require)
        return JudgedStatement(votes, is_hallucinated(votes, plan.votes_needed), label, kind, cognitive, graded, why)


def _kind(first: Vote | None, cognitive: float | None) -> StatementType | None:
    if first == "irrelevant":
        return "irrelevant"
    if cognitive is None:
        return None
    return "cognitive" if cognitive >= 0.5 else "factual"


def _echoes(answer: Answer, samples: Sequence[LabelSample[Vote]]) -> tuple[str, ...]:
    attempts = find_addresses(answer.text)
    return tuple(
        f"sample {number}: {words}"
        for number, each in enumerate(samples, 1)
        for remark in each.remarks
        if (words := find_echo(answer.text, remark, attempts))
    )


def _reasons(stages: Mapping[str, Sequence[_AnySample]]) -> tuple[str, ...]:
    sentences = [
        f"{stage} {number}: {reason}"
        for stage, samples in stages.items()
        for number, sample in enumerate(samples, 1)
        for reason in sample.reasons
    ]
    return tuple(dict.fromkeys(sentences))
