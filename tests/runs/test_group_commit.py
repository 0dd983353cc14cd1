"""Many pieces of work in each transaction, and nobody goes on before theirs has ended."""

import asyncio
import threading

import pytest

from voirdire.runs.group_commit import GroupCommit


class Tape:
    """What a writer was asked to do, batch by batch; the first batch waits until it is let go."""

    def __init__(self, answer=lambda work: work):
        self.batches = []
        self.go = threading.Event()
        self.begun = threading.Event()
        self.ended = 0
        self.answer = answer
        self.group = GroupCommit("tape", self.commit, closed=lambda: RuntimeError("closed"), on_end=self.end)

    def commit(self, batch):
        self.begun.set()
        self.go.wait(10)
        self.batches.append(batch)
        return [self.answer(work) for work in batch]

    @property
    def works(self):
        return [work for batch in self.batches for work in batch]

    def end(self):
        self.ended += 1


def test_what_waits_while_a_transaction_is_under_way_goes_into_the_next_one():
    tape = Tape()

    async def play():
        first = asyncio.ensure_future(tape.group.write(0))
        await asyncio.to_thread(tape.begun.wait, 10)
        others = [asyncio.ensure_future(tape.group.write(number)) for number in range(1, 6)]
        await asyncio.sleep(0)
        assert not first.done()
        tape.go.set()
        return await asyncio.gather(first, *others)

    assert asyncio.run(play()) == [0, 1, 2, 3, 4, 5]
    tape.group.close()
    assert tape.batches == [[0], [1, 2, 3, 4, 5]]


def test_an_error_is_raised_where_its_work_waits():
    tape = Tape(lambda work: ValueError(work) if work % 2 else work)
    tape.go.set()

    async def play():
        return await asyncio.gather(*map(tape.group.write, range(4)), return_exceptions=True)

    assert [type(each) for each in asyncio.run(play())] == [int, ValueError, int, ValueError]
    tape.group.close()


def test_a_writer_that_fails_tells_those_who_wait_and_goes_on():
    fails = [True]

    def answer(work):
        if fails:
            raise MemoryError(fails.pop())
        return work

    tape = Tape(answer)
    tape.go.set()

    async def play():
        with pytest.raises(MemoryError):
            await tape.group.write(1)
        return await tape.group.write(2)

    assert asyncio.run(play()) == 2
    tape.group.close()


def test_closing_writes_what_waits_once_and_refuses_what_comes_later():
    tape = Tape()

    async def play():
        waiting = [asyncio.ensure_future(tape.group.write(number)) for number in range(3)]
        await asyncio.sleep(0)
        tape.go.set()
        await asyncio.to_thread(tape.group.close)
        tape.group.close()
        with pytest.raises(RuntimeError, match="closed"):
            await tape.group.write(9)
        return await asyncio.gather(*waiting)

    assert asyncio.run(play()) == [0, 1, 2]
    assert tape.works == [0, 1, 2] and tape.ended == 1


def test_work_is_done_though_whoever_waited_was_cancelled():
    tape = Tape()

    async def play():
        waiting = asyncio.ensure_future(tape.group.write(1))
        await asyncio.to_thread(tape.begun.wait, 10)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        tape.go.set()
        return await tape.group.write(2)

    assert asyncio.run(play()) == 2
    tape.group.close()
    assert tape.works == [1, 2]


def test_loops_of_several_threads_may_wait_at_once():
    tape = Tape()
    tape.go.set()
    answers = []
    threads = [
        threading.Thread(target=lambda number=number: answers.append(asyncio.run(tape.group.write(number))))
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    tape.group.close()
    assert sorted(answers) == list(range(8))
