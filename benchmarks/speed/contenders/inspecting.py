"""The same calls under Inspect: a task whose solver asks the subject five times and whose scorer asks the judges.

A sample is scored when its solver is done, and its fifteen judges' calls go out at once. With --defaults Inspect
sets its own concurrency (adaptive: 20 connections of a model at first, at most 100, and as many samples).
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile

import openai  # noqa: F401 - loaded before the clock starts, as for the others
from inspect_ai import Task, task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, GenerateConfig, ResponseSchema, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

from benchmarks.speed.contenders import _workload as work
from benchmarks.speed.contenders._outcome import Asked, Outcome, Stopwatch, main

_PROVIDER = "openai-api/fake"


@solver
def cross_examine() -> Solver:
    """Five turns."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages = [ChatMessageSystem(content=work.SUBJECT_SYSTEM)]
        for question in work.QUESTIONS:
            state.messages.append(ChatMessageUser(content=question))
            state = await generate(state)
        return state

    return solve


@scorer(metrics=[mean()])
def jury() -> Scorer:
    """Each judge on each turn; the mean of FAR."""

    async def verdict(judge: str, said: list[tuple[str, str]]) -> float:
        system, user = work.judge_messages(said)
        messages: list[ChatMessage] = [
            ChatMessageSystem(content=system["content"]),
            ChatMessageUser(content=user["content"]),
        ]
        schema = JSONSchema.model_validate(work.verdict_schema(len(said)))
        reply = await get_model(f"{_PROVIDER}/{judge}").generate(
            messages,
            config=GenerateConfig(
                max_tokens=work.VERDICT_TOKENS,
                temperature=0.0,
                seed=0,
                response_schema=ResponseSchema(name="answer", json_schema=schema, strict=True),
            ),
        )
        return json.loads(reply.completion)["far"] or 0.0

    async def score(state: TaskState, target: Target) -> Score:
        questions = [message.text for message in state.messages if message.role == "user"]
        answers = [message.text for message in state.messages if message.role == "assistant"]
        said = list(zip(questions, answers, strict=True))
        turns = [said[: turn + 1] for turn in range(len(said))]
        found = await asyncio.gather(*(verdict(judge, each) for each in turns for judge in work.JUDGES))
        return Score(value=sum(found) / len(found))

    return score


@task
def examination(dialogues: int) -> Task:
    """As many dialogues."""
    samples = [Sample(input="", id=number) for number in range(1, dialogues + 1)]
    return Task(dataset=MemoryDataset(samples), solver=cross_examine(), scorer=jury())


def contend(asked: Asked) -> Outcome:
    """Evaluate once, with logs as Inspect writes them."""
    os.environ |= {"FAKE_API_KEY": "none", "FAKE_BASE_URL": asked.base_url}
    limits = {} if asked.defaults else {"max_connections": asked.connections, "max_samples": asked.dialogues}
    with tempfile.TemporaryDirectory() as folder:
        watch = Stopwatch()
        (log,) = evaluate(
            examination(asked.dialogues),
            model=f"{_PROVIDER}/{work.SUBJECT}",
            log_dir=folder,
            display="none",
            max_retries=0,
            max_tokens=work.ANSWER_TOKENS,
            seed=0,
            **limits,
        )
        outcome = watch.outcome(asked.dialogues * work.CALLS)
    assert log.status == "success", log.error
    return outcome


if __name__ == "__main__":
    main(__doc__, contend)
