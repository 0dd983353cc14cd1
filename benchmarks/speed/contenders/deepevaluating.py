"""The same calls under deepeval: answers from a loop of one's own, as it is meant, then judges as metrics.

A test case is a turn, and each judge a metric of one's own on it (`BaseMetric`), so that prompts and schema are the
same as everywhere. With --defaults deepeval sets its own concurrency (20 test cases at once).
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import tempfile

from benchmarks.speed.contenders import _workload as work
from benchmarks.speed.contenders._outcome import Asked, Outcome, Stopwatch, main
from benchmarks.speed.contenders.bare import Model

_FOLDER = tempfile.TemporaryDirectory()
os.chdir(_FOLDER.name)  # it writes into the folder that it is started in

from deepeval import evaluate  # noqa: E402
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig  # noqa: E402
from deepeval.metrics import BaseMetric  # noqa: E402
from deepeval.test_case import LLMTestCase  # noqa: E402

Said = list[tuple[str, str]]


class Verdict(BaseMetric):
    """A judge's FAR of a turn."""

    def __init__(self, judge: str, asked: Asked, models: dict[str, Model]) -> None:
        self.threshold = 0.0
        self.async_mode = True
        self.include_reason = True
        self.judge, self.asked, self.models = judge, asked, models  # named so: it copies metrics by their arguments

    async def a_measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
        """Ask the judge."""
        said: Said = test_case.metadata["said"]
        model = self.models.get(self.judge)
        if model is None:  # a metric is copied for each test case, its models are shared
            model = self.models[self.judge] = Model(self.judge, self.asked)
        found = await model.verdict(work.judge_messages(said), len(said))
        self.score = float(found["far"] or 0.0)
        self.reason = str(found["justification"])
        self.success = True
        return self.score

    def measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
        """Never called: metrics are measured asynchronously."""
        raise NotImplementedError

    def is_successful(self) -> bool:
        """A judge's score is no failure."""
        return True

    @property
    def __name__(self) -> str:
        return self.judge


async def answers(asked: Asked) -> list[Said]:
    """Five answers to each dialogue."""
    subject = Model(work.SUBJECT, asked)

    async def one() -> Said:
        said: Said = []
        for question in work.QUESTIONS:
            said.append((question, await subject.answer(work.subject_messages(said, question))))
        return said

    try:
        return await asyncio.gather(*(one() for _ in range(asked.dialogues)))
    finally:
        await subject.close()


def contend(asked: Asked) -> Outcome:
    """Ask, then evaluate."""
    watch = Stopwatch()
    dialogues = asyncio.run(answers(asked))
    cases = [
        LLMTestCase(input=said[turn][0], actual_output=said[turn][1], metadata={"said": said[: turn + 1]})
        for said in dialogues
        for turn in range(work.TURNS)
    ]
    models: dict[str, Model] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        result = evaluate(
            cases,
            [Verdict(judge, asked, models) for judge in work.JUDGES],
            async_config=AsyncConfig() if asked.defaults else AsyncConfig(max_concurrent=asked.connections),
            display_config=DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False),
            cache_config=CacheConfig(write_cache=False),
        )
    outcome = watch.outcome(asked.dialogues * work.CALLS)
    assert len(result.test_results) == len(cases)
    return outcome


if __name__ == "__main__":
    main(__doc__, contend)
