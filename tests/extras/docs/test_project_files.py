"""What the repository says of itself agrees with what is packaged."""

import re
import tomllib

import yaml

from tests.extras.docs._collect import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_citation_has_what_the_format_asks_for_and_the_packages_version_and_licence():
    assert {"cff-version", "message", "title", "authors"} <= CITATION.keys()
    assert CITATION["cff-version"] == "1.2.0"
    assert (str(CITATION["version"]), CITATION["license"]) == (PROJECT["version"], PROJECT["license"])
    assert CITATION["authors"] == [{"name": "voirdire contributors"}]


def test_references_name_their_authors_and_where_they_are():
    for work in CITATION["references"]:
        assert {"type", "title", "authors", "year", "url"} <= work.keys()
        assert all({"family-names", "given-names"} <= author.keys() for author in work["authors"])


def test_the_changelog_has_the_packages_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(PROJECT['version'])}\b", changelog, re.MULTILINE)
