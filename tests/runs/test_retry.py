"""How long a failed call waits."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.runs import RetryPolicy


@given(st.integers(1, 2000), st.floats(0, 10), st.floats(0, 100), st.integers())
def test_a_wait_lies_below_the_ceiling_which_doubles_up_to_the_cap(
    attempt: int, base: float, cap: float, seed: int
) -> None:
    delay = RetryPolicy(base=base, cap=cap).delay(attempt, Random(seed))
    assert 0 <= delay <= cap
    if attempt < 20:
        assert delay <= base * 2 ** (attempt - 1)


def test_waits_spread_over_the_whole_interval() -> None:
    policy = RetryPolicy(base=1, cap=60)
    delays = [policy.delay(3, Random(seed)) for seed in range(200)]
    assert min(delays) < 0.5
    assert 3.5 < max(delays) <= 4


@pytest.mark.parametrize("fields", [{"attempts": 0}, {"base": -1}, {"timeout": 0}])
def test_a_senseless_policy_is_refused(fields: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least one attempt"):
        RetryPolicy(**fields)


@pytest.mark.parametrize(
    ("given", "waited"),
    [(None, 0), (0.0, 0), (-5.0, 0), (math.nan, 0), (7.5, 7.5), (3_600.0, 3_600), (1e12, 3_600), (math.inf, 3_600)],
)
def test_what_a_provider_asks_for_is_waited_where_it_makes_sense_and_no_longer_than_an_hour(
    given: float | None, waited: float
) -> None:
    assert RetryPolicy().requested_wait(given) == waited
