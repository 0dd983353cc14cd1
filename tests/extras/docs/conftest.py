"""The server and the store that the pages' commands share."""

import os
from functools import cache
from unittest.mock import patch

import pytest

from tests.extras.docs._running import hosted_models_at
from tests.extras.docs._server import start_providers
from voirdire.papers.ddft import replication


@pytest.fixture(scope="session")
def providers():
    """The root of a server that answers as hosted models do."""
    published = cache(replication.replicate)  # several pages recompute the same study
    with start_providers() as root, hosted_models_at(root), patch.object(replication, "replicate", published):
        yield root


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """A folder for what several pages need, made once for all processes of the tests."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder = shared / "documented"
    folder.mkdir(exist_ok=True)
    return folder
