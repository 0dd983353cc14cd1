"""One sample: asking about sentences until each has an answer, or has been asked for often enough."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from voirdire.detectors.labelling.prompting import asked_again
from voirdire.jury.structured import Asks, failed
from voirdire.records import CallFailure, Request

T = TypeVar("T")

REPAIRS = 2
"""How often sentences that a reply left out are asked for again."""


@dataclass(slots=True)
class Sample(Generic[T]):
    """What one sample said."""

    said: dict[int, T] = field(default_factory=dict)
    """By the sentence's place; what is not there is missing."""
    repairs: int = 0
    reasons: list[str] = field(default_factory=list)
    """Why sentences are missing."""
    failed_calls: int = 0
    remarks: list[str] = field(default_factory=list)
    """What replies hold beside what was asked for."""

    def add(self, other: Sample[T]) -> None:
        """Put the sample of another part of the sentences beside this one."""
        self.said |= other.said
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
    beside: Callable[[str], str] = lambda reply: "",
) -> Sample[T]:
    """Ask about sentences, at most `per_call` of them in one call; the parts at the same time.

    Args:
        asker: makes the calls.
        spec: of the model.
        places: of the sentences.
        per_call: `None` for all at once.
        request: (places, number of the part from 1) -> the call that asks about them.
        read: (reply, places) -> what it says, by place.
        beside: reply -> what it holds beside that.
    """
    size = per_call or max(1, len(places))
    parts = [places[start : start + size] for start in range(0, len(places), size)]
    whole: Sample[T] = Sample()
    for sample in await asyncio.gather(
        *(_ask(asker, spec, part, number, request, read, beside) for number, part in enumerate(parts, 1))
    ):
        whole.add(sample)
    return whole


async def _ask(
    asker: Asks,
    spec: str,
    places: Collection[int],
    part: int,
    request: Callable[[Collection[int], int], Request],
    read: Callable[[str, Collection[int]], dict[int, T]],
    beside: Callable[[str], str],
) -> Sample[T]:
    """A refusal or a failed call ends it: what is missing then stays missing, and nothing takes its place."""
    sample: Sample[T] = Sample()
    missing = list(places)
    for repair in range(REPAIRS + 1):
        wanted = request(missing, part)
        reply = await asker.ask(spec, asked_again(wanted, repair) if repair else wanted)
        if isinstance(reply, CallFailure):
            sample.failed_calls += 1
            sample.reasons.append(failed(reply).why)
            return sample
        if reply.finish_reason == "refusal":
            sample.reasons.append("the model refused")
            return sample
        sample.repairs = repair
        sample.said |= read(reply.text, missing)
        sample.remarks += filter(str.strip, [beside(reply.text)])
        missing = [place for place in missing if place not in sample.said]
        if not missing:
            return sample
    sample.reasons.append(f"left out, or contradicted itself, after {REPAIRS} repairs")
    return sample
