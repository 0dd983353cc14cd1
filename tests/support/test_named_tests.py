"""What the documentation says of tests: each one that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+)(?:::(\w+))?)?`")
FILES = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "src").rglob("*.md"))]
PAGES = [page for page in FILES if _NAMED.search(page.read_text())]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_test_that_a_page_names_is_there(page: Path) -> None:
    for file, *names in _NAMED.findall(page.read_text()):
        assert (ROOT / file).is_file(), f"{page.name} names {file}"
        text = (ROOT / file).read_text()
        for name in filter(None, names):
            assert re.search(rf"(def|class) {name}\b|^{name} = ", text, re.MULTILINE), f"{page.name}: {file}::{name}"
