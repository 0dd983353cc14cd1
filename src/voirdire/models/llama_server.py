"""llama.cpp, started; a file that nobody vouches for is loaded in a process of its own first.

llama.cpp ends the whole process where it meets what it thinks impossible (a file that says it has no layers), or never
comes back (one whose context is a token long). A header can be checked, what follows from it can't.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from voirdire.models import weights
from voirdire.models.base import ModelError

SLOT_CONTEXT = 8192
"""Tokens of context for each slot: five turns of 1,000 tokens, the questions and a reference fit in.

It is also what SmolLM2 was trained with; llama.cpp caps it where a model was trained with less."""

_TOKENS_AT_ONCE = 64
"""Of a prompt. Only between such pieces does llama.cpp look whether a call was given up; its own 2,048 take a slow
machine 20 seconds, and are read no faster."""
_PROMPT_CACHE_MIB = 512  # llama.cpp's own default, 8 GiB, is more than a small machine has


def start_server(path: Path, label: str, slots: int, exact: bool, api_key: str) -> Any:
    """Load weights and serve them.

    Raises:
        RuntimeError: llama.cpp can't load them.
    """
    # Read when the OpenMP library is loaded. By default its threads spin while they wait, which costs a busy
    # machine three quarters of its speed.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.model_alias = {label}
    params.n_parallel = slots
    params.n_ctx = SLOT_CONTEXT * slots  # divided among the slots
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = _threads()
    params.n_batch = params.n_ubatch = _TOKENS_AT_ONCE
    params.cache_ram_mib = 0 if exact else _PROMPT_CACHE_MIB
    params.port = 0
    params.api_keys = [api_key]
    params.ui = False
    params.verbosity = 0
    return xllamacpp.Server(params)


def _threads() -> int:
    """All processors that this process may use but one, which the runner and the server's own threads need."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cpus - 1)


_SECONDS = 60.0
_BYTES_A_SECOND = 20e6
_PROGRAM = ("-P", "-m", "voirdire.models.llama_server")  # -P: no module of the folder it runs in
_MEANINGS = {signal.SIGKILL: "there may be too little memory"}


def check_loads(path: Path) -> None:
    """Load a file in another process, unless its hash is known or it has been loaded before.

    Raises:
        ModelError: that process ended abruptly, or did not come back.
    """
    if weights.is_known(path) or weights.was_loaded(path):
        return
    seconds = _SECONDS + path.stat().st_size / _BYTES_A_SECOND
    done = _load(path, seconds)
    if done is None:
        raise ModelError(
            "unexpected", f"llama.cpp has not loaded {path} within {seconds:,.0f} seconds: the file may be damaged."
        )
    if done < 0:
        received = signal.Signals(-done)
        why = _MEANINGS.get(received, "the file is damaged, or of a kind that this version of xllamacpp can't read")
        raise ModelError("unexpected", f"llama.cpp ended with {received.name} when it loaded {path}: {why}.")
    if done == 0:  # else the caller's own loading says why
        weights.remember_loaded(path)


def _load(path: Path, seconds: float) -> int | None:
    """The exit code of a process that loads a file; `None` where it did not end in time."""
    nothing = subprocess.DEVNULL
    quiet = {**os.environ, "GGML_NO_BACKTRACE": "1"}
    command = [sys.executable, *_PROGRAM, str(path)]
    try:
        return subprocess.run(  # noqa: S603 - no shell: ourselves, and a path
            command, env=quiet, stdin=nothing, stdout=nothing, stderr=nothing, timeout=seconds, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return None


def main(path: str) -> None:
    """Load a file as `local` does, in one slot."""
    try:
        server = start_server(Path(path), "trial", slots=1, exact=True, api_key="trial")
    except RuntimeError:
        sys.exit(1)
    # Ended at once: taking down a server that has only just begun hangs now and then.
    os._exit(0 if server else 1)


if __name__ == "__main__":
    main(sys.argv[1])
