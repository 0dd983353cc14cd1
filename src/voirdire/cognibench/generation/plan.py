"""The dialogues that are to be held, what that would take, and how one is held."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from voirdire.cognibench.generation.references import Reference, read_references, sample_evenly
from voirdire.cognibench.generation.user import MAX_TURNS, SCRIPTED, Notes, user_hashes
from voirdire.cognibench.records import CognibenchError
from voirdire.data.json_values import as_object, as_plain
from voirdire.data.packaged_files import read_text
from voirdire.data.prompt_files import load_prompt
from voirdire.detectors.records import Answer, Exchange, Statement
from voirdire.jury.structured_replies import Asks
from voirdire.models import ModelOptions, parse_spec, price_of, prices_assumed
from voirdire.records import CallFailure, Message, Reply, Request, Settings, Slot, Usage
from voirdire.runs import at_once, is_local, options_for
from voirdire.runs.budget import CostEstimate, ModelEstimate
from voirdire.text.counting import named_twice
from voirdire.text.scripts import count_words
from voirdire.text.sentences import cut_answer

Outcome = Literal["answered", "cut", "refused", "empty", "failed"]

_NOTE = "turn"


@dataclass(frozen=True, slots=True)
class GeneratedTurn:
    """A question that was put to a model, and what came of it."""

    question: str
    outcome: Outcome
    """"cut": answered up to the limit of tokens; "failed": the call did not succeed, and is made again next time."""
    answer: str | None = None
    """`None` unless the outcome is "answered" or "cut": nothing is put in the place of an answer."""
    error: str | None = None


def dialogue_of(reference: Reference, model: str) -> str:
    """The name of a dialogue in its run."""
    return f"{reference.id}|{model}"


def assistant_hashes() -> dict[str, str]:
    """SHA-256 of what the models are told."""
    return {"dialogue_assistant": load_prompt("dialogue_assistant").sha256}


async def hold_dialogue(
    reference: Reference, questions: Sequence[str], model: str, settings: Settings, asker: Asks, notes: Notes
) -> bool:
    """Put every question to a model.

    A refused or empty answer is recorded and left out of what later turns see; a call that fails ends the dialogue for
    this session, since what follows would be asked on another history than it should.

    Returns:
        Whether the dialogue is complete.

    Raises:
        RunStopped: no further call is made.
    """
    name = dialogue_of(reference, model)
    opening = load_prompt("dialogue_assistant").messages(reference=reference.text)
    history: list[Message] = []
    for number, question in enumerate(questions, start=1):
        message = Message.of("user", question)
        request = Request(Slot(name, number, "subject"), (*opening, *history, message), settings)
        turn = _turn(question, await asker.ask(model, request))
        await notes.note(name, number, _NOTE, as_object(turn))
        if turn.outcome == "failed":
            return False
        if turn.answer is not None:
            history += [message, Message.of("assistant", turn.answer)]
    return True


def recorded_turns(reference: Reference, model: str, turns: int, notes: Notes) -> list[GeneratedTurn]:
    """The turns of a dialogue that are on record, in order; those after a failed call are not."""
    name = dialogue_of(reference, model)
    recorded: list[GeneratedTurn] = []
    for number in range(1, turns + 1):
        body: Mapping[str, Any] | None = notes.note_of(name, number, _NOTE)
        if body is None:
            break
        recorded.append(GeneratedTurn(**body))
        if recorded[-1].outcome == "failed":
            break
    return recorded


def is_complete(turns_held: Sequence[GeneratedTurn], turns: int) -> bool:
    """Whether every turn of a dialogue has been put and come back."""
    return len(turns_held) == turns and turns_held[-1].outcome != "failed"


def answers_of(
    reference: Reference, model: str, recorded: Sequence[GeneratedTurn], *, plain: bool = False
) -> list[Answer]:
    """What a model answered, turn by turn, cut into sentences; turns without an answer are left out, and count."""
    name = dialogue_of(reference, model)
    history: tuple[Exchange, ...] = ()
    answers: list[Answer] = []
    for turn, each in enumerate(recorded):
        if each.answer is None:
            continue
        answers.append(
            Answer(
                id=f"{name}_{turn}",
                dialogue=name,
                group=reference.id,
                context=reference.text,
                question=each.question,
                text=each.answer,
                statements=tuple(Statement(*sentence) for sentence in cut_answer(each.answer, plain=plain)),
                history=history,
                turn=turn,
                topic=reference.topic,
                model=model,
            )
        )
        history = (*history, Exchange(each.question, each.answer))
    return answers


def _turn(question: str, reply: Reply | CallFailure) -> GeneratedTurn:
    if isinstance(reply, CallFailure):
        return GeneratedTurn(question, "failed", error=f"{reply.kind}: {reply.message}")
    if reply.finish_reason == "refusal":
        return GeneratedTurn(question, "refused", error="the model refused")
    answer = reply.text.strip()
    if not answer:
        return GeneratedTurn(question, "empty", error="the reply was empty")
    return GeneratedTurn(question, "cut" if reply.finish_reason == "length" else "answered", answer)


INSTRUMENT = "cognibench-dialogues"


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """Which dialogues are to be held."""

    references: Path
    models: tuple[str, ...]
    turns: int = 4
    count: int | None = None
    """How many references; each model holds one dialogue on each. `None`: all."""
    user: str = SCRIPTED
    """Who asks: "scripted", or the spec of a model."""
    seed: int = 0
    max_tokens: int = 1000
    """Of an answer."""
    temperature: float | None = None
    """Of the models that answer; `None`: each model's own."""
    base_url: str | None = field(default=None, repr=False)
    exact: bool = False
    """Local models repeat their replies exactly."""

    @property
    def settings(self) -> Settings:
        """How the models are asked."""
        return Settings(max_tokens=self.max_tokens, temperature=self.temperature)

    def options_by_model(self) -> dict[str, ModelOptions]:
        """Every model that takes part, and how it is reached.

        Raises:
            CognibenchError: no model, one twice, or a number of turns that can't be held.
        """
        if not self.models:
            raise CognibenchError("No model is named; give one with --model PROVIDER/NAME.")
        if (twice := named_twice(self.models)) is not None:
            raise CognibenchError(f"The model {twice} is named more than once; name each model once.")
        if not 1 <= self.turns <= MAX_TURNS:
            raise CognibenchError(f"{self.turns} turns are wanted; a dialogue has 1 to {MAX_TURNS}.")
        asking = () if self.user == SCRIPTED else (self.user,)
        return {spec: options_for(spec, self.base_url, exact=self.exact) for spec in (*self.models, *asking)}


