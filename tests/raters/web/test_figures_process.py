"""The organiser's figures come from a process of their own."""

import asyncio
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.raters._tiny import tiny_store
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import RatersError
from voirdire.raters.store import Store
from voirdire.raters.web.dashboard import dashboard
from voirdire.raters.web.figures_process import FiguresProcess


@pytest.fixture
def path(tmp_path):
    return tiny_store(tmp_path / "p.db", live=0)


@pytest.fixture
def figuring(path):
    made = FiguresProcess(path)
    yield made
    made.close()


def test_figures_are_those_of_the_project_as_it_stands(path, figuring):
    before = figuring.dashboard()
    with Store.open(path) as store:
        asyncio.run(store.write(lambda transaction: transaction.add_rater("Cem", "rater")))
    assert figuring.dashboard() == dashboard(read_project(path)) != before
    os.kill(figuring._helper._child.pid, signal.SIGKILL)  # and a process that ends midway is begun anew
    with pytest.raises(RatersError, match="load the page again"):
        figuring.dashboard()
    assert figuring.dashboard() == dashboard(read_project(path))
    path.rename(path.with_suffix(".away"))
    with pytest.raises(RatersError, match="no project at"):
        figuring.dashboard()


def test_closing_ends_what_is_under_way(figuring):
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(figuring.dashboard)
        while figuring._helper._child is None:
            assert not waiting.done()
        child = figuring._helper._child
        figuring.close()
        with pytest.raises(RatersError, match="load the page again"):
            waiting.result(10)
    assert child.returncode == -signal.SIGKILL
