"""Drawing sequences, playing them, and keeping the smallest one that fails."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.faults.stateful.drawing import sequences
from tests.faults.stateful.machine import Count, play
from tests.faults.stateful.sequence import Sequence


class Failed(AssertionError):
    """A sequence that breaks an invariant, shrunk."""

    def __init__(self, sequence: Sequence, cause: BaseException) -> None:
        super().__init__(f"{type(cause).__name__}: {cause}")
        self.sequence = sequence


def play_drawn(number: int, examples: int, count: Count) -> None:
    """Play so many sequences, the same for the same number.

    Raises:
        Failed: with the smallest sequence found that fails.
    """
    last: list[tuple[Sequence, BaseException]] = []

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )
    @given(sequences())
    def each(sequence: Sequence) -> None:
        try:
            play(sequence, count)
        except Exception as error:
            last[:] = [(sequence, error)]
            raise

    try:
        each()
    except Exception as error:
        if not last:
            raise
        raise Failed(*last[0]) from error
