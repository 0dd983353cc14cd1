"""What several files of tests look at, made once."""

import pytest

from tests.cli.here import voirdire_json
from tests.support.shared import made_once
from tests.support.study import write_study


@pytest.fixture(scope="session")
def imported(tmp_path_factory):
    """A run of the published study with words of our own, and what the import said."""

    def make(folder):
        return voirdire_json("ddft", "import", write_study(folder / "turns.jsonl"), "-o", folder / "imported")

    folder, said = made_once(tmp_path_factory, "import", make)
    return folder / "imported", said
