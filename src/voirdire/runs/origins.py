"""Where results come from: the run that they were made of, and what they were made with."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from voirdire.runs.chain import Head
from voirdire.runs.folder import RunFolder
from voirdire.runs.scrub import Scrubber
from voirdire.text.counting import counted

_PACKAGES = ("voirdire", "pydantic-ai-slim", "genai-prices", "xllamacpp", "numpy", "pandas", "duckdb")
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
    return {name: version for name in _PACKAGES if (version := _version(name)) is not None}


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


_PRIVATE = frozenset({"info", "base_url", "api_key_env"})
"""Parts of run.json that say where somebody's machines and files are."""
REDACTED = "redacted"
"""The part of a manifest that a redacted copy has."""

Reasons = Mapping[str, int]
"""How many, by why."""


@dataclass(frozen=True, slots=True)
class RunStatus:
    """How far a run has come, as its instrument sees it."""

    unfinished: str | None = None
    """What is still to be asked, in a sentence; `None` where nothing is."""
    known: bool = True
    """Whether what is to be asked can be told; of calls alone it can't."""
    missing: Mapping[str, Reasons] = field(default_factory=dict)
    """What has no value (verdicts, votes, audits …), how many and why; also of what is complete."""
    jury: Mapping[str, Any] = field(default_factory=dict)
    """Whose scores these are, where a jury gave them."""


def made_with() -> dict[str, Any]:
    """Python and libraries of this process."""
    return {"python": platform.python_version(), "versions": library_versions()}


def origin(folder: RunFolder, status: RunStatus) -> dict[str, Any]:
    """What a run was asked, by what version, how complete it is, and where its journal ends.

    Without paths and addresses of the machine that it was held on, and without secrets.
    """
    manifest = Scrubber().whole(folder.manifest)
    info = manifest.get("info") or {}
    head = folder.journal.head()
    return {
        "run": folder.path.resolve().name,
        **public(manifest),
        **status.jury,
        "versions": info.get("versions", {}),
        "python": info.get("python"),
        "begun": info.get("time"),
        "sessions": [dict(each) for each in folder.journal.sessions()],
        "weights": folder.journal.weights(),
        "complete": status.unfinished is None if status.known else None,
        "unfinished": status.unfinished,
        "missing": {name: sum(reasons.values()) for name, reasons in status.missing.items()},
        "missing_why": {name: dict(reasons) for name, reasons in status.missing.items() if reasons},
        REDACTED: manifest.get(REDACTED, False),
        "journal": {"links": head.links, "sha256": head.digest},
    }


def models_of(manifest: Mapping[str, Any]) -> list[str]:
    """Who was asked: models by the names that are shown, auditors, or the one model."""
    named = manifest.get("models") or manifest.get("auditors") or manifest.get("model")
    aliases = manifest.get("aliases")
    names = {spec: alias for alias, spec in aliases.items()} if isinstance(aliases, dict) else {}
    return [str(names.get(str(each), each)) for each in (named if isinstance(named, list) else [named]) if each]


def public(value: Any) -> Any:
    """A manifest without what says where somebody's machines and files are."""
    if isinstance(value, dict):
        return {name: public(each) for name, each in value.items() if name not in _PRIVATE}
    return [public(each) for each in value] if isinstance(value, list) else value


def head_line(head: Head) -> str:
    """Where a journal ends, as reports and commands say it."""
    return f"{counted(head.links, 'link')}, sha256 {head.digest}"
