"""What a contender reports, and how it is asked."""

from __future__ import annotations

import argparse
import gc
import json
import resource
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from tests.support.fake_openai import control


@dataclass(frozen=True, slots=True)
class Asked:
    """A contender's task."""

    base_url: str
    dialogues: int
    connections: int
    defaults: bool = False
    """Whether the tool keeps its own limits of concurrency, in place of `connections`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one contender took, in a process of its own."""

    wall: float
    """Seconds from the first step after imports to the last result."""
    judged: float
    """Seconds until the last verdict was there (for voirdire: committed); the rest is tables and figures."""
    calls: int
    cpu: float
    """CPU seconds of the client's process in that time, all threads."""
    rss: int
    """Peak resident memory, bytes, imports included."""


class Stopwatch:
    """Wall and CPU time from its making on."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        self._judged = 0.0

    def judged(self) -> None:
        """The last verdict, so far, is there."""
        self._judged = time.perf_counter() - self._wall

    def outcome(self, calls: int) -> Outcome:
        """What it took until now."""
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return Outcome(wall, self._judged or wall, calls, cpu, peak)


def main(doc: str | None, contend: Callable[[Asked], Outcome]) -> None:
    """A contender as a program: one line of JSON.

    Before the clock starts, one dialogue is held: whatever is imported or set up at first use is no one's wall time.
    """
    options = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--base-url", required=True)
    options.add_argument("--dialogues", type=int, required=True)
    options.add_argument("--connections", type=int, default=50)
    options.add_argument("--defaults", action="store_true", help="the tool's own limits of concurrency")
    options.add_argument("--cold", action="store_true", help="no dialogue beforehand: late imports count")
    given = vars(options.parse_args())
    cold = given.pop("cold")
    asked = Asked(**given)
    if not cold:
        contend(replace(asked, dialogues=1))
        control(asked.base_url, reset=True)
        gc.collect()
    print(json.dumps(asdict(contend(asked))))
