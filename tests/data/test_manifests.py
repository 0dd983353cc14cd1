import json
from pathlib import Path

import pytest

from voirdire.data.manifests import ManifestError, check_unchanged, hashes, manifest_of, write_manifest


def written(folder, *names, **options):
    folder.mkdir(exist_ok=True, parents=True)
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(name)
    return write_manifest(folder, {"target": "test"}, **options)


def test_a_manifest_says_by_what_it_was_made_and_the_hash_of_every_file(tmp_path):
    place, said = written(tmp_path, "a.jsonl", "data/b.parquet")
    assert place == tmp_path / "manifest.json" and json.loads(place.read_text()) == said
    assert said["made_by"].startswith("voirdire ") and said["written"] == hashes(tmp_path)
    assert list(said["written"]) == ["a.jsonl", "data/b.parquet"]


def test_a_lone_file_has_its_manifest_beside_it(tmp_path):
    (tmp_path / "a.jsonl").write_text("a")
    place, _ = write_manifest(tmp_path / "a.jsonl", {})
    assert place.name == "a.jsonl.manifest.json" and manifest_of(tmp_path / "a.jsonl").place == place
    (tmp_path / "a.jsonl").write_text("b")
    with pytest.raises(ManifestError, match=r"a\.jsonl is not as it was exported: its SHA-256 differs .* remove that"):
        check_unchanged(tmp_path / "a.jsonl")


@pytest.mark.parametrize("read", ["data/b/c.parquet", "data/b", "data", "."])
def test_a_changed_file_is_refused_however_it_is_reached(tmp_path, read):
    written(tmp_path / "out", "data/b/c.parquet", "a.jsonl")
    check_unchanged(tmp_path / "out" / read)
    (tmp_path / "out" / "data" / "b" / "c.parquet").write_text("other")
    with pytest.raises(ManifestError, match=r"c\.parquet is not as it was exported"):
        check_unchanged(tmp_path / "out" / read)
    check_unchanged(tmp_path / "out" / "a.jsonl")


def test_what_no_manifest_names_is_read_as_it_is(tmp_path):
    written(tmp_path, "a.jsonl")
    (tmp_path / "mine.jsonl").write_text("x")
    check_unchanged(tmp_path / "mine.jsonl")
    check_unchanged(tmp_path / "nowhere")
    (tmp_path / "a.jsonl").unlink()
    check_unchanged(tmp_path)


def test_forms_may_come_back_filled_in(tmp_path):
    written(tmp_path, "tasks.json", "config.xml", forms=["tasks.json"])
    (tmp_path / "tasks.json").write_text("filled in")
    check_unchanged(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        "[]",
        '{"name": "an extension"}',
        '{"made_by": "somebody", "written": {"a.jsonl": "0"}}',
        '{"made_by": "voirdire 1", "written": {"a.jsonl": "0"}}',
        '{"made_by": "voirdire 1", "written": {"../a.jsonl": "' + "0" * 64 + '"}}',
        '{"made_by": "voirdire 1", "written": {"/a.jsonl": "' + "0" * 64 + '"}}',
        '{"made_by": "voirdire 1", "written": {}, "forms": [[]]}',
        '{"made_by": "voirdire 1", "written": []}',
    ],
)
def test_what_is_called_a_manifest_and_is_none_of_ours_says_nothing(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    (tmp_path / "a.jsonl").write_text("a")
    assert manifest_of(tmp_path) is None
    check_unchanged(tmp_path / "a.jsonl")


def test_the_root_of_the_file_system_has_no_manifest_and_is_no_fault():
    assert manifest_of(Path("/")) is None
