"""A run that is killed, or finds its disk full, at the very beginning is begun again or gone on with."""

from __future__ import annotations

import pytest

from tests.faults.stateful.machine import play
from tests.faults.stateful.sequence import Sequence, Session, World

OPENING = range(1, 30, 6)
"""Of the statements and writes from the folder's creation to the first replies."""


@pytest.mark.parametrize("kind", ["kill", "full"])
def test_a_run_survives_any_moment_of_its_opening(kind: str) -> None:
    for number in OPENING:
        play(Sequence(World(), (Session(max_calls=2, at_write=(number, kind, 0.0)),)))


def test_tables_that_a_full_disk_keeps_from_being_written_are_made_by_the_next_session() -> None:
    for number in (1, 8, 12, 14, 16):
        play(Sequence(World(), (Session(), Session(at_write=(number, "full", 0.0), tables=True))))
