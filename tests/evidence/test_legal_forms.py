import json

import pytest

from voirdire.evidence import ContextIndex, find_contradictions
from voirdire.evidence.legal_forms import in_names_of

WITH_FORM = "Ltd|Ltd.|Limited|Inc|, Inc.|GmbH|LLC|plc|& Co. KG|Co.|S.A.|SA|BV|B.V.".split("|")


def records(first, second):
    return [
        {"name": first, "city": "Leith", "manager": "Ines Falk", "invoices": 12, "rush_orders": True},
        {"name": second, "city": "Perth", "manager": "Owen Pryce", "invoices": 31, "rush_orders": False},
    ]


def formats(first, second):
    """Two records as JSON, as a table and as lists of keys and values."""
    rows = records(first, second)
    lines = "\n".join(" | ".join(["", *map(str, row.values()), ""]).strip() for row in rows)
    return [
        json.dumps(rows),
        f"| name | city | manager | invoices | rush orders |\n|---|---|---|---|---|\n{lines}".replace("True", "yes"),
        "\n\n".join("\n".join(f"{key}: {value}" for key, value in row.items()) for row in rows),
    ]


WRONG = ["{} is in Perth.", "The manager of {} is Owen Pryce.", "{} has 31 invoices.", "{} has no rush orders."]
RIGHT = ["{} is in Leith.", "The manager of {} is Ines Falk.", "{} has 12 invoices.", "{} has rush orders."]


def check(contexts, name):
    for context in contexts:
        index = ContextIndex.from_context(context)
        assert [bool(find_contradictions(each.format(name), index)) for each in WRONG] == [True] * len(WRONG)
        assert [bool(find_contradictions(each.format(name), index)) for each in RIGHT] == [False] * len(RIGHT)


@pytest.mark.parametrize("form", WITH_FORM)
def test_a_record_is_found_by_its_name_without_its_legal_form(form):
    first, second = (f"{name} {form}".replace(" ,", ",") for name in ("Harbour Supplies", "Tanner Foods"))
    check(formats(first, second), "Harbour Supplies")
    check(formats(first, second), first)


@pytest.mark.parametrize("form", WITH_FORM)
def test_a_record_without_a_legal_form_is_found_by_its_name_with_one(form):
    check(formats("Harbour Supplies", "Tanner Foods"), f"Harbour Supplies {form}".replace(" ,", ","))


def test_records_that_differ_in_their_legal_form_alone_stay_apart():
    check(formats("Harbour Supplies Ltd", "Harbour Supplies GmbH"), "Harbour Supplies Ltd")
    for other in ("Harbour Supplies GmbH", "Harbour Supplies"):
        context = json.dumps(records("Harbour Supplies Ltd", other))
        assert in_names_of("Harbour Supplies is in Perth.", context) == "Harbour Supplies is in Perth."


@pytest.mark.parametrize(
    "sentence",
    ["Harbour Supplies GmbH is in Perth.", "Harbour Supplies North is in Perth.", "At Old Harbour Supplies it is dry."],
)
def test_another_form_and_a_longer_name_are_of_another_company(sentence):
    assert in_names_of(sentence, '{"name": "Harbour Supplies Ltd", "city": "Leith"}') == sentence


def test_a_reason_quotes_the_name_as_the_sentence_has_it():
    index = ContextIndex.from_context(json.dumps(records("Harbour Supplies Ltd", "Tanner Foods Ltd")))
    (found,) = find_contradictions("Harbour Supplies has no rush orders.", index)
    assert found.claim == "Harbour Supplies has no rush orders."
    assert found.context_sentence.startswith("name: Harbour Supplies Ltd; ")
