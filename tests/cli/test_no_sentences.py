"""Commands print what other packages word: no sentence is made in `cli/`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

CLI = Path(__file__).parents[2] / "src" / "voirdire" / "cli"

OF_THE_COMMAND_LINE = {
    "_commands.py": "a mistyped command or option",
    "_error_display.py": "what the system refuses, and what Ctrl-C leaves: no package below knows of either",
}
"""Modules that word what no other package can, and why."""

PRINTING = {"say", "echo", "write", "print", "update"}
"""Functions whose words a user sees."""
OPTIONS = {"Option", "Argument", "BadParameter", "CheckError", "InputError"}
"""The help of an option, and what is wrong with what was given for it or piped in, belong to the command line."""


def sentences(source: str) -> Iterator[int]:
    """Lines of a module's functions where text is put together, or a sentence is printed."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            for statement in node.body:
                yield from _in(statement)


def _in(node: ast.AST, printed: bool = False) -> Iterator[int]:
    if isinstance(node, ast.FunctionDef):  # it is gone through by itself
        return
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in OPTIONS:
            return
        printed = name in PRINTING
    if isinstance(node, ast.JoinedStr):
        parts = [each.value if isinstance(each, ast.Constant) else "{}" for each in node.values]
        if _is_prose("".join(map(str, parts))):
            yield node.lineno
    elif isinstance(node, ast.Constant):
        if printed and isinstance(node.value, str) and re.search(r"[a-z] [a-z]|[a-z][.:]", node.value):
            yield node.lineno
    else:
        for child in ast.iter_child_nodes(node):
            yield from _in(child, printed)


def _is_prose(text: str) -> bool:
    """Whether an f-string has words, or marks of a sentence, beside its values: more than a path or a part of it."""
    return " " in text.strip()


def test_no_command_words_a_sentence():
    lines = {
        path.relative_to(CLI).as_posix(): numbers
        for path in sorted(CLI.rglob("*.py"))
        if (numbers := sorted(set(sentences(path.read_text(encoding="utf-8")))))
    }
    assert lines.keys() == OF_THE_COMMAND_LINE.keys(), lines


@pytest.mark.parametrize(
    "made",
    [
        'say(f"Written: {x}")',
        'y = f"{x}, loss {z}"',
        'say("Stopped.")',
        'sys.stderr.write(f"{x} …")',
        "return f'{x} of'",
    ],
)
def test_a_sentence_is_noticed(made):
    assert list(sentences(f"def command():\n    {made}"))


@pytest.mark.parametrize(
    "made", ["say(words(x))", 'say("")', 'y = path / f"facts-{x}"', 'raise typer.BadParameter(f"{x} is no number.")']
)
def test_what_is_no_sentence_passes(made):
    assert not list(sentences(f"def command():\n    {made}"))
