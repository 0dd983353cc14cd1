"""A model's concurrency: bounds, growth, decrease, and waits that the provider asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.runs import Limiter, RunStopped


async def finish(limiter: Limiter, *, limited: bool = False) -> None:
    async with limiter.slot() as permit:
        if limited:
            permit.rate_limited()
        else:
            permit.succeeded()


@given(st.integers(1, 40), st.lists(st.booleans(), max_size=60))
def test_the_limit_begins_with_the_most_halves_at_most_and_grows_back_by_one_at_most(
    most: int, events: list[bool]
) -> None:
    limiter = Limiter(most)
    assert limiter.limit == most

    async def play() -> None:
        for limited in events:
            before = limiter.limit
            await finish(limiter, limited=limited)
            assert 1 <= limiter.limit <= most
            assert max(1, before // 2) <= limiter.limit <= before + 1
            assert limiter.limit <= before if limited else limiter.limit >= before

    asyncio.run(play())


def run_at_once(limiter: Limiter, calls: int) -> int:
    """The most calls that were let run at the same time."""
    most = 0

    async def call() -> None:
        nonlocal most
        async with limiter.slot():
            most = max(most, limiter.active)
            await asyncio.sleep(0)

    async def play() -> None:
        await asyncio.gather(*(call() for _ in range(calls)))

    asyncio.run(play())
    return most


@given(st.integers(1, 8), st.integers(1, 30))
def test_no_more_calls_run_than_the_limit_allows_and_none_is_forgotten(limit: int, calls: int) -> None:
    assert run_at_once(Limiter(limit), calls) == min(limit, calls)


def test_a_limit_in_use_is_halved_by_too_many_and_then_grows_back_by_one_a_round() -> None:
    limiter = Limiter(8)

    async def a_round(limited: bool) -> int:
        permits = [await limiter.slot().__aenter__() for _ in range(limiter.limit)]
        for permit in list(permits):
            permit.rate_limited() if limited else permit.succeeded()
            await permits.pop(0).__aexit__(None, None, None)
            while limiter.active < limiter.limit:  # whoever waits takes the place
                permits.append(await limiter.slot().__aenter__())
        for permit in permits:
            await permit.__aexit__(None, None, None)
        return limiter.limit

    async def play() -> list[int]:
        return [await a_round(limited) for limited in (False, True, False, False)]

    assert asyncio.run(play()) == [8, 4, 4, 5]


def test_echoes_of_one_too_many_halve_the_limit_once() -> None:
    limiter = Limiter(16)

    async def play() -> None:
        permits = [await limiter.slot().__aenter__() for _ in range(16)]
        for permit in permits:
            permit.rate_limited()

    asyncio.run(play())
    assert limiter.limit == 8


def test_a_limit_that_is_not_used_does_not_grow() -> None:
    limiter = Limiter(10)

    async def play() -> None:
        await finish(limiter, limited=True)
        for _ in range(20):
            await finish(limiter)

    asyncio.run(play())
    assert limiter.limit == 5


def test_nothing_starts_before_the_wait_is_over_that_the_provider_asked_for() -> None:
    async def play() -> None:
        limiter, loop = Limiter(), asyncio.get_running_loop()
        starts: list[float] = []

        async def call() -> None:
            async with limiter.slot():
                starts.append(loop.time())

        limiter.pause(0.05)
        limiter.pause(0.01)  # a shorter wait does not shorten it
        over = loop.time() + 0.04
        await asyncio.gather(*(call() for _ in range(30)))
        assert len(starts) == 30
        assert min(starts) >= over

    asyncio.run(play())


@pytest.mark.parametrize("seconds", [0.0, -5.0, float("nan"), float("inf")])
def test_a_senseless_wait_is_ignored(seconds: float) -> None:
    async def play() -> None:
        limiter = Limiter()
        limiter.pause(seconds)
        await asyncio.wait_for(finish(limiter), 5)

    asyncio.run(play())


def test_a_waiting_call_that_is_cancelled_leaves_its_place_to_the_next() -> None:
    async def play() -> None:
        limiter = Limiter(1)
        async with limiter.slot():
            waiting = [asyncio.create_task(finish(limiter)) for _ in range(3)]
            await asyncio.sleep(0)
            waiting[0].cancel()
            await asyncio.sleep(0)
        waiting[1].cancel()  # it was just given the place, and has not taken it
        await asyncio.wait_for(waiting[2], 5)
        assert limiter.active == 0

    asyncio.run(play())


def test_after_a_stop_nothing_starts_and_nobody_waits_on() -> None:
    async def play() -> None:
        limiter = Limiter(1)
        async with limiter.slot():
            waiting = asyncio.create_task(finish(limiter))
            await asyncio.sleep(0)
            limiter.stop("enough.")
        attempts: list[Awaitable[None]] = [waiting, finish(limiter)]
        for attempt in attempts:
            with pytest.raises(RunStopped, match=r"enough\."):
                await attempt

    asyncio.run(play())


def test_fewer_than_one_call_at_a_time_is_refused() -> None:
    with pytest.raises(ValueError, match=r"At least one call .*; 0 were given\."):
        Limiter(0)
