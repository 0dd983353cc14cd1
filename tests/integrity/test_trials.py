import gzip
import json

import numpy as np
import pytest

from tests.integrity.examples import likert, made_trials, raw_trials, trial
from voirdire.integrity import IntegrityError
from voirdire.integrity.trials import parse_trials, read_trials

GOOD = [95, 90, 92]


def one_unparsed(cell):
    return made_trials([trial(1, likert(GOOD, cell)), trial(2, likert(GOOD, [80, 70, 75]))])


@pytest.mark.parametrize(
    ("treatment", "scores"), [("missing", [None] * 3), ("published", [-1] * 3), ("recovered", [100, 90, 95])]
)
def test_an_unparsed_reply_is_missing_or_stands_as_one_asks(treatment, scores):
    trials = one_unparsed({"s": [None] * 3, "recovered": [100, 90, 95], "parse": "manual_review"})
    np.testing.assert_array_equal(trials.scores("likert", treatment)[0, 1], np.array(scores, dtype=float))
    assert trials.scores("likert", treatment)[1, 1].tolist() == [80, 70, 75]


def test_minus_one_as_the_publication_has_it_is_no_score_either():
    trials = one_unparsed([-1, -1, -1])
    assert trials.unparsed[0].recovered is None
    assert np.isnan(trials.scores("likert")[0, 1]).all()
    assert np.isnan(trials.scores("likert", "recovered")[0, 1]).all()
    assert trials.scores("likert", "published")[0, 1].tolist() == [-1, -1, -1]


def test_treating_replies_one_way_leaves_the_trials_as_they_were():
    trials = one_unparsed([-1, -1, -1])
    trials.scores("likert", "published")
    assert np.isnan(trials.scores("likert")[0, 1]).all()


def test_a_response_is_all_that_the_model_answered():
    response = one_unparsed(GOOD).trials[0].response
    assert all(part in response for part in ("Tearing it down", "Wait.", "prudence", "Waiting costs money."))


@pytest.mark.parametrize("pack", [gzip.compress, bytes])
def test_files_are_read_gzipped_or_not(tmp_path, pack):
    path = tmp_path / "trials"
    path.write_bytes(pack(json.dumps(raw_trials([trial(1, likert(GOOD, GOOD))])).encode()))
    assert read_trials(path).scores("likert").shape == (1, 2, 3)


def changed(**changes):
    raw = raw_trials([trial(1, likert(GOOD, GOOD))])
    raw["trials"][0] |= changes
    return json.dumps(raw)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "holds no scored trials"),
        ("[]", "integrity_trials/1"),
        (json.dumps({"_schema": "other/1"}), "integrity_trials/1"),
        (json.dumps(raw_trials([])), "there is no trial"),
        (changed(scenario="elsewhere"), "the scenario or the constitution of t01"),
        (changed(scores=likert(GOOD)), "'b' is lacking"),
        (changed(scores=likert(GOOD, [1, 2])), "t01, likert, b has 2 scores for 3 dimensions"),
        (changed(scores=likert(GOOD, [90, 101, 90])), "3 numbers from 0 to 100"),
        (changed(scores=likert(GOOD, [90, "high", 90])), "3 numbers from 0 to 100"),
        (changed(scores=likert(GOOD, [90, None, 90])), "3 numbers from 0 to 100"),
        (changed(reasoning=None), "t01"),
        (json.dumps(raw_trials([trial(1, likert(GOOD, GOOD))] * 2)), "two trials have the same id"),
    ],
)
def test_what_is_no_file_of_trials_is_refused_in_one_sentence(text, says):
    with pytest.raises(IntegrityError) as refused:
        parse_trials(text, "the file")
    assert str(refused.value).startswith("the file holds no scored trials")
    assert says in str(refused.value)


def test_a_file_that_is_not_there_or_cut_short_is_refused(tmp_path):
    cut = tmp_path / "cut.json.gz"
    cut.write_bytes(gzip.compress(b"{}" * 1000)[:-12])
    for path in (tmp_path / "none.json", cut):
        with pytest.raises(IntegrityError, match="can't be read"):
            read_trials(path)


def test_asking_for_what_is_not_scored_is_refused():
    trials = one_unparsed(GOOD)
    with pytest.raises(IntegrityError, match="no scores under 'binary'"):
        trials.scores("binary")
    with pytest.raises(IntegrityError, match="no dimension 'style'"):
        trials.dimension("style")
