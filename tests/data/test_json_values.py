"""Records as JSON knows them."""

import json
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from voirdire.data.json_values import as_object, as_plain


class Interval(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Found:
    folder: Path
    interval: Interval | None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Named:
    value: float

    def as_dict(self):
        return {"far": self.value}


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        (True, True),
        ("a", "a"),
        (math.nan, None),
        (-math.inf, None),
        (np.float64(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.array([[1.0, math.nan]]), [[1.0, None]]),
        (Path("a/b"), "a/b"),
        (Counter("aab"), {"a": 2, "b": 1}),
        ({"a": 1}.items(), [["a", 1]]),
        (Interval(0.1, math.nan), {"low": 0.1, "high": None}),
        (Found(Path("r"), None, ("x",)), {"folder": "r", "interval": None, "words": ["x"]}),
        ([Found(Path("r"), Interval(0.0, 1.0))], [{"folder": "r", "interval": {"low": 0.0, "high": 1.0}, "words": []}]),
        ({"one": Named(1.0)}, {"one": {"far": 1.0}}),
    ],
)
def test_records_tuples_and_numbers_become_what_json_knows(value, plain):
    found = as_plain(value)
    assert found == plain and json.loads(json.dumps(found, allow_nan=False)) == plain


def test_of_a_record_s_own_fields_its_as_dict_can_be_made():
    assert as_object(Named(math.nan)) == {"value": None}
    assert type(as_object(Named(np.float64(1)))["value"]) is float
