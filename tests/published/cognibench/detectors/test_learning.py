import numpy as np
import pytest

from tests.published.cognibench.dev import dev
from voirdire.detectors import open_detector, passage_of
from voirdire.detectors.learned import type_probabilities
from voirdire.detectors.learning import DETECT, TYPE, cross_validate, fingerprint, mean_of_folds, sample_of, train


@pytest.fixture(scope="module")
def answers():
    return [answer for answer in dev() if answer.labelled]


@pytest.fixture(scope="module")
def trained(answers, tmp_path_factory):
    folder = tmp_path_factory.mktemp("learned") / "model"
    return train(answers, folder, source="the development half")


def test_cross_validated_f1_reaches_the_bar(answers):
    found = cross_validate(sample_of(DETECT, answers))
    assert len(found.f1_by_fold) == 5
    assert mean_of_folds(found.f1_by_fold) >= 0.78


def test_training_again_gives_the_packaged_model(trained, answers):
    packaged, made = (open_detector(name) for name in ("lexical-learned", f"lexical-learned:{trained.folder}"))
    passages = [passage_of(answer) for answer in answers[:5]]
    assert np.allclose(np.concatenate(packaged.flag_many(passages)), np.concatenate(made.flag_many(passages)))
    assert packaged.threshold == pytest.approx(made.threshold)


def test_a_detector_knows_the_contexts_it_learnt_from(answers):
    detector = open_detector("lexical-learned")
    assert all(fingerprint(answer.context) in detector.trained_on for answer in answers)
    assert fingerprint("Another context.") not in detector.trained_on


def test_cognitive_statements_are_told_from_factual_ones(answers):
    found = cross_validate(sample_of(TYPE, answers), threshold=0.5)
    sample = sample_of(TYPE, answers)
    assert np.mean(found.flagged == sample.target) > max(sample.target.mean(), 1 - sample.target.mean()) + 0.08
    factual, cognitive = type_probabilities(
        "The mill was built in 1790 beside the river.",
        [
            "The mill was built in 1790.",
            "This remarkable legacy may inspire your appreciation of craft, ensuring lasting impact.",
        ],
    )
    assert factual < 0.5 < cognitive
