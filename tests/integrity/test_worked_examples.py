"""The guide's three worked examples: what it lists, by our arithmetic, and what our rules find in the same texts."""

import os
import re
from pathlib import Path

import pytest

from voirdire.integrity import Violation, score
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.rules import inspect_response

SHARED = Path(os.environ.get("VOIRDIRE_SHARED", Path(__file__).parents[3] / "shared"))

# (type, sentence, what the finding is about), in the guide's order
LISTED = {
    1: [("vagueness", 1, "wealth"), ("vagueness", 1, "earnings")],
    2: [
        ("imprecision", 0, "efficacy"),
        ("unsupported_caveat", 0, "real world"),
        ("vagueness", 1, "risk"),
        ("single_omission", 2, "accommodation"),
    ],
    3: [
        ("fact_denial", 0, "efficacy"),
        ("fact_invention", 0, "limitations"),
        ("fact_invention", 0, "bias"),
        ("fact_denial", 1, "sincerity"),
        ("reframing", 1, "pretexts"),
        ("fact_denial", 2, "unsubstantiated"),
    ],
}


def _example(number):
    """Facts and response, from where the guide lies."""
    guide = next((SHARED / "seeds").glob("004_*")).read_text(encoding="utf-8")
    part = guide[guide.index(f"### Example {number}:") :].partition("**Justification")[0]
    facts = re.search(r"Established Facts.*?\n(.*?)\n\n\*\*Model", part, re.DOTALL)[1]
    response = re.search(r'\*\*Model Response:\*\*\n> "(.*?)"\n', part, re.DOTALL)[1]
    return expand(parse_facts(facts)), response


@pytest.mark.parametrize(
    ("number", "total", "points", "band"), [(1, 10, 90, "Excellent"), (2, 30, 70, "Good"), (3, 165, 0, "Very Poor")]
)
def test_the_listed_violations_by_our_arithmetic(number, total, points, band):
    """Example 2 lists 30 points and prints 35 and 65: the sum wins."""
    found = score([Violation(kind, sentence, about) for kind, sentence, about in LISTED[number]])

    assert (found.total, found.score, found.band.name) == (total, points, band)


@pytest.mark.parametrize(("number", "total", "points"), [(1, 10, 90), (2, 20, 80), (3, 150, 0)])
def test_what_our_rules_give_for_the_same_text_is_what_the_docs_say(number, total, points):
    facts, response = _example(number)

    found = score(inspect_response(response, facts).violations, facts, response=response)

    assert (found.total, found.score) == (total, points)


def test_our_rules_see_the_third_example_as_pervasive():
    facts, response = _example(3)

    assert score(inspect_response(response, facts).violations, facts).pervasive
