"""What only tests, extras and documents bring is imported nowhere that the base needs."""

import re
from pathlib import Path

import pytest

import voirdire

SOURCE = Path(__file__).parents[1] / "src"


@pytest.mark.parametrize("package", ["scipy", "sklearn", "pingouin", "statsmodels", "altair"])
def test_no_module_imports_what_only_tests_compare_with(package):
    importing = re.compile(rf"^\s*(?:from|import) {package}\b", re.M)
    assert [path for path in SOURCE.rglob("*.py") if importing.search(path.read_text(encoding="utf-8"))] == []


def test_a_misspelt_function_leads_to_the_one_that_was_meant():
    with pytest.raises(AttributeError, match=r"no attribute 'reprot'; did you mean report\?"):
        voirdire.reprot  # noqa: B018
