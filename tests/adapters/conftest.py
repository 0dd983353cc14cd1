import pytest

from tests.adapters.examples import GULLIBLE, STEADY, audited, examined, labelled


@pytest.fixture(scope="session")
def study(tmp_path_factory):
    """A cross-examination of two models: to look at."""
    return examined(tmp_path_factory.mktemp("study") / "run", STEADY, GULLIBLE)


@pytest.fixture(scope="session")
def labels(tmp_path_factory):
    """A labelling run of six answers about three contexts; three of twelve statements are hallucinated: to look at."""
    path = tmp_path_factory.mktemp("labels") / "run"
    clean = ("faithful", "reliable")
    return labelled(path, ("invented", "speculative"), clean, clean, ("faithful", "misleading"), clean, clean)


@pytest.fixture(scope="session")
def audits(tmp_path_factory):
    """Four responses audited by rules: to look at."""
    return audited(tmp_path_factory.mktemp("audits") / "run")
