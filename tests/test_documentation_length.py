"""The documentation stays short enough to be read."""

from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
MOST_WORDS = 37_000


def test_the_pages_of_the_documentation_have_no_more_than_37000_words():
    words = {page.relative_to(DOCS).as_posix(): len(page.read_text().split()) for page in DOCS.rglob("*.md")}
    longest = sorted(words.items(), key=lambda each: -each[1])[:5]
    assert sum(words.values()) <= MOST_WORDS, f"shorten a page; the longest are {longest}"