def sampled(plan: GenerationPlan) -> list[Reference]:
    """The references of a plan, drawn evenly over topics.

    Raises:
        CognibenchError: they can't be read, or fewer are there than wanted.
    """
    return sample_evenly(read_references(plan.references), plan.count, plan.seed)


def manifest_of(plan: GenerationPlan, references: Sequence[Reference]) -> dict[str, Any]:
    """What settles a run of dialogues: the same manifest, the same calls."""
    script = read_text("prompts/dialogue_questions.yaml")
    return {
        "instrument": INSTRUMENT,
        "models": list(plan.models),
        "user": plan.user,
        "turns": plan.turns,
        "references": [reference.id for reference in references],
        "references_sha256": references_sha256(references),
        "seed": plan.seed,
        "max_tokens": plan.max_tokens,
        "temperature": plan.temperature,
        "base_url": plan.base_url,
        "prompts": assistant_hashes() | user_hashes(),
        "script_sha256": hashlib.sha256(script.encode()).hexdigest(),
        "exact": plan.exact,
    }


def references_sha256(references: Sequence[Reference]) -> str:
    """The hash of what dialogues are about, as run.json has it."""
    listed = json.dumps(as_plain(references), sort_keys=True)
    return hashlib.sha256(listed.encode()).hexdigest()


TOKENS_PER_WORD = 1.35
ANSWER_TOKENS = 270  # the released answers of CogniBench have 200 words in the mean
QUESTION_TOKENS = 30
PROMPT_TOKENS = 90
USER_PROMPT_TOKENS = 300
TRIES = 1.15  # of a model that plays the user: turns that can't be used are asked for again
HOSTED_SECONDS = 6.0
LOCAL_SECONDS = 15.0  # an answer of that length by a small model on two cores


@dataclass(frozen=True, kw_only=True)
class GenerationCost(CostEstimate):
    """What a run of dialogues would take."""

    references: int
    dialogues: int
    turns: int


def cost_of(plan: GenerationPlan, references: Sequence[Reference], connections: int) -> GenerationCost:
    """Estimate a plan.

    Raises:
        CognibenchError, SpecError: the plan can't be held as it is.
    """
    models = plan.options_by_model()
    answer = min(ANSWER_TOKENS, plan.max_tokens)
    context = TOKENS_PER_WORD * sum(count_words(each.text) for each in references) / len(references)
    history = (plan.turns - 1) / 2 * (answer + QUESTION_TOKENS)  # of a mean turn
    turns = len(references) * plan.turns
    calls_by_model: dict[str, list[tuple[int, float, float]]] = {spec: [] for spec in models}
    for model in plan.models:
        calls_by_model[model].append((turns, PROMPT_TOKENS + context + history + QUESTION_TOKENS, answer))
    if plan.user != SCRIPTED:
        calls = round(len(references) * TRIES)
        calls_by_model[plan.user].append((calls, USER_PROMPT_TOKENS + context, plan.turns * QUESTION_TOKENS))
    costs = tuple(_cost(spec, calls_by_model[spec], models) for spec in models)
    return GenerationCost(
        references=len(references),
        dialogues=len(references) * len(plan.models),
        turns=turns * len(plan.models),
        models=costs,
        minutes=max(_minutes(each, plan.turns, connections) for each in costs),
        assumptions=(
            f"{answer} tokens an answer, {QUESTION_TOKENS} a question, {TOKENS_PER_WORD} tokens a word",
            f"{HOSTED_SECONDS:g} s a hosted call, {LOCAL_SECONDS:g} s a local one",
            f"no reasoning tokens, no retries; {prices_assumed(models)}, without discounts for cached input",
        ),
    )


def _cost(spec: str, calls: Sequence[tuple[int, float, float]], models: Mapping[str, ModelOptions]) -> ModelEstimate:
    """Priced call by call: some prices rise with the length of a call."""
    prices = [
        None if each is None else each * number
        for number, sent, received in calls
        for each in (price_of(parse_spec(spec), Usage(round(sent), round(received)), models[spec]),)
    ]
    return ModelEstimate(
        spec,
        calls=sum(calls for calls, _, _ in calls),
        input_tokens=round(sum(calls * sent for calls, sent, _ in calls)),
        output_tokens=round(sum(calls * received for calls, _, received in calls)),
        usd=None if None in prices else sum(price for price in prices if price is not None),
    )


def _minutes(cost: ModelEstimate, turns: int, connections: int) -> float:
    """The turns of a dialogue follow each other; dialogues run beside each other, a local model's two at a time."""
    seconds = LOCAL_SECONDS if is_local(cost.spec) else HOSTED_SECONDS
    parallel = 1 if is_local(cost.spec) else at_once(cost.spec, connections)
    return max(cost.calls / parallel, turns) * seconds / 60
