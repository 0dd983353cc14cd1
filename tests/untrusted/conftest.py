import shutil

import pytest

from tests.ddft.report.examples import held


@pytest.fixture(scope="session")
def whole_run(tmp_path_factory):
    """A run of one dialogue."""
    path = tmp_path_factory.mktemp("untrusted") / "run"
    return held(path, ("simulated/steady",), ("recursion",), jury=("reference",), levels=(0.0,))


@pytest.fixture
def run(whole_run, tmp_path):
    """A copy of it, to be spoilt."""
    return shutil.copytree(whole_run, tmp_path / "run")
