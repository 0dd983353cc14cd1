"""What serves every instrument names none: it asks the description (`voirdire.instruments`)."""

import ast
import re
from pathlib import Path

import pytest

from tests.support.syntax import nodes

SOURCE = Path(__file__).parents[1] / "src" / "voirdire"

OF_AN_INSTRUMENT = ("ddft", "cognibench", "integrity", "evaluation", "papers", "inspect")
"""Packages of instruments, of the papers about them, and the tasks that Inspect finds by name."""
_NAME = re.compile(r"(?<![\w.-])(ddft|cognibench|integrity)(?![\w])")
_COMMAND = re.compile(r"(?:voirdire |[`:] ?)(?:ddft|cognibench|integrity) [a-z]+")
"""A command that a user types: "voirdire cognibench bench", or "`cognibench bench`"."""

NAMED = {
    "instruments/registry.py": "the one registry",
    "cli/__init__.py": "the commands that each instrument has of its own",
    "raters/tasks/__init__.py": "which rating tasks there are",
    "cli/rate.py": "--task names rating tasks, and what each of them can do",
}
"""Shared modules that name an instrument, and why."""


def is_shared(path):
    """Whether a module is of no instrument: neither in its package nor in a folder or file of its name."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return not any(name in OF_AN_INSTRUMENT for part in parts for name in (part, *part.split("_")))


def named(source):
    """The strings, docstrings and names of a module that name an instrument. Its imports are import-linter's."""
    for node in nodes(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts = [_COMMAND.sub("", node.value)]
        elif isinstance(node, ast.Name | ast.FunctionDef | ast.ClassDef | ast.arg | ast.Attribute):
            name = getattr(node, "id", None) or getattr(node, "arg", None) or getattr(node, "attr", None) or node.name
            texts = [name.replace("_", " ")]
        else:
            continue
        yield from (text for text in texts if _NAME.search(text))


def test_no_shared_module_names_an_instrument():
    found = {
        path.relative_to(SOURCE).as_posix(): hits
        for path in sorted(SOURCE.rglob("*.py"))
        if is_shared(path) and (hits := list(named(path.read_text(encoding="utf-8"))))
    }
    assert found.keys() == NAMED.keys(), found


@pytest.mark.parametrize(
    "source",
    [
        'runs = ("ddft",)',
        'help = "A failed check (ddft, evaluations)."',
        "def of_ddft(run): ...",
        '"""For integrity runs."""',
    ],
)
def test_a_name_is_found(source):
    assert list(named(source))


@pytest.mark.parametrize(
    "source", ['"""As the paper has it (DDFT 4.2)."""', '"See voirdire cognibench bench."', "x = 1"]
)
def test_a_paper_and_a_command_are_no_names(source):
    assert not list(named(source))
