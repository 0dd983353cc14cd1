import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from voirdire.integrity import EstablishedFact, IntegrityError
from voirdire.integrity.items import SCORED, check_items, read_items


def _file(tmp_path, *lines):
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


ITEM = {"id": "a", "facts": ["It rained on 3 May 1999."], "response": "It rained."}


def test_an_item_brings_its_facts_or_takes_the_shared_ones(tmp_path):
    path = _file(tmp_path, ITEM, "", {"id": 7, "response": "Dry."})

    first, second = read_items(path, [EstablishedFact("S1", "It was dry.")])

    assert [fact.text for fact in first.facts] == ["It rained on 3 May 1999."]
    assert (second.id, [fact.id for fact in second.facts]) == ("7", ["S1"])


def test_violations_and_a_holistic_score_come_along(tmp_path):
    violation = {"type": "vagueness", "sentence": 0, "span": "rained", "fact": "F1"}
    (item,) = read_items(_file(tmp_path, ITEM | {"violations": [violation], "holistic": 80}))

    assert item.violations[0].span == "rained" and item.holistic == 80.0


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 1: "),
        ("[]", "line 1: a JSON object is expected"),
        ('{"id": 1, "response": "x", "facts": ["y"], "context": 5}', "line 1: context must be a text"),
        ('{"id": 1, "response": 5}', "line 1: response must be a text"),
        ('{"id": 1.5, "response": "x"}', "line 1: id must be a text or a whole number, not a float"),
        ('{"id": 1, "response": "x", "holistic": 101}', "line 1: holistic must be a number from 0 to 100"),
        ('{"id": 1, "response": "x", "violations": ["vague"]}', "line 1: a violation must be an object"),
        ('{"id": 1, "response": "x", "violations": [{"type": "vague", "sentence": -1}]}', "whole number from 0"),
        (
            '{"id": 1, "response": "It is 3 m. It is red.", "violations": [{"type": "denial", "sentence": 2}]}',
            "there is no sentence 2 for a violation: the response has 2 sentences, counted from 0",
        ),
        ('{"id": 1, "response": "x", "violations": [{}]}', "the field 'type' is missing"),
        ("[" * 100_000, "line 1: "),
        ('{"id": 1}', "line 1: it has no response"),
        ('{"id": 1, "response": "x"}', "line 1: it has no facts"),
        ('{"id": 1, "response": "x", "facts": []}', "line 1: it has no facts"),
        ('{"id": 1, "response": "x", "violations": {}}', "line 1: violations must be a list"),
        ("", "holds no responses"),
    ],
)
def test_a_line_that_is_no_item_is_named_in_a_sentence(tmp_path, line, says):
    with pytest.raises(IntegrityError, match=says):
        check_items(_file(tmp_path, line))


@pytest.mark.parametrize("name", ["items.json", "items.jsonl"])
def test_a_json_document_holds_one_item_or_a_list_and_ids_may_be_left_out(tmp_path, name):
    path = tmp_path / name
    path.write_text(json.dumps([{"response": "Dry."}, {"response": "Wet."}], indent=2))

    assert [item.id for item in read_items(path)] == ["1", "2"]


def test_whole_numbers_are_ids_however_they_are_written_and_null_is_none(tmp_path):
    path = _file(tmp_path, *({"id": name, "response": "Dry."} for name in (7.0, 8, None)))

    assert [item.id for item in read_items(path)] == ["7", "8", "3"]


def test_a_violation_may_name_its_sentence_and_its_fact_by_their_words(tmp_path):
    violations = [
        {"type": "vagueness", "sentence": "It poured.", "fact": "It rained on 3 May 1999."},
        {"type": "vagueness", "sentence": "Nobody said this."},
        {"type": "vagueness", "sentence": "Nobody said this."},
    ]
    item = ITEM | {"response": "It rained. It poured.", "violations": violations}

    found = next(read_items(_file(tmp_path, item))).violations

    assert [(each.sentence, each.fact) for each in found] == [(1, "F1"), (2, None), (2, None)]


def test_an_id_that_stands_there_twice_is_refused(tmp_path):
    with pytest.raises(IntegrityError, match="'a' appears twice"):
        check_items(_file(tmp_path, ITEM, ITEM))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(IntegrityError, match=r"none\.jsonl can't be read"):
        check_items(tmp_path / "none.jsonl")


def test_scored_items_need_no_response(tmp_path):
    assert check_items(_file(tmp_path, {"id": "a", "violations": []}), needs=SCORED).items == 1


@pytest.mark.parametrize("item", [ITEM, {"id": "b", "violations": None}, {"context": "It is 3.", "answer": "It is 4."}])
def test_an_item_without_violations_is_not_scored_as_if_it_had_none(tmp_path, item):
    with pytest.raises(IntegrityError, match="line 2: it has no violations; an empty list says that there are none"):
        check_items(_file(tmp_path, {"violations": []}, item), needs=SCORED)


def test_rows_of_parquet_are_read_as_lines_are(tmp_path):
    rows = [
        {"id": "a", "response": "It is 3.", "facts": ["It is 3.", "It is old."], "holistic": 80.0},
        {"id": "b", "response": "It is 4.", "facts": None, "holistic": None},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "r.parquet")
    (tmp_path / "r.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    assert list(read_items(tmp_path / "r.parquet")) == list(read_items(tmp_path / "r.jsonl"))
    assert check_items(tmp_path / "r.parquet", [EstablishedFact("S1", "It is 4.")]).items == 2
