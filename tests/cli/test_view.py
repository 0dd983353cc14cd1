"""`voirdire view`, where it can't be served; tests/extras/view has it served."""

from unittest.mock import patch

import pytest

from tests.cli.here import voirdire
from tests.support.not_installed import not_installed


@pytest.mark.parametrize("package", ["uvicorn", "starlette"])
def test_viewing_without_the_extra_says_what_to_install(tmp_path, package):
    with not_installed(package, "voirdire.adapters.view", "voirdire.web"):
        done = voirdire("view", tmp_path, "--port", "0", check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert f"needs {package}" in done.stderr and "pip install" in done.stderr


def test_a_folder_that_is_not_there_ends_in_a_sentence(tmp_path):
    done = voirdire("view", tmp_path / "none", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("voirdire: There is no folder") and done.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_read_is_not_called_empty(tmp_path):
    with patch("os.access", return_value=False):  # as root, everything can be
        done = voirdire("view", tmp_path, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"voirdire: {tmp_path} can't be read: its owner can allow it, or name another folder.\n"
