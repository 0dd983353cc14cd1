"""The soak's parts: a failure is written down and can be played again, and the command says how it ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import soak

from tests.faults.stateful import running
from tests.faults.stateful.ledger import Broken
from tests.faults.stateful.machine import Count
from tests.faults.stateful.sequence import Sequence, Session, World, dumps, loads
from tests.faults.stateful.watching import swapped
from voirdire.runs import Budget


def test_a_sequence_that_was_written_down_is_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "soak-failed.json"
    path.write_text(dumps(Sequence(World(), (Session(max_calls=4),))))
    assert soak.replay(path) == 0
    with swapped([(Budget, "reserve", lambda self: None)]):
        assert soak.replay(path) == 1
    assert "It breaks: step 1" in capsys.readouterr().out


def test_what_fails_is_shrunk_before_it_is_written_down() -> None:
    def play(sequence: Sequence, count: Count) -> None:
        count.sequences += 1
        if any(isinstance(step, Session) and step.at_calls for step in sequence.steps):
            raise Broken("a call fails")

    with swapped([(running, "play", play)]):
        played, broken = soak.play_some(1)
    assert broken is not None
    sequence, said = broken
    assert said == "Broken: a call fails" and played.sequences > 1
    assert [len(step.at_calls) for step in loads(sequence).steps if isinstance(step, Session)] in ([0, 1], [1, 0], [1])
