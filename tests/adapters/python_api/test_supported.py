from pathlib import Path

import pytest

import voirdire as vd
from voirdire.adapters.python_api.results import UsageError
from voirdire.detectors import DetectorError
from voirdire.detectors.base import OneByOne

CONTEXT = ["The bridge opened on 4 May 1907.", "It cost 310,000 pounds.", "It is painted red every year."]
RIGHT = "The bridge opened on 4 May 1907. It cost 310,000 pounds."
WRONG = "The bridge opened on 4 May 1911. It cost 310,000 pounds."


class Silent(OneByOne):
    """Gives a score to no sentence but those that say "bridge"."""

    name, threshold = "silent", 0.5

    def flag(self, context, sentences, dialogue=()):
        return [0.0 if "bridge" in sentence else float("nan") for sentence in sentences]


def test_a_supported_answer_passes_and_gives_what_was_found():
    found = vd.assert_supported(CONTEXT, RIGHT)
    assert found.count.scored == 2 and not found.flagged


def test_an_answer_that_is_not_supported_fails_with_each_sentence_and_why():
    with pytest.raises(AssertionError) as error:
        vd.assert_supported(CONTEXT, WRONG)
    first, sentence, *reasons = str(error.value).splitlines()
    assert first == "1 of 2 sentences flagged as not supported by the context, by lexical:"
    assert sentence == "  - The bridge opened on 4 May 1911."
    assert any(reason.startswith("      date: “4 May 1911” differs from “4 May 1907” in “") for reason in reasons)


def test_a_failing_test_shows_its_own_line_and_not_ours():
    with pytest.raises(AssertionError) as error:
        vd.assert_supported(CONTEXT, WRONG)
    assert error.traceback.filter(error)[-1].path == Path(__file__)


@pytest.mark.parametrize("limit", [0.5, "50%", "50 %", "0.5", "100%"])
def test_a_share_may_be_flagged(limit):
    assert len(vd.assert_supported(CONTEXT, WRONG, max_flagged=limit).flagged) == 1


def test_a_larger_share_than_allowed_names_the_limit():
    with pytest.raises(AssertionError, match=r"1 of 2 sentences .*by lexical \(40 % may be\):"):
        vd.assert_supported(CONTEXT, WRONG, max_flagged="40%")


@pytest.mark.parametrize("limits", [{"max_flags": 1}, {"max_flags": 5, "max_flagged": "50%"}, {"min_scored": 2}])
def test_a_number_may_be_flagged_and_a_number_must_be_scored(limits):
    answer = RIGHT if "min_scored" in limits else WRONG
    assert vd.assert_supported(CONTEXT, answer, **limits).count.scored == 2


@pytest.mark.parametrize(
    ("answer", "limits", "says"),
    [
        (WRONG, {"max_flagged": None}, r"1 of 2 sentences flagged as not supported by the context, by lexical:"),
        (WRONG, {"max_flags": 0}, r"1 of 2 sentences flagged as not supported by the context, by lexical:"),
        (f"{WRONG} Anna Blum of Lima designed it.", {"max_flags": 1}, r"2 of 3 sentences .*by lexical \(1 may be\):"),
        (WRONG, {"max_flags": 1, "max_flagged": "40%"}, r"1 of 2 sentences .*by lexical \(40 % may be\):"),
        (RIGHT, {"min_scored": 3}, r"Too few sentences have a score: 2, and min_scored is 3\."),
        ("I do not know.", {"min_scored": 1}, r"Too few sentences have a score: 0, and min_scored is 1\."),
    ],
)
def test_each_limit_holds_by_itself(answer, limits, says):
    with pytest.raises(AssertionError, match=says):
        vd.assert_supported(CONTEXT, answer, **limits)


@pytest.mark.parametrize("limits", [{"max_flags": -1}, {"max_flags": 1.5}, {"min_scored": 0}, {"min_scored": "5"}])
def test_a_limit_that_is_no_whole_number_is_refused(limits):
    with pytest.raises(UsageError, match=rf"{next(iter(limits))}: .* is not a whole number from [01] to"):
        vd.assert_supported(CONTEXT, RIGHT, **limits)


def test_of_many_flagged_sentences_the_first_are_listed():
    answer = " ".join(f"Dragon number {count} guards treasure {count}." for count in range(30))
    with pytest.raises(AssertionError, match=r"\n  and 10 more$"):
        vd.assert_supported(CONTEXT, answer)


@pytest.mark.parametrize(
    ("context", "answer", "why"),
    [
        ("", RIGHT, "there is no context"),
        ("", f"Hello! {RIGHT}", "there is no context"),
        (CONTEXT, "", "the answer has no sentence"),
        (CONTEXT, "桥于一九零七年开通。", "lexical can't compare its script"),
    ],
)
def test_what_can_not_be_checked_is_no_pass(context, answer, why):
    with pytest.raises(UsageError, match=f"nothing can be asserted: {why}"):
        vd.assert_supported(context, answer)


@pytest.mark.parametrize("answer", ["I do not know.", "Hello!", "I'm sorry, but I can't help with that."])
def test_an_answer_that_claims_nothing_passes(answer):
    assert vd.assert_supported(CONTEXT, answer).count.scored == 0


def test_what_it_raises_can_be_caught_by_a_public_name():
    assert vd.UsageError is UsageError and issubclass(vd.UsageError, ValueError)


def test_sentences_without_a_score_are_no_pass():
    with pytest.raises(UsageError, match=r"not complete.*Without a score: 1 of 2"):
        vd.assert_supported(CONTEXT, RIGHT, detector=Silent())


@pytest.mark.parametrize("limit", ["much", -0.1, "101%", 5, float("nan")])
def test_a_limit_that_is_no_share_is_refused(limit):
    with pytest.raises(UsageError, match=r"max_flagged is the share that may be flagged.*is not a number from 0 to 1"):
        vd.assert_supported(CONTEXT, WRONG, max_flagged=limit)


@pytest.mark.parametrize("limit", [1, 1.0, "1"])
def test_a_bare_1_is_refused_as_it_may_be_meant_as_a_hundredth(limit):
    with pytest.raises(UsageError, match="can mean 1% or 100%; write one of them"):
        vd.assert_supported(CONTEXT, WRONG, max_flagged=limit)


@pytest.mark.parametrize("limit", [5, "5", 1])
def test_where_a_number_of_sentences_is_given_as_a_share_the_other_limit_is_named(limit):
    with pytest.raises(UsageError, match=rf"For a number of sentences, use max_flags={limit}\.$"):
        vd.assert_supported(CONTEXT, WRONG, max_flagged=limit)


def test_detectors_and_thresholds_are_those_of_detect():
    with pytest.raises(AssertionError, match="by everything"):
        vd.assert_supported(CONTEXT, RIGHT, detector="everything")
    with pytest.raises(DetectorError):
        vd.assert_supported(CONTEXT, RIGHT, detector="nonsense")
    assert vd.assert_supported(CONTEXT, WRONG, threshold=1.0, detector="later-turns").count.flagged == 0
