"""Killed three times and gone on with, a run ends as if nothing had happened, and pays for almost nothing twice."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from tests.runs.kill_child import AT_ONCE, TURNS
from tests.support.fake_openai import control, start_fake_server, stats
from voirdire.runs import Journal

DIALOGUES = 60
CALLS = DIALOGUES * TURNS
ROOT = Path(__file__).parents[3]


def start(path: Path, base_url: str) -> subprocess.Popen[bytes]:
    arguments = [str(path), base_url, str(acknowledged_file(path)), str(DIALOGUES)]
    return subprocess.Popen([sys.executable, "-m", "tests.runs.kill_child", *arguments], cwd=ROOT)


def acknowledged_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.acknowledged")


def acknowledged(path: Path) -> list[str]:
    file = acknowledged_file(path)
    return file.read_text().splitlines() if file.exists() else []


def kill_after(child: subprocess.Popen[bytes], path: Path, replies: int) -> None:
    """SIGKILL the child once it has acknowledged so many replies more."""
    wanted = len(set(acknowledged(path))) + replies
    while len(set(acknowledged(path))) < wanted:
        assert child.poll() is None, "The run ended before it was killed."
        time.sleep(0.001)
    child.kill()
    child.wait()


def replies(path: Path) -> dict[str, str]:
    with Journal.open(path / "journal.sqlite", read_only=True) as journal:
        return {recorded.key: recorded.reply.text for recorded in journal.replies()}


def test_a_run_killed_three_times_ends_like_one_that_was_not(tmp_path: Path) -> None:
    killed, unkilled = tmp_path / "killed", tmp_path / "unkilled"
    random = Random(3)
    with start_fake_server(latency=0.02, sigma=0.5, plan="429:0.02,500,reset,truncated") as base_url:
        for _ in range(3):
            kill_after(start(killed, base_url), killed, random.randint(1, CALLS // 4))
            assert set(acknowledged(killed)) <= replies(killed).keys()
        assert start(killed, base_url).wait(60) == 0
        counts = stats(base_url)["replies"]

        control(base_url, reset=True)
        assert start(unkilled, base_url).wait(60) == 0
        assert set(stats(base_url)["replies"].values()) == {1}

    assert len(replies(killed)) == CALLS
    assert replies(killed) == replies(unkilled)
    assert set(acknowledged(killed)) == replies(killed).keys()
    assert len(counts) == CALLS
    # A call that was under way at a kill is paid for again, no other is: on its way, or waiting for its commit.
    assert sum(count - 1 for count in counts.values()) <= 3 * 2 * AT_ONCE
    with Journal.open(killed / "journal.sqlite", read_only=True) as journal:
        answered = journal.calls_frame().query("status == 'ok'")
        assert answered["key"].is_unique
