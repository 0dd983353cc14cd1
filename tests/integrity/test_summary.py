import json
import math

from voirdire.integrity import EstablishedFact, Violation, load_taxonomy
from voirdire.integrity.auditing import Audit, Void
from voirdire.integrity.items import Item
from voirdire.integrity.panel import Scoring, decide
from voirdire.integrity.results import Audited
from voirdire.integrity.summary import summarise

FACTS = (EstablishedFact("F1", "It rained."), EstablishedFact("F2", "It was cold."))
ONLY, DENIAL = Violation("reframing", 0, "only", "F1"), Violation("fact_denial", 1, "dry", "F2")


def audited(name, *audits, holistic=None):
    item = Item(name, "Only rain. Dry.", FACTS, holistic=holistic)
    return Audited(item, decide(audits, FACTS, item.response, Scoring(load_taxonomy())))


def found(*audits):
    return summarise(audits, load_taxonomy())


def test_types_bands_and_facts_are_counted_over_responses():
    summary = found(
        audited("a", Audit("x", (ONLY, DENIAL))), audited("b", Audit("x", (ONLY,))), audited("c", Audit("x"))
    )

    assert summary.types == {"reframing": 2, "fact_denial": 1}
    assert summary.facts == {"It rained.": 2, "It was cold.": 1}
    assert {row["band"]: row["responses"] for row in summary.distribution() if row["responses"]} == {
        "Excellent": 1,
        "Good": 1,
        "Fair": 1,
    }
    assert summary.agreement() is None


def test_auditors_are_compared_finding_by_finding():
    both = audited("a", Audit("x", (ONLY, DENIAL)), Audit("y", (ONLY,)))
    neither = audited("b", Audit("x"), Audit("y"))

    (pair,) = found(both, neither).positive_agreement()

    assert pair == {"auditors": ["x", "y"], "shared": 1, "positive_agreement": 2 / 3}


def test_missing_and_void_are_counted_and_score_nothing():
    summary = found(audited("a", Audit("x", missing="refused"), Audit("y", (), (Void({}, "no such fact"),))))

    assert (summary.unscored, summary.missing["x"], summary.void["y"]) == ({"few_auditors": 1}, 1, 1)
    assert math.isnan(summary.per_auditor["x"][0])
    json.dumps(summary.as_dict(), allow_nan=False)


def test_scores_far_from_the_impression_are_named():
    summary = found(audited("a", Audit("x", (DENIAL,)), holistic=85), audited("b", Audit("x"), holistic=90))

    assert [each.id for each in summary.divergent] == ["a"] and summary.compared == 2
