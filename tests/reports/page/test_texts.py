import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from voirdire.data.json_values import as_plain
from voirdire.reports.page.texts import json_for_script, plain, showable

_anything = st.text(st.characters(exclude_categories=()))


@given(_anything)
def test_what_is_showable_stays_as_it_is_and_can_be_written(text):
    shown = showable(text)

    assert showable(shown) == shown
    assert shown.encode("utf-8").decode("utf-8") == shown


def test_what_no_page_can_hold_becomes_visible():
    assert showable("a\x00b\x1b\x7f \ud800 \ufffe") == "a␀b␛␡ � �"


def test_every_end_of_a_line_is_a_line_feed():
    assert showable("a\r\nb\rc\n\td") == "a\nb\nc\n\td"


def test_invisible_and_right_to_left_characters_stay():
    assert showable("\u202e\u200b\u2066é") == "\u202e\u200b\u2066é"


def test_records_become_what_json_knows():
    @dataclass
    class Record:
        name: str
        parts: tuple[float, ...]

    assert plain({"a": Record("x\x00", (1.0, float("nan"), float("inf")))}) == {
        "a": {"name": "x␀", "parts": [1.0, None, None]}
    }


def test_a_page_converts_records_as_every_json_does():
    class Point(NamedTuple):
        x: float

    @dataclass
    class Ranked:
        place: int

        def as_dict(self):
            return {"rank": f"{self.place}\x00"}

    value = [Point(math.nan), Ranked(1), np.array([0.5]), Path("a/b"), {1: (2,)}]
    assert plain(value) == [{"x": None}, {"rank": "1␀"}, [0.5], "a/b", {"1": [2]}]
    assert plain(value[:1]) == as_plain(value[:1])


@given(_anything)
def test_json_in_a_script_never_holds_what_could_end_it(text):
    data = json_for_script([text, {text: text}])

    assert "<" not in data
    assert json.loads(data) == [showable(text), {showable(text): showable(text)}]
