"""A process that answers beside a server, and can be held."""

import os
import time
from pathlib import Path

import pytest

from voirdire.web.helper_process import Helper


@pytest.fixture
def helper(tmp_path, monkeypatch):
    (tmp_path / "answering.py").write_text(
        "from voirdire.web.helper_process import answer_lines\n"
        "answer_lines(lambda line: line.upper().encode(), polite=0)\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    helper = Helper("answering")
    yield helper
    helper.close()


def state_of(helper):
    """R, S, T (stopped) …, as Linux tells it."""
    return Path(f"/proc/{helper.start().pid}/stat").read_text().rsplit(") ", 1)[1][0]


def until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_no_file_of_the_folder_is_taken_for_a_module(helper, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "answering.py").write_text("raise SystemExit\n")
    monkeypatch.chdir(tmp_path / "mine")
    assert helper.ask("one") == b"ONE"


def test_what_is_paused_stands_still_and_then_goes_on(helper):
    assert helper.ask("one") == b"ONE"
    helper.pause()
    until(lambda: state_of(helper) == "T")
    helper.resume()
    assert helper.ask("two") == b"TWO"


def test_what_is_paused_ends_with_the_server(helper):
    child = helper.start()
    helper.pause()
    until(lambda: state_of(helper) == "T")
    helper.close()
    assert child.poll() is not None


def test_what_begins_while_it_is_paused_waits_too(helper):
    helper.pause()
    until(lambda: state_of(helper) == "T")
    helper.resume()
    assert helper.ask("one") == b"ONE"
