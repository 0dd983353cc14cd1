"""Whether answers are about what was asked, and answers in words at all."""

from dataclasses import replace

import pandas as pd
import pytest

from tests.ddft.validity._records import MODELS, sound, with_turns
from voirdire.ddft.report.validity_checks import _in_words
from voirdire.ddft.validity.answer_checks import answers_in_prose, constant_answers
from voirdire.ddft.validity.run_checks import simulated_judge

STUCK = "Service busy. Your request has been queued and will be handled in turn; there is nothing that you need do."
ONE = MODELS[0]


def of_one(row):
    return row["model"] == ONE


def saying(text, which=of_one):
    return with_turns(sound(), which, answer=text)


def test_a_sound_run_passes():
    for check in (constant_answers, answers_in_prose):
        found = check(sound())
        assert (found.status, found.value) == ("pass", 0.0)
        assert found.count[0] == 0


@pytest.mark.parametrize(
    "text",
    [
        STUCK,
        lambda row: f"{STUCK} Number {row['turn']} of {row['level']:g}.",
        lambda row: f"You asked: {row['question']}",
        "系统繁忙,请稍后再试。您的请求已进入队列,无需任何操作。",
    ],
    ids=["one text", "a number changes", "an echo of the question", "Chinese"],
)
def test_one_model_that_says_the_same_of_every_concept_fails_with_its_words(text):
    found = constant_answers(saying(text))
    assert found.status == "fail"
    assert found.count == (36, 72)
    assert any(f"By model: {ONE} 100 %" in line for line in map(str, found.evidence))
    assert any(" times: “" in line for line in map(str, found.evidence))


@pytest.mark.parametrize(
    "text", ["I don't know.", "I'm sorry, but I can't help with that.", "Which concept do you mean?"]
)
def test_refusals_and_questions_back_are_another_finding(text):
    found = constant_answers(saying(text, lambda row: True))
    assert (found.status, found.value) == ("not measured", None)
    assert "see clarification_rate" in str(found.evidence[0])


def test_what_is_left_out_is_said_by_model_and_beside_what_the_jury_finds():
    other = MODELS[1]
    sometimes = lambda row: of_one(row) or (row["model"] == other and row["level"] == 0)  # noqa: E731
    record = with_turns(sound(), sometimes, answer="I'm sorry, but I can't help with that.")
    record = replace(record, scores=record.scores.assign(no_claims=record.scores["model"] == ONE))
    by_code = {each.code: str(each) for each in constant_answers(record).evidence}
    left_out, seen = by_code["held_back_by_model"], by_code["held_back_without_claims"]
    assert left_out.startswith("Left out, as they decline or ask back, by a rule on words: 48 of 72")
    assert left_out.endswith(f": {ONE} 36 of 36, {other} 12 of 36.")
    assert seen.startswith("Of the 48 of these that it has judged, the jury finds no claim in 36: in the others it")


def test_answers_left_out_that_are_not_judged_yet_are_not_said_to_hold_claims():
    record = with_turns(sound(), of_one, answer="I'm sorry, but I can't help with that.")
    silent = record.scores.assign(no_claims=True)
    for judged, left in ((silent[silent["level"] > 0], 12), (silent[silent["model"] != ONE], 36)):
        evidence = constant_answers(replace(record, scores=judged)).evidence
        assert "held_back_without_claims" not in [each.code for each in evidence]
        assert f"The jury has not judged {left} of these 36 yet." in list(map(str, evidence))


def test_refusals_in_a_language_that_the_rule_does_not_know_only_warn_where_the_jury_sees_no_claim():
    record = saying("抱歉,我无法回答这个问题。")
    record = replace(record, scores=record.scores.assign(no_claims=record.scores["model"] == ONE))
    found = constant_answers(record)
    assert found.status == "warn"
    assert _in_words(found).endswith("; only a warning, since the jury finds no claim in most of these")


def test_short_facts_code_and_rejected_traps_that_return_are_no_constant_answers():
    years = iter(range(1700, 2000))
    facts = with_turns(sound(), of_one, answer=lambda row: f"In {next(years)}.")
    assert constant_answers(facts).status == "pass"
    traps = with_turns(sound(), lambda row: row["turn"] >= 4, answer="No such person is on record, so the claim falls.")
    assert constant_answers(traps).status == "pass"


