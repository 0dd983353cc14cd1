"""The folder that the recorded commands read, made once."""

import pytest

from tests.recorded.world import build


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    build(folder)
    return folder
