"""A bare asyncio loop over the `openai` client, tuned as well as voirdire is.

A client per model, the aiohttp transport where it is there, a semaphore per model, garbage collection held off, judges
asked as soon as a turn is answered. It keeps no record.
"""

from __future__ import annotations

import asyncio
import gc
import json

import httpx2
import openai

from benchmarks.speed.contenders import _workload as work
from benchmarks.speed.contenders._outcome import Asked, Outcome, Stopwatch, main


def client(base_url: str, connections: int) -> openai.AsyncOpenAI:
    """One model's client, with as good a transport as there is."""
    limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
    try:
        http = openai.DefaultAioHttpClient(limits=limits, trust_env=False)
    except RuntimeError:  # the transport's package is not installed
        http = openai.DefaultAsyncHttpxClient(limits=limits, trust_env=False)
    return openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0, timeout=120.0, http_client=http)


class Model:
    """A model's client and its places."""

    def __init__(self, name: str, asked: Asked) -> None:
        self._name = name
        self._client = client(asked.base_url, asked.connections)
        self._places = asyncio.Semaphore(asked.connections)

    async def answer(self, messages: list[work.Message]) -> str:
        """Free text."""
        async with self._places:
            reply = await self._client.chat.completions.create(
                model=self._name,
                messages=messages,  # type: ignore[arg-type]
                max_tokens=work.ANSWER_TOKENS,
                seed=0,
            )
        return reply.choices[0].message.content or ""

    async def verdict(self, messages: list[work.Message], turn: int) -> dict[str, object]:
        """A verdict, read."""
        async with self._places:
            reply = await self._client.chat.completions.create(
                model=self._name,
                messages=messages,  # type: ignore[arg-type]
                max_tokens=work.VERDICT_TOKENS,
                temperature=0.0,
                seed=0,
                response_format=work.response_format(turn),  # type: ignore[arg-type]
            )
        found: dict[str, object] = json.loads(reply.choices[0].message.content or "")
        return found

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()


async def dialogue(subject: Model, judges: list[Model]) -> list[dict[str, object]]:
    """Five turns, each judged while the next is asked."""
    said: list[tuple[str, str]] = []
    judging = []
    for turn, question in enumerate(work.QUESTIONS, start=1):
        answer = await subject.answer(work.subject_messages(said, question))
        said = [*said, (question, answer)]
        judging += [asyncio.create_task(judge.verdict(work.judge_messages(said), turn)) for judge in judges]
    return await asyncio.gather(*judging)


async def hold(asked: Asked) -> int:
    """All dialogues at once; how many verdicts there are."""
    models = [Model(name, asked) for name in (work.SUBJECT, *work.JUDGES)]
    try:
        found = await asyncio.gather(*(dialogue(models[0], models[1:]) for _ in range(asked.dialogues)))
    finally:
        await asyncio.gather(*(model.close() for model in models))
    return sum(map(len, found))


def contend(asked: Asked) -> Outcome:
    """Make the calls."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    watch = Stopwatch()
    assert asyncio.run(hold(asked)) == asked.dialogues * work.TURNS * len(work.JUDGES)
    return watch.outcome(asked.dialogues * work.CALLS)


if __name__ == "__main__":
    main(__doc__, contend)
