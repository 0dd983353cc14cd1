"""The guide's three worked examples: what it lists, by our arithmetic."""

import pytest

from voirdire.integrity import Violation, score

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


@pytest.mark.parametrize(
    ("number", "total", "points", "band"), [(1, 10, 90, "Excellent"), (2, 30, 70, "Good"), (3, 165, 0, "Very Poor")]
)
def test_the_listed_violations_by_our_arithmetic(number, total, points, band):
    """Example 2 lists 30 points and prints 35 and 65: the sum wins."""
    found = score([Violation(kind, sentence, about) for kind, sentence, about in LISTED[number]])

    assert (found.total, found.score, found.band.name) == (total, points, band)
