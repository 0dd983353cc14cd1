import subprocess
import sys
from math import isnan

import pytest

from voirdire.detectors import KINDS, DetectorError, DetectorOptions, Passage, open_detector
from voirdire.detectors.learned import type_probabilities

SENTENCES = ("The tower is 300 m high.", "Everyone adores its timeless charm.")


def test_an_unknown_detector_is_answered_with_those_there_are():
    with pytest.raises(DetectorError, match=r"no detector 'magic'.*lexical"):
        open_detector("magic")


def test_a_detector_that_needs_a_model_says_how_to_give_one():
    with pytest.raises(DetectorError, match="nli needs a model: nli:MODEL"):
        open_detector("nli")


def test_a_detector_without_a_model_refuses_one():
    with pytest.raises(DetectorError, match="lexical takes no model"):
        open_detector("lexical:large")


def test_what_is_not_installed_is_named_with_the_extra_that_brings_it():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from voirdire.detectors import open_detector, DetectorError\n"
        "try: open_detector('nli:some/model')\n"
        "except DetectorError as error: print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "needs torch" in said
    assert "voirdire[torch]" in said


@pytest.mark.parametrize("name", ["lexical", "lexical-learned", "type", "everything", "later-turns", "chance"])
def test_flag_many_gives_what_flag_gives_one_by_one(name):
    detector = open_detector(name)
    passages = [Passage("The tower is 300 m high and stands in Paris.", SENTENCES), Passage("", SENTENCES[:1])]
    together = detector.flag_many(passages)
    assert together == [detector.flag(*passage) for passage in passages]
    assert [len(scores) for scores in together] == [2, 1]
    assert all(0 <= score <= 1 for scores in together for score in scores)


def test_nothing_heavy_is_imported_for_a_lexical_detector():
    code = (
        "import sys\nfrom voirdire.detectors import open_detector\n"
        "open_detector('lexical').flag('A tower.', ['A tower.'])\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not loaded & {"torch", "transformers", "sklearn", "pandas", "pydantic_ai", "xllamacpp"}


def test_chance_is_a_coin_that_falls_the_same_way_for_the_same_sentence():
    first = open_detector("chance", DetectorOptions(seed=1)).flag("c", list("abcdefghijklmnop"))
    assert first == open_detector("chance", DetectorOptions(seed=1)).flag("c", list("abcdefghijklmnop"))
    assert first != open_detector("chance", DetectorOptions(seed=2)).flag("c", list("abcdefghijklmnop"))
    assert 2 < sum(score >= 0.5 for score in first) < 14


def test_later_turns_flags_what_follows_another_answer():
    detector = open_detector("later-turns")
    assert detector.flag("c", ["s"], [("q", "s")]) == [0.0]
    assert detector.flag("c", ["s"], [("q", "a"), ("q", "s")]) == [1.0]


def test_every_kind_says_what_it_flags():
    assert all(kind.says and ":" in kind.factory for kind in KINDS.values())


OPENED = ["lexical", "lexical-learned", "type", "everything", "later-turns", "chance"]


@pytest.mark.parametrize("name", OPENED)
def test_one_text_and_a_list_of_texts_mean_the_same_to_every_detector(name):
    detector = open_detector(name)
    listed = detector.flag("It is 300 m high.\n\nIt is red.", ["It is blue."])
    assert detector.flag(["It is 300 m high.", "It is red."], "It is blue.") == listed
    assert len(listed) == 1


@pytest.mark.parametrize("name", OPENED)
@pytest.mark.parametrize(
    ("context", "sentences", "said"),
    [
        (None, ["A."], "context must be a text or a list of texts, not a NoneType"),
        (5, ["A."], "context must be a text or a list of texts, not an int"),
        ("c", {"A."}, "sentences must be a text or a list of texts, not a set"),
        ("c", ["A.", 5], "sentences must be a text or a list of texts; number 2 is an int"),
    ],
)
def test_what_is_no_text_is_refused_in_one_sentence(name, context, sentences, said):
    with pytest.raises(DetectorError) as error:
        open_detector(name).flag(context, sentences)
    assert str(error.value) == f"{said}."


@pytest.mark.parametrize("name", ["lexical", "lexical-learned", "type"])
def test_detectors_that_compare_words_say_nothing_of_scripts_without_spaces(name):
    scores = open_detector(name).flag("塔の高さは三百メートルです。", ["塔は赤いです。", "The tower is red."])
    assert [isnan(score) for score in scores] == [True, False]
    assert type_probabilities("塔の高さは三百メートルです。", ["塔は赤いです。"])[0] < 1  # a labeller needs one
