"""The folder of shards of somebody else: its manifest says where workers read and write."""

import json

import pytest

from voirdire.adapters.ray.runs import MANIFEST, lock_folder, open_manifest
from voirdire.adapters.ray.workers import ScaleError

ASKED = {"command": "detect"}
SOURCE = {"bytes": 1, "modified_ns": 1, "sha256": "x"}


def settled(folder, manifest):
    (folder / MANIFEST).write_text(manifest if isinstance(manifest, str) else json.dumps(manifest))
    return open_manifest(folder, ASKED, dict)


@pytest.mark.parametrize(
    "manifest",
    [
        "[" * 100_000,
        "{}",
        {"asked": ["detect"]},
        {"asked": ASKED},
        {"asked": ASKED, "rows": ["x"]},
        {"asked": ASKED, "rows": [-1]},
        {"asked": ASKED, "parts": [[0, 1]], "source": SOURCE},
        {"asked": ASKED, "parts": [[0, 1, "x"]], "source": SOURCE},
        {"asked": ASKED, "parts": [[0, 1, 1]]},
        {"asked": ASKED, "parts": [[0, 1, 1]], "source": SOURCE | {"bytes": None}},
    ],
)
def test_a_manifest_that_is_not_whole_is_refused(tmp_path, manifest):
    with pytest.raises(ScaleError, match="is damaged"):
        settled(tmp_path, manifest)


def test_a_whole_one_is_gone_on_with(tmp_path):
    manifest = {"asked": ASKED, "parts": [[0, 1, 1]], "source": SOURCE}
    assert settled(tmp_path, manifest) == manifest


def test_a_link_in_the_folder_is_refused(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "out" / MANIFEST).symlink_to(tmp_path / "victim")
    with pytest.raises(ScaleError, match="a link to somewhere else"), lock_folder(tmp_path / "out"):
        pass
    assert (tmp_path / "victim").read_text() == "precious"
