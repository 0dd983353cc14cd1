"""The lexicons that traps are made from: large enough, well formed, giving nothing away, and naming nobody real."""

import re
import string
import unicodedata
from functools import cache
from typing import Any

import pytest

from voirdire.data.packaged_files import names, read_text, read_yaml

LEAST = {
    "trap_names": {"first_names": 60, "last_names": 80, "titles": 2, "places": 30},
    "trap_parts": {
        "paper_patterns": 12,
        "event_patterns": 10,
        "towns": 30,
        "law_patterns": 10,
        "law_nouns": 20,
    },
}
LISTS = [(file, key) for file, keys in LEAST.items() for key in keys]
PLACES = {
    "paper_patterns": {"topic"},
    "event_patterns": {"topic", "year", "town", "surname"},
    "law_patterns": {"surname", "noun", "town"},
}
GIVEAWAYS_OF_THE_DESIGN = (
    "fictional",
    "fictitious",
    "imaginary",
    "imagined",
    "hypothetical",
    "suppose",
    "supposed",
    "invented",
    "made-up",
    "fabricated",
    "pretend",
    "alleged",
    "so-called",
    "nonexistent",
)


@cache
def lexicon(name: str) -> dict[str, list[str]]:
    loaded: dict[str, list[str]] = read_yaml(f"lexicons/{name}.yaml")
    return loaded


@cache
def concepts() -> dict[str, dict[str, Any]]:
    return {name: read_yaml(f"concepts/{name}.yaml") for name in names("concepts", ".yaml")}


@cache
def lines(name: str) -> list[str]:
    read = [line.strip() for line in read_text(f"lexicons/{name}.txt").splitlines()]
    return [line for line in read if line and not line.startswith("#")]


def giveaway_in(text: str) -> str | None:
    stems = "|".join(re.escape(stem) for stem in lines("giveaways"))
    found = re.search(rf"\b(?:{stems})\w*", text, re.IGNORECASE)
    return found.group(0) if found else None


def fields(pattern: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(pattern) if field is not None}


def plain(name: str) -> str:
    """A name without case and accents, so that "Péter" and "Peter" count as the same."""
    decomposed = unicodedata.normalize("NFKD", name.casefold().replace("ł", "l").replace("ø", "o"))
    return "".join(letter for letter in decomposed if letter.isalnum())


@pytest.mark.parametrize("file", LEAST)
def test_each_lexicon_has_exactly_the_expected_lists(file: str) -> None:
    assert set(lexicon(file)) == set(LEAST[file])


@pytest.mark.parametrize(("file", "key"), LISTS)
def test_each_list_is_long_enough_and_holds_distinct_texts(file: str, key: str) -> None:
    entries = lexicon(file)[key]
    assert len(entries) >= LEAST[file][key]
    assert all(isinstance(entry, str) and entry == entry.strip() and entry for entry in entries)
    assert len({plain(entry) for entry in entries}) == len(entries)


@pytest.mark.parametrize(("file", "key"), LISTS)
def test_no_entry_gives_the_trap_away(file: str, key: str) -> None:
    assert [entry for entry in lexicon(file)[key] if giveaway_in(entry)] == []


def test_no_topic_of_a_concept_gives_the_trap_away() -> None:
    assert [topic for concept in concepts().values() for topic in concept["topics"] if giveaway_in(topic)] == []


@pytest.mark.parametrize("key", PLACES)
def test_patterns_have_only_the_places_that_can_be_filled(key: str) -> None:
    for pattern in lexicon("trap_parts")[key]:
        assert fields(pattern) <= PLACES[key], pattern
        assert fields(pattern), pattern


def test_every_paper_and_event_is_about_a_topic() -> None:
    parts = lexicon("trap_parts")
    for key in ("paper_patterns", "event_patterns"):
        assert [pattern for pattern in parts[key] if "topic" not in fields(pattern)] == []


def test_every_event_has_a_year() -> None:
    assert [pattern for pattern in lexicon("trap_parts")["event_patterns"] if "year" not in fields(pattern)] == []


def test_every_law_bears_the_name_of_a_person_or_a_town() -> None:
    patterns = lexicon("trap_parts")["law_patterns"]
    assert [pattern for pattern in patterns if not fields(pattern) & {"surname", "town"}] == []


def test_names_are_single_words_so_that_the_last_word_of_an_expert_is_the_surname() -> None:
    entries = lexicon("trap_names")
    assert [name for name in entries["first_names"] + entries["last_names"] if len(name.split()) != 1] == []


def test_places_read_well_after_at() -> None:
    for place in lexicon("trap_names")["places"]:
        assert place.startswith("the ") or place[0].isupper(), place
        assert not place.startswith(("at ", "The ")), place


def test_there_are_three_hundred_famous_names_each_given_once() -> None:
    famous = lines("famous_names")
    assert len(famous) >= 300
    assert len({name.casefold() for name in famous}) == len(famous)
    assert [name for name in famous if " " in name] == []


def test_no_surname_is_that_of_a_famous_scholar() -> None:
    famous = {plain(name) for name in lines("famous_names")}
    assert [name for name in lexicon("trap_names")["last_names"] if plain(name) in famous] == []


@pytest.mark.parametrize("concept", concepts())
def test_no_surname_is_borne_by_a_real_scholar_of_a_concept(concept: str) -> None:
    surnames = {plain(name) for name in lexicon("trap_names")["last_names"]}
    words = {plain(word) for scholar in concepts()[concept]["scholars"] for word in scholar.split()}
    assert surnames & words == set()


@pytest.mark.parametrize("concept", concepts())
def test_no_surname_stands_in_a_reference_a_fact_or_an_instance(concept: str) -> None:
    surnames = {plain(name) for name in lexicon("trap_names")["last_names"]}
    words = {plain(word) for word in re.split(r"[\s’'-]+", read_text(f"concepts/{concept}.yaml"))}
    assert surnames & words == set()


@pytest.mark.parametrize("word", GIVEAWAYS_OF_THE_DESIGN)
def test_every_giveaway_of_the_design_is_found_in_any_case(word: str) -> None:
    assert giveaway_in(f"This {word} scholar wrote much.") is not None
    assert giveaway_in(f"{word.capitalize()} or not?") is not None


@pytest.mark.parametrize(
    "harmless",
    [
        "phoneme inventories",
        "a presupposed rule",
        "Leibniz's invention",
        "a body made up of parts",
        "the frictional force",
    ],
)
def test_ordinary_words_are_no_giveaways(harmless: str) -> None:
    assert giveaway_in(harmless) is None


def test_giveaways_are_sorted_and_none_is_covered_by_another() -> None:
    stems = lines("giveaways")
    assert stems == sorted(stems)
    assert [stem for stem in stems for other in stems if stem != other and stem.startswith(other)] == []
