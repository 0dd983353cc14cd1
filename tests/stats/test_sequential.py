"""When to analyse again, and at which level an interval is computed after interim analyses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from voirdire.stats.sequential import next_analysis_size, nominal_level


def test_the_first_look_needs_no_correction():
    assert nominal_level(30, 30) == pytest.approx(0.95)


def test_a_worked_case_of_twice_the_first_size():
    assert nominal_level(60, 30) == pytest.approx(1 - 0.05 / 1.25)


@given(st.integers(1, 200), st.integers(0, 2000), st.integers(1, 500), st.floats(0.5, 0.99))
def test_the_level_rises_with_the_sample_and_never_beyond_two_thirds_of_alpha(first, more, further, level):
    here, later = (nominal_level(first + size, first, level=level) for size in (more, more + further))
    assert level - 1e-12 <= here < later <= 1 - (1 - level) / 1.5


@pytest.mark.parametrize(("size", "first", "level"), [(10, 0, 0.95), (10, 11, 0.95), (10, 5, 1.0)])
def test_sizes_and_levels_that_make_no_sense_are_refused(size, first, level):
    with pytest.raises(ValueError, match="Analyses need"):
        nominal_level(size, first, level=level)


def test_the_next_look_is_at_0_8_of_what_the_width_says_is_needed():
    assert next_analysis_size(100, 0.06, 0.05, block=5, last=500) == 120  # 0.8 · 100 · 1.44 = 115.2


def test_an_interval_that_is_far_too_wide_or_missing_doubles_the_sample():
    assert next_analysis_size(30, 0.5, 0.03, block=5, last=500) == 60
    assert next_analysis_size(30, None, 0.03, block=5, last=500) == 60


@given(
    st.integers(1, 400),
    st.integers(1, 400),
    st.one_of(st.none(), st.floats(0, 3)),
    st.floats(0.001, 1),
    st.integers(1, 9),
)
def test_the_next_look_comes_later_at_whole_blocks_and_not_after_the_end(size, more, half_width, wanted, block):
    last = size + more
    found = next_analysis_size(size, half_width, wanted, block=block, last=last)
    assert size < found <= last
    assert found % block == 0 or found == last


def test_nothing_is_left_to_look_at_after_the_end():
    with pytest.raises(ValueError, match="next analysis"):
        next_analysis_size(40, 0.1, 0.05, block=5, last=40)


def stopped(draws, wanted, corrected, first=30, block=5):
    """Mean, half-width and size at which the t interval of each row of draws is first narrow enough."""
    last = draws.shape[1]
    found = []
    for row in draws:
        size = first
        while True:
            level = nominal_level(size, first) if corrected else 0.95
            half_width = special.stdtrit(size - 1, 0.5 + level / 2) * row[:size].std(ddof=1) / np.sqrt(size)
            if half_width <= wanted or size == last:
                found.append((row[:size].mean(), half_width, size))
                break
            size = next_analysis_size(size, half_width, wanted, block=block, last=last)
    return np.array(found).T


def test_an_interval_that_a_run_stopped_at_covers_what_it_says_only_when_it_is_corrected():
    draws = np.random.default_rng(8).standard_normal((4000, 200))
    covered = {}
    for corrected in (False, True):
        mean, half_width, size = stopped(draws, 0.25, corrected)
        covered[corrected] = float(np.mean(np.abs(mean) <= half_width))
        assert 60 < size.mean() < 75
    assert covered[False] < 0.945 < covered[True] < 0.965
