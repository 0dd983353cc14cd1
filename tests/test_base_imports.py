"""What only tests, extras and documents bring is imported nowhere that the base needs."""

import re
from pathlib import Path

import pytest

import voirdire

SOURCE = Path(__file__).parents[1] / "src"


def importing(pattern):
    pattern = re.compile(pattern, re.M)
    return [path.name for path in SOURCE.rglob("*.py") if pattern.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("package", ["scipy", "sklearn", "pingouin", "statsmodels"])
def test_no_module_imports_what_only_tests_compare_with(package):
    assert importing(rf"^\s*(?:from|import) {package}\b") == []


def test_altair_is_imported_only_when_a_chart_of_its_own_is_asked_for():
    assert importing(r"^\s*(?:from|import) altair\b") == ["chart_files.py"]
    assert importing(r"^(?:from|import) altair\b") == []


def test_a_misspelt_function_leads_to_the_one_that_was_meant():
    with pytest.raises(AttributeError, match=r"no attribute 'reprot'; did you mean report\?"):
        voirdire.reprot  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'gate'; did you mean assert_floor\?"):
        voirdire.gate  # noqa: B018
