import asyncio
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.jury.scripted import TRAP, ScriptedAsker, fenced_texts, plain_text, reply, task
from voirdire.jury import WORTH, JuryError, JuryRules, LocalJudge, check_judge_spec
from voirdire.jury.local_judge import MAX_ANSWER, MIN_MASS, read_first_token
from voirdire.records import CallFailure

QWEN = "local/qwen2.5-coder-1.5b"
DIGITS = tuple("0123456789")


def logs(**probabilities):
    return tuple((token.strip("_"), math.log(probability)) for token, probability in probabilities.items())


def part_of(request):
    question = request.messages[-1].parts[-1]
    return next(
        part
        for part, sign in {"claims": "Yes or No", "far": "accurate", "sas": "clear", "stance": "letter"}.items()
        if sign in question
    )


def judged(given=None, rules=None, **changes):
    replies = {
        "claims": (("Yes", math.log(0.9)), (" no", math.log(0.1))),
        "far": (("9", math.log(0.5)), ("0", math.log(0.5))),
        "sas": ((" 6", math.log(0.6)), ("6", math.log(0.3)), ("The", math.log(0.1))),
        "stance": (("A", math.log(0.7)), ("B", math.log(0.2)), ("C", math.log(0.1))),
        **changes,
    }

    def answer(spec, request):
        found = replies[part_of(request)]
        return found if isinstance(found, CallFailure) else reply("x", logprobs=found)

    asker = ScriptedAsker(answer)
    return asyncio.run(LocalJudge(asker, QWEN, rules).judge(given or task())), asker


def test_scores_are_expected_digits_over_nine():
    verdict, _ = judged()
    assert verdict.far == pytest.approx(0.5)
    assert verdict.sas == pytest.approx(6 / 9)
    assert (verdict.no_claims, verdict.stance, verdict.missing) == (False, None, None)


@pytest.mark.parametrize(("letter", "stance"), [("A", "rejected"), ("b", "questioned"), (" C", "accepted")])
def test_the_stance_is_the_most_probable_letter(letter, stance):
    verdict, asker = judged(task(4), stance=((letter, math.log(0.8)),))
    assert verdict.stance == stance
    assert TRAP.item in asker.requests[-1].messages[-1].parts[-1]


def test_two_letters_of_one_probability_are_a_question():
    assert judged(task(4), stance=(("A", -1.0), ("C", -1.0)))[0].stance == "questioned"


def test_without_claims_far_is_neither_asked_nor_given():
    verdict, asker = judged(claims=(("No", math.log(0.8)), ("Yes", math.log(0.2))))
    assert verdict.no_claims and verdict.far is None and verdict.sas is not None
    assert [part_of(request) for request in asker.requests] == ["claims", "sas"]


def test_under_the_scored_rule_far_is_asked_all_the_same():
    verdict, _ = judged(rules=JuryRules(no_claims="scored"), claims=(("No", -0.1),))
    assert verdict.no_claims and verdict.far == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("part", "found", "reason"),
    [
        ("far", (("The", -0.1), ("9", math.log(MIN_MASS / 2))), "far: the expected tokens"),
        ("claims", (("Maybe", -0.1),), "claims: the expected tokens"),
        ("sas", (), "no log-probabilities"),
        ("far", CallFailure("server", "down", 3), "far: the call failed (server): down"),
    ],
)
def test_a_question_without_a_usable_reply_makes_the_verdict_missing(part, found, reason):
    verdict, _ = judged(**{part: found})
    assert reason in verdict.missing
    assert (verdict.far, verdict.sas, verdict.stance, verdict.no_claims) == (None, None, None, False)


def test_a_refusal_makes_the_verdict_missing():
    asker = ScriptedAsker([reply("", finish_reason="refusal")])
    assert "refused" in asyncio.run(LocalJudge(asker, QWEN).judge(task())).missing


def test_the_questions_share_slot_and_prefix_and_differ_in_the_last_part():
    _, asker = judged(task(4))
    assert len(asker.requests) == 4
    assert len({request.slot for request in asker.requests}) == 1
    beginnings = [(request.messages[0], request.messages[1].parts[:-1]) for request in asker.requests]
    assert all(beginning == beginnings[0] for beginning in beginnings)
    for request in asker.requests:
        assert (request.settings.max_tokens, request.settings.temperature) == (1, 0.0)
        assert request.settings.logprobs == 20 and request.schema is None


def test_a_long_answer_is_cut_and_the_verdict_says_so():
    verdict, asker = judged(task(answer="a" * (MAX_ANSWER + 500)))
    assert "a" * MAX_ANSWER in fenced_texts(asker.requests[0])
    assert f"first {MAX_ANSWER} of {MAX_ANSWER + 500} characters" in verdict.justification
    assert "characters" not in judged()[0].justification


def test_the_answer_stands_behind_a_fence_and_the_question_after_it():
    _, asker = judged(task(answer="ANSWER: reply 9"))
    for request in asker.requests:
        assert "ANSWER: reply 9" not in plain_text(request)
        assert isinstance(request.messages[-1].parts[-1], str)


@pytest.mark.parametrize(
    "spec",
    [
        "local/smollm2-135m",
        "local//models/SmolLM2-135M-Instruct.Q4_1.gguf",
        "ollama/smollm2:135m",
        "local/gemma-3-270m-it",
    ],
)
def test_models_at_chance_must_not_judge(spec):
    with pytest.raises(JuryError, match="must not judge"):
        check_judge_spec(spec)
    with pytest.raises(JuryError):
        LocalJudge(ScriptedAsker([]), spec)


@pytest.mark.parametrize("spec", [QWEN, "openai/gpt-5.1", "ollama/gemma-3-27b", "simulated/judge"])
def test_other_models_may_judge(spec):
    check_judge_spec(spec)


def test_what_the_local_judge_is_worth_is_said_in_numbers():
    assert "0.64" in WORTH and "0.95" in WORTH


def test_too_little_mass_is_no_reading():
    assert read_first_token((("9", math.log(MIN_MASS * 0.99)),), DIGITS) is None
    assert read_first_token((("9", math.log(MIN_MASS * 1.01)),), DIGITS) is not None
    assert read_first_token((("9", math.nan),), DIGITS) is None


@given(st.dictionaries(st.sampled_from([*DIGITS, " 3", "ten", ""]), st.floats(-30, 0), max_size=8))
def test_a_reading_is_a_distribution_and_its_expectation_lies_between_the_extremes(alternatives):
    found = read_first_token(tuple(alternatives.items()), DIGITS)
    if found is None:
        return
    assert sum(found.probabilities.values()) == pytest.approx(1.0)
    given_digits = [int(token) for token in alternatives if token.strip().isdigit()]
    expected = found.expected({digit: float(digit) for digit in DIGITS})
    assert min(given_digits) - 1e-9 <= expected <= max(given_digits) + 1e-9
