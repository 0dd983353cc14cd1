import pytest

from voirdire.data import packaged_files
from voirdire.integrity import IntegrityError, Violation, load_taxonomy, score
from voirdire.integrity.taxonomy import parse_taxonomy

OWN = """
version: "2"
penalties: {minor: 1, moderate: 2, severe: 50, critical: 0}
types:
  sloppy: {severity: minor, says: Careless wording., aliases: [careless]}
  wrong: {severity: severe, says: False.}
bands:
  - {name: Pass, from: 60, target_pct: [50, 100], counts: {minor: [0, 5]}}
  - {name: Fail, from: 0, target_pct: [0, 50]}
"""


def test_the_guides_ten_types_are_there():
    named = [kind for kind in load_taxonomy().types.values() if "no named type" not in kind.guide]

    assert len(named) == 10


def test_every_type_says_what_it_is_and_where_the_guide_has_it():
    assert all(kind.says.endswith(".") and kind.guide for kind in load_taxonomy().types.values())


def test_a_teams_own_taxonomy_scores_and_has_its_own_hash(tmp_path):
    (tmp_path / "own.yaml").write_text(OWN)
    own = load_taxonomy(tmp_path / "own.yaml")

    found = score([Violation("Careless", 0, "x"), Violation("wrong", 1, "y")], taxonomy=own)

    assert (found.score, found.band.name, found.band.range) == (49, "Fail", "0-59")
    assert own.sha256 != load_taxonomy().sha256


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("severe: 50, ", ""), "lacks 'severe'"),
        (("severity: minor", "severity: awful"), "must be one of minor, moderate, severe, critical"),
        (("aliases: [careless]", "aliases: [wrong]"), "'wrong' would name two types"),
        (("from: 0", "from: 10"), "lowest band must begin at 0"),
        (("penalties:", "penalties: ["), "is no taxonomy"),
        (("minor: 1", "minor: -1"), "whole number of points"),
    ],
)
def test_a_file_that_is_no_taxonomy_is_refused_in_a_sentence(change, says):
    with pytest.raises(IntegrityError, match=says):
        parse_taxonomy(OWN.replace(*change), "own.yaml")


def test_a_taxonomy_with_fewer_rungs_charges_the_gravest_that_is_reached():
    rungs = "  left_out: {severity: minor, rung: 1, family: omission, says: Left out.}\n"
    own = parse_taxonomy(OWN.replace("bands:", rungs + "bands:"), "own.yaml")

    assert score([Violation("left_out", fact="F1"), Violation("left_out", fact="F2")], taxonomy=own).total == 1


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(IntegrityError, match=r"none\.yaml can't be read"):
        load_taxonomy(tmp_path / "none.yaml")


def test_the_packaged_file_is_read_as_it_stands():
    assert parse_taxonomy(packaged_files.read_text("integrity/taxonomy.yaml"), "x") == load_taxonomy()
