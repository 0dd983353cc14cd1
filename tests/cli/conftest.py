"""What several files of tests look at, made once."""

import fcntl
import json
import os

import pytest

from tests.cli.here import voirdire_json
from tests.cli.test_jury import TURNS


@pytest.fixture(scope="session")
def imported(tmp_path_factory):
    """A run of the published record, made once for all processes of the tests, and what the import said: to look at."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (shared / "imported.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = shared / "imported.json"
        if not said.exists():
            said.write_text(json.dumps(voirdire_json("ddft", "import", TURNS, "-o", shared / "imported")))
    return shared / "imported", json.loads(said.read_text())
