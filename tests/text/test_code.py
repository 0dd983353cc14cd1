"""Code and tables in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.text.code import code_stretches

FENCED = "```python\nx = 1\n\ny = 2\n```\n"
SOURCE = "def f(x):\n    return x\n"
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
COLUMNS = "name     size\nred      12\n"


@pytest.mark.parametrize("code", [FENCED, SOURCE, TABLE, COLUMNS, "~~~\nnever closed\n\nto the end"])
def test_code_and_tables_are_found_between_prose(code):
    text = f"Look at this:\n\n{code}"
    (found,) = code_stretches(text)
    assert text[slice(*found)] == code
    assert code_stretches(f"{code}\nAnd that was it.")[0][0] == 0


@pytest.mark.parametrize(
    "prose",
    [
        "One line.\nAnother.",
        "    A first line that is indented\nbegins a paragraph.",
        "- a list\n    - within a list\n    and its text",
        "1. one\n    goes on",
        "",
    ],
)
def test_prose_and_lists_are_none(prose):
    assert code_stretches(prose) == []


def test_a_fence_ends_the_paragraph_before_it():
    text = f"So:\n{FENCED}Done."
    assert [text[slice(*each)] for each in code_stretches(text)] == [FENCED]


@given(st.text(st.sampled_from("ab `~|-\t\n"), max_size=60))
def test_stretches_are_in_order_and_inside_the_text(text):
    ends = [end for each in code_stretches(text) for end in each]
    assert ends == sorted(ends) and all(0 <= end <= len(text) for end in ends)
