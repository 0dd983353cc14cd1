"""Every number that commands printed before the redesign is still printed."""

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
