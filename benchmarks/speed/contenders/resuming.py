"""A large study with models that answer at once: held, killed half-way, gone on with.

For `overhead_memory`:

python -m benchmarks.speed.contenders.resuming RUN --dialogues 1000 [--kill-after 500]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import signal
import sys
import time
from pathlib import Path

import voirdire.ddft.profile
import voirdire.ddft.validity  # noqa: F401 - loaded before the clock starts
from benchmarks.speed.contenders import _ready
from benchmarks.speed.contenders._workload import JUDGES, SUBJECT
from benchmarks.speed.contenders.ours import preset
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyPlan
from voirdire.runs import NullProgress, RunOptions


class Watch(NullProgress):
    """Notes the first call of this session, how many there were, and ends the process in the midst of it if told to."""

    def __init__(self, kill_after: int | None) -> None:
        self.begun = time.perf_counter()
        self.first_call: float | None = None
        self.last_dialogue = 0.0
        self.calls = 0
        self._left = kill_after

    def call_done(self) -> None:
        """A call is on record."""
        self.calls += 1
        if self.first_call is None:
            self.first_call = time.perf_counter() - self.begun

    def dialogue_done(self, queue: str = "") -> None:
        """A dialogue is held and judged."""
        self.last_dialogue = time.perf_counter() - self.begun
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                sys.stdout.write(json.dumps(self.figures()) + "\n")
                sys.stdout.flush()
                os.kill(os.getpid(), signal.SIGKILL)

    def figures(self) -> dict[str, float | int | None]:
        """Seconds from the beginning, bytes, and calls."""
        return {
            "wall": time.perf_counter() - self.begun,
            "first_call": self.first_call,
            "last_dialogue": self.last_dialogue,
            "calls": self.calls,
            "cpu": time.process_time(),
            "rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        }


def study(dialogues: int) -> StudyPlan:
    """What is held."""
    chosen = preset(dialogues)
    return StudyPlan(
        models=(f"{_ready.PROVIDER}/{SUBJECT}",),
        concepts=tuple(find_concepts(chosen.concepts)),
        preset=chosen,
        jury=tuple(f"json:{_ready.PROVIDER}/{name}" for name in JUDGES),
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("run", type=Path)
    options.add_argument("--dialogues", type=int, required=True)
    options.add_argument("--kill-after", type=int)
    given = options.parse_args()
    _ready.install()
    watch = Watch(given.kill_after)
    result = asyncio.run(run_study(study(given.dialogues), given.run, options=RunOptions(progress=watch)))
    assert result.stopped is None, result.stopped
    print(json.dumps(watch.figures()))


if __name__ == "__main__":
    main()
