"""What a model that reads adds to the rules: only where they find nothing, and nothing is taken back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from voirdire.data.packaged_files import parse_yaml
from voirdire.evidence.entailment import Entailment, Pair, packaged_model
from voirdire.integrity.facts import parse_facts
from voirdire.integrity.rules import Inspection, inspect_response
from voirdire.integrity.rules.entailment import EntailmentJudge

FACTS = ("The court dismissed the appeal of the tenant.", "The tenant keeps the deposit.")
CONTRADICTS = Entailment(0.02, 0.95, 0.02, 0.01)
UNSURE = Entailment(0.3, 0.3, 0.3, 0.1)


class Scripted:
    """Judges every claim as it is told, and keeps what it was asked."""

    def __init__(self, **verdicts: Entailment) -> None:
        self.verdicts = verdicts
        self.asked: list[Pair] = []

    def judge(self, pairs: Sequence[Pair]) -> list[Entailment]:
        self.asked += pairs
        return [
            next((verdict for word, verdict in self.verdicts.items() if word in claim), UNSURE) for _, claim in pairs
        ]

    @property
    def claims(self) -> set[str]:
        return {claim for _, claim in self.asked}


def inspected(response: str, model: Scripted | None, *facts: str) -> Inspection:
    return inspect_response(response, parse_facts(list(facts or FACTS)), omissions=False, model=model)


def test_a_sentence_without_a_finding_that_the_model_reads_as_contrary_denies_the_fact() -> None:
    response = "It was a long case. The appeal of the tenant was heard with sympathy by the court."
    assert inspected(response, None).violations == []
    (found,) = inspected(response, Scripted(sympathy=CONTRADICTS)).violations
    assert (found.type, found.fact, found.sentence) == ("fact_denial", "F1", 1)
    assert found.span == "The appeal of the tenant was heard with sympathy by the court."
    assert found.reason == (
        "The entailment model reads this as contrary to F1: The court dismissed the appeal of the tenant."
    )


def test_a_sentence_that_denies_a_fact_by_the_model_does_not_state_it() -> None:
    fact, response = "The garden belongs to the ground floor.", "The ground floor belongs to a garden club."
    assert inspected(response, Scripted(), fact).coverage[0].status == "stated"
    assert inspected(response, Scripted(club=CONTRADICTS), fact).coverage[0].status == "blurred"


def test_both_all_facts_together_and_one_alone_must_contradict() -> None:
    class Together(Scripted):
        def judge(self, pairs: Sequence[Pair]) -> list[Entailment]:
            self.asked += pairs
            return [CONTRADICTS if evidence == " ".join(FACTS) else UNSURE for evidence, _ in pairs]

    model = Together()
    assert inspected("The appeal of the tenant was heard with sympathy by the court.", model).violations == []
    assert any(evidence == " ".join(FACTS) for evidence, _ in model.asked)


@pytest.mark.parametrize(
    "response",
    [
        "Was the appeal of the tenant dismissed by the court?",
        "The court should dismiss the appeal of the tenant.",
        "The court dismissed the appeal of the tenant.",
        "The court heard the appeal of the tenant on 12 days.",
        "The weather was fine.",
    ],
)
def test_questions_advice_repetitions_figures_and_other_matters_are_not_read(response: str) -> None:
    model = Scripted(court=CONTRADICTS, weather=CONTRADICTS)
    found = inspected(response, model)
    assert response not in model.claims
    assert not any("entailment" in each.reason for each in found.violations)


def test_what_the_rules_judge_is_left_to_them() -> None:
    model = Scripted(severe=CONTRADICTS, harmless=CONTRADICTS)
    fact = "Side effects were mild in the trial."
    for harmless in (
        "In the trial, side effects were not severe.",
        "Side effects in the trial were gentle and harmless.",
    ):
        assert inspected(harmless, model, fact).violations == []
    (found,) = inspected("In the trial, side effects were severe.", model, fact).violations
    assert found.reason == "“severe” stands where F1 says “mild”."


def test_an_empty_response_is_not_read() -> None:
    model = Scripted()
    assert inspected("", model).coverage[0].status == "missing"
    assert model.asked == []


@pytest.fixture(scope="module")
def packaged() -> EntailmentJudge:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    return packaged_model()


def test_the_packaged_model_sees_a_denial_in_words_that_no_rule_knows(packaged: EntailmentJudge) -> None:
    facts = parse_facts(["The committee approved the plan.", "The museum is free to children."])
    response = "The committee turned the plan down."
    assert inspect_response(response, facts, omissions=False).violations == []
    (found,) = inspect_response(response, facts, omissions=False, model=packaged).violations
    assert (found.type, found.fact, found.confidence) == ("fact_denial", "F1", 0.4)


def test_the_packaged_model_flags_no_harmless_paraphrase(packaged: EntailmentJudge) -> None:
    cases = parse_yaml((Path(__file__).parents[1] / "data" / "opposites.yaml").read_text(encoding="utf-8"))
    flagged = [
        case["id"]
        for case in cases["paraphrases"]
        if inspect_response(case["response"], parse_facts([case["fact"]]), omissions=False, model=packaged).violations
    ]
    assert flagged == []
