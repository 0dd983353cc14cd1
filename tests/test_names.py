"""Names say what a thing is: a result, a match, a message, a status."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.syntax import nodes

SOURCE = Path(__file__).parents[1] / "src" / "voirdire"

WORDS = {"found", "said", "told", "kept", "held", "looks", "looked", "stands", "standing"}
WORDS |= {"bench", "courier", "docket", "hearing", "seat", "seating"}
"""Verbs of the past and nouns of a court, which a reader would have to translate."""

PUBLIC = {
    "cognibench/report/people.py": "the benchmark of a detector is called a bench, as its command is",
    "papers/integrity/citations.py": "a field of a citation",
}
"""Modules in which such a name is a field that users read in JSON or a keyword that they give, and why."""

OF_THE_FIELD = {
    r"bench|\w+_bench|bench_\w+|Bench\w*": "the commands bench measure detectors and judges",
    r"_?held_out(_\w+)?|HeldOut": "data held out from training",
    r"_?looks_like_\w+": "what a text or a file looks like, a question with yes or no",
}
"""Patterns of names of functions, classes, constants and modules that may have such a word, and why."""


def bound(source: str) -> Iterator[str]:
    """The variables, parameters, fields and attributes that a module binds, without the underscores before them."""
    for node in nodes(source):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id.lstrip("_")
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr.lstrip("_")
        elif isinstance(node, ast.arg):
            yield node.arg.lstrip("_")


def defined(source: str) -> Iterator[str]:
    """The functions, methods, classes and constants of a module."""
    for node in nodes(source):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
    for statement in nodes(source)[0].body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))


def is_unclear(name: str) -> bool:
    """Whether a name begins or ends with one of the words, and is none of the field's own."""
    words = [each.lower() for each in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return not WORDS.isdisjoint([*words[:1], *words[-1:]]) and not any(
        re.fullmatch(each, name) for each in OF_THE_FIELD
    )


def modules() -> dict[str, Path]:
    return {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}


def test_no_module_binds_such_a_name():
    names_by_module = {
        module: sorted(names)
        for module, path in modules().items()
        if (names := WORDS & set(bound(path.read_text(encoding="utf-8"))))
    }
    assert names_by_module.keys() == PUBLIC.keys(), names_by_module


def test_no_function_class_constant_or_module_has_such_a_name():
    names_by_module = {
        module: names
        for module, path in modules().items()
        if (names := sorted(filter(is_unclear, [path.stem, *defined(path.read_text(encoding="utf-8"))])))
    }
    assert names_by_module == {}


@pytest.mark.parametrize("pattern", OF_THE_FIELD)
def test_every_exception_is_needed(pattern):
    names = {name for path in modules().values() for name in defined(path.read_text(encoding="utf-8"))}
    assert any(re.fullmatch(pattern, name) for name in names)


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "_found = 1",
        "def f(said): ...",
        "for told in (): ...",
        "class A:\n    kept: int",
        "def f(self):\n    self._told = 1",
    ],
)
def test_such_a_variable_is_noticed(source):
    assert WORDS & set(bound(source))


@pytest.mark.parametrize(
    "source",
    [
        "_SAID = 200",
        "KEPT_SECONDS: float = 30.0",
        "def _told_apart(): ...",
        "class A:\n    def is_kept(self): ...",
        "class CheckFound: ...",
    ],
)
def test_such_a_definition_is_noticed(source):
    assert any(map(is_unclear, defined(source)))


def test_no_class_name_stands_for_more_than_two_things():
    """A public class is named after what it holds: `ModelComparison`, not one more `Comparison`."""
    places = {}
    for module, path in modules().items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module)
    assert {name: each for name, each in places.items() if len(each) > 2} == {}
