"""Contenders in fresh processes, against one fake server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.fake_openai import control, start_fake_server, stats

from benchmarks.speed.contenders._outcome import Outcome

ROOT = Path(__file__).parents[2]
NO_NETWORK = {
    "http_proxy": "http://127.0.0.1:9",
    "https_proxy": "http://127.0.0.1:9",
    "no_proxy": "127.0.0.1,localhost",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
}
"""Whatever a tool would send elsewhere ends at a closed port of this machine."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A module of `benchmarks.speed.contenders`, and what it is given beside the task."""

    title: str
    module: str
    options: tuple[str, ...] = ()
    needs: str = ""
    """A package that may be missing; then it does not take part."""


@dataclass(frozen=True, slots=True)
class Run:
    """One contender's run, from its own side and the server's."""

    outcome: Outcome
    server: dict[str, Any]


@contextmanager
def serving() -> Iterator[str]:
    """The fast fake server; its base URL."""
    with start_fake_server(fast=True) as base_url:
        yield base_url


def contend(
    contender: Contender, base_url: str, dialogues: int, connections: int, latency: float, sigma: float = 0.0
) -> Run:
    """Run a contender once, in a process of its own, after telling the server how slow to be.

    Raises:
        RuntimeError: it failed, or did not make the calls that it should have made.
    """
    control(base_url, latency=latency, sigma=sigma, reset=True)
    command = [sys.executable, "-m", f"benchmarks.speed.contenders.{contender.module}", "--base-url", base_url]
    command += ["--dialogues", str(dialogues), "--connections", str(connections), *contender.options]
    dropped = ("_proxy", "pythondontwritebytecode")  # a package compiled anew in every process is no one's cost
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith(dropped)}
    done = subprocess.run(command, cwd=ROOT, env=environment | NO_NETWORK, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{contender.title} failed:\n{done.stderr[-3000:]}")
    outcome = Outcome(**json.loads(done.stdout.splitlines()[-1]))
    seen = stats(base_url)
    if seen["answered"] != outcome.calls:
        raise RuntimeError(f"{contender.title} made {seen['answered']} calls, not {outcome.calls}.")
    return Run(outcome, seen)
