import json
import math

from voirdire.cli.show.audits import summary as shown
from voirdire.integrity import EstablishedFact, Violation, load_taxonomy
from voirdire.integrity.auditing import Audit, Void
from voirdire.integrity.items import Item
from voirdire.integrity.panel import Scoring, decide
from voirdire.integrity.results import Audited
from voirdire.integrity.summary import foremost, summarise

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


def left_out(order):
    """Two responses that leave out both facts and one that denies the second, with the facts in some order."""
    facts = [FACTS[place] for place in order]

    def one(name, *violations):
        item = Item(name, "Only rain. Dry.", tuple(facts))
        return Audited(item, decide([Audit("x", violations)], facts, item.response, Scoring(load_taxonomy())))

    both = [Violation("single_omission", None, None, fact.id) for fact in facts]
    return found(one("a", *both), one("b", *both), one("c", DENIAL, DENIAL))


def test_a_fact_counts_once_for_each_response_that_violates_or_omits_it_whatever_the_order_of_the_facts():
    forward, backward = left_out((0, 1)), left_out((1, 0))

    assert forward.ranked_facts == [("It was cold.", 3), ("It rained.", 2)]
    assert forward.as_dict()["most_violated_facts"] == backward.as_dict()["most_violated_facts"]
    assert list(forward.as_dict()["most_violated_facts"]) == list(backward.as_dict()["most_violated_facts"])
    assert shown(forward).index("It was cold.") < shown(forward).index("It rained.")


def test_an_irrelevant_fact_that_is_left_out_is_no_violation():
    facts = (FACTS[0], EstablishedFact("F2", "It was cold.", relevant=False))
    item = Item("a", "Dry.", facts)
    audits = [Audit("x", (Violation("single_omission", None, None, "F2"),))]
    summary = found(Audited(item, decide(audits, facts, item.response, Scoring(load_taxonomy()))))

    assert summary.ranked_facts == []


def test_rates_are_per_response_that_has_a_score():
    refused = Item("b", "I'm sorry, but I can't help with that.", FACTS)
    summary = found(
        audited("a", Audit("x", (ONLY,))),
        Audited(refused, decide([Audit("x")], FACTS, refused.response, Scoring(load_taxonomy()))),
    )

    assert (summary.responses, summary.judged) == (2, 1)
    assert "100.0" in next(line for line in shown(summary).splitlines() if "reframing" in line)


def test_of_types_that_tie_the_dearest_comes_first_and_none_is_cut_off():
    summary = found(audited("a", Audit("x", (ONLY, DENIAL, Violation("vagueness", 0, "rain", "F1")))))

    assert [name for name, _ in summary.ranked_types] == ["fact_denial", "reframing", "vagueness"]
    assert foremost(summary.ranked_types, 1) == summary.ranked_types
    assert foremost([("a", 6), ("b", 3), ("c", 1), ("d", 1)], 2) == [("a", 6), ("b", 3)]
    assert foremost([], 3) == []


def test_the_summary_counts_scores_that_only_part_of_the_panel_stands_behind():
    alone = audited("a", Audit("x", (ONLY,)), Audit("y"), Audit("z"))
    short = audited("b", Audit("x"), Audit("y"), Audit("z", missing="refused"))

    summary = found(alone, short, audited("c", Audit("x"), Audit("y"), Audit("z")))

    assert (summary.as_dict()["left_out"], summary.as_dict()["empty_seats"]) == (1, 1)
    assert "In 1 of 3 scored responses an auditor found something that the panel's rule leaves out" in shown(summary)
    assert "In 1 of 3 scored responses an auditor gave no audit" in " ".join(summary.cautions)


def test_empty_responses_and_refusals_count_for_no_auditor():
    item = Item("r", "I'm sorry, but I can't help with that.", FACTS)
    audits = [Audit("x", (DENIAL,))]

    refused = Audited(item, decide(audits, FACTS, item.response, Scoring(load_taxonomy())))
    summary = found(refused, audited("a", Audit("x")))

    assert summary.per_auditor == {"x": [100.0]}
    assert refused.as_dict()["auditors"] == []
    assert "1 of 2 responses is empty or a refusal: not scored, not sent to any auditor." in " ".join(
        shown(summary).split()
    )


def test_text_has_the_mean_score_of_a_single_auditor_too():
    summary = found(audited("a", Audit("x", (DENIAL,))), audited("b", Audit("x")))
    assert "2 responses, all scored. Mean score: 85.0 of 100." in shown(summary)
    assert "Mean score" not in shown(found(audited("a", Audit("x", missing="refused"))))
