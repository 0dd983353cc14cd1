"""Which output of a classifier means what."""

import pytest

from voirdire.detectors import DetectorError
from voirdire.detectors.neural._folders import NliLabels, binary_label, nli_labels


@pytest.mark.parametrize(
    ("id2label", "found"),
    [
        ({0: "entailment", 1: "neutral", 2: "contradiction"}, NliLabels(0, 2)),
        ({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, NliLabels(2, 0)),
        ({"0": "Contradictory", "1": "Entails", "2": "Neutral"}, NliLabels(1, 0)),
        ({0: "entailment", 1: "contradiction"}, NliLabels(0, 1)),
    ],
)
def test_names_are_found_in_any_case_and_order(id2label: dict[int, str], found: NliLabels) -> None:
    assert nli_labels("a/model", id2label) == found


def test_label2id_speaks_where_id2label_does_not() -> None:
    plain = {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}
    assert nli_labels("m", plain, {"contradiction": 0, "neutral": 1, "entailment": 2}) == NliLabels(2, 0)


def test_nameless_classes_are_refused() -> None:
    with pytest.raises(
        DetectorError, match=r"LABEL_0, LABEL_1, LABEL_2.*does not say where entailment stands.*id2label"
    ):
        nli_labels("m", {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, {"LABEL_0": 0, "LABEL_1": 1, "LABEL_2": 2})


def test_the_released_selfcheck_model_is_known_by_its_card() -> None:
    nameless = {0: "LABEL_0", 1: "LABEL_1"}
    assert nli_labels("potsawee/deberta-v3-large-mnli", nameless) == NliLabels(0, 1)


@pytest.mark.parametrize("other", ["not_entailment", "NOT-ENTAILED", "non entailment"])
def test_two_classes_without_contradiction_need_the_switch(other: str) -> None:
    labels = {0: "entailment", 1: other}
    assert nli_labels("m", labels, contradiction=False) == NliLabels(0, None)
    with pytest.raises(DetectorError, match="knows no contradiction: use nli with --not-entailed"):
        nli_labels("m", labels)


def test_a_class_called_not_entailment_is_never_taken_for_entailment() -> None:
    assert nli_labels("m", {0: "not_entailment", 1: "entailment"}, contradiction=False).entailment == 1


def test_a_topic_classifier_is_no_nli_model() -> None:
    with pytest.raises(DetectorError, match="positive, negative"):
        nli_labels("m", {0: "positive", 1: "negative"})


@pytest.mark.parametrize(
    ("id2label", "place"),
    [
        ({0: "supported", 1: "unsupported"}, 0),
        ({"0": "Unsupported", "1": "Supported"}, 1),
        ({0: "LABEL_0", 1: "LABEL_1"}, 1),  # MiniCheck's: the second class is "supported"
    ],
)
def test_support_is_found_by_name_or_is_the_second_class(id2label: dict[int, str], place: int) -> None:
    assert binary_label("m", id2label, "supported", "unsupported") == place


@pytest.mark.parametrize("names", [["a", "b"], ["LABEL_0", "LABEL_1", "LABEL_2"], ["supported"]])
def test_other_classes_are_refused(names: list[str]) -> None:
    with pytest.raises(DetectorError, match="two are expected, unsupported and supported"):
        binary_label("m", dict(enumerate(names)), "supported", "unsupported")
