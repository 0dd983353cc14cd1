"""The guide's own cases."""

import json

import pytest

from tests.published.records import INTEGRITY
from voirdire.integrity import Violation, load_taxonomy, score


@pytest.fixture(scope="module")
def guide():
    return json.loads((INTEGRITY / "guide_cases.json").read_text(encoding="utf-8"))


def test_every_case_of_the_guide_costs_what_the_guide_charges(guide):
    for case in guide["cases"]:
        found = score([Violation(each["type"], span=each.get("span")) for each in case["expected"]])
        assert found.total == case["total"], case["id"]
        assert found.score == case.get("expected_score", max(0, 100 - case["total"])), case["id"]


def test_bands_by_score_and_by_counts_are_the_guides(guide):
    taxonomy = load_taxonomy()
    for case in guide["band_by_score"]:
        assert taxonomy.band_of(case["score"]).range == case["band"]
    for case in guide["band_by_counts"]:
        kinds = {"minor": "imprecision", "moderate": "reframing", "severe": "fact_denial"}
        found = score([Violation(kind, i, kind) for name, kind in kinds.items() for i in range(case[name])])
        worded = None if found.band_by_counts is None else found.band_by_counts.range
        assert (found.score, found.band.range) == (case["score"], case["band_by_score"])
        assert (worded, found.band_conflict) == (case["band_in_guide_wording"], case["conflict"])
