"""What a labelling run would take, before anything is spent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from voirdire.cognibench.labelling.records import LabelTask
from voirdire.data.json_values import as_object
from voirdire.detectors.labelling.prompting import LINE_TOKENS, label_request, tier_request, type_request
from voirdire.detectors.records import Answer
from voirdire.models import ModelOptions, parse_spec, price_of, prices_assumed
from voirdire.records import Fenced, Request, Slot, Usage
from voirdire.runs import at_once, is_local, options_for

CHARACTERS_PER_TOKEN = 4.1  # measured on labelling requests of CogniBench (Qwen2.5's tokens)
REPAIR_SHARE = 0.1  # of calls, asked once more; a guess that `assumptions` states
COGNITIVE_SHARE = 0.4  # of statements; in CogniBench's released labels about a third are (its section 4.3: 15 to 50 %)
FENCE_CHARACTERS = 180  # the two marked lines around a fenced text
_LINE_CHARACTERS = 13  # "12. faithful" and a line break
TAG_CHARACTERS = 23  # <faithful></faithful> and a line break
HOSTED_SECONDS = 6.0  # a call; a guess that `assumptions` states
LOCAL_TOKENS_PER_SECOND = (20.0, 8.0)  # read and written by Qwen2.5-Coder-1.5B on one core


@dataclass(frozen=True, slots=True)
class StageEstimate:
    """What one stage would take."""

    name: str
    calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    """`None`: the price is unknown."""


@dataclass(frozen=True, slots=True)
class LabelEstimate:
    """What a labelling run would take."""

    model: str
    answers: int
    statements: int
    stages: tuple[StageEstimate, ...]
    minutes: float
    assumptions: tuple[str, ...]

    @property
    def calls(self) -> int:
        """Over all stages."""
        return sum(stage.calls for stage in self.stages)

    @property
    def usd(self) -> float | None:
        """Over all stages; `None` when the price is unknown."""
        prices = [stage.usd for stage in self.stages if stage.usd is not None]
        return sum(prices) if len(prices) == len(self.stages) else None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return as_object(self) | {"calls": self.calls, "usd": self.usd}


def plan_calls(task: LabelTask, answers: Sequence[Answer], connections: int) -> LabelEstimate:
    """What labelling these answers would take: the first stage's requests are made and measured, but not sent.

    Raises:
        DetectorError, SpecError: the task can't be done as it is.
    """
    plan = task.plan
    options = options_for(task.model, task.base_url)
    stages = [
        _stage("votes", _first_stage(task, answers), plan.votes, 1.0, task.model, options),
    ]
    if plan.types == "model":
        stages.append(_stage("types", _numbered(task, answers, "type"), 1, 1.0, task.model, options))
    if plan.tiers:
        stages.append(
            _stage("tiers", _numbered(task, answers, "tier"), plan.tier_votes, COGNITIVE_SHARE, task.model, options)
        )
    return LabelEstimate(
        task.model,
        len(answers),
        sum(len(answer.statements) for answer in answers),
        tuple(stages),
        _minutes(task.model, stages, connections),
        _assumptions(task.model, options),
    )


def _first_stage(task: LabelTask, answers: Sequence[Answer]) -> Iterator[tuple[int, float]]:
    """(characters sent, characters that come back) of each call of one sample."""
    for answer in answers:
        for places in _parts(task, answer):
            request = label_request(answer, task.plan, places, Slot(answer.id, 1, "label"))
            yield _characters(request), _reply_characters(task, answer, places)


def _reply_characters(task: LabelTask, answer: Answer, places: range) -> float:
    """Characters of a reply with a vote on each of the sentences."""
    if task.plan.form == "numbers":
        return _LINE_CHARACTERS * len(places)
    return sum(len(answer.statements[place].text) + TAG_CHARACTERS for place in places)


def _numbered(task: LabelTask, answers: Sequence[Answer], kind: str) -> Iterator[tuple[int, float]]:
    ask = type_request if kind == "type" else tier_request
    for answer in answers:
        for places in _parts(task, answer):
            request = ask(answer, task.plan, places, Slot(answer.id, 1, kind))
            yield _characters(request), LINE_TOKENS * CHARACTERS_PER_TOKEN * len(places) / 2


def _parts(task: LabelTask, answer: Answer) -> list[range]:
    count = len(answer.statements)
    size = task.plan.sentences_per_call or count
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def _characters(request: Request) -> int:
    parts = [part for message in request.messages for part in message.parts]
    return sum(len(part.text) + FENCE_CHARACTERS if isinstance(part, Fenced) else len(part) for part in parts)


def _stage(
    name: str, calls: Iterable[tuple[int, float]], times: int, share: float, spec: str, options: ModelOptions
) -> StageEstimate:
    """A stage's sums. `share`: of the statements that it is about, which shortens the replies, not the requests."""
    measured = list(calls)
    more = times * (1 + REPAIR_SHARE)
    number = max(1, round(len(measured) * more))
    sent = round(sum(into for into, _ in measured) / CHARACTERS_PER_TOKEN * more)
    received = round(sum(out for _, out in measured) / CHARACTERS_PER_TOKEN * more * share)
    each = price_of(parse_spec(spec), Usage(sent // number, received // number), options)
    return StageEstimate(name, number, sent, received, None if each is None else each * number)


def _minutes(spec: str, stages: Sequence[StageEstimate], connections: int) -> float:
    if is_local(spec):
        read, written = LOCAL_TOKENS_PER_SECOND
        return sum(stage.input_tokens / read + stage.output_tokens / written for stage in stages) / 60
    return HOSTED_SECONDS * sum(stage.calls for stage in stages) / at_once(spec, connections) / 60


def _assumptions(spec: str, options: ModelOptions) -> tuple[str, ...]:
    read, written = LOCAL_TOKENS_PER_SECOND
    pace = (
        f"a local model reads {read:g} and writes {written:g} tokens a second"
        if is_local(spec)
        else f"{HOSTED_SECONDS:g} s a hosted call"
    )
    return (
        f"{CHARACTERS_PER_TOKEN:g} characters a token",
        f"{REPAIR_SHARE:.0%} of the calls are asked once more",
        f"{COGNITIVE_SHARE:.0%} of the statements are graded",
        pace,
        f"no reasoning tokens; {prices_assumed({spec: options})}, without discounts for cached input",
    )
