"""Files that come with the package."""

import pytest
import yaml

from voirdire.data import packaged_files

FILE = "packs/packs.yaml"


def test_a_yaml_file_holds_the_same_with_the_fast_parser_and_without(monkeypatch):
    held = packaged_files.read_yaml(FILE)
    assert held == yaml.safe_load(packaged_files.read_text(FILE))
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert packaged_files.read_yaml(FILE) == held


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")
def test_the_pure_python_parser_is_not_used_where_there_is_a_fast_one(monkeypatch):
    monkeypatch.setattr(yaml, "SafeLoader", None)
    assert packaged_files.read_yaml(FILE)


def test_a_yaml_file_that_does_not_exist_is_said():
    with pytest.raises(packaged_files.PackagedDataError, match=r"holds no data file 'packs/none\.yaml'"):
        packaged_files.read_yaml("packs/none.yaml")
