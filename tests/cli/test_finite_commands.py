"""Every command of the tree is looked at: none prints NaN, infinity, or an estimate outside its own interval.

Those that tests/recorded runs are looked at there. Data of odd shapes are in the other tests of this name.
"""

import pytest

from tests.recorded.commands import AS_JSON, AS_TEXT
from tests.support.finite import check_command
from tests.support.labelling_server import start_labelling_server
from tests.support.shared import made_once
from tests.support.walk.bases import copy, prepare
from tests.support.walk.walker import base_call, commands

TREE = dict(commands())
_RECORDED_LINES = [" ".join(line) for line in (*AS_TEXT.values(), *AS_JSON.values())]
RECORDED = {name for name in TREE if any(f"{line} ".startswith(f"{name} ") for line in _RECORDED_LINES)}
NOT_CALLED = {
    "concepts draft": "prints the name of the file that it wrote",
    "detectors train cognidet": "needs torch; its dry run counts as that of encoder does",
    "jury worth": "looked at beside its data, in test_jury_worth.py",
    "models pull": "fetches weights",
    "rate import": "prints how many ratings it took",
    "rate links": "prints addresses",
    "rate serve": "serves until it is stopped",
    "view": "serves until it is stopped",
}
MORE = {"concepts check": ("--pilot-models", "simulated/steady")}
"""Options that bring figures."""
CALLED = sorted(TREE.keys() - RECORDED - NOT_CALLED.keys())
FORMS = [(name, ()) for name in CALLED] + [
    (name, ("--json",)) for name in CALLED if any("--json" in each.opts for each in TREE[name].params)
]


@pytest.fixture(scope="module")
def server():
    with start_labelling_server() as address:
        yield address


@pytest.fixture(scope="module")
def master(tmp_path_factory, server):
    folder, _ = made_once(tmp_path_factory, "commands", lambda made: prepare(made, server))
    return folder


def test_what_is_not_called_is_a_command_that_nothing_else_calls():
    assert NOT_CALLED.keys() <= TREE.keys() - RECORDED


@pytest.mark.parametrize(("name", "form"), FORMS, ids=[" ".join((name, *form)) for name, form in FORMS])
def test_no_command_prints_what_is_not_a_number(name, form, master, server, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    copy(master, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    assert check_command(*base_call(name, server), *MORE.get(name, ()), *form)
