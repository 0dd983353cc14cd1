from __future__ import annotations

from pathlib import Path

import pytest

from voirdire.jury import JuryError
from voirdire.jury.choice import choose_jury

RUN = Path("runs/study")
JURIES = {
    "jury-1": {"judges": ["openai/a", "openai/b"]},
    "jury-2": {"judges": ["reference"]},
    "jury-3": {"judges": ["openai/c"]},
    "jury-4": {"judges": ["openai/c"]},
}


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        (None, "jury-1"),
        ("jury-2", "jury-2"),
        ("reference", "jury-2"),
        ("openai/a,openai/b", "jury-1"),
        ("openai/b, openai/a", "jury-1"),
    ],
)
def test_a_jury_is_named_by_its_id_or_by_its_judges_in_any_order(wanted, chosen):
    assert choose_jury(JURIES, wanted, RUN) == chosen


def test_judges_that_sat_twice_are_told_apart_by_id():
    with pytest.raises(JuryError, match=r"Several juries of these judges have judged .*: give one of jury-3, jury-4"):
        choose_jury(JURIES, "openai/c", RUN)


def test_of_juries_of_the_same_judges_the_one_in_the_order_of_the_names_is_meant():
    juries = {"one": {"judges": ["a", "b"]}, "two": {"judges": ["b", "a"]}}
    assert [choose_jury(juries, names, RUN) for names in ("a,b", "b,a")] == ["one", "two"]


def test_an_unknown_jury_is_answered_with_those_there_are():
    with pytest.raises(JuryError, match=r"No jury 'openai/a' has judged .*; there are jury-1 \(openai/a, openai/b\), "):
        choose_jury(JURIES, "openai/a", RUN)
