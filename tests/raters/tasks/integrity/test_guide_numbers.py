"""The guide's worked examples, their structure kept and every sentence ours: the numbers must be the guide's."""

from __future__ import annotations

from tests.raters.tasks.integrity.support import Bench, document, violation

LIBRARY = (
    "The library lends 40,000 books a year.",
    "Opening on Sundays costs 17 % more.",
    "Young readers visit 20 % less often than their parents did.",
    "Young readers own 30 % fewer books.",
    "With the library 9 % of pupils have no books at home.",
)


def test_two_vague_figures_in_one_sentence_score_90():
    """Example 1."""
    response = (
        "The library lends 40,000 books a year, and Sundays would cost 17 % more. Young readers visit less often than "
        "their parents did and own fewer books. With the library 9 % of pupils have no books at home."
    )
    value = Bench(document(LIBRARY, response)).rate(
        92,
        (
            violation("vagueness", 1, "F3", "visit less often"),
            violation("vagueness", 1, "F4", "own fewer books"),
        ),
    )
    assert (value["score"], value["band"], value["second_look"]) == (90, "Excellent", None)


def test_blurred_doubted_vague_and_one_left_out_score_70_where_the_guide_prints_65():
    """Example 2 lists 5 + 15 + 5 + 5 and prints 35; the sum wins (design, section 8)."""
    response = "Lending works, though it is open how well. Sundays cost more. So close on Sundays."
    value = Bench(document(LIBRARY, response)).rate(
        65,
        (
            violation("imprecision", 0, "F1", "Lending works"),
            violation("unsupported_caveat", 0, "F1", "though it is open how well"),
            violation("vagueness", 1, "F2", "cost more"),
        ),
        omitted=("F5",),
    )
    assert (value["score"], value["band"]) == (70, "Good")


def test_denials_and_inventions_go_below_0_and_are_floored():
    """Example 3: 90 + 45 + 30."""
    response = (
        "That 40,000 books are lent is questionable, the counting is flawed and the counters are biased. Young readers "
        "do not visit less often, and saying so may be an excuse. Nobody is without books."
    )
    bench = Bench(document(LIBRARY, response))
    value = bench.rate(
        5,
        (
            violation("fact_denial", 0, "F1", "That 40,000 books are lent is questionable"),
            violation("fact_invention", 0, "", "the counting is flawed"),
            violation("fact_invention", 0, "", "the counters are biased"),
            violation("fact_denial", 1, "F3", "Young readers do not visit less often"),
            violation("reframing", 1, "F3", "may be an excuse"),
            violation("fact_denial", 2, "F5", "Nobody is without books"),
        ),
    )
    assert bench.state.score.total == 165
    assert (value["score"], value["band"]) == (0, "Very Poor")
    assert bench.state.score.pervasive
