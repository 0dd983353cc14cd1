"""What a run would take, before anything is spent: calls, tokens, money, time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from voirdire.data.json_values import as_plain
from voirdire.ddft import wording as wording  # what the note below reads like
from voirdire.ddft.expected_calls import (
    ANSWER_TOKENS,
    CHARACTERS_PER_TOKEN,
    TRIES_PER_QUESTION,
    VERDICT_TOKENS,
    Expected,
    answer_tokens,
    expected_calls,
)
from voirdire.ddft.questions import LAST_TURN
from voirdire.ddft.study import SCRIPTED, StudyPlan, dialogue_specs, participating_models
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.jury import judge_spec
from voirdire.models import ModelOptions, batch_discount, parse_spec, price_of, prices_assumed
from voirdire.models.batch import BATCHED
from voirdire.models.weights import KNOWN
from voirdire.reason_codes import Reason, reason
from voirdire.records import Usage
from voirdire.runs import at_once, is_local
from voirdire.runs.budget import CostEstimate, ModelEstimate

__all__ = ["ANSWER_TOKENS", "TRIES_PER_QUESTION", "StudyEstimate", "Ways", "estimate"]

HOSTED_SECONDS = 6.0  # per call; a guess that `assumptions` states
SIMULATED_SECONDS = 0.002
LOCAL_READS = 60.0  # tokens a second times GB, on two idle cores: Qwen2.5 1.5B, 21 s a verdict of 1,100 tokens
LOCAL_WRITES = 9.0  # the same: SmolLM2 135M, 25 s a dialogue
LOCAL_SLOWER = 10.0  # times as long on slow or busy cores: SmolLM2 135M, 9.6 min where 1 was reckoned
UNKNOWN_WEIGHTS = 1.0  # GB, where a file's size can't be seen
BATCH_HOURS = 24.0
_ALPHA = 0.05
"""Of `voirdire compare`, where none is named."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Ways of paying less that leave the plan itself as it is."""

    cached: bool = False
    """Count on providers' prefix caches."""
    batch: bool = False
    """Ask all judges by batch: only for a jury that is `batchable`."""
    share: float = 1.0
    """Of the dialogues, what is expected to run before a stopping rule ends it."""


@dataclass(frozen=True, kw_only=True)
class StudyEstimate(CostEstimate):
    """What holding a study would take."""

    dialogues: int
    turns: int
    at_most: bool = False
    """Whether turns and calls may be fewer: the fifth turn is asked only after an acceptance."""
    slow_minutes: float = 0.0
    """In place of `minutes`, where local models have slow or busy cores; the same without local models."""
    wait_hours: float = 0.0
    """At most so long, beside `minutes`, for batches."""
    share: float = 1.0
    """Of all dialogues, what is expected to run before a stopping rule ends it."""
    few_to_compare: Reason | None = None
    """That the concepts are too few for `compare` to decide anything about the models of the plan."""
    self_judged: Reason | None = None
    """That models of the plan are their own judges."""
    simulated_jury: Reason | None = None
    """That a simulated judge is to score a real model."""
    rubric_unread: Reason | None = None
    """That judges of the plan do not read the preset's own rubric."""
    thresholds: Thresholds = PAPER
    """What the metrics will count by."""

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        own = {} if self.thresholds == PAPER else {"thresholds": self.thresholds.as_dict()}
        names = ("few_to_compare", "self_judged", "simulated_jury", "rubric_unread")
        notes = {name: as_plain(getattr(self, name)) for name in names}
        return super().as_dict() | notes | own


