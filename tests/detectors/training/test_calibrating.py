import json
from math import nan

import pytest

from tests.detectors.training.examples import answers
from voirdire.detectors import DetectorError, OneByOne, open_detector
from voirdire.detectors.training.calibrating import calibrate_detector


class _Loved(OneByOne):
    name, threshold = "loved", 0.9

    def flag(self, context, sentences, dialogue=()):
        return [0.6 if "loved" in each else nan if "high" in each and "3 is" in each else 0.2 for each in sentences]


def test_the_report_says_what_was_calibrated_and_what_must_be_read_first():
    found = calibrate_detector(_Loved(), answers(12), "recall=0.9", probabilities="isotonic")
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert (found["detector"], found["own_threshold"], found["objective"]) == ("loved", 0.9, "recall=0.9")
    assert 0.2 < found["chosen"]["threshold"] <= 0.6
    assert found["threshold"] == found["recommendation"]["threshold"]
    assert found["own"]["recall"] == 0 and found["cross_validated"]["recall"] == 1
    assert found["probabilities"]["after"]["error"] == pytest.approx(0)
    said = " ".join(found["remarks"])
    assert "Only 12 contexts" in said and "Without a score: 1 sentence," in said and "No interval" in said


def test_a_detector_that_says_yes_or_no_is_told_that_a_threshold_decides_nothing():
    found = calibrate_detector(open_detector("everything"), answers(40))
    assert any("yes or no" in remark for remark in found["remarks"])
    assert found["cross_validated"]["recall"] == 1
    assert found["probabilities"] is None


def test_an_unknown_map_is_refused_before_anything_is_scored():
    with pytest.raises(DetectorError, match="isotonic or platt"):
        calibrate_detector(open_detector("everything"), [], probabilities="beta")


@pytest.mark.parametrize(("labels", "unlike"), [(["invented"], True), (["faithful"] * 3, False)])
def test_labels_with_more_errors_than_a_product_has_are_warned_of(labels, unlike):
    found = calibrate_detector(_Loved(), answers(12, ("faithful", *labels, "invented")[: 2 + len(labels)]))
    said = " ".join(found["remarks"])
    assert ("of these sentences are wrong. Where fewer are, as in most products" in said) == unlike
