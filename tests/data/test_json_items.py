"""`parse_items` reads a JSON list as `parse_json` does, element by element."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.data.json_text import JsonError, parse_items, parse_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(VALUES, max_size=5), st.sampled_from([None, 1]))
def test_the_elements_are_those_of_the_whole_list(values, indent):
    text = json.dumps(values, indent=indent)
    assert list(parse_items(f" {text}\n", halves="keep")) == parse_json(text, halves="keep")


@pytest.mark.parametrize("text", ["", "{}", "[", "[1", "[1,]", "[1 2]", "[1] 2", "[NaN]", '[{"a": 1, "a": 2}]', "[,1]"])
def test_what_is_no_list_of_json_is_refused(text):
    with pytest.raises(JsonError):
        list(parse_items(text))


def test_halves_of_characters_are_replaced():
    assert list(parse_items(r'["a\ud800"]', halves="replace")) == ["a\ufffd"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[\n{"a": 1},\n{"a" 1}\n]', "Expecting ':' delimiter at line 3, column 6"),
        ('{\n"a": 1,\n"b": }', "Expecting value at line 3, column 6"),
        ('{"a" 1}', "Expecting ':' delimiter at character 6"),
        ('[\n{"a": 1},\n{"a": 1, "a": 2}\n]', "the key 'a' stands twice in one object, in what begins at line 3"),
        ('[\n{"a": 1},\n{"b": NaN}\n]', "NaN is no number of JSON, in what begins at line 3"),
    ],
)
def test_a_mistake_is_named_by_its_line_where_there_are_several(text, says):
    with pytest.raises(JsonError) as whole:
        parse_json(text)
    assert str(whole.value) == says
    if text.startswith("["):
        with pytest.raises(JsonError) as parts:
            list(parse_items(text))
        assert str(parts.value) == says
