"""What a result was made with."""

from __future__ import annotations

import platform
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from voirdire.run.scrub import Scrubber

_PACKAGES = ("voirdire", "pydantic-ai-slim", "genai-prices", "xllamacpp", "numpy", "scipy", "pandas", "pyarrow")
_GIT_TIMEOUT = 5.0


def provenance() -> dict[str, Any]:
    """Versions, machine, the working directory's git state and the time: for the `info` part of a run's manifest.

    Secrets are taken out of the command line.
    """
    return {
        "versions": library_versions(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "git": _git_state(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": Scrubber().whole([sys.argv[0].rpartition("/")[2], *sys.argv[1:]]),
    }


def library_versions() -> dict[str, str]:
    """Of this program, and of the libraries that its numbers rest on."""
    return {name: found for name in _PACKAGES if (found := _version(name)) is not None}


@cache
def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _git_state() -> dict[str, Any] | None:
    """Commit, and whether there are changes beside it; `None` outside a repository or without git."""
    commit = _git("rev-parse", "HEAD")
    if commit is None:
        return None
    return {"commit": commit, "dirty": bool(_git("status", "--porcelain"))}


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", *arguments],  # noqa: S607 - the user's own git, wherever it is
            capture_output=True,
            text=True,
            timeout=_GIT_TIMEOUT,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
