"""voirdire as `voirdire run` holds it: journal, tables, profiles and validity checks included."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import openai  # noqa: F401 - loaded before the clock starts, as for the others
import pydantic_ai.direct  # noqa: F401

import voirdire.ddft.profile
import voirdire.ddft.validity
import voirdire.models.hosted  # noqa: F401
from benchmarks.speed.contenders import _workload as work
from benchmarks.speed.contenders._outcome import Asked, Outcome, Stopwatch, main
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import Preset, changed_preset, load_preset
from voirdire.ddft.results import Result
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyPlan
from voirdire.runs import NullProgress, RunOptions

CONCEPTS, LEVELS = 8, 5


class Last(NullProgress):
    """Notes when a dialogue is held and judged."""

    def __init__(self, watch: Stopwatch) -> None:
        self._watch = watch

    def dialogue_done(self, queue: str = "") -> None:
        """One more."""
        self._watch.judged()


def preset(dialogues: int) -> Preset:
    """`sound`, with as many dialogues as are asked for: 1, or a multiple of 5, on as many concepts as fit."""
    whole = load_preset("sound")
    if dialogues == 1:
        return changed_preset(whole, concepts=["recursion"], levels=[0.5])
    assert dialogues % LEVELS == 0, "1 dialogue, or a multiple of 5"
    cells = dialogues // LEVELS
    concepts = next(number for number in range(CONCEPTS, 0, -1) if cells % number == 0)
    ids = [file.concept.id for file in find_concepts(whole.concepts)]
    return changed_preset(whole, concepts=ids[:concepts], samples=cells // concepts)


def study(asked: Asked) -> StudyPlan:
    """What is held."""
    chosen = preset(asked.dialogues)
    return StudyPlan(
        models=(f"openai-api/{work.SUBJECT}",),
        concepts=tuple(find_concepts(chosen.concepts)),
        preset=chosen,
        jury=tuple(f"openai-api/{name}" for name in work.JUDGES),
        base_url=asked.base_url,
    )


def contend(asked: Asked) -> Outcome:
    """Hold the study in a new folder."""
    plan = study(asked)
    with tempfile.TemporaryDirectory() as folder:
        watch = Stopwatch()
        result = asyncio.run(_hold(plan, Path(folder) / "run", asked.connections, watch))
        outcome = watch.outcome(asked.dialogues * work.CALLS)
    assert result.stopped is None, result.stopped
    return outcome


async def _hold(plan: StudyPlan, path: Path, connections: int, watch: Stopwatch) -> Result:
    return await run_study(plan, path, options=RunOptions(connections=connections, progress=Last(watch)))


if __name__ == "__main__":
    main(__doc__, contend)
