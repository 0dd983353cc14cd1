"""Every argument and option of every command, with values that no one means to give: a sentence, and never a crash.

Takes minutes: make test-walk. A part that needs no files is among the usual tests, in tests/cli/test_walk.py.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.labelling_server import start_labelling_server
from tests.support.walk.bases import BASES, prepare
from tests.support.walk.walker import commands, wrong_with

NAMES = [name for name, _ in commands()]
GROUPS = [NAMES[start::12] for start in range(12)]
"""Each is walked in one process: most of a short walk is its start."""


@pytest.fixture(scope="session")
def server():
    with start_labelling_server() as address:
        yield address


@pytest.fixture(scope="session")
def folder(tmp_path_factory, server):
    made = tmp_path_factory.mktemp("walk")
    for each in (made, *made.parents[:2]):  # a user without rights must get there
        each.chmod(each.stat().st_mode | 0o055)
    (made / "master").mkdir()
    prepare(made / "master", server)
    return made


def test_there_is_a_call_for_every_command():
    assert sorted(BASES) == sorted(NAMES)


@pytest.mark.parametrize("names", GROUPS, ids=", ".join)
def test_commands_take_what_no_one_means_to_give_without_a_crash(names, folder, server):
    arguments = [sys.executable, "-m", "tests.support.walk.walker", folder, server, *names]
    walked = subprocess.run(
        arguments,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=Path(__file__).parents[3],
    )
    lines = [json.loads(line) for line in walked.stdout.splitlines()]
    cases = [line for line in lines if "code" in line and "argv" in line]
    wrong = [(line["argv"], why) for line in cases if (why := wrong_with(line)) is not None]
    assert walked.returncode == 0, (lines[-1:], walked.stderr[-2000:])  # the last line is where it was aborted
    assert not wrong, "\n".join(f"{' '.join(map(ascii, argv))}: {why}" for argv, why in wrong)
    called = {" ".join(line["base"][: len(name.split())]) for line in lines if "base" in line for name in names}
    assert set(names) <= called
    assert len(cases) > len(names)
