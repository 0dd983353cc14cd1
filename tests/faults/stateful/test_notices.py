"""The machine notices what it is there to notice: each invariant, broken on purpose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.faults.stateful.ledger import Broken
from tests.faults.stateful.machine import Count, play
from tests.faults.stateful.sequence import Damage, Kept, Look, Sequence, Session, World, dumps, loads
from tests.faults.stateful.watching import swapped
from voirdire.jury import verdict_parsing
from voirdire.records import Reply
from voirdire.runs import Budget, Journal, Runner
from voirdire.runs import runner as running
from voirdire.runs.attempt import Attempt
from voirdire.runs.group_commit import GroupCommit

CUT = Session(max_calls=12)


def played(*steps: Any, kept: tuple[Kept, ...] = ()) -> None:
    play(Sequence(World(kept=kept), steps))


def broken(change: tuple[Any, str, Any], *steps: Any, kept: tuple[Kept, ...] = ()) -> str:
    """What the machine says of a program that was changed so."""
    with swapped([change]), pytest.raises(Broken) as caught:
        played(*steps, kept=kept)
    return str(caught.value)


def test_a_journal_that_forgets_is_noticed() -> None:
    said = broken((Journal, "lookup", lambda self, key: None), CUT, Session())
    assert "made again after their reply was committed" in said or "have two replies" in said


def test_a_reply_that_is_released_before_it_is_on_disk_is_noticed() -> None:
    async def at_once(self: GroupCommit[Any], work: Any) -> None:
        asyncio.get_running_loop().create_task(write(self, work))  # nobody waits for it

    write = GroupCommit.write
    played(CUT)  # what the study comes to without the change is remembered
    assert "not on disk yet" in broken((GroupCommit, "write", at_once), CUT)


def test_a_verdict_whose_score_was_clipped_is_noticed() -> None:
    def clipped(fields: Any, name: str) -> float:
        return min(1.0, max(0.0, float(fields[name])))

    kept = Kept("judge", 0, 0, 1, "out_of_range")
    assert "stands in no reply" in broken((verdict_parsing, "_score", clipped), CUT, Session(), kept=(kept,))


def test_a_budget_that_does_not_count_is_noticed() -> None:
    async def free(self: Budget, call: Any) -> float:
        self._reserved.append(0.0)
        return 0.0

    assert "and 12 were allowed" in broken((Budget, "reserve", free), CUT)


def test_failed_calls_that_are_not_recorded_are_noticed() -> None:
    record: Callable[..., Any] = Runner._record

    async def of_successes(self: Runner, call: Any, number: int, attempt: Attempt) -> Any:
        return attempt if attempt.reply is None else await record(self, call, number, attempt)

    assert "missing from the journal" in broken((Runner, "_record", of_successes), Session(at_calls=((2, "server"),)))


def test_a_failure_that_is_taken_for_an_answer_is_noticed() -> None:
    async def made_up(*given: Any) -> Any:
        attempt = await make_attempt(*given)
        if attempt.error is None:
            return attempt
        return Attempt(attempt.started_at, attempt.seconds, Reply("I can't say.", "stop"), 0.0)

    make_attempt = running.make_attempt
    said = broken((running, "make_attempt", made_up), Session(at_calls=((1, "server"),), max_calls=6))
    assert "replies that nobody gave" in said


def test_a_sequence_can_be_written_down_and_read_again() -> None:
    steps = (
        Session(2, 1, True, 3, 0.1, ((1, "hang"), (2, "kill")), (4, "torn", 0.5)),
        Look(True),
        Damage("a", "cut", 0.1, "look"),
    )
    sequence = Sequence(World(2, "dialogue", (Kept("judge", 1, 2, 0, "nan", 3),)), steps)
    assert loads(dumps(sequence)) == sequence


def test_the_same_sequence_goes_the_same_way_every_time() -> None:
    steps = (
        Session(eager=True, at_calls=((3, "rate_limit"), (5, "hang"), (9, "look")), at_write=(70, "torn", 0.5)),
        Session(at_calls=((2, "ctrl_c_twice"),)),
        Session(jury=1, at_calls=((1, "clock_forth"), (2, "second_session"))),
    )
    counts = [Count(), Count()]
    for count in counts:
        play(Sequence(World(), steps), count)
    assert counts[0] == counts[1]
    assert counts[0].faults["write_torn"] == counts[0].faults["ctrl_c_twice"] == 1
