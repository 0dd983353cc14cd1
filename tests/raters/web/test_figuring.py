"""The organiser's figures come from a process of their own."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.raters._tiny import tiny_store
from voirdire.raters.reading import read_project
from voirdire.raters.records import RatersError
from voirdire.raters.store import Store
from voirdire.raters.web.dashboard import dashboard
from voirdire.raters.web.figuring import Figuring


@pytest.fixture
def path(tmp_path):
    path = tiny_store(tmp_path / "p.db", live=0)
    return path


def test_figures_are_those_of_the_project_as_it_stands(path):
    async def play():
        figuring = Figuring(path)
        before = await figuring.dashboard()
        with Store.open(path) as store:
            await store.write(lambda transaction: transaction.seat("Cem", "rater"))
        return before, await figuring.dashboard()

    before, after = asyncio.run(play())
    assert after == dashboard(read_project(path)) != before


def test_a_process_that_ends_midway_is_begun_anew(path):
    async def play():
        figuring = Figuring(path)
        first = await figuring.dashboard()
        os.kill(figuring._child.pid, signal.SIGKILL)
        with pytest.raises(RatersError, match="load the page again"):
            await figuring.dashboard()
        await figuring._child.wait()
        return first == await figuring.dashboard()

    assert asyncio.run(play())


def test_nobody_works_on_for_whom_nobody_waits(path):
    async def play():
        figuring = Figuring(path)
        waiting = asyncio.ensure_future(figuring.dashboard())
        while figuring._child is None:
            await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        return figuring._child.returncode

    assert asyncio.run(play()) == -signal.SIGKILL


def test_what_is_wrong_with_the_project_is_told(path):
    async def play():
        figuring = Figuring(path)
        await figuring.dashboard()
        Path(path).rename(path.with_suffix(".away"))
        with pytest.raises(RatersError, match="no project at"):
            await figuring.dashboard()

    asyncio.run(play())
