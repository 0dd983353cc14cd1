"""The reference has every function of `import voirdire as vd`."""

import inspect
from pathlib import Path

import voirdire

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "front.md"


def test_every_function_is_in_the_reference():
    functions = [name for name in voirdire.__all__ if inspect.isfunction(getattr(voirdire, name))]
    page = PAGE.read_text()
    assert len(functions) > 5
    assert [name for name in functions if f"heading: voirdire.{name}\n" not in page] == []
