import shutil

import pytest

from tests.adapters.examples import RESPONSES, STEADY, audited, examined, labelled


@pytest.fixture(scope="session")
def held(tmp_path_factory):
    """A cross-examination about one concept at two levels: to copy from."""
    return examined(tmp_path_factory.mktemp("held") / "run", STEADY, concepts="recursion", levels="0,1")


@pytest.fixture
def run(held, tmp_path):
    """The same, to be tampered with."""
    return shutil.copytree(held, tmp_path / "run")


@pytest.fixture(scope="session")
def audited_once(tmp_path_factory):
    """Two responses audited by rules: to copy from."""
    return audited(tmp_path_factory.mktemp("audited") / "run", {"good": RESPONSES["good"], "bad": RESPONSES["bad"]})


@pytest.fixture
def audits(audited_once, tmp_path):
    """The same, to be tampered with."""
    return shutil.copytree(audited_once, tmp_path / "audits")


@pytest.fixture
def labels(tmp_path):
    """A labelling run of two answers, with its table."""
    from voirdire.instruments import instrument_of
    from voirdire.runs import RunFolder

    path = labelled(tmp_path / "labels", ("invented", "faithful"), ("faithful", None))
    with RunFolder.open(path) as folder:
        frames = instrument_of("cognibench").tables.build(folder)
        folder.write_table("statements", frames["statements"])
    return path
