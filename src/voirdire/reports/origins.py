"""Where numbers come from: the one account of a run that exports and reports carry, whatever its instrument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from voirdire.data.manifests import sha256
from voirdire.documents.document import Document
from voirdire.instruments import instrument_of
from voirdire.runs import Head, RunFolder, RunStatus, head_line, made_with, origin
from voirdire.text.counting import counted

_WHYS = 3
"""Reasons that are named; the others are counted."""


def origin_of(path: Path, jury: str | None = None) -> dict[str, Any]:
    """What a run was asked, by what version, how complete it is, what is missing, and where its journal ends.

    Args:
        path: of the run folder.
        jury: of a run that several juries have judged; `None` for the one it was held with.

    Raises:
        RunFolderError: there is no run.
    """
    with RunFolder.open(path, read_only=True) as folder:
        return origin(folder, status_of(folder, jury))


def status_of(folder: RunFolder, jury: str | None = None) -> RunStatus:
    """How far a run of any instrument has come."""
    return instrument_of(str(folder.manifest.get("instrument"))).status(folder, jury)


def with_origins(document: Document, origins: Sequence[Mapping[str, Any]]) -> Document:
    """A report that says where its numbers come from: for people at its end, for programs under "provenance".

    Args:
        document: the report.
        origins: `origin_of` each of its runs.
    """
    rows = [
        (f"Run {place}, {label}" if len(origins) > 1 else f"{label[0].upper()}{label[1:]}", value)
        for place, each in enumerate(origins, start=1)
        for label, value in origin_rows(each)
    ]
    return replace(
        document,
        provenance=(*document.provenance, *rows),
        data={**document.data, "provenance": {"made_with": made_with(), "runs": [dict(each) for each in origins]}},
    )


def with_file_origin(document: Document, path: Path) -> Document:
    """A report on a file that no run holds, which says for programs, under "provenance", what it was made from."""
    made_from = {"file": path.name, "sha256": sha256(path)}
    return replace(document, data={**document.data, "provenance": {"made_with": made_with(), **made_from}})


def origin_rows(origin: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a report says of it beside its own: label and value."""
    weights = "; ".join(f"{spec} {' and '.join(known)}" for spec, known in origin["weights"].items())
    rows = {
        "complete": "yes" if origin["complete"] else origin["unfinished"],
        "missing": missing_sentence(origin) or "nothing",
        "journal head": head_line(Head(origin["journal"]["links"], origin["journal"]["sha256"])),
        "redacted": "yes" if origin["redacted"] else "no",
        "sessions": _sessions(origin["sessions"]),
        "weights (SHA-256)": weights,
    }
    return [(label, value) for label, value in rows.items() if value]


def missing_sentence(origin: Mapping[str, Any]) -> str:
    """What is missing, how much of it and why; empty where nothing is."""
    return "; ".join(
        f"{name.replace('_', ' ')} {count:,}{_why(origin['missing_why'].get(name, {}))}"
        for name, count in origin["missing"].items()
        if count
    )


def _why(reasons: Mapping[str, int]) -> str:
    first = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
    named = [f"{reason.rstrip('.')}: {count:,}" for reason, count in first[:_WHYS]]
    more = [counted(len(first) - _WHYS, "other reason")] if len(first) > _WHYS else []
    return f" ({'; '.join([*named, *more])})" if named else ""


def _sessions(sessions: list[Mapping[str, Any]]) -> str:
    """How many there were, by which versions."""
    versions = list(dict.fromkeys(str(each["voirdire"]) for each in sessions))
    return f"{len(sessions):,} by voirdire {', '.join(versions)}" if versions else ""
