"""What generative detectors have in common, with a scripted writer."""

from collections.abc import Sequence
from math import isnan
from pathlib import Path

import pytest

from voirdire.detectors import DetectorError, Passage
from voirdire.detectors.generative._detector import (
    GeneratedText,
    GenerativeDetector,
    WritingTask,
    _own_words,
    cut_scores,
)
from voirdire.detectors.generative.cognidet import NONE, STYLE, build_messages, format_reply

ONE, TWO = Passage("C.", ("A b c.", "D e f.")), Passage("D.", ("G h i.",))


class Script:
    def __init__(self, *written: GeneratedText) -> None:
        self.written = list(written)
        self.tasks: list[WritingTask] = []

    def write(self, tasks: Sequence[WritingTask]) -> list[GeneratedText]:
        self.tasks += tasks
        return [self.written.pop(0) for _ in tasks]


def test_replies_become_scores_in_the_passages_order() -> None:
    script = Script(GeneratedText(format_reply(["D e f."]), True), GeneratedText(NONE, True))
    detector = GenerativeDetector("cognidet:x", script, STYLE)
    assert detector.flag_many([ONE, Passage("E.", ()), TWO]) == [[0, 1], [], [0]]
    assert [task.prompt for task in script.tasks] == [build_messages(ONE), build_messages(TWO)]


def test_longer_answers_get_more_room() -> None:
    script = Script(GeneratedText(NONE, True), GeneratedText(NONE, True))
    GenerativeDetector("cognidet:x", script, STYLE).flag_many([TWO, Passage("C.", ("word " * 500,))])
    assert script.tasks[0].max_tokens < 100
    assert script.tasks[1].max_tokens > 1000


def test_a_failed_call_leaves_its_answer_unscored_and_is_reported() -> None:
    script = Script(GeneratedText("", False, "the model refused."), GeneratedText(NONE, True))
    detector = GenerativeDetector("cognidet:x", script, STYLE)
    first, second = detector.flag_many([ONE, TWO])
    assert all(map(isnan, first))
    assert second == [0]
    assert detector.faults == ("the model refused.",)


def test_when_every_call_fails_that_is_an_error() -> None:
    failed = GeneratedText("", False, "the call failed (auth): no key")
    with pytest.raises(DetectorError, match="cognidet:x judged nothing: the call failed"):
        GenerativeDetector("cognidet:x", Script(failed, failed), STYLE).flag_many([ONE, TWO])


def test_what_could_not_be_placed_is_that_of_the_last_call() -> None:
    script = Script(GeneratedText(format_reply(["nobody said this here"]), True), GeneratedText(NONE, True))
    detector = GenerativeDetector("cognidet:x", script, STYLE)
    detector.flag(*ONE)
    assert detector.unplaced == ("nobody said this here",)
    detector.flag(*ONE)
    assert detector.unplaced == ()


def test_a_model_may_bring_the_words_that_it_was_trained_on(tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("[INST] $context | $question | $answer costs $9 [/INST]")
    script = Script(GeneratedText(NONE, True))
    GenerativeDetector("cognidet:x", script, STYLE, words=_own_words(str(tmp_path))).flag("C.", ["A b c."])
    assert script.tasks[0].prompt == "[INST] C. |  | A b c. costs $9 [/INST]"


@pytest.mark.parametrize(
    ("listed", "known"), [([1, 2], [0, 1, 1, None]), ([2, 1], [None, 1, 1, None]), ([], [None] * 4)]
)
def test_a_cut_list_speaks_of_what_it_has_passed(listed: list[int], known: list[float | None]) -> None:
    assert [None if isnan(score) else score for score in cut_scores(listed, 4)] == known
