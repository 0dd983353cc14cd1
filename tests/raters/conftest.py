"""The tiny task is known in these tests."""

import pytest

from voirdire.raters.tasks import MODULES


@pytest.fixture(scope="package", autouse=True)
def tiny_task():
    MODULES["tiny"] = "tests.raters._tiny"
    yield
    del MODULES["tiny"]
