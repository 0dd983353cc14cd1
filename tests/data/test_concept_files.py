"""Every packaged concept file follows the rules that `data/concepts/README.md` states."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import voirdire.data
from voirdire.ddft.concepts import packs
from voirdire.ddft.concepts.checking import Checked, check_files

FOLDER = Path(voirdire.data.__file__).parent
FILES = sorted([*(FOLDER / "concepts").glob("*.yaml"), *(FOLDER / "packs").glob("*/*.yaml")])
DDFT_CONCEPTS = {
    "derivative",
    "harm-principle",
    "impressionism",
    "modus-ponens",
    "natural-selection",
    "newtons-second-law",
    "phoneme",
    "recursion",
}


@cache
def checked() -> dict[str, Checked]:
    return {Path(file.where).stem: file for file in check_files(FILES).checked}


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_packaged_concept_breaks_no_rule(file: Path) -> None:
    assert checked()[file.stem].errors == []


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_no_fact_of_a_packaged_concept_is_said_to_contradict_its_reference(file: Path) -> None:
    assert [each.message for each in checked()[file.stem].findings if each.rule == "fact-contradicted"] == []


def test_the_core_pack_holds_the_eight_concepts_of_the_paper() -> None:
    assert set(packs()[0].ids) == DDFT_CONCEPTS


@pytest.mark.parametrize("pack", packs(), ids=[pack.name for pack in packs()])
def test_every_pack_has_at_least_four_concepts_and_is_described(pack) -> None:
    assert len(pack.ids) >= 4
    assert pack.title and pack.description.endswith(".")


def test_no_folder_of_concepts_is_left_out_of_the_list_of_packs() -> None:
    folders = {folder.name for folder in (FOLDER / "packs").iterdir() if folder.is_dir()}
    assert folders <= {pack.name for pack in packs()}


@pytest.mark.parametrize(
    ("pack", "kind"), [("current", "current"), ("contested", "contested"), ("know-how", "practical")]
)
def test_the_packs_of_a_kind_are_of_that_kind(pack: str, kind: str) -> None:
    (wanted,) = (each for each in packs() if each.name == pack)
    assert {checked()[each].concept.kind for each in wanted.ids} <= {kind}
