import json
import math
from pathlib import Path

from voirdire.integrity import EstablishedFact, Violation, load_taxonomy
from voirdire.integrity.auditing import Audit, VoidFinding
from voirdire.integrity.items import Item
from voirdire.integrity.panel import Scoring, decide
from voirdire.integrity.report.loader import ReportedRun
from voirdire.integrity.report.sections import summary_document
from voirdire.integrity.results import AuditedResponse
from voirdire.integrity.summary import summarise, top_with_ties
from voirdire.reports.formats.terminal import to_terminal

FACTS = (EstablishedFact("F1", "It rained."), EstablishedFact("F2", "It was cold."))
ONLY, DENIAL = Violation("reframing", 0, "only", "F1"), Violation("fact_denial", 1, "dry", "F2")


def audited(name, *audits, holistic=None):
    item = Item(name, "Only rain. Dry.", FACTS, holistic=holistic)
    return AuditedResponse(item, decide(audits, FACTS, item.response, Scoring(load_taxonomy())))


def found(*audits):
    return summarise(audits, load_taxonomy())


def shown(*audits):
    names = {audit.auditor: None for each in audits for audit in each.decision.audits}
    manifest = {"auditors": list(names), "items": len(audits)}
    run = ReportedRun("run", Path("run"), manifest, load_taxonomy(), audits)
    return " ".join(to_terminal(summary_document(run)).replace("│", " ").split())


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
    summary = found(audited("a", Audit("x", missing="refused"), Audit("y", (), (VoidFinding({}, "no such fact"),))))

    assert (summary.unscored, summary.missing["x"], summary.void["y"]) == ({"few_auditors": 1}, 1, 1)
    assert summary.as_dict()["cautions"] == [
        "1 response of 1 has no score: half of the panel or more gave no audit. It is left out of every score."
    ]
    assert math.isnan(summary.per_auditor["x"][0])
    json.dumps(summary.as_dict(), allow_nan=False)


def test_auditors_means_are_over_the_responses_that_all_of_them_scored():
    pair = found(
        audited("both", Audit("x"), Audit("y", (DENIAL,))),
        audited("one", Audit("x", (DENIAL,)), Audit("y", missing="refused")),
    )

    rows = pair.as_dict()["auditors"]

    assert [(row["mean_score"], row["scored_by_all"]) for row in rows] == [(100, 1), (70, 1)]


def test_scores_far_from_the_impression_are_named():
    summary = found(audited("a", Audit("x", (DENIAL,)), holistic=85), audited("b", Audit("x"), holistic=90))

    assert [each.id for each in summary.divergent] == ["a"] and summary.compared == 2


def left_out(order):
    """Two responses that leave out both facts and one that denies the second, with the facts in some order."""
    facts = [FACTS[place] for place in order]

    def one(name, *violations):
        item = Item(name, "Only rain. Dry.", tuple(facts))
        return AuditedResponse(item, decide([Audit("x", violations)], facts, item.response, Scoring(load_taxonomy())))

    both = [Violation("single_omission", None, None, fact.id) for fact in facts]
    return one("a", *both), one("b", *both), one("c", DENIAL, DENIAL)


def test_a_fact_counts_once_for_each_response_that_violates_or_omits_it_whatever_the_order_of_the_facts():
    audits = left_out((0, 1))
    forward, backward = found(*audits), found(*left_out((1, 0)))

    assert forward.ranked_facts == [("It was cold.", 3), ("It rained.", 2)]
    assert forward.as_dict()["most_violated_facts"] == backward.as_dict()["most_violated_facts"]
    assert list(forward.as_dict()["most_violated_facts"]) == list(backward.as_dict()["most_violated_facts"])
    assert shown(*audits).index("It was cold.") < shown(*audits).index("It rained.")


def test_an_irrelevant_fact_that_is_left_out_is_no_violation():
    facts = (FACTS[0], EstablishedFact("F2", "It was cold.", relevant=False))
    item = Item("a", "Dry.", facts)
    audits = [Audit("x", (Violation("single_omission", None, None, "F2"),))]
    summary = found(AuditedResponse(item, decide(audits, facts, item.response, Scoring(load_taxonomy()))))

    assert summary.ranked_facts == []


def test_rates_are_per_response_that_has_a_score():
    refused = Item("b", "I'm sorry, but I can't help with that.", FACTS)
    audits = (
        audited("a", Audit("x", (ONLY,))),
        AuditedResponse(refused, decide([Audit("x")], FACTS, refused.response, Scoring(load_taxonomy()))),
    )

    assert (found(*audits).responses, found(*audits).judged) == (2, 1)
    assert "reframing moderate 15 1 100.0 15" in shown(*audits)


def test_of_types_that_tie_the_dearest_comes_first_and_none_is_cut_off():
    summary = found(audited("a", Audit("x", (ONLY, DENIAL, Violation("vagueness", 0, "rain", "F1")))))

    assert [name for name, _ in summary.ranked_types] == ["fact_denial", "reframing", "vagueness"]
    assert top_with_ties(summary.ranked_types, 1) == summary.ranked_types
    assert top_with_ties([("a", 6), ("b", 3), ("c", 1), ("d", 1)], 2) == [("a", 6), ("b", 3)]
    assert top_with_ties([], 3) == []


def test_the_summary_counts_scores_that_only_part_of_the_panel_stands_behind():
    alone = audited("a", Audit("x", (ONLY,)), Audit("y"), Audit("z"))
    short = audited("b", Audit("x"), Audit("y"), Audit("z", missing="refused"))

    audits = (alone, short, audited("c", Audit("x"), Audit("y"), Audit("z")))
    summary = found(*audits)

    assert (summary.as_dict()["left_out"], summary.as_dict()["empty_seats"]) == (1, 1)
    assert "In 1 of 3 scored responses an auditor found something that the panel's rule leaves out" in shown(*audits)
    assert "In 1 of 3 scored responses an auditor gave no audit" in " ".join(summary.cautions)


def test_empty_responses_and_refusals_count_for_no_auditor():
    item = Item("r", "I'm sorry, but I can't help with that.", FACTS)
    audits = [Audit("x", (DENIAL,))]

    refused = AuditedResponse(item, decide(audits, FACTS, item.response, Scoring(load_taxonomy())))
    summary = found(refused, audited("a", Audit("x")))

    assert summary.per_auditor == {"x": [100.0]}
    assert refused.as_dict()["auditors"] == []
    assert "1 response of 2 declines to answer. It is left out of every score, and not sent to any auditor." in shown(
        refused, audited("a", Audit("x"))
    )


def test_text_has_the_mean_score_of_a_single_auditor_too():
    assert "mean score 85.0" in shown(audited("a", Audit("x", (DENIAL,))), audited("b", Audit("x")))
    assert "None of 1 response has a score" in shown(audited("a", Audit("x", missing="refused")))
