"""The release as a run, made once for all processes of the tests."""

import fcntl
import json
import os

import pytest

from tests.cli.here import voirdire_json
from tests.published.records import TURNS


@pytest.fixture(scope="session")
def imported(tmp_path_factory):
    """The run, and what the import said."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (shared / "released.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = shared / "released.json"
        if not said.exists():
            said.write_text(json.dumps(voirdire_json("ddft", "import", TURNS, "-o", shared / "released")))
    return shared / "released", json.loads(said.read_text())
