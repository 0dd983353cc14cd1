"""On what was measured: machine and versions."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def machine() -> str:
    """Cores, processor, memory, system and Python, in one line."""
    cores = len(os.sched_getaffinity(0))
    parts = [f"{cores} cores", _processor(), f"{_memory() / 2**30:.0f} GiB", platform.system(), _python()]
    return ", ".join(filter(None, parts))


def versions(*packages: str) -> str:
    """Installed versions of packages, those that are missing left out."""
    return ", ".join(f"{name} {found}" for name in packages if (found := _version(name)))


def _python() -> str:
    return f"{platform.python_implementation()} {platform.python_version()}"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
