import json

from voirdire.integrity import EstablishedFact, Violation, load_taxonomy
from voirdire.integrity.auditing import Audit
from voirdire.integrity.panel import Scoring, decide, majority
from voirdire.integrity.unanswered import unanswered_reason

FACTS = [EstablishedFact("F1", "a"), EstablishedFact("F2", "b"), EstablishedFact("F3", "c")]
SCORING = Scoring(load_taxonomy())


def audit(name, *violations, missing=None):
    return Audit(name, tuple(violations), missing=missing)


def test_a_violation_counts_when_a_majority_marks_the_same_sentence_fact_and_family():
    decision = decide(
        [
            audit("a", Violation("vagueness", 0, "some", "F1"), Violation("fact_denial", 1, "no", "F2")),
            audit("b", Violation("imprecision", 0, "high", "F1")),
            audit("c", Violation("vagueness", 0, "some", "F1")),
        ],
        FACTS,
        None,
        SCORING,
    )

    assert decision.consensus.score == 95
    assert [charge.type.name for charge in decision.consensus.charges] == ["vagueness"]
    assert {name: found.score for name, found in decision.scores.items()} == {"a": 65, "b": 95, "c": 95}
    assert decision.median == 95


def test_of_equally_common_types_the_lightest_stands():
    heavy, light = Violation("fact_denial", 0, "x", "F1"), Violation("unsupported_caveat", 0, "x", "F1")
    types = load_taxonomy()

    assert majority([[heavy], [light]], types) == []  # other families: no agreement at all
    same = [[Violation("single_omission", fact="F1")], [Violation("systematic_omission", fact="F1")]]
    assert [violation.type for violation in majority(same, types)] == ["single_omission"]


def test_half_of_two_auditors_is_no_majority():
    decision = decide([audit("a", Violation("reframing", 0, "only", "F1")), audit("b")], FACTS, None, SCORING)

    assert decision.consensus.score == 100


def test_missing_auditors_neither_vote_nor_lower_the_bar_below_the_quorum():
    found = Violation("reframing", 0, "only", "F1")

    one_missing = decide([audit("a", found), audit("b", found), audit("c", missing="refused")], FACTS, None, SCORING)
    two_missing = decide([audit("a", found), audit("b", missing="x"), audit("c", missing="x")], FACTS, None, SCORING)

    assert one_missing.consensus.score == 85
    assert two_missing.consensus is None and two_missing.median is None
    assert (two_missing.unscored, two_missing.why) == ("few_auditors", "1 of 3 auditors gave an audit")
    json.dumps(two_missing.as_dict(), allow_nan=False)


def test_an_auditor_that_marks_one_thing_twice_has_one_vote():
    twice = [Violation("reframing", 0, "only", "F1"), Violation("reframing", 0, "still", "F1")]

    assert majority([twice, [], []], load_taxonomy()) == []


def test_several_inventions_in_one_sentence_are_charged_one_by_one():
    spans = ("signed by Ada Pell", "in the spring of 1911", "before forty witnesses")
    inventions = [Violation("fabrication", 0, span) for span in spans]
    twice = audit("b", Violation("fabrication", 0, "Ada Pell"), Violation("fabrication", 0, "before forty witnesses"))

    alone = decide([audit("a", *inventions)], FACTS, None, SCORING)
    two_of_three = decide([audit("a", *inventions), twice, audit("c")], FACTS, None, SCORING)

    assert alone.consensus.score == alone.scores["a"].score == 10
    assert [charge.violation.span for charge in two_of_three.consensus.charges] == [spans[0], spans[2]]
    assert two_of_three.consensus.score == 40


def test_what_one_auditor_alone_found_stands_as_it_is():
    both = [Violation("vagueness", 0, "some", "F1"), Violation("imprecision", 0, "about half", "F1")]

    decision = decide([audit("a", *both)], FACTS, None, SCORING)

    assert decision.consensus == decision.scores["a"]


def test_who_does_not_have_the_information_declines():
    assert unanswered_reason("I don't have this information in my documents.") == "refusal"


def test_what_the_panels_rule_leaves_out_is_said_beside_the_score():
    decision = decide([audit("a", Violation("reframing", 0, "only", "F1")), audit("b")], FACTS, None, SCORING)

    assert decision.left_out == {"a": 1}
    assert [str(each) for each in decision.remarks] == [
        "1 of 2 auditors (a) found something; the panel's rule leaves it out, as no majority shares it"
    ]
    assert decision.as_dict()["remarks"][0]["code"] == "findings_left_out"


def test_an_empty_seat_is_said_beside_the_score_that_the_others_made():
    found = Violation("reframing", 0, "only", "F1")

    decision = decide([audit("a", found), audit("b", found), audit("c", missing="refused")], FACTS, None, SCORING)

    assert [str(each) for each in decision.remarks] == ["1 of 3 auditors (c) gave no audit"]


def test_auditors_who_find_the_same_leave_nothing_to_be_said():
    same = Violation("fabrication", 0, "signed by Ada Pell")

    assert decide([audit("a", same), audit("b", same)], FACTS, None, SCORING).remarks == ()
