"""Values that are never right are refused in one sentence by every argument and option of the command tree.

The whole walk, with files that can't be used and values that may be right, is tests/extras/walk.
"""

import pytest

from tests.support.walk.bases import BASES, SERVER
from tests.support.walk.values import set_traps
from tests.support.walk.walker import call, calls, commands

TREE = dict(commands())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("walk")
    set_traps(made)
    return made


def test_there_is_a_call_for_every_command():
    assert sorted(BASES) == sorted(TREE)


@pytest.mark.parametrize("name", TREE)
def test_what_is_never_right_is_refused_in_a_sentence(name, folder, monkeypatch):
    monkeypatch.chdir(folder)
    wrong = []
    for arguments, case in calls(name, TREE[name], SERVER):
        if case.refused:
            ended = call(arguments, case, str(folder))
            said = ended["err"].partition("Error: ")[2]
            if ended["code"] != 2 or not said.strip().endswith((".", "'all'.")) or "Traceback" in ended["err"]:
                wrong.append((arguments, ended))
    assert not wrong
