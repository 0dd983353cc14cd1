"""Every packaged concept file follows the rules that `data/concepts/README.md` states."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import voirdire.data

FOLDER = Path(voirdire.data.__file__).parent / "concepts"
FILES = sorted(FOLDER.glob("*.yaml"))
KEYS = {"id", "name", "domain", "aliases", "reference", "facts", "instances", "scholars", "topics", "real"}
INSTANCE_KEYS = {"name", "person", "date", "place", "work"}
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

Concept = dict[str, Any]


@pytest.fixture(params=FILES, ids=[file.stem for file in FILES])
def concept(request: pytest.FixtureRequest) -> Concept:
    file: Path = request.param
    loaded: Concept = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert loaded["id"] == file.stem
    return loaded


def words(text: str) -> list[str]:
    return text.split()


def is_text(value: object) -> bool:
    return isinstance(value, str) and value == value.strip() != ""


def one_line(text: str) -> str:
    return " ".join(text.split())


def telling_details(text: str) -> set[str]:
    """Numbers, and capitalised words other than the first: what makes a statement checkable."""
    numbers = set(re.findall(r"\d+", text))
    names = {word.strip('.,;:"()').removesuffix("'s") for word in words(text)[1:] if word.strip('"(')[:1].isupper()}
    return numbers | names


def test_the_eight_concepts_of_the_paper_are_there() -> None:
    assert {file.stem for file in FILES} >= DDFT_CONCEPTS


def test_a_concept_has_exactly_the_keys_of_the_schema(concept: Concept) -> None:
    assert set(concept) == KEYS
    assert all(is_text(concept[key]) for key in ("id", "name", "domain"))
    assert all(is_text(alias) for alias in concept["aliases"])


def test_names_and_aliases_point_to_one_concept_only() -> None:
    loaded = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in FILES]
    names = [name.casefold() for one in loaded for name in {one["id"], one["name"].casefold(), *one["aliases"]}]
    assert sorted(set(names)) == sorted(names)


def test_the_reference_has_300_to_450_words_in_several_paragraphs(concept: Concept) -> None:
    reference = concept["reference"]
    assert 300 <= len(words(reference)) <= 450
    assert len(reference.strip().split("\n\n")) >= 2


def test_there_are_enough_facts_with_unique_ids_and_sources(concept: Concept) -> None:
    facts = concept["facts"]
    assert len(facts) >= 12
    assert len({fact["id"] for fact in facts}) == len(facts)
    assert len({fact["text"] for fact in facts}) == len(facts)
    for fact in facts:
        assert set(fact) == {"id", "text", "source", "wrong"}, fact["id"]
        assert all(is_text(value) for value in fact.values()), fact["id"]


def test_a_fact_and_its_wrong_version_are_short_sentences_that_differ(concept: Concept) -> None:
    true_texts = {fact["text"] for fact in concept["facts"]}
    for fact in concept["facts"]:
        for sentence in (fact["text"], fact["wrong"]):
            assert len(words(sentence)) <= 25, fact["id"]
            assert sentence.endswith((".", '."')), fact["id"]
        assert fact["wrong"] not in true_texts, fact["id"]
        assert fact["wrong"] not in one_line(concept["reference"]), fact["id"]


def test_the_reference_carries_the_details_of_at_least_ten_facts(concept: Concept) -> None:
    reference = one_line(concept["reference"])
    carried = [
        fact["id"] for fact in concept["facts"] if all(detail in reference for detail in telling_details(fact["text"]))
    ]
    assert len(carried) >= 10, carried


def test_there_are_at_least_two_instances_with_three_fields(concept: Concept) -> None:
    assert len(concept["instances"]) >= 2
    for instance in concept["instances"]:
        assert "name" in instance
        assert set(instance) <= INSTANCE_KEYS
        assert len(instance) >= 3, instance["name"]
        assert all(is_text(value) for value in instance.values()), instance["name"]


def test_the_year_and_the_person_of_every_instance_stand_in_the_reference(concept: Concept) -> None:
    for instance in concept["instances"]:
        for year in re.findall(r"\d{4}", instance.get("date", "")):
            assert year in concept["reference"], instance["name"]
        if "person" in instance:
            surname = words(instance["person"])[-1]
            assert surname in concept["reference"], instance["name"]


def test_scholars_are_many_and_none_is_listed_twice(concept: Concept) -> None:
    scholars = concept["scholars"]
    assert len(scholars) >= 25
    assert len({name.casefold() for name in scholars}) == len(scholars)
    assert all(is_text(name) and len(words(name)) >= 2 for name in scholars)


def test_topics_are_short_phrases(concept: Concept) -> None:
    topics = concept["topics"]
    assert len(set(topics)) == len(topics) >= 10
    for topic in topics:
        assert is_text(topic)
        assert 2 <= len(words(topic)) <= 7, topic
        assert not topic.endswith("."), topic


def test_real_items_are_listed_for_each_kind_of_trap(concept: Concept) -> None:
    assert set(concept["real"]) == {"paper", "event", "law"}
    for items in concept["real"].values():
        assert len(set(items)) == len(items) >= 6
        assert all(is_text(item) for item in items)
