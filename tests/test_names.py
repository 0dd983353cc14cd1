"""Variables and parameters are called what they are: a result, a match, a message, a status."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "voirdire"

WORDS = {"found", "said", "told", "kept", "held", "looks", "looked", "stands", "seating", "bench", "docket", "courier"}
"""Verbs of the past and nouns of a court, which a reader would have to translate."""

PUBLIC = {
    "adapters/gate_limits.py": "a field of the limits' JSON",
    "adapters/python_api/auditing.py": "what an audit found, a field of the Python functions",
    "cognibench/report/people.py": "the benchmark of a detector is called a bench, as its command is",
    "ddft/drafting/records.py": "a field of a draft",
    "ddft/stopping/records.py": "the interim looks of a sequential test, a field of a run's notes",
    "detectors/calibration.py": "a field of the calibration's JSON",
    "evaluation/checks/check.py": "a field of a check's JSON",
    "instruments/figures.py": "a field of a check's JSON",
    "jury/worth/planning.py": "whether the decision stands, a field of the plan's JSON",
    "papers/integrity/citations.py": "a field of a citation",
}
"""Modules in which such a name is a field that users read in JSON or a keyword that they give, and why."""


def bound(source):
    """The variables, parameters and fields that a module binds."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def test_no_module_binds_such_a_name():
    names_by_module = {
        path.relative_to(SOURCE).as_posix(): sorted(names)
        for path in sorted(SOURCE.rglob("*.py"))
        if (names := WORDS & set(bound(path.read_text(encoding="utf-8"))))
    }
    assert names_by_module.keys() == PUBLIC.keys(), names_by_module


@pytest.mark.parametrize("source", ["found = 1", "def f(said): ...", "for told in (): ...", "class A:\n    kept: int"])
def test_such_a_name_is_found(source):
    assert WORDS & set(bound(source))
