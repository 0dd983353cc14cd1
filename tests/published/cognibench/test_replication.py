import json
from collections import Counter

import pytest

from tests.cognibench.dynamics.examples import four
from tests.published.cognibench.dev import dev
from voirdire.papers.cognibench.replication import replicate
from voirdire.papers.cognibench.study import load_paper


@pytest.fixture(scope="module")
def found():
    return replicate(dev())


@pytest.fixture(scope="module")
def by_id(found):
    return {claim.claim.id: claim for claim in found.claims}


def test_every_printed_claim_is_gone_through_once(found):
    assert [claim.claim.id for claim in found.claims] == list(load_paper().claims)
    assert sum(found.counts.values()) == len(found.claims)


def test_the_rates_of_the_development_half_are_consistent_with_the_printed_ones(by_id):
    assert by_id["invented"].value == pytest.approx(100 * 56 / 386)
    assert by_id["cognitive-rate"].value == pytest.approx(100 * 112 / 196)
    for name in ("invented", "speculative", "misleading", "cognitive-rate", "times-higher-in-data", "factual-falls"):
        assert by_id[name].verdict == "consistent", name
    assert by_id["sentences"].verdict == "not checkable"
    assert "1,281 sentences are public" in by_id["sentences"].note


def test_other_data_give_other_verdicts(by_id):
    verdicts = Counter(claim.verdict for claim in replicate(four()).claims)

    assert verdicts["consistent"] < Counter(claim.verdict for claim in by_id.values())["consistent"]


def test_flagging_every_cognitive_statement_gives_a_cognitive_f1_near_74(found):
    scores = {each.flags: each for each in found.baselines}

    assert scores["every cognitive statement"].cognitive.value == pytest.approx(0.733, abs=0.001)
    assert scores["every turn but the first"].cognitive.value == pytest.approx(0.750, abs=0.001)
    assert scores["every cognitive statement"].factual.value == 0.0


def test_the_replication_is_strict_json(found):
    data = json.loads(json.dumps(found.as_dict(), allow_nan=False))

    assert data["labelled_responses"] == 62
    assert {"id", "section", "claim", "published", "recomputed", "interval", "verdict", "note"} <= set(
        data["claims"][0]
    )
