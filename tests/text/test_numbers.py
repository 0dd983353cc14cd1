from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.text.numbers import Number, agree, comparable, find_numbers, with_sign


def _one(text: str) -> Number:
    (number,) = find_numbers(text)
    return number


@pytest.mark.parametrize(
    ("text", "kind", "low", "high"),
    [
        ("1,000 people", "number", 1000, 1000),
        ("3.5 million people", "number", 3_500_000, 3_500_000),
        ("41.7 %", "percent", 41.7, 41.7),
        ("41.7 per cent", "percent", 41.7, 41.7),
        ("five percent", "percent", 5, 5),
        ("in 1872", "year", 1872, 1872),
        ("the 1870s", "year", 1870, 1879),
        ("the 1800s", "year", 1800, 1899),
        ("the nineteenth century", "year", 1800, 1900),
        ("a 19th-century painter", "year", 1800, 1900),
        ("twenty-one letters", "number", 21, 21),
        ("two hundred and fifty letters", "number", 250, 250),
        ("three thousand", "number", 3000, 3000),
        ("Newton's second law", "ordinal", 2, 2),
        ("the 3rd edition", "ordinal", 3, 3),
        ("a rate of 9.8 metres", "number", 9.8, 9.8),
        ("1,5 Millionen Euro", "number", 1_500_000, 1_500_000),
        ("4 Mrd. Euro", "number", 4e9, 4e9),
        ("1.500,50 Euro", "number", 1500.5, 1500.5),
        ("1.500.000 Menschen", "number", 1_500_000, 1_500_000),
        ("12,5 %", "percent", 12.5, 12.5),
        ("3 × 10^8 m/s", "number", 3e8, 3e8),
        ("7B parameters", "number", 7e9, 7e9),
        ("43M people", "number", 43e6, 43e6),
        ("$2T in debt", "number", 2e12, 2e12),
        ("a 3T magnet", "number", 3, 3),
        ("5 m away", "number", 5, 5),
        ("6.6·10⁻³⁴ J", "number", 6.6e-34, 6.6e-34),
    ],
)
def test_a_number_is_read_with_its_value(text: str, kind: str, low: float, high: float) -> None:
    number = _one(text)
    assert (number.kind, number.low, number.high) == (kind, low, high)


@pytest.mark.parametrize(
    "text", ["13 November 1872", "November 13, 1872", "13th of November 1872", "Nov 13 1872", "1872-11-13"]
)
def test_dates_are_equal_however_they_are_written(text: str) -> None:
    number = _one(text)
    assert (number.kind, number.value, number.month, number.day) == ("date", 1872, 11, 13)


def test_a_comma_without_space_is_no_decimal_mark_in_a_list_or_a_name() -> None:
    assert [number.value for number in find_numbers("1,2,3 and 1,2-dichloroethane")] == [1, 2, 3, 1, 2]


def test_a_point_before_three_digits_may_part_thousands() -> None:
    assert agree(_one("1.200 Menschen"), _one("1,200 people"))
    assert agree(_one("1.200 kg"), _one("1.2 kg"))
    assert not agree(_one("1.200 Menschen"), _one("12.000 Menschen"))


def test_a_verb_behind_a_number_is_no_month() -> None:
    assert [number.text for number in find_numbers("Children under 12 may swim, and 8 march on. On 12 May 2020")] == [
        "12",
        "8",
        "12 May 2020",
    ]


@pytest.mark.parametrize("text", ["one of them", "per second", "may five-", "2024-13-40 is no date"])
def test_what_is_no_number_or_date_is_not_taken_for_one(text: str) -> None:
    assert all(number.kind != "date" for number in find_numbers(text))
    assert "one" not in [number.text for number in find_numbers(text)]


def test_spans_point_to_the_number() -> None:
    text = "About 1,000 of the 41.7 per cent came on 5 May 1874."
    assert [text[n.start : n.end] for n in find_numbers(text)] == [n.text for n in find_numbers(text)]
    assert [n.text for n in find_numbers(text)] == ["1,000", "41.7 per cent", "5 May 1874"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("1,000", "1000 metres", True),
        ("1872", "the 1870s", True),
        ("1872", "13 November 1872", True),
        ("13 November 1872", "14 November 1872", False),
        ("May 1874", "April 1874", False),
        ("1872", "1892", False),
        ("5 percent", "5 people", False),
        ("the second law", "2 laws", False),
        ("seventeen", "17", True),
        ("the eighteenth century", "the nineteenth century", False),
        ("1800", "the nineteenth century", True),
    ],
)
def test_numbers_agree_by_value(one: str, other: str, expected: bool) -> None:
    assert agree(_one(one), _one(other)) is expected
    assert agree(_one(other), _one(one)) is expected


def test_only_the_same_sort_of_number_can_contradict() -> None:
    assert comparable(_one("in 1872"), _one("May 1874"))
    assert not comparable(_one("in 1872"), _one("12 people"))


@given(st.integers(0, 999_999_999))
def test_an_integer_is_read_with_or_without_separators(value: int) -> None:
    assert _one(f"{value:,}").value == _one(str(value)).value == value


@given(st.text(max_size=200))
def test_any_text_can_be_searched(text: str) -> None:
    for number in find_numbers(text):
        assert text[number.start : number.end] == number.text
        assert number.low <= number.high


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("down to -20 °C", [-20]),
        ("−20 °C at night", [-20]),
        ("minus 20 °C", [-20]),
        ("20 °C below zero", [-20, 0]),
        ("from -5 to -20 °C", [-5, -20]),
        ("a balance of -$5", [-5]),
        ("| -20 °C | -5 % |", [-20, -5]),
        ("10-20 people", [10, 20]),
        ("10 -20 people", [10, 20]),
        ("flight A-20", [20]),
        ("- 20 °C in the list", [20]),
        ("-20 bolts", [20]),
        ("20 minus 5", [20, 5]),
        ("5 +/-2", [5, 2]),
    ],
)
def test_a_minus_is_a_sign_only_where_it_is_no_range_no_code_and_no_list_s_mark(text, values):
    found = []
    for number in find_numbers(text):
        start = number.start - (text[number.start - 1 : number.start] == "$")
        end = number.end + (3 if text.startswith(" °C", number.end) else 0)
        found.append(with_sign(text, number, start, end).value)
    assert found == values


def test_an_ordinal_before_a_count_is_no_number_and_one_before_a_pronoun_is():
    for text, numbers in {
        "in the first two weeks": ["two"],
        "the first few days": [],
        "the first one": ["first"],
        "the second week": ["second"],
    }.items():
        assert [each.text for each in find_numbers(text)] == numbers
