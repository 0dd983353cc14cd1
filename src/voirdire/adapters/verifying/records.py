"""What `voirdire verify` has looked at, and what it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.data.plain import as_plain
from voirdire.documents.cells import text
from voirdire.documents.document import Block, Column, Document, Section, Table, Text, Tone, document
from voirdire.errors import InputError
from voirdire.instruments import Finding, Status
from voirdire.run import Head, head_line

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


_MARKS: dict[Status, tuple[str, Tone]] = {
    "ok": ("ok", "good"),
    "note": ("note", ""),
    "unknown": ("UNKNOWN", "warn"),
    "differs": ("DIFFERS", "bad"),
}


def verified_document(results: Sequence[Verified]) -> Document:
    """A line for each thing that was looked at, then a sentence."""
    return document(*map(_section, results))


def _section(result: Verified) -> Section:
    columns = tuple(Column(key, "") for key in ("status", "what", "result"))
    rows = tuple(
        {"status": text(*_MARKS[each.status]), "what": text(each.what), "result": text(each.said.rstrip("."))}
        for each in result.findings
    )
    blocks: list[Block] = [Table("findings", columns, rows)]
    if result.head is not None:
        blocks.append(Text(f"Journal head: {head_line(result.head)}"))
    return Section(str(result.path), f"{result.path} ({result.kind})", (*blocks, Text(result.verdict)))


def _listed(names: Sequence[str], shown: int = 4) -> str:
    unlike = list(dict.fromkeys(names))
    more = f" and {len(unlike) - shown} more" if len(unlike) > shown else ""
    return f"see {', '.join(unlike[:shown])}{more}"
