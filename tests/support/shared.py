"""What takes long to make, made once for all processes of the tests."""

import fcntl
import json
import os


def made_once(factory, name, make):
    """The folder that `make(folder)` filled, and what it returned, as JSON; `factory` is pytest's of folders."""
    own = factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / f"shared-{name}"
    folder.mkdir(exist_ok=True)
    returned = folder / "returned.json"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not returned.exists():
            returned.write_text(json.dumps(make(folder)))
    return folder, json.loads(returned.read_text())
