"""What CONTRIBUTING.md sends its reader to is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
_TOP = ("docs", "tests", "benchmarks", "src")


def test_every_place_of_the_table_is_there() -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("## Set up")[0]
    named = re.findall(r"`([\w.]+/[\w./]*)`", table)
    paths = [ROOT / name if name.startswith(_TOP) else ROOT / "src/voirdire" / name for name in named]

    assert len(paths) > 24
    assert [path for path in paths if not path.exists()] == []
