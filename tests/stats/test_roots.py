import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.stats.roots import root


@given(st.floats(1e-6, 1.0), st.floats(0.2, 5))
def test_a_rising_function_passes_0_where_it_does(at, power):
    assert root(lambda x: x**power - at**power, 1.0) == pytest.approx(at, rel=1e-6, abs=1e-9)


def test_what_lies_above_from_the_start_gives_0():
    assert root(lambda x: x + 1, 5.0) == 0.0


def test_the_upper_end_may_be_the_place():
    assert root(lambda x: x - 5, 5.0) == 5.0
    assert root(lambda x: math.tanh(x - 3), 1e6) == pytest.approx(3.0, rel=1e-9)
