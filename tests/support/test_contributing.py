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


def test_every_file_named_without_a_folder_is_in_a_folder_of_its_row() -> None:
    rows = [row for row in GUIDE.partition("## Set up")[0].splitlines() if row.startswith("| ")]
    bare = [(row, name) for row in rows for name in re.findall(r"`([\w.]+\.(?:py|yaml))`", row)]

    def folders(row: str) -> list[Path]:
        places = [place(name) for name in re.findall(r"`([\w.]+/[\w./]*)`", row)]
        return [each if each.is_dir() else each.parent for each in places] + [ROOT / "src/voirdire"]

    assert len(bare) > 15
    assert [name for row, name in bare if not any((folder / name).exists() for folder in folders(row))] == []


def test_every_name_that_is_said_to_stand_in_a_file_stands_there() -> None:
    said = re.findall(r"`(\w+)`\s+(?:in|\()\s*`([\w./]+\.py)`", GUIDE)
    said += [(name, path) for path, name in re.findall(r"`([\w./]+\.py)`\s+\(`(\w+)`\)", GUIDE)]
    said = [(name, path) for name, path in said if "NAME" not in path]

    assert len(said) > 7
    assert [(name, path) for name, path in said if name not in place(path).read_text(encoding="utf-8")] == []
