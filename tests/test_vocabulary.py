"""Documents, help and messages do without phrases that read as translated, and never call the CI index bare "CI"."""

import ast
import json
import re
from pathlib import Path

import pytest
import typer

from tests.cli.test_help import commands
from tests.support.syntax import nodes

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "voirdire"
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "docs").rglob("*.ipynb")),
    *sorted((SOURCE / "data" / "raters").rglob("*.yaml")),  # what people read who rate
    *sorted(SOURCE.rglob("*.html")),
    *sorted(page for page in SOURCE.rglob("*.js") if ".min." not in page.name),  # others' code
]

_PHRASES = (
    r"(?:stands?|standing|stood) beside",
    r"held to (?:its|their|the) end",
    r"(?:go|goes|going|gone|went) on with",
    r"told apart",
    r"what stands? against",
    r"gone through",
    r"(?:contexts?|references?|documents?|sources?|evidence)(?: [\w']+){0,3} carr(?:y|ies)",
    r"carried by (?:the|its|their|an?)",
    r"(?:is|are|was|were) worth(?! \w+ing)",
    r"as a user calls",
    r"of others",
    r"in their hands",
    r"run that is there",
)
_BANNED = re.compile("|".join(rf"\b{phrase}\b" for phrase in _PHRASES), re.IGNORECASE)
_BARE_CI = re.compile(r"(?<!\b[Ii]n )(?<!\b[Ff]or )(?<!\b[Aa] )(?<!\[)\bCI\b(?! (?:index|services?|jobs?)\b)")
"""Continuous integration is "in CI", "for CI", "a CI job", or a link."""
_PATTERN = re.compile(r"\\|\(\?|~")
"""What shows that a string is a pattern to match others' words with."""


def found_in(text):
    """The banned phrases, each with what stands around it."""
    text = " ".join(text.split())
    hits = [hit for banned in (_BANNED, _BARE_CI) for hit in banned.finditer(text)]
    return [text[max(0, hit.start() - 30) : hit.end() + 30] for hit in hits]


def _readable(page):
    if page.suffix != ".ipynb":
        return page.read_text(encoding="utf-8")
    cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
    said = [cell["source"] for cell in cells]
    for output in (output for cell in cells for output in cell.get("outputs", ())):
        said.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return "\n".join("".join(each) for each in said)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_use_plain_words(page):
    assert found_in(_readable(page)) == []


def test_help_uses_plain_words():
    helps = {words: each.get_help(typer.Context(each, info_name=" ".join(words))) for words, each in commands()}
    assert {words: hits for words, said in helps.items() if (hits := found_in(said))} == {}


def _messages(path):
    """Strings of a module that are neither docstrings nor patterns, f-strings as a whole."""
    module = nodes(path.read_text(encoding="utf-8"))
    aside = {id(node.value) for node in module if isinstance(node, ast.Expr)}
    for node in module:
        if isinstance(node, ast.JoinedStr):
            aside |= {id(part) for part in node.values}
            yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    for node in module:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in aside:
            yield node.value


def test_messages_use_plain_words():
    said = [
        (path.relative_to(SOURCE).as_posix(), hit)
        for path in sorted(SOURCE.rglob("*.py"))
        for text in _messages(path)
        if " " in text and not _PATTERN.search(text)
        for hit in found_in(text)
    ]
    assert said == []


@pytest.mark.parametrize(
    "text",
    [
        "The interval stands beside it.",
        "The run goes\non with what is missing.",
        "Its context does not carry the sentence.",
        "This is what a judge is worth.",
        "Files of others are read here.",
        "The CI of o4-mini is 0.91.",
    ],
)
def test_a_banned_phrase_is_found(text):
    assert found_in(text)


@pytest.mark.parametrize(
    "text", ["The CI index is 0.91.", "A limit in CI.", "A CI service.", "CI_raw", "It carries trains."]
)
def test_plain_words_are_not(text):
    assert not found_in(text)
