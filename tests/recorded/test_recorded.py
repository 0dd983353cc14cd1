"""Every number that commands printed before the redesign is still printed, in the same order."""

import pytest

from tests.recorded.commands import AS_JSON, AS_TEXT
from tests.recorded.figures import lost, numbers, read

RECORDED = read()


@pytest.mark.parametrize("name", AS_TEXT)
def test_no_number_that_people_read_is_lost(name, world, monkeypatch):
    monkeypatch.chdir(world)
    assert lost(RECORDED[f"text {name}"], numbers(AS_TEXT[name], as_json=False)) == []


@pytest.mark.parametrize("name", AS_JSON)
def test_no_number_in_json_is_lost(name, world, monkeypatch):
    monkeypatch.chdir(world)
    assert lost(RECORDED[f"json {name}"], numbers(AS_JSON[name], as_json=True)) == []


def test_a_number_that_changed_its_place_is_lost_and_one_that_came_between_is_not():
    assert lost(["1", "0.5", "2"], ["1", "2", "0.5"]) == ["2"]
    assert lost(["1", "0.5", "2"], ["7", "1", "0.500001", "3", "2"]) == []
