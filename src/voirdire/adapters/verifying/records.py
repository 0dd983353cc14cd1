"""What `voirdire verify` has looked at, and what it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.data.plain import as_plain
from voirdire.errors import InputError
from voirdire.instruments import Finding, Status
from voirdire.run import Head

_BAD: tuple[Status, ...] = ("unknown", "differs")


class VerifyError(InputError):
    """What can't be verified: one sentence says what was given and what to give."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found of one path."""

    path: Path
    kind: str
    """"ddft run", "export" …"""
    findings: tuple[Finding, ...]
    head: Head | None = None
    """Where the run's journal ends: what to publish."""

    @property
    def ok(self) -> bool:
        """Whether nothing differs, and everything could be told."""
        return not any(each.status in _BAD for each in self.findings)

    @property
    def verdict(self) -> str:
        """All of it in one sentence."""
        differing, untold = (
            [each.what for each in self.findings if each.status == status] for status in ("differs", "unknown")
        )
        if differing:
            return f"{self.path} is not what it was: {_listed(differing)}."
        if untold:
            return f"{self.path} shows no change, but not all of it can be told: {_listed(untold)}."
        return f"{self.path} holds: everything that was looked at is as it was written."

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "path": str(self.path),
            "kind": self.kind,
            "ok": self.ok,
            "verdict": self.verdict,
            "head": None if self.head is None else {"links": self.head.links, "sha256": self.head.digest},
            "findings": as_plain(self.findings),
        }


def _listed(names: Sequence[str], shown: int = 4) -> str:
    unlike = list(dict.fromkeys(names))
    more = f" and {len(unlike) - shown} more" if len(unlike) > shown else ""
    return f"see {', '.join(unlike[:shown])}{more}"
