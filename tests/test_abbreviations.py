"""Every abbreviation of the documentation has an entry in the glossary; of first screens see tests/recorded."""

from pathlib import Path

from tests.support.abbreviations import DOCS, abbreviations, explained, prose

README = Path(__file__).parents[1] / "README.md"


def test_the_glossary_explains_every_abbreviation_of_the_documentation():
    known = explained()
    lacking = {
        page.name: unknown
        for page in (README, *DOCS.rglob("*.md"))
        if (unknown := abbreviations(prose(page.read_text(encoding="utf-8"))) - known)
    }
    assert lacking == {}
    assert {"K", "E", "S", "D", "ER", "FAR", "SAS", "d_z", "hoc_monotone", "AUROC", "ICC", "PPI++"} <= known


def test_an_abbreviation_is_known_from_a_name_a_command_and_a_common_one():
    page = "ABCD and x_y count; `EFGH`, JSON, [HELM](IJKL.md) and OPQR_STUV.csv do not.\n\n    WXYZ\n"
    assert abbreviations(prose(page)) == {"ABCD", "x_y"}
