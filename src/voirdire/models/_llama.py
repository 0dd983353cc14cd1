"""llama.cpp's server, started: the one place that says with which settings weights are loaded."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

SLOT_CONTEXT = 8192
"""Tokens of context for each slot: five turns of 1,000 tokens, the questions and a reference fit in.

It is also what SmolLM2 was trained with; llama.cpp caps it where a model was trained with less."""

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
