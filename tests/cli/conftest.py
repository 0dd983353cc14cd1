"""What several files of tests look at, made once."""

import fcntl
import json
import os

import pytest

from tests.cli.here import voirdire_json
from tests.support.study import write_study


@pytest.fixture(scope="session")
def imported(tmp_path_factory):
    """A run of the published study with words of our own, made once for all processes, and what the import said."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (shared / "imported.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = shared / "imported.json"
        if not said.exists():
            turns = write_study(shared / "turns.jsonl")
            said.write_text(json.dumps(voirdire_json("ddft", "import", turns, "-o", shared / "imported")))
    return shared / "imported", json.loads(said.read_text())
