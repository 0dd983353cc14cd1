"""No module decides anything by what a sentence says: reasons, notes and errors are told apart by code and class."""

import ast
from pathlib import Path

import pytest

from tests.support.syntax import nodes

SOURCE = Path(__file__).parents[1] / "src" / "voirdire"

OF_OTHER_LIBRARIES = {
    "data/sqlite.py": "SQLite has one class of error for a text that is no UTF-8 and for much else",
    "models/local.py": "llama.cpp's server has no code for messages that are too long",
    "models/providers/connection.py": "pydantic-ai names the package that is missing in its message alone",
}
"""Modules that read another library's message, and why."""

_SENTENCES = {"message", "why", "cause", "sentence", "reason", "note", "warning", "banner", "stopped", "strerror"}
"""What attributes are called that hold a sentence for people."""
_PARTING = {
    "startswith",
    "endswith",
    "partition",
    "rpartition",
    "split",
    "removeprefix",
    "removesuffix",
    "find",
    "index",
}
_READING = {"search", "match", "fullmatch", "findall", "finditer", "split"}


def deciding(source):
    """The lines of a module that compare, search or part a sentence."""
    errors = {each.name for each in nodes(source) if isinstance(each, ast.ExceptHandler) and each.name}
    errors |= {each.arg for each in nodes(source) if isinstance(each, ast.arg) and _is_error(each.annotation)}

    def is_sentence(node):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr"):
            return bool(node.args) and (_is_named(node.args[0], errors) or is_sentence(node.args[0]))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # str(error).lower()
            return is_sentence(node.func.value)
        if isinstance(node, ast.Subscript):  # error.args[0]
            return isinstance(node.value, ast.Attribute) and node.value.attr == "args"
        return isinstance(node, ast.Attribute) and node.attr in _SENTENCES

    for node in nodes(source):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            words = any(isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value for each in sides)
            if (
                words
                and any(map(is_sentence, sides))
                and isinstance(node.ops[0], ast.In | ast.NotIn | ast.Eq | ast.NotEq)
            ):
                yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if (
                node.func.attr in _PARTING
                and is_sentence(node.func.value)
                and node.args
                and not _is_line_end(node.args[0])
            ):
                yield node.lineno
            elif node.func.attr in _READING and any(map(is_sentence, node.args)):
                yield node.lineno


def _is_named(node, names):
    return isinstance(node, ast.Name) and node.id in names


def _is_line_end(node):
    """The first line of a message may be quoted."""
    return isinstance(node, ast.Constant) and node.value == "\n"


def _is_error(annotation):
    return annotation is not None and any(
        isinstance(each, ast.Name | ast.Attribute)
        and (each.id if isinstance(each, ast.Name) else each.attr).endswith(("Error", "Exception", "Warning", "Reason"))
        for each in ast.walk(annotation)
    )


def test_no_module_decides_by_a_sentence():
    found = {
        path.relative_to(SOURCE).as_posix(): lines
        for path in sorted(SOURCE.rglob("*.py"))
        if (lines := list(deciding(path.read_text(encoding="utf-8"))))
    }
    assert found.keys() == OF_OTHER_LIBRARIES.keys(), found


@pytest.mark.parametrize(
    "source",
    [
        "try: pass\nexcept OSError as error:\n    if 'locked' in str(error): pass",
        "try: pass\nexcept OSError as error:\n    if 'locked' in str(error).lower(): pass",
        "def f(error: ModelError): return re.search('context', str(error))",
        "def f(why: Reason): return str(why) == 'no trap was set'",
        "def f(x): return x.error.args[0] == 'locked'",
        "def f(note): return note.reason.startswith('no ')",
        "def f(check): return check.message.partition(': ')",
        "def f(value): return 'no trap' not in value.cause",
    ],
)
def test_a_decision_by_a_sentence_is_found(source):
    assert list(deciding(source))


@pytest.mark.parametrize(
    "source",
    [
        "def f(why: Reason): return why.code == 'no_trap'",
        "def f(value): return value.reason is None",
        "def f(error: OSError): return str(error).partition('\\n')[0]",
        "'a' in names",
    ],
)
def test_a_decision_by_a_code_is_none(source):
    assert not list(deciding(source))
