"""What CONTRIBUTING.md sends its reader to is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_TOP = ("docs", "tests", "benchmarks", "src")


def place(name: str) -> Path:
    return ROOT / name if name.startswith(_TOP) else ROOT / "src/voirdire" / name


def test_every_place_of_the_table_is_there() -> None:
    table = GUIDE.partition("## Set up")[0]
    paths = [place(name) for name in re.findall(r"`([\w.]+/[\w./]*)`", table)]

    assert len(paths) > 50
    assert [path for path in paths if not path.exists()] == []


def test_every_name_that_is_said_to_stand_in_a_file_stands_there() -> None:
    said = re.findall(r"`(\w+)`\s+(?:in|\()\s*`([\w./]+\.py)`", GUIDE)
    said += [(name, path) for path, name in re.findall(r"`([\w./]+\.py)`\s+\(`(\w+)`\)", GUIDE)]
    said = [(name, path) for name, path in said if "NAME" not in path]

    assert len(said) > 7
    assert [(name, path) for name, path in said if name not in place(path).read_text(encoding="utf-8")] == []
