import re

import numpy as np
import pytest

from tests.cognibench.made_half import half
from voirdire.detectors import DetectorOptions, hallucinated, lexical, open_detector, passage_of
from voirdire.detectors.lexical import CONTRADICTED, LexicalDetector
from voirdire.detectors.scoring import word_score
from voirdire.evidence import contradiction_score

CONTEXT = (
    "The Harbour Bridge was opened on 19 March 1932. It carries eight lanes of traffic. Granite pylons stand at both "
    "ends of the bridge. John Bradfield oversaw the design, and Ralph Freeman drew the details."
)


def test_it_flags_what_the_context_lacks_and_leaves_what_it_says():
    detector = open_detector("lexical")
    scores = detector.flag(
        CONTEXT,
        [
            "The Harbour Bridge was opened on 19 March 1932.",
            "Its graceful silhouette continues to inspire artists everywhere.",
        ],
    )
    assert scores[0] < detector.threshold <= scores[1]


def test_a_contradiction_raises_a_sentence_with_hardly_a_new_word():
    sentence = ["The Harbour Bridge was opened on 19 March 1935."]
    with_stage = open_detector("lexical")
    without = open_detector("lexical", DetectorOptions(contradiction=False))
    assert without.flag(CONTEXT, sentence)[0] < without.threshold
    assert with_stage.flag(CONTEXT, sentence)[0] >= with_stage.threshold
    (reasons,) = with_stage.reasons(CONTEXT, sentence)
    assert any("1935" in reason and "1932" in reason for reason in reasons)


def test_the_example_of_the_documentation_is_flagged_however_short_it_is():
    detector = open_detector("lexical")
    scores = detector.flag("The tower is 300 m high.", ["It is 300 m high.", "Everyone loves it."])
    assert scores[0] < detector.threshold <= scores[1]


def test_reasons_name_the_new_words():
    (reasons,) = open_detector("lexical").reasons(CONTEXT, ["Its silhouette inspires artists."])
    assert reasons == ["not in the context: silhouette, inspires, artists"]


def test_reasons_keep_accents_and_separators():
    (reasons,) = open_detector("lexical").reasons("The shop opened.", ["12,400 niños in the über-shop: niños!"])
    assert reasons[0] == "not in the context: 12,400, niños, über"


def test_a_threshold_can_be_given():
    assert open_detector("lexical", DetectorOptions(threshold=0.9)).threshold == 0.9


@pytest.mark.parametrize("name", ["lexical", "lexical-learned"])
def test_it_finds_most_of_what_was_invented_beside_a_context(name):
    detector = open_detector(name)
    scores = detector.flag_many([passage_of(answer) for answer in half()])
    statements = [statement for answer in half() for statement in answer.statements]
    flagged = (np.concatenate(scores) >= detector.threshold).tolist()
    found = word_score(flagged, [hallucinated(s.label) for s in statements], [s.words for s in statements])
    assert found.f1 >= 0.78


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        ("Customers under 18 cannot have an overdraft.", "Customers under 18 have an overdraft."),
        ("Customers under 18 have an overdraft.", "Customers under 18 cannot have an overdraft."),
    ],
)
def test_what_stands_in_quotation_marks_stands_in_the_context_or_the_sentence(context, sentence):
    (reasons,) = open_detector("lexical").reasons(context, [sentence])
    quoted = [words for reason in reasons for words in re.findall("“(.*?)”", reason)]
    assert quoted and all(words in context or words in sentence for words in quoted)


@pytest.mark.parametrize("source", ["documentation", "manual", "article", "knowledge base"])
def test_whatever_the_context_is_called_it_may_be_silent(source):
    context = "The tower was built in 1889."
    silent, wrong = (
        f"The {source} does not say {what}." for what in ("whether it has lifts", "when the tower was built")
    )
    flagged = [score >= LexicalDetector().threshold for score in LexicalDetector().flag(context, [silent, wrong])]
    assert flagged == [False, True]


def test_that_the_context_is_silent_is_flagged_where_it_is_not_and_never_for_words_that_the_context_lacks():
    context = "The tower was built in 1889. The ticket costs 29 euros."
    sentences = ["The context does not say when the tower was built.", "The context does not mention restaurants."]

    false, right = LexicalDetector().flag(context, sentences)
    assert (false >= CONTRADICTED, right) == (True, 0.0)
    (reason,), none = LexicalDetector().reasons(context, sentences)
    assert reason == "negation: “does not say when the tower was built” differs from “The tower was built in 1889.”"
    assert none == []


@pytest.mark.parametrize("mark", ["4. ", "- ", "a) ", "**"])
def test_a_list_mark_changes_no_score_and_is_no_reason(mark):
    detector, sentence = open_detector("lexical"), "It carries nine lanes of rapid traffic."
    assert detector.flag(CONTEXT, mark + sentence) == detector.flag(CONTEXT, sentence)
    assert detector.reasons(CONTEXT, mark + sentence) == detector.reasons(CONTEXT, sentence)


def test_equal_sentences_are_compared_once(monkeypatch):
    compared = []
    monkeypatch.setattr(
        lexical,
        "contradiction_score",
        lambda sentence, index: compared.append(sentence) or contradiction_score(sentence, index),
    )
    scores = open_detector("lexical").flag(CONTEXT, ["It carries nine lanes of traffic."] * 50)
    assert len(set(scores)) == 1 and len(scores) == 50 and len(compared) == 1


@pytest.mark.parametrize("name", ["lexical", "lexical-learned"])
def test_python_flags_no_small_talk_as_the_command_does(name):
    detector = open_detector(name)
    *small_talk, claim = detector.flag(
        CONTEXT,
        [
            "Would you like me to reserve a table for 14 guests?",
            "Let me know if you need anything else.",
            "Is the bridge open on 20 March?",
            "I'm sorry, I can't help with that.",
            "Hello!",
            "The Harbour Bridge was opened on 19 March 1935.",
        ],
    )
    assert small_talk == [0.0] * 5
    assert claim >= detector.threshold
