"""A few sequences with every run of the tests; `make test-faults` plays all 500, and the soak draws new ones."""

from __future__ import annotations

from tests.faults.stateful.machine import Count
from tests.faults.stateful.running import play_drawn


def test_sequences_that_are_in_none_of_the_shares_break_no_invariant() -> None:
    count = Count()
    play_drawn(1000, 14, count)
    assert count.sequences >= 14
    assert count.faults.total() > 14
