"""How long a failed call waits."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.run import RetryPolicy


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
