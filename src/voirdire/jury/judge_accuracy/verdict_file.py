"""A file that a bench writes each verdict to as it comes, so that a slow judge can be stopped and go on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from voirdire.data.json_values import as_object
from voirdire.errors import InputError
from voirdire.records import Verdict


class BenchRecordError(InputError):
    """A file that is no record of a bench: one sentence says where and what is wrong."""


class BenchRecord:
    """Verdicts of one judge by turn, kept in memory and, with a path, on disk: one JSON object a line."""

    def __init__(self, judge: str, path: Path | None, known: Mapping[str, tuple[Verdict, float]]) -> None:
        self._judge = judge
        self._path = path
        self._known = dict(known)

    @classmethod
    def in_memory(cls, judge: str) -> BenchRecord:
        """A record that is not written anywhere."""
        return cls(judge, None, {})

    @classmethod
    def open(cls, path: Path, judge: str) -> BenchRecord:
        """Read what stands in the file, if it exists, and go on writing to it.

        A last line that was cut short by a kill is removed. Other judges' lines stay and are not read; of several lines
        on one turn the last counts; failures of the judge are asked for again.

        Raises:
            BenchRecordError: a line, other than one cut short at the end, is no record of a verdict.
        """
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            return cls(judge, path, {})
        text = path.read_text(encoding="utf-8", errors="replace")
        whole, _, cut_short = text.rpartition("\n")
        if cut_short:
            with path.open("r+b") as file:
                file.truncate(path.read_bytes().rfind(b"\n") + 1)
        lines = whole.split("\n") if whole else []  # not splitlines: a reply may hold U+2028
        rows = [_row(line, path, number) for number, line in enumerate(lines, start=1)]
        known = {row["turn"]: (Verdict(**row["verdict"]), row["seconds"]) for row in rows if row["judge"] == judge}
        return cls(judge, path, {turn: pair for turn, pair in known.items() if pair[0].missing is None})

    def __contains__(self, turn: str) -> bool:
        return turn in self._known

    def __getitem__(self, turn: str) -> tuple[Verdict, float]:
        return self._known[turn]

    def add(self, turn: str, verdict: Verdict, seconds: float) -> None:
        """Keep a verdict; on disk when this returns."""
        self._known[turn] = (verdict, seconds)
        if self._path is None:
            return
        row = {"judge": self._judge, "turn": turn, "verdict": as_object(verdict), "seconds": seconds}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def _row(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        row: dict[str, Any] = json.loads(line)
        Verdict(**row["verdict"])
        float(row["seconds"]), str(row["judge"]), str(row["turn"])
    except (ValueError, TypeError, KeyError) as error:
        raise BenchRecordError(
            f"Line {number} of {path} is no record of a verdict ({type(error).__name__}: {error}); "
            "give another file, or delete this one to begin anew."
        ) from error
    return row
