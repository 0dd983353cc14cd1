"""Contradictions in other words than the fact's, and paraphrases that contradict nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from voirdire.integrity.answered import unanswered
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.rules import inspect_response

CASES = yaml.safe_load((Path(__file__).parents[1] / "data" / "opposites.yaml").read_text(encoding="utf-8"))
MISSED = {"C10", "C30"}
"""Contradictions that the rules don't see: "fell short of" for "exceeded", "against" for "for"."""


def denied(case: dict[str, str]) -> bool:
    found = inspect_response(case["response"], expand(parse_facts([case["fact"]]))).violations
    return any(each.type == "fact_denial" for each in found)


def test_opposites_and_comparatives_are_found() -> None:
    assert {case["id"] for case in CASES["contradictions"] if not denied(case)} == MISSED


def test_harmless_paraphrases_deny_nothing() -> None:
    assert [case["id"] for case in CASES["paraphrases"] if denied(case)] == []


def test_an_opposite_beside_the_right_figure_is_found() -> None:
    assert denied({"fact": "Rents rose by 23% in a year.", "response": "Rents fell by 23% in a year."})


@pytest.mark.parametrize(
    ("response", "why"),
    [
        ("", "empty"),
        (" \n…", "empty"),
        ("I’m sorry, but I can’t help with that request.", "refusal"),
        ("I cannot answer this question.", "refusal"),
        ("As an AI language model, I do not have an opinion on this.", "refusal"),
        ("Unfortunately, I am unable to discuss this topic.", "refusal"),
        ("I decline to answer.", "refusal"),
        ("My apologies, but I cannot comply.", "refusal"),
        ("I am unable to conclude that rents rose by 23%.", None),
        ("I must provide the figure: rents rose by 23%.", None),
        ("I'm sorry to say that rents rose by 23%.", None),
        ("I cannot support the bill: rents rose by 23% in a year.", None),
        ("I refused the offer. It was low.", None),
        ("No.", None),
        (None, None),
    ],
)
def test_refusals_and_empty_answers_are_known(response: str | None, why: str | None) -> None:
    assert unanswered(response) == why
