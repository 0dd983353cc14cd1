"""Every number of expected_stats.json, compared with the study's JSON key by key."""

import json
import math

import pytest

from tests.published.integrity.real import expected_stats, real_study
from voirdire.papers.integrity.tables import as_dict

PROSE = ("_schema", "data", "claim", "definition", "rule", "params", "max_disagreement")
"""Keys whose text describes; nothing to compare."""


def leaves(value, path=()):
    """(path, value) of everything that is no dict and no list."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key not in PROSE:
                yield from leaves(each, (*path, key))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from leaves(each, (*path, place))
    else:
        yield path, value


def at(value, path):
    """What stands at a path; `KeyError` where nothing does."""
    for step in path:
        try:
            value = value[step]
        except (IndexError, TypeError) as error:
            raise KeyError(step) from error
    return value


def is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


@pytest.fixture(scope="module")
def printed():
    return json.loads(json.dumps(as_dict(real_study()), allow_nan=False))


@pytest.fixture(scope="module")
def numbers():
    return [(path, value) for path, value in leaves(expected_stats()) if is_number(value) and path != ("tolerance",)]


def test_every_number_is_given_under_the_same_key(printed, numbers):
    lacking = []
    for path, value in numbers:
        try:
            at(printed, path[:-1] if math.isnan(value) else path)
        except KeyError:
            lacking.append(path)
    assert not lacking
    assert len(numbers) > 650


def test_every_number_is_within_the_tolerance(printed, numbers):
    tolerance = expected_stats()["tolerance"]
    wrong = [
        (path, value, at(printed, path))
        for path, value in numbers
        if not math.isnan(value) and not abs(at(printed, path) - value) <= tolerance
    ]
    assert not wrong


def test_small_p_values_are_right_in_proportion_too(printed, numbers):
    small = [(path, value) for path, value in numbers if path[-1] == "p"]
    wrong = [(path, value) for path, value in small if at(printed, path) != pytest.approx(value, rel=1e-6, abs=0)]
    assert len(small) > 60
    assert not wrong


def test_an_interval_that_is_undefined_there_is_none_here(printed, numbers):
    undefined = {path[:-1] for path, value in numbers if math.isnan(value)}
    assert undefined
    assert all(at(printed, path) is None for path in undefined)


def test_what_is_no_number_agrees_as_well(printed):
    other = [(path, value) for path, value in leaves(expected_stats()) if not is_number(value)]
    wrong = [(path, value) for path, value in other if path[-1] != "reproduces" and at(printed, path) != value]
    assert not wrong


def test_a_claim_is_said_to_reproduce_where_it_does(printed):
    for mine, theirs in zip(printed["headline"], expected_stats()["headline"], strict=True):
        assert (mine["reproduces"] is True) == (theirs["reproduces"] is True)
        if str(theirs["reproduces"]).endswith("only"):
            assert mine["reproduces"] == theirs["reproduces"]
