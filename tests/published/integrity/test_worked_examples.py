"""What our rules find in the guide's three worked examples."""

import re

import pytest

from tests.published.records import GUIDE
from voirdire.integrity import score
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.rules import inspect_response


def _example(number):
    """Facts and response, from where the guide lies."""
    guide = GUIDE.read_text(encoding="utf-8")
    part = guide[guide.index(f"### Example {number}:") :].partition("**Justification")[0]
    facts = re.search(r"Established Facts.*?\n(.*?)\n\n\*\*Model", part, re.DOTALL)[1]
    response = re.search(r'\*\*Model Response:\*\*\n> "(.*?)"\n', part, re.DOTALL)[1]
    return expand(parse_facts(facts)), response


@pytest.mark.parametrize(("number", "total", "points"), [(1, 10, 90), (2, 20, 80), (3, 150, 0)])
def test_what_our_rules_give_for_the_same_text_is_what_the_docs_say(number, total, points):
    facts, response = _example(number)

    found = score(inspect_response(response, facts).violations, facts, response=response)

    assert (found.total, found.score) == (total, points)


def test_our_rules_see_the_third_example_as_pervasive():
    facts, response = _example(3)

    assert score(inspect_response(response, facts).violations, facts).pervasive
