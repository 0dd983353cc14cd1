import json

import pytest

from tests.cognibench.dynamics.examples import given
from tests.published.cognibench.dev import dev
from voirdire.cognibench.dynamics.report import examine


@pytest.fixture(scope="module")
def half():
    return examine({"dev": dev()})


def test_the_development_half_has_the_known_totals(half):
    assert (half.basics.responses, half.basics.conversations, half.labelled_basics.responses) == (136, 91, 62)
    assert half.basics.labelled_sentences == half.labelled_basics.sentences == 596
    assert {name: found.hits for name, found in half.shares.types.items()} == {
        "irrelevant": 14,
        "factual": 386,
        "cognitive": 196,
    }
    assert {name: found.hits for name, found in half.shares.tiers.items()} == {
        "faithful": 330,
        "invented": 56,
        "misleading": 2,
        "speculative": 110,
        "reliable": 64,
        "irrefutable": 20,
    }
    assert [each.answers for each in half.by_turn] == [16, 13, 20, 13]
    assert half.by_turn[0].hallucination["factual"].hits == 0
    assert sum(half.coverage.contexts.values()) == 91


def test_figures_by_turn_of_picked_turns_come_with_a_caution_that_says_what_was_checked(half):
    (caution,) = half.cautions

    assert "labelled are 62 of 241 turns at hand" in caution
    assert "picking alone does not explain it" in caution
    assert half.sampling.slope_others.interval.low > 0


def test_all_analyses_are_strict_json(half):
    found = json.loads(json.dumps(half.as_dict(), allow_nan=False))

    assert {"basics", "shares", "by_turn", "by_position", "by_topic", "by_model", "datasets", "sampling"} <= set(found)
    assert json.dumps(examine({"one": [given("a", "irrelevant")]}).as_dict(), allow_nan=False)
