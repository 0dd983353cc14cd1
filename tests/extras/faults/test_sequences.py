"""Whatever happens to a run, in whatever order: no invariant breaks (docs/faults.md, "Random combinations")."""

from __future__ import annotations

import pytest

from tests.faults.stateful.machine import Count
from tests.faults.stateful.running import play_drawn

SHARES = 10
EACH = 50


@pytest.mark.parametrize("share", range(SHARES))
def test_no_sequence_of_faults_breaks_an_invariant(share: int) -> None:
    """500 sequences, the same every time; `python -m benchmarks.soak` draws new ones."""
    count = Count()
    play_drawn(share, EACH, count)
    assert count.sequences >= EACH
    assert count.faults.total() > EACH
