"""Which way is good: usual words, and what a user says."""

import pytest

from voirdire.jury.worth.direction import Direction, goodness, read_labels, read_numbers, runs_down, scale_of
from voirdire.jury.worth.records import WorthError


@pytest.mark.parametrize(
    ("label", "is_good"),
    [
        *(
            (each, 1)
            for each in ("supported", "Correct", "no hallucination", "not wrong", "fully supported", "error-free")
        ),
        *((each, 0) for each in ("unsupported", "hallucinated", "false", "wrong", "incorrect", "not supported", "No")),
        *((each, 0) for each in ("NOT_SUPPORTED", "isn't supported", "contains hallucinations", "notSupported")),
        *((each, 0.5) for each in ("partly", "partially correct")),
        *(
            (each, None)
            for each in ("sad", "", "neutral", "factual errors", "partly sunny", "it is correct as far as I see")
        ),
    ],
)
def test_usual_words(label, is_good):
    assert goodness(label) == is_good


def test_of_two_labels_one_that_is_known_tells_the_other():
    values, direction = read_labels(["grounded", "made up"], (), "--good-rating", "x")
    assert values == {"grounded": 1, "made up": 0}
    assert direction.says((0, 1)) == "the label 'grounded' (read 'made up' as bad)"
    with pytest.raises(WorthError, match="x: nothing tells which of the labels 'grounded', 'made up', 'odd' are good"):
        read_labels(["grounded", "made up", "odd"], (), "--good-rating", "x")


def test_a_label_that_begins_with_not_can_be_named():
    values, _ = read_labels(["not rude", "rude"], ("not rude",), "--good-rating", "x")
    assert values == {"not rude": 1, "rude": 0}


@pytest.mark.parametrize("given", ["wrong_detail", "WRONG_DETAIL", "Wrong detail", "wrong detail", "not Off"])
def test_a_label_is_named_as_it_is_stored_or_as_people_read_it(given):
    values, _ = read_labels(["wrong_detail", "off"], (given,), "--good-rating", "x")
    assert values == {"wrong_detail": 1, "off": 0}


def test_a_label_is_named_by_its_text_though_that_begins_with_not():
    texts = {"ok_": "Not in error", "off": "Off"}
    values, _ = read_labels(["ok_", "off"], ("not in error",), "--good-rating", "x", texts=texts)
    assert values == {"ok_": 1, "off": 0}
    with pytest.raises(WorthError, match="x has no label 'nice'; its labels: 'Off', 'Not in error'"):
        read_labels(["ok_", "off"], ("nice",), "--good-rating", "x", texts=texts)


def test_yes_is_bad_below_a_word_that_is():
    assert read_labels(["yes", "no", "partly"], (), "--good-rating", "x", column="hallucinated")[0]["yes"] == 0
    assert read_labels(["yes", "no", "partly"], (), "--good-rating", "x", column="label")[0]["yes"] == 1


@pytest.mark.parametrize(
    ("given", "turned"), [("high", False), ("low", True), ("1", True), ("5", False), ("not 5", True), ("no", True)]
)
def test_numbers_are_turned_by_a_direction_or_an_end(given, turned):
    assert read_numbers([given], "--good-rating", "x", ends=(1, 5)).turned == turned


def test_numbers_between_the_ends_say_nothing():
    with pytest.raises(WorthError, match="takes high or low, or the good end, 1 or 5; '3' was given"):
        read_numbers(["3"], "--good-rating", "x", ends=(1, 5))


@pytest.mark.parametrize(
    ("direction", "says"),
    [
        (Direction(), "--good-verdict low"),
        (Direction(turned=True, by="words", column="errors"), "--good-verdict high"),
        (Direction(good=("a",), bad=("b", "c")), "--good-verdict 'b'"),
        (Direction(turned=True, by="known"), ""),
    ],
)
def test_the_other_way_is_what_a_user_can_give(direction, says):
    assert direction.other_way("--good-verdict") == says


def test_a_scale_runs_down_where_its_high_end_is_called_bad():
    assert runs_down(["hallucinated"], ["faithful"])
    assert runs_down(["all of it"], ["correct"])
    assert not runs_down(["correct"], ["incorrect"])
    assert not runs_down(["wrong"], ["false"]), "both ends are bad: nothing is said"
    assert not runs_down(["mine"], ["yours"])


@pytest.mark.parametrize(
    ("scores", "scale"),
    [
        ([0, 1, float("nan")], (0, 1)),
        ([0.2, 0.7], (0, 1)),
        ([1, 3], (1, 5)),
        ([1, 1], (1, 5)),
        ([0, 0], (0, 1)),
        ([3, 40], (3, 40)),
        ([], (1, 5)),
    ],
)
def test_a_judges_own_scale_is_told_by_its_scores_beside_peoples(scores, scale):
    assert scale_of(scores, (1, 5)) == scale


def test_a_misspelt_label_is_named_among_those_that_count_as_bad():
    _, direction = read_labels(["correct", "corect", "incorrect"], ["correct"], "--good-rating", "h.csv")
    assert direction.says((0.0, 1.0)) == "the label 'correct' (read 'corect', 'incorrect' as bad)"