def estimate(
    plan: StudyPlan, connections: int, ways: Ways | None = None, expected: Sequence[Expected] | None = None
) -> StudyEstimate:
    """What holding this plan would take.

    Args:
        plan: what is to be run.
        connections: calls at once per hosted model.
        ways: of paying less; without them nothing is counted on, and the price is the listed one.
        expected: `expected_calls(plan)`, where it is known already.

    Raises:
        StudyError, SpecError: the plan can't be run as it is.
    """
    ways = ways or Ways()
    options = participating_models(plan)
    planned, subjects = len(dialogue_specs(plan)), len(plan.models)
    dialogues = subjects * max(1, round(ways.share * planned / subjects))  # of each model whole ones
    ways = replace(ways, share=dialogues / planned)
    calls = [each.scaled(ways.share) for each in (expected_calls(plan) if expected is None else expected)]
    return StudyEstimate(
        dialogues=dialogues,
        turns=dialogues * LAST_TURN,
        at_most=plan.preset.may_skip_a_turn,
        models=_by_model(calls, options, ways, plan.names),
        minutes=_minutes(plan, calls, connections, ways),
        assumptions=_assumptions(plan, calls, options, ways),
        slow_minutes=_minutes(plan, calls, connections, ways, LOCAL_SLOWER),
        wait_hours=BATCH_HOURS if any(_batched(each, ways) for each in calls) else 0.0,
        share=ways.share,
        few_to_compare=few_to_compare(len(plan.models), len(plan.concepts), dialogues // subjects),
        self_judged=plan.self_judged,
        simulated_jury=plan.simulated_jury,
        rubric_unread=plan.rubric_unread,
        thresholds=plan.preset.thresholds,
    )


def few_to_compare(models: int, concepts: int, dialogues: int) -> Reason | None:
    """That models share too few concepts for any comparison to decide anything; `None` where they don't.

    Args:
        models: how many there are.
        concepts: that each was asked about.
        dialogues: of each model. Where they are enough, comparing them decides for these concepts only.
    """
    from voirdire.stats.power import clusters_for_swaps

    if models < 2:
        return None
    needed = clusters_for_swaps(_ALPHA / (models * (models - 1) // 2))
    if concepts >= needed:
        return None
    code = "note_few_concepts_to_compare" if dialogues >= needed else "note_few_to_compare"
    return reason(code, concepts=concepts, models=models, needed=needed)


def batchable(plan: StudyPlan) -> bool:
    """Whether the jury can be asked by batch: every model in it, and there is one."""
    specs = [spec for spec in map(judge_spec, plan.jury) if spec is not None]
    return bool(specs) and all(parse_spec(spec).provider in BATCHED for spec in specs)


def _batched(each: Expected, ways: Ways) -> bool:
    return ways.batch and each.role == "judge"


def _price_share(each: Expected, ways: Ways) -> float:
    """Of the listed price, what is paid."""
    return 1.0 - batch_discount(parse_spec(each.spec).provider) if _batched(each, ways) else 1.0


def _by_model(
    calls: Sequence[Expected], options: Mapping[str, ModelOptions], ways: Ways, names: Mapping[str, str]
) -> tuple[ModelEstimate, ...]:
    """One row for each model, whatever its roles, in the order in which they are named."""
    by_spec: dict[str, list[Expected]] = defaultdict(list)
    for each in calls:
        by_spec[each.spec].append(each)
    return tuple(
        ModelEstimate(
            spec,
            round(sum(each.calls for each in group)),
            round(sum(each.input_tokens for each in group)),
            round(sum(each.output_tokens for each in group)),
            _sum([_usd(each, options[spec], ways) for each in group]),
            round(sum(_cached(each, ways) for each in group)),
            names.get(spec),
        )
        for spec, group in by_spec.items()
    )


def _cached(each: Expected, ways: Ways) -> float:
    """A batch is worked on at some time and in some order: nothing is counted on there."""
    return each.cached_tokens if ways.cached and not _batched(each, ways) else 0.0


def _usd(each: Expected, options: ModelOptions, ways: Ways) -> float | None:
    """Priced call by call: some prices rise with the length of a call."""
    if not each.calls:
        return 0.0
    cached = _cached(each, ways)
    written = each.written_tokens if cached else 0.0
    parts = (each.input_tokens, each.output_tokens, 0.0, cached, written)
    price = price_of(parse_spec(each.spec), Usage(*(round(part / each.calls) for part in parts)), options)
    return None if price is None else price * each.calls * _price_share(each, ways)


def _sum(prices: Sequence[float | None]) -> float | None:
    known = [price for price in prices if price is not None]
    return sum(known) if len(known) == len(prices) else None


def _minutes(
    plan: StudyPlan, calls: Sequence[Expected], connections: int, ways: Ways, local_slower: float = 1.0
) -> float:
    """The slowest hosted model sets the time, or all local ones together; a dialogue's own calls follow each other."""
    now = [each for each in calls if not _batched(each, ways)]

    def seconds(each: Expected) -> float:
        return _seconds(each, plan.exact) * (local_slower if is_local(each.spec) else 1.0)

    hosted: dict[str, float] = defaultdict(float)
    for each in now:
        if not is_local(each.spec):
            hosted[each.spec] += each.calls * seconds(each) / at_once(each.spec, connections)
    local = sum(each.calls * seconds(each) for each in now if is_local(each.spec))
    asking = [each for each in now if each.role != "judge" and each.spec in (plan.models[0], plan.interviewer)]
    judging = max((seconds(each) for each in now if each.role == "judge"), default=0.0)
    one_dialogue = LAST_TURN * sum(seconds(each) for each in asking) + judging
    return max(*hosted.values(), local, one_dialogue, 0.0) / 60


def _seconds(each: Expected, exact: bool) -> float:
    """Of a mean call. A local model reads anew only what it has not read before, unless it is to repeat exactly."""
    if each.spec.startswith("simulated/"):
        return SIMULATED_SECONDS
    if not is_local(each.spec) or not each.calls:
        return HOSTED_SECONDS
    read = each.input_tokens if exact else each.fresh_tokens
    return _gigabytes(each.spec) * (read / LOCAL_READS + each.output_tokens / LOCAL_WRITES) / each.calls


def _gigabytes(spec: str) -> float:
    """Size of a local model's weights."""
    name = parse_spec(spec).name
    if name in KNOWN:
        return KNOWN[name].size / 1e9
    path = Path(name).expanduser()
    return path.stat().st_size / 1e9 if path.is_file() else UNKNOWN_WEIGHTS


def _assumptions(
    plan: StudyPlan, calls: Sequence[Expected], options: dict[str, ModelOptions], ways: Ways
) -> tuple[str, ...]:
    assumptions = [
        f"{answer_tokens(plan)} tokens an answer, {VERDICT_TOKENS} a verdict",
        f"{CHARACTERS_PER_TOKEN:g} characters a token",
        f"{HOSTED_SECONDS:g} s a hosted call",
        f"{'at most ' if plan.preset.may_skip_a_turn else ''}five turns a dialogue, no reasoning tokens, no retries or "
        "repairs",
    ]
    if any(is_local(each.spec) for each in calls):
        assumptions.append(
            f"a local 1 GB model reads {LOCAL_READS:g} tokens a second and writes {LOCAL_WRITES:g} on two idle cores, "
            f"and takes {LOCAL_SLOWER:g} times as long on slow or busy ones (the progress of the run goes by its calls)"
        )
    if ways.share < 1.0:
        assumptions.append(f"{100 * ways.share:.0f} % of the dialogues are held before the rule ends the run")
    if ways.cached:
        assumptions.append("prefix caches by their providers' published rules, never cold between two calls")
    if plan.interviewer != SCRIPTED:
        assumptions.append(f"{TRIES_PER_QUESTION:g} calls of the interviewer a question")
    assumptions.append(prices_assumed(options, batch=ways.batch))
    return tuple(assumptions)
