import json

import pytest

from voirdire.evidence.record_sentences import record_quotes, record_sentences, rows_and_prose, without_records

SHOP = {
    "name": "Blue Door",
    "city": "Bath",
    "hours": {"Monday": "9-17", "Tuesday": "10-17"},
    "attributes": {"OutdoorSeating": True, "WiFi": "free", "BusinessParking": {"garage": False, "street": True}},
    "is_open": False,
    "stars": 3.5,
    "tags": ["tea", "cake", "books"],
    "phone": None,
    "reviews": [
        {
            "review_stars": 4,
            "review_text": "We went there last week and the cake was good. The tea, we thought, was cold.",
        }
    ],
}
SENTENCES = [
    "The city of Blue Door is Bath.",
    "The Monday hours of Blue Door are 9-17.",
    "The Tuesday hours of Blue Door are 10-17.",
    "Blue Door has outdoor seating.",
    "The WiFi of Blue Door is free.",
    "Blue Door has no garage business parking.",
    "Blue Door has street business parking.",
    "Blue Door is not open.",
    "The stars of Blue Door are 3.5.",
    "The tags of Blue Door are tea, cake and books.",
    "The review stars reviews of Blue Door are 4.",
    "We went there last week and the cake was good.",
    "The tea, we thought, was cold.",
]


def test_each_field_of_an_object_is_a_sentence_about_what_the_object_names():
    assert record_sentences(SHOP) == SENTENCES


def test_a_list_of_records_is_those_of_each_in_turn():
    people = [{"name": "Ana Ruiz", "age": 31}, {"name": "Bo Li", "age": 29}]
    assert record_sentences(people) == ["The age of Ana Ruiz is 31.", "The age of Bo Li is 29."]


def test_a_record_without_a_name_speaks_of_its_fields_alone():
    assert record_sentences({"total_price": "12 EUR", "express": True}) == [
        "The total price is 12 EUR.",
        "It has express.",
    ]


def test_what_has_no_value_says_nothing():
    assert record_sentences({"a": None, "b": "", "c": [], "d": {}}) == []


def test_objects_however_deep_end():
    deep: dict = {"end": 1}
    for _ in range(60):
        deep = {"inner": deep}
    assert len(record_sentences(deep)) == 1


@pytest.mark.parametrize("written", [json.dumps(SHOP), json.dumps(SHOP, indent=2), str(SHOP)])
def test_a_text_that_is_a_record_becomes_its_sentences(written):
    assert without_records(written).split("\n") == SENTENCES


def test_rows_of_a_table_are_about_their_first_column():
    table = "Sizes:\n\n| size | chest | sale |\n|---|:--:|---|\n| S | 90 cm | yes |\n| M | 98 cm | |\nAll in cotton."
    assert without_records(table).split("\n") == [
        "Sizes:",
        "",
        "The chest of S is 90 cm.",
        "S has sale.",
        "The chest of M is 98 cm.",
        "All in cotton.",
    ]


def test_days_of_the_week_that_are_columns_are_said_in_full_and_quoted_as_they_stand():
    rule = "|---|---|---|\n"
    shops = f"| Shop | Fri | Sun |\n{rule}| Dairy | 8-18 | closed |"
    alone = f"| Fri | Sat | Sun |\n{rule}| 9-19 | 8-19 | 10-14 |"
    plants = f"| Plant | Sun | Water |\n{rule}| Thyme | full | little |"
    assert record_quotes(shops) == {
        "The Friday of Dairy is 8-18.": "Dairy; Fri: 8-18",
        "The Sunday of Dairy is closed.": "Dairy; Sun: closed",
    }
    assert list(record_quotes(alone).values()) == ["Fri: 9-19", "Sat: 8-19", "Sun: 10-14"]
    assert list(record_quotes(plants)) == ["The Sun of Thyme is full.", "The Water of Thyme is little."]
    assert list(record_quotes('{"name": "Dairy", "hours": {"Fri": "8-18", "Sun": "closed"}}')) == [
        "The Friday hours of Dairy are 8-18.",
        "The Sunday hours of Dairy are closed.",
    ]


def test_keys_and_values_on_neighbouring_lines_are_a_record():
    listed = "Name: Alpha kettle\n- Weight: 1.2 kg\n**Colour**: red"
    assert without_records(listed).split("\n") == [
        "The Weight of Alpha kettle is 1.2 kg.",
        "The Colour of Alpha kettle is red.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The tower opened in 1889.",
        "Ana: Hi.\nBo: Hello there.",
        "Ana: Hi\nBo: Hello\nAna: Bye",
        "Note: it is closed",
        "{this is no JSON}",
        "[1, 2, 3]",
        "| a | b |",
        "",
    ],
)
def test_what_is_no_record_stays_as_it_is(text):
    assert without_records(text) == text


VANS = 'van,tail_lift,"day rate, €"\nV1,yes,60\n"V5, long",no,45'


def test_values_with_commas_below_a_header_are_rows():
    assert without_records(VANS).split("\n") == [
        "V1 has tail lift.",
        "The day rate, € of V1 is 60.",
        "V5, long has no tail lift.",
        "The day rate, € of V5, long is 45.",
    ]
    rows, _ = rows_and_prose(VANS)
    assert [(row.name, dict(row.fields)["tail lift"], row.text) for row in rows] == [
        ("V1", "yes", "V1,yes,60"),
        ("V5, long", "no", '"V5, long",no,45'),
    ]


def test_prose_with_commas_and_a_list_without_a_header_are_no_rows():
    for text in ("Ghent, Bruges and Lille\nParis, Metz and Dijon\nRome, Turin and Pisa", "1,2,3\n4,5,6\n7,8,9"):
        assert rows_and_prose(text) == ([], [text])
        assert without_records(text) == text