def test_one_concept_alone_cannot_show_it():
    assert constant_answers(sound(concepts=("recursion",))).status == "not measured"


def test_a_stuck_endpoint_fails_both_and_says_what_stands_in_for_prose():
    record = with_turns(
        sound(models=(ONE,)), of_one, answer=lambda row: "{not json" if row["turn"] % 2 else "Recursion calls itself."
    )
    prose = answers_in_prose(record)
    assert (prose.status, prose.count) == ("fail", (36, 60))
    assert "Instead: JSON or a piece of it (36)." in map(str, prose.evidence)
    assert constant_answers(record).status == "fail"


def test_one_odd_answer_of_many_warns_by_its_model_and_is_quoted():
    record = with_turns(
        sound(), lambda row: of_one(row) and row["turn"] == 1 and row["level"] == 0, answer="<pad><pad>"
    )
    found = answers_in_prose(record)
    assert (found.status, found.count) == ("warn", (4, 120))
    assert any("<pad>" in line for line in map(str, found.evidence))
    assert _in_words(found).startswith(f"6.7 % in {MODELS[0]}, which decides; ")


def test_a_check_without_a_value_says_why():
    found = constant_answers(sound(concepts=("recursion",)))
    assert _in_words(found).startswith(str(found.evidence[0]).removesuffix("."))


def test_answers_that_are_missing_are_not_counted_and_a_run_without_any_warns():
    record = with_turns(sound(), of_one, answer=None)
    assert answers_in_prose(record).count == (0, 60)
    nothing = with_turns(sound(), lambda row: True, answer=None)
    assert answers_in_prose(nothing).status == "warn"
    assert constant_answers(nothing).status == "not measured"


def test_answers_may_come_in_pieces():
    record = saying(STUCK)
    answers = record.turns["answer"]
    pieces = replace(
        record,
        turns=record.turns.drop(columns="answer"),
        answer_pieces=lambda: iter([answers.iloc[:50], answers.iloc[50:]]),
    )
    assert constant_answers(pieces) == constant_answers(record)
    assert answers_in_prose(pieces) == answers_in_prose(record)


def test_where_nothing_is_quoted_the_answers_are_not_read_again():
    record = replace(sound(), answer_pieces=lambda: pytest.fail("read again"))
    assert list(record.with_answers(record.turns[:0])["answer"]) == []


@pytest.mark.parametrize(
    ("judges", "models", "status"),
    [
        (("simulated/judge",), MODELS, "fail"),
        (("openai/gpt-5.1", "simulated/noisy#2"), MODELS, "fail"),
        (("simulated/judge",), ("simulated/steady", "simulated/fading"), "pass"),
        (("simulated/judge",), ("simulated/steady", ONE), "fail"),
        (("reference",), MODELS, "pass"),
    ],
)
def test_a_simulated_judge_must_not_score_a_real_model(judges, models, status):
    found = simulated_judge(replace(sound(models=models), judges=judges))
    assert found.status == status
    if status == "fail":
        assert found.evidence[0]["models"][0] == ONE and found.count[0] == sum(
            not model.startswith("simulated") for model in models
        )


def test_a_simulated_judge_scores_no_model_that_gave_no_answer():
    record = sound(models=("simulated/steady", ONE))
    silent = record.turns["model"] == ONE
    dead = replace(
        record,
        judges=("simulated/judge",),
        answer_pieces=lambda: iter([pd.Series("It is so.", record.turns.index).mask(silent)]),
    )
    assert (simulated_judge(dead).status, simulated_judge(dead).count) == ("pass", (0, 2))


def test_a_run_with_nothing_in_it_yet_is_not_measured():
    empty = sound()
    empty = replace(empty, turns=empty.turns.iloc[:0], scores=empty.scores.iloc[:0], verdicts=empty.verdicts.iloc[:0])
    assert {check(empty).status for check in (constant_answers, answers_in_prose, simulated_judge)} <= {
        "not measured",
        "warn",
    }
    assert isinstance(empty.turns, pd.DataFrame)
