import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.reports.vega_lite.numbers import formatted, multiples, powers, round_step


@pytest.mark.parametrize(
    ("value", "notation", "expected"),
    [
        (0.5, ".2~f", "0.5"),
        (-0.25, ".2~f", "−0.25"),
        (-0.001, ".2~f", "0"),
        (0.25, "~%", "25%"),
        (1, "%", "100%"),
        (3, "d", "3"),
        (1200, "~s", "1.2k"),
        (0, "~s", "0"),
        (0.75, "~g", "0.75"),
        (2 / 3, ".3f", "0.667"),
        (1234, None, "1,234"),
    ],
)
def test_numbers_are_written_in_d3s_notation(value, notation, expected):
    assert formatted(value, notation) == expected


def test_the_numbers_of_an_axis_have_the_decimals_that_tell_them_apart():
    assert [formatted(each, None, [0, 0.25, 1]) for each in (0, 0.25, 1)] == ["0.00", "0.25", "1.00"]


def test_an_unknown_notation_is_refused():
    with pytest.raises(ValueError, match="no number format"):
        formatted(1, "$,.2r")


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(1, 20))
def test_steps_are_round_and_about_as_many_as_wanted(low, width, count):
    step = round_step(low, low + width, count)
    ticks = multiples(low, low + width, step)

    assert f"{step:e}"[0] in "125" and all(tick >= low - step * 1e-6 for tick in ticks)
    assert len(ticks) <= 2 * count + 1


def test_a_logarithmic_axis_names_1_2_and_5():
    assert powers(30, 1000) == [50, 100, 200, 500, 1000]
