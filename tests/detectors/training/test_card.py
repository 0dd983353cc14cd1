import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest

from tests.detectors.training.examples import answer, answers
from voirdire.detectors import DetectorError
from voirdire.detectors.calibration import ScoredSample
from voirdire.detectors.training.card import (
    fingerprint,
    new_folder,
    pool,
    with_threshold,
    without_threshold,
    write_card,
    write_settings,
)
from voirdire.detectors.training.records import EncoderOptions, TrainedDetector, describe_data


def _sample(groups):
    gold = np.array([True, False] * groups)
    scores = np.where(gold, 0.8, 0.1)
    scores[:2] = scores[:2][::-1]  # the first group is got wrong
    names = np.repeat([f"g{n}" for n in range(groups)], 2)
    return ScoredSample(scores, gold, np.full(2 * groups, 5), names, np.zeros(2 * groups, bool))


def _trained(folder, judged):
    made = answers(12)
    return TrainedDetector(
        kind="encoder",
        folder=folder,
        base="some/encoder",
        threshold=judged.threshold,
        figures=judged.figures,
        losses=(0.7, 0.25),
        data={**describe_data(made, "grounded"), "learnt_from": 20, "sha256": fingerprint(made)},
        seconds=1.5,
        note=judged.note,
    )


def test_the_card_says_what_was_learnt_from_and_how_it_does(tmp_path):
    trained = _trained(tmp_path, with_threshold(_sample(8), 0.5, 0))
    said = write_card(trained, EncoderOptions(base="some/encoder"), {"folds": 5}).read_text()
    for what in (
        "12 labelled answers, 12 groups, 24 sentences; hallucinated",
        "learnt from: 20",
        trained.data["sha256"],
        "some/encoder",
        f"| 0.875 | {trained.figures['interval']['low']:.3f} to",
        "Flagging every sentence has an F1 of 0.667",
        "- folds: 5",
        "0.7000, 0.2500",
        "## Limits",
    ):
        assert what in said
    assert json.loads(json.dumps(trained.as_dict(), allow_nan=False))["figures"]["n_groups"] == 8


@pytest.mark.parametrize(
    ("sample", "says"),
    [(None, "Nothing was put aside"), (_sample(2), "rest on 2 contexts")],
)
def test_a_detector_that_was_not_judged_says_why_and_claims_no_figure(tmp_path, sample, says):
    judged = with_threshold(sample, 0.5, 0)
    said = write_card(_trained(tmp_path, judged), EncoderOptions(base="some/encoder"), {}).read_text()
    assert says in said
    assert "| F1 |" not in said
    assert judged.threshold == 0.5


def test_a_detector_that_says_yes_or_no_is_judged_as_it_is():
    sample = _sample(8)
    sample.scores[3] = np.nan
    judged = without_threshold(sample, 0.5)
    assert judged.figures["score"]["f1"] == pytest.approx(0.875)
    assert "could not be read: 1 sentence," in judged.note
    assert without_threshold(None, 0.5).figures is None


def test_folds_are_judged_together():
    assert pool([_sample(3), _sample(2)]).gold.tolist() == [True, False] * 5


def test_the_fingerprint_follows_the_labels_and_not_what_carries_none():
    made = answers(3)
    assert fingerprint([*made, answer(9, (None,))]) == fingerprint(made)
    other = replace(made[0], statements=tuple(replace(each, label="reliable") for each in made[0].statements))
    assert fingerprint([other, *made[1:]]) != fingerprint(made)
    assert len(fingerprint(made)) == len(hashlib.sha256().hexdigest())


def test_what_stands_in_the_folder_is_never_written_over(tmp_path):
    (tmp_path / "old").mkdir()
    assert new_folder(tmp_path / "old") == tmp_path / "old"
    write_settings(tmp_path / "old", {"kind": "encoder"})
    assert json.loads((tmp_path / "old" / "voirdire.json").read_text())["kind"] == "encoder"
    with pytest.raises(DetectorError, match="already exists"):
        new_folder(tmp_path / "old")
    with pytest.raises(DetectorError, match="already exists"):
        new_folder(tmp_path / "old" / "voirdire.json")
