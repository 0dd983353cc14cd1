"""Every relative link of the documents leads somewhere in a clone; the site's own are held by tests/extras/docs."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "docs").rglob("*.ipynb")),
    ROOT / "src/voirdire/data/concepts/README.md",
]
_LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def text_of(page):
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors_of(page):
    """As GitHub makes them of headings."""
    titles = [re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", title) for title in _HEADING.findall(text_of(page))]
    named = set(re.findall(r'<a id="([^"]+)">', text_of(page)))
    return named | {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_relative_link_leads_somewhere_in_a_clone(page):
    dead = []
    for path, anchor in _LINK.findall(text_of(page)):
        target = page.parent / path if path else page
        if not target.exists() or (anchor and target.suffix in (".md", ".ipynb") and anchor not in anchors_of(target)):
            dead.append(f"{path}#{anchor}" if anchor else path)
    assert dead == []
