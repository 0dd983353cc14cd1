"""Established facts: reading, splitting, expanding."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.integrity import EstablishedFact, IntegrityError
from voirdire.integrity.facts import expand, parse_facts, read_facts, split_compound


def parts(text: str) -> list[str]:
    return [part.text for part in split_compound(EstablishedFact("F1", text))]


def test_plain_lines_lose_bullets_numbers_and_the_remark() -> None:
    facts = parse_facts("1. Rents rose 23% (quantitative)\n\n- The law dates from 1996\n• Fares cover 61% of costs")
    assert [(fact.id, fact.text) for fact in facts] == [
        ("F1", "Rents rose 23%"),
        ("F2", "The law dates from 1996"),
        ("F3", "Fares cover 61% of costs"),
    ]


def test_a_line_that_begins_with_a_figure_keeps_it() -> None:
    assert parse_facts("95% of pupils passed")[0].text == "95% of pupils passed"
    assert parse_facts("12 students were ill")[0].text == "12 students were ill"


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "A", "text": "Rents rose 23%", "central": true, "side": "for"}, "Fares rose"]',
        '{"id": "A", "text": "Rents rose 23%", "central": true, "side": "for"}\n"Fares rose"',
        "- id: A\n  text: Rents rose 23%\n  central: true\n  side: for\n- text: Fares rose",
        "facts:\n- {id: A, text: Rents rose 23%, central: true, side: for}\n- Fares rose",
    ],
)
def test_json_jsonl_and_yaml_give_the_same_facts(text: str) -> None:
    assert parse_facts(text) == [
        EstablishedFact("A", "Rents rose 23%", central=True, side="for"),
        EstablishedFact("F2", "Fares rose"),
    ]


@pytest.mark.parametrize(("name", "text"), [("f.yaml", "- Rents rose 23%"), ("f.txt", "Rents rose 23%")])
def test_a_file_is_read_by_its_suffix(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert [fact.text for fact in read_facts(path)] == ["Rents rose 23%"]


@pytest.mark.parametrize(
    ("given_facts", "says"),
    [
        ("", "No established fact"),
        ([{"id": "A"}], "has no text"),
        ([{"text": "x", "weight": 2}], "unknown field 'weight'"),
        ([{"text": "x", "central": "yes"}], "`central` of the fact F1 must be true or false"),
        ([{"text": "x", "side": "both"}], "must be 'for' or 'against'"),
        ([{"id": "A", "text": "x"}, {"id": "A", "text": "y"}], "Two facts have the id 'A'"),
        ([{"text": "x", "parent": "Z"}], "names the parent 'Z'"),
        ([3], "must be a text or a mapping"),
        ([{"text": "x", "children": "y"}], "must be a list"),
        ("{broken", "begin like JSON"),
        ("- text: [", "are no YAML"),
    ],
)
def test_what_is_no_fact_is_refused_in_one_sentence(given_facts: object, says: str) -> None:
    with pytest.raises(IntegrityError, match=r"^[^\n]+\.$") as caught:
        parse_facts(given_facts)  # type: ignore[arg-type]
    assert says in str(caught.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(IntegrityError, match=r"no_such\.txt can't be read"):
        read_facts(Path("no_such.txt"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("95% efficacy, 85-90% real-world effectiveness", ["95% efficacy", "85-90% real-world effectiveness"]),
        (
            "Elderly poverty: 9% with Social Security, 40% without",
            ["Elderly poverty: 9% with Social Security", "Elderly poverty: 40% without"],
        ),
        (
            "Nurse: 15-year excellent employment record, documented 2019 religious beliefs",
            ["Nurse: 15-year excellent employment record", "Nurse: documented 2019 religious beliefs"],
        ),
        (
            "Crime fell by 12% in the north and 7% in the south",
            ["Crime fell by 12% in the north", "7% in the south"],
        ),
        (
            "The mine employs 870 people; the permit runs until 2031",
            ["The mine employs 870 people", "the permit runs until 2031"],
        ),
        (
            "In Spain 40 million voted, in France 30 million voted",
            ["In Spain 40 million voted", "in France 30 million voted"],
        ),
        (
            "In a trial with 640 patients, 12% reported headaches and 3% reported nausea",
            ["In a trial with 640 patients, 12% reported headaches", "3% reported nausea"],
        ),
    ],
)
def test_compound_facts_are_cut_between_figures(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The treaty was signed on August 23, 2021, after long talks",
        "Trial showed 95% efficacy (95% CI: 90.3-97.6%) against symptomatic illness",
        "The trial enrolled 43,548 participants",
        "p<0.001, effect size d=0.8",
        "Between 10 and 20 students were ill",
        "The model is right in 65% of cases, compared to 58% for officers",
        "The city approved the plan, following a Phase 3 review",
        "The strike, led by Anna Berg, Jr., lasted 46 days",
        "In a trial with 640 patients, 12% reported headaches.",
        "Of 1,200 tenants, 300 moved out",
        "At 25 degrees, 8 grams dissolve in a litre",
        "The offer of 'work, 40 hours, no overtime' stands",
    ],
)
def test_dates_names_ranges_statistics_and_comparisons_stay_whole(text: str) -> None:
    assert parts(text) == [text]


def test_parts_inherit_all_but_their_id_and_name_their_parent() -> None:
    fact = EstablishedFact("F3", "Rents rose 23%, wages 8%", central=True, relevant=True, side="against")
    assert split_compound(fact) == [
        EstablishedFact("F3.1", "Rents rose 23%", "F3", central=True, side="against"),
        EstablishedFact("F3.2", "wages 8%", "F3", central=True, side="against"),
    ]


def test_an_uncompounded_fact_stays_itself() -> None:
    fact = EstablishedFact("F1", "The officers had no warrant")
    assert split_compound(fact) == [fact]


def test_expansion_gives_the_parent_and_its_parts() -> None:
    assert [fact.id for fact in expand(parse_facts("Rents rose 23%, wages 8%\nFares fell"))] == [
        "F1",
        "F1.1",
        "F1.2",
        "F2",
    ]


def test_the_users_file_decides() -> None:
    whole = parse_facts([{"text": "Rents rose 23%, wages 8%", "split": False}])
    assert expand(whole) == whole
    own = parse_facts([{"text": "Rents rose 23%, wages 8%", "children": ["rents and wages rose"]}])
    assert [(fact.id, fact.parent) for fact in expand(own)] == [("F1", None), ("F1.1", "F1")]


def test_expanding_twice_changes_nothing() -> None:
    once = expand(parse_facts("Rents rose 23%, wages 8%"))
    assert expand(once) == once


@given(st.text(min_size=1, max_size=200).filter(lambda text: bool(text.strip())))
def test_parts_of_any_text_are_stretches_of_it(text: str) -> None:
    pieces = parts(text)
    assert pieces == [text] or all(piece in text or piece.partition(": ")[2] in text for piece in pieces)


@given(st.lists(st.text(alphabet=st.characters(codec="utf-8"), min_size=1).filter(str.strip), min_size=1, max_size=5))
def test_what_is_written_as_json_is_read_back(texts: list[str]) -> None:
    facts = parse_facts(json.dumps(texts))
    assert [fact.id for fact in facts] == [f"F{place}" for place in range(1, len(facts) + 1)]


@pytest.mark.parametrize("name", ["facts.csv", "facts.TSV"])
def test_a_table_is_refused_and_not_taken_for_plain_text(tmp_path, name):
    path = tmp_path / name
    path.write_text("text;central\nRents rose by 23%.;true\n", encoding="utf-8")
    with pytest.raises(IntegrityError, match="is a table"):
        read_facts(path)
