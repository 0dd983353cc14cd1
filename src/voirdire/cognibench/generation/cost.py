"""What holding dialogues would take, before anything is spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from voirdire.cognibench.generation.plan import GenerationPlan
from voirdire.cognibench.generation.references import Reference
from voirdire.cognibench.generation.user import SCRIPTED
from voirdire.models import ModelOptions, parse_spec, price_of
from voirdire.records import Usage
from voirdire.run import at_once, is_local
from voirdire.run.estimates import Estimate, ModelEstimate
from voirdire.text.scripts import count_words

TOKENS_PER_WORD = 1.35
ANSWER_TOKENS = 270  # the released answers of CogniBench have 200 words in the mean
QUESTION_TOKENS = 30
PROMPT_TOKENS = 90
USER_PROMPT_TOKENS = 300
TRIES = 1.15  # of a model that plays the user: turns that can't be used are asked for again
HOSTED_SECONDS = 6.0
LOCAL_SECONDS = 15.0  # an answer of that length by a small model on two cores


@dataclass(frozen=True, kw_only=True)
class GenerationCost(Estimate):
    """What a run of dialogues would take."""

    references: int
    dialogues: int
    turns: int


def cost_of(plan: GenerationPlan, references: Sequence[Reference], connections: int) -> GenerationCost:
    """Estimate a plan.

    Args:
        plan: which dialogues.
        references: as sampled.
        connections: calls at once per hosted model.

    Raises:
        CognibenchError, SpecError: the plan can't be held as it is.
    """
    taken = plan.seats()
    answer = min(ANSWER_TOKENS, plan.max_tokens)
    context = TOKENS_PER_WORD * sum(count_words(each.text) for each in references) / len(references)
    history = (plan.turns - 1) / 2 * (answer + QUESTION_TOKENS)  # of a mean turn
    turns = len(references) * plan.turns
    asked: dict[str, list[tuple[int, float, float]]] = {spec: [] for spec in taken}
    for model in plan.models:
        asked[model].append((turns, PROMPT_TOKENS + context + history + QUESTION_TOKENS, answer))
    if plan.user != SCRIPTED:
        calls = round(len(references) * TRIES)
        asked[plan.user].append((calls, USER_PROMPT_TOKENS + context, plan.turns * QUESTION_TOKENS))
    costs = tuple(_cost(spec, asked[spec], taken) for spec in taken)
    return GenerationCost(
        references=len(references),
        dialogues=len(references) * len(plan.models),
        turns=turns * len(plan.models),
        models=costs,
        minutes=max(_minutes(each, plan.turns, connections) for each in costs),
        assumptions=(
            f"{answer} tokens an answer, {QUESTION_TOKENS} a question, {TOKENS_PER_WORD} tokens a word",
            f"{HOSTED_SECONDS:g} s a hosted call, {LOCAL_SECONDS:g} s a local one",
            "no reasoning tokens, no retries; prices as listed, without discounts for cached input",
        ),
    )


def _cost(spec: str, asked: Sequence[tuple[int, float, float]], taken: Mapping[str, ModelOptions]) -> ModelEstimate:
    """Priced call by call: some prices rise with the length of a call."""
    prices = [
        None if each is None else each * calls
        for calls, sent, received in asked
        for each in (price_of(parse_spec(spec), Usage(round(sent), round(received)), taken[spec]),)
    ]
    return ModelEstimate(
        spec,
        calls=sum(calls for calls, _, _ in asked),
        input_tokens=round(sum(calls * sent for calls, sent, _ in asked)),
        output_tokens=round(sum(calls * received for calls, _, received in asked)),
        usd=None if None in prices else sum(price for price in prices if price is not None),
    )


def _minutes(cost: ModelEstimate, turns: int, connections: int) -> float:
    """The turns of a dialogue follow each other; dialogues run beside each other, a local model's two at a time."""
    seconds = LOCAL_SECONDS if is_local(cost.spec) else HOSTED_SECONDS
    parallel = 1 if is_local(cost.spec) else at_once(cost.spec, connections)
    return max(cost.calls / parallel, turns) * seconds / 60
