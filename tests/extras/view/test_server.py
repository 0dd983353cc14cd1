"""Starting and ending `voirdire view`, and what it leaves behind."""

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest

from tests.adapters.examples import labelled
from tests.extras.view._serving import Viewer


@pytest.fixture
def runs(tmp_path):
    labelled(tmp_path / "runs" / "labels", ("invented", "faithful"), ("faithful",), ("reliable",))
    return tmp_path / "runs"


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_in_one_line_with_its_processes_and_leaves_the_runs_as_they_were(runs, number):
    before = {path: path.stat().st_mtime_ns for path in runs.rglob("*")}
    with Viewer(runs) as viewer, httpx2.Client(base_url=viewer.base, timeout=20) as client:
        until(lambda: "finished: 3 answers" in client.get("/").text)
        until(lambda: client.get("/live/run/labels").status_code == 205)
        assert 'id="page-contents"' in client.get("/run/labels").text
        children = Path(f"/proc/{viewer.process.pid}/task/{viewer.process.pid}/children").read_text().split()
        assert viewer.stop(number) == (0, "Stopped.\n") and viewer.told() == ""
    assert {path: path.stat().st_mtime_ns for path in runs.rglob("*")} == before
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def test_it_ends_at_once_while_a_report_is_being_made(runs):
    with Viewer(runs) as viewer:
        httpx2.get(f"{viewer.base}run/labels", timeout=20)
        began = time.monotonic()
        assert viewer.stop() == (0, "Stopped.\n")
        assert time.monotonic() - began < 5 and viewer.told() == ""


def test_only_this_machine_is_listened_to(runs):
    with Viewer(runs) as viewer:
        port = int(viewer.base.rsplit(":", 1)[1].strip("/"))
        addresses = Path("/proc/net/tcp").read_text().splitlines()
        listening = [line.split()[1] for line in addresses if line.split()[3] == "0A"]
        assert [each for each in listening if each.endswith(f":{port:04X}")] == [f"0100007F:{port:04X}"]


def test_a_port_that_is_taken_and_a_folder_that_is_not_there_end_in_a_sentence(runs):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "voirdire", "view", runs, "--port", port], capture_output=True, text=True, timeout=60
        )
    says = f"The server can't listen at 127.0.0.1:{port}: Address already in use; give another --port."
    assert (done.returncode, done.stderr) == (1, f"voirdire: {says}\n")
    done = subprocess.run(
        [sys.executable, "-m", "voirdire", "view", runs / "none"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1 and "There is no folder" in done.stderr and done.stderr.count("\n") == 1
